//===- LibraryEmulation.h - what libraries do, on the host ------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_LIBRARYEMULATION_H
#define JIT_LIB_RUNTIME_GPU_LIBRARYEMULATION_H

#include "jit/Runtime/DevicePlan.h"

namespace jit::runtime {

// What a library on the device would do, element by element.

void emulateProduct(const MatrixProduct &product, const void *left, const void *right,
                    void *result);
void emulateConvolution(const PlanConvolution &convolution, const void *images, const void *filters,
                        void *result);

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_LIBRARYEMULATION_H
