//===- ElementEmitter.h - one element of a linalg op -------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LOOPS_ELEMENTEMITTER_H
#define JIT_CODEGEN_LOOPS_ELEMENTEMITTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// Writes what a linalg op on buffers does at one point of its iteration space, given by one index
/// for each of its dimensions.
class ElementEmitter {
public:
  ElementEmitter(mlir::linalg::LinalgOp op, mlir::OpBuilder &b) : op(op), b(b), loc(op.getLoc()) {}

  /// Where the element of `operand` is.
  llvm::SmallVector<mlir::Value> indices(mlir::OpOperand &operand, mlir::ValueRange point);
  mlir::Value load(mlir::OpOperand &operand, mlir::ValueRange point);
  /// The old values of all outputs.
  llvm::SmallVector<mlir::Value> loadOutputs(mlir::ValueRange point);
  /// Stores one value for each output.
  void store(mlir::ValueRange values, mlir::ValueRange point);

  /// The values that the body yields. Outputs are read from `accumulators`, or by `read` where that
  /// is empty; `read` gives an operand's element and is asked only for those that the body uses.
  llvm::SmallVector<mlir::Value> emitBody(mlir::ValueRange point, mlir::ValueRange accumulators,
                                          llvm::function_ref<mlir::Value(mlir::OpOperand &)> read);
  llvm::SmallVector<mlir::Value> emitBody(mlir::ValueRange point, mlir::ValueRange accumulators) {
    return emitBody(point, accumulators,
                    [&](mlir::OpOperand &operand) { return load(operand, point); });
  }

private:
  mlir::linalg::LinalgOp op;
  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_LOOPS_ELEMENTEMITTER_H
