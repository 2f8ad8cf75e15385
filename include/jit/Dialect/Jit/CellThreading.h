//===- CellThreading.h - memory as values through control flow --*- C++ -*-===//
//
// A cell is a place that a program reads and writes: a slot of module state, an attribute of a
// local object, a list that grows, a tensor that is written in place. CellThreading walks
// structured control flow in program order and knows each cell's present value as an SSA value:
// what a branch or a loop assigns becomes a result of it, what a loop carries becomes one of its
// carried variables.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_JIT_CELLTHREADING_H
#define JIT_DIALECT_JIT_CELLTHREADING_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace jit {

class CellThreading {
public:
  using Cell = unsigned;
  using Cells = llvm::SmallSetVector<Cell, 4>;

  virtual ~CellThreading() = default;

protected:
  /// Rewrites one operation for the present values of the cells, and assigns those that it writes.
  /// Called in program order, for terminators and operations with regions too; of the latter,
  /// before their regions. It must not erase the operation: see `eraseLater`.
  virtual mlir::LogicalResult visit(mlir::Operation *op) = 0;
  /// Adds the cells that `op` itself, not one nested in it, assigns.
  virtual void collectAssigned(mlir::Operation *op, Cells &cells) = 0;
  /// `values`, the arguments of a block or the results of an operation, exist from here on.
  virtual mlir::LogicalResult define(mlir::ValueRange values) { return mlir::success(); }
  /// `value` is what `cell` holds from here on.
  virtual void assigned(Cell cell, mlir::Value value) {}
  /// The result `from` of an operation that was rebuilt is now `to`.
  virtual void replaced(mlir::Value from, mlir::Value to) {}

  /// A new cell for values of exactly this type; it has no value yet.
  Cell addCell(mlir::Type type);
  mlir::Type typeOf(Cell cell) const { return types[cell]; }
  /// The present value of a cell; null before its first assignment.
  mlir::Value get(Cell cell) const { return current.lookup(cell); }
  void set(Cell cell, mlir::Value value);

  /// Threads the cells through `block` and everything in it.
  mlir::LogicalResult thread(mlir::Block &block);
  void eraseLater(mlir::Operation *op) { erased.push_back(op); }
  /// Erases what `eraseLater` was told, uses before definitions.
  void eraseNow();

private:
  Cells assignedIn(mlir::Operation *op);
  mlir::FailureOr<mlir::Operation *> threadIf(mlir::scf::IfOp op);
  mlir::FailureOr<mlir::Operation *> threadFor(mlir::scf::ForOp op);
  mlir::FailureOr<mlir::Operation *> threadWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult threadArguments(mlir::Block &block, const Cells &cells);
  void yieldCells(mlir::Block &block, const Cells &cells);
  mlir::Operation *rebuilt(mlir::Operation *from, mlir::Operation *to, const Cells &cells);

  llvm::SmallVector<mlir::Type> types;
  llvm::MapVector<Cell, mlir::Value> current;
  llvm::SmallVector<mlir::Operation *> erased;
};

} // namespace jit

#endif // JIT_DIALECT_JIT_CELLTHREADING_H
