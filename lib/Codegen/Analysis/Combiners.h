//===- Combiners.h - by which operations an op reduces ----------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_COMBINERS_H
#define JIT_CODEGEN_ANALYSIS_COMBINERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// The operation of the body by which each output is reduced: commutative, with a neutral element.
/// Nothing where the op does not reduce by one such operation for each output.
std::optional<llvm::SmallVector<mlir::Operation *>> combinersOf(mlir::linalg::LinalgOp op);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_COMBINERS_H
