//===- InPlaceThreading.h - what is written in place as values --*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_INPLACETHREADING_H
#define JIT_FUNCTIONALIZE_INPLACETHREADING_H

#include "SharedMemory.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Each value with memory of its own that is written is a cell; a view of it is recomputed from the
/// cell's present value where it is used after a write. Subclasses say what a write is. What has
/// more names than its definition shows, and all that may share memory with it, is left as it is.
class InPlaceThreading : CellThreading {
public:
  explicit InPlaceThreading(mlir::func::FuncOp func) : func(func) {}
  mlir::LogicalResult run();

protected:
  /// What `op` writes in place; null if it is no write that this class is for.
  virtual mlir::Value writtenBy(mlir::Operation *op) const = 0;

  /// The views from what is written to the root of its memory, outermost view first, and for each
  /// its present value; at the end the root itself, which no operation gives.
  struct Path {
    Cell cell = 0;
    llvm::SmallVector<mlir::Operation *> views;
    llvm::SmallVector<mlir::Value> values;
  };
  /// The write `op`, through `path`: gives the root's new value; null after an error.
  virtual mlir::Value write(mlir::OpBuilder &builder, mlir::Operation *op, const Path &path) = 0;

private:
  /// What `op` writes in place and does not leave to Specialize.
  mlir::Value threaded(mlir::Operation *op) const;
  bool isUnderstood(mlir::Operation *op, mlir::Value root, const SharedMemory &memory);
  void collectRoots();
  void returnWrittenArguments();
  void returnArgument(mlir::Value root, mlir::Value value);
  /// The path of `value`; nullopt where it is no view of a cell.
  std::optional<Path> pathOf(mlir::Value value);
  void refresh(mlir::OpBuilder &builder, Path &path);
  mlir::LogicalResult visit(mlir::Operation *op) final;
  void collectAssigned(mlir::Operation *op, Cells &cells) final;
  mlir::LogicalResult define(mlir::ValueRange values) final;
  void assigned(Cell cell, mlir::Value value) final { cellOf[value] = cell; }
  void replaced(mlir::Value from, mlir::Value to) final;

  mlir::func::FuncOp func;
  /// Writes that are left to Specialize, and what they may write.
  llvm::DenseSet<mlir::Operation *> left;
  llvm::SetVector<mlir::Value> leftValues;
  llvm::MapVector<mlir::Value, Cell> roots;
  /// Every value that a cell ever had.
  llvm::DenseMap<mlir::Value, Cell> cellOf;
};

} // namespace jit

#endif // JIT_FUNCTIONALIZE_INPLACETHREADING_H
