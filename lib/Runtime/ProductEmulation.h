//===- ProductEmulation.h - a library's products on the host -----*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_PRODUCTEMULATION_H
#define JIT_LIB_RUNTIME_PRODUCTEMULATION_H

#include "jit/Runtime/DevicePlan.h"

namespace jit {

/// What a library on the device would do, element by element.
void emulateProduct(const MatrixProduct &product, const void *left, const void *right,
                    void *result);

} // namespace jit

#endif // JIT_LIB_RUNTIME_PRODUCTEMULATION_H
