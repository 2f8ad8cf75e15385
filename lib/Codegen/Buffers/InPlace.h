//===- InPlace.h - results that arguments' memory becomes --------*- C++ -*-===//
#ifndef JIT_LIB_CODEGEN_BUFFERS_INPLACE_H
#define JIT_LIB_CODEGEN_BUFFERS_INPLACE_H

#include "mlir/IR/Value.h"

namespace jit::codegen {

/// Whether `value` is made anew, element by element and in a new tensor, for which any other one of
/// its type would do: one whose old elements are read in the same places, too.
bool mayComputeInArgument(mlir::Value value);

} // namespace jit::codegen

#endif // JIT_LIB_CODEGEN_BUFFERS_INPLACE_H
