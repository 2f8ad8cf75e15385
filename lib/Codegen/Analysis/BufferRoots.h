//===- BufferRoots.h - which memory a value stands for ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_BUFFERROOTS_H
#define JIT_CODEGEN_ANALYSIS_BUFFERROOTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// The buffer that `view` shows a part of.
mlir::Value viewedBuffer(mlir::Value view);

/// True for buffers that no other root of the function can be a part of. The results of branches
/// and the arguments of loops can be any buffer.
bool isDistinctRoot(mlir::Value root);

/// The buffer of which `view` is another shape.
mlir::Value reshapeSource(mlir::Value view);

/// True if the operand's elements, in the order in which they lie in memory, are the points of the
/// op's dimensions from `begin` up to `end`.
bool walksInOrder(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned begin,
                  unsigned end);

/// True for an op whose operands are all the memory that it depends on, of distinct roots: its body
/// loads nothing that is written, and uses no number that is loaded elsewhere.
bool hasKnownMemory(mlir::Operation *op);

/// True for what neither reads nor writes.
bool isAside(mlir::Operation *op);

/// True if an op of known memory writes to the buffer `root`.
bool writes(mlir::Operation *op, mlir::Value root);

/// True if two ops of known memory do not commute.
bool conflict(mlir::Operation *a, mlir::Operation *b);

/// True if two ops of known memory have a root in common.
bool shareBuffer(mlir::Operation *a, mlir::Operation *b);

/// True unless `ops` alone have the buffer, through views of its whole.
bool isUsedOutside(mlir::Value root, llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_BUFFERROOTS_H
