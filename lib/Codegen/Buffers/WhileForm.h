//===- WhileForm.h - loops whose condition keeps its order -------*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERS_WHILEFORM_H
#define JIT_CODEGEN_BUFFERS_WHILEFORM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit::codegen {

/// Rewrites the while loops of `func` so that a condition forwards all carried values in their own
/// places, then any other tensors in places of their own, then the scalars. Fails, with an error,
/// for a tensor of an open size that a condition computes.
mlir::LogicalResult forwardInPlace(mlir::func::FuncOp func);

} // namespace jit::codegen

#endif // JIT_CODEGEN_BUFFERS_WHILEFORM_H
