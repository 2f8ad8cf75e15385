//===- LoopSizes.h - how far the loops of an op go ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_LOOPSIZES_H
#define JIT_CODEGEN_ANALYSIS_LOOPSIZES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// True if a size of the op's is known only when it is called.
bool hasOpenSizes(mlir::linalg::LinalgOp op);

/// The size of each loop, by the operands' types and sizes. Fails where a loop is open and no
/// operand has a dimension of its size; no operation is created then.
mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>> loopSizes(mlir::OpBuilder &b,
                                                                 mlir::linalg::LinalgOp op);

/// How many points loops of these sizes have.
mlir::Value pointsOf(mlir::OpBuilder &b, mlir::Location loc,
                     llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_LOOPSIZES_H
