//===- RearrangedCopies.h - reading what was copied --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_REARRANGEDCOPIES_H
#define JIT_CODEGEN_ANALYSIS_REARRANGEDCOPIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// Where an operand is a copy with its dimensions in another order, lets `op` read the original,
/// which nothing has changed meanwhile. Gives the ops that copied: they stay, perhaps for nobody.
llvm::SmallVector<mlir::linalg::LinalgOp> readOriginals(mlir::linalg::GenericOp op);

/// Erases an op that copies to where nobody reads.
void eraseUnread(mlir::linalg::LinalgOp copy, mlir::RewriterBase &rewriter);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_REARRANGEDCOPIES_H
