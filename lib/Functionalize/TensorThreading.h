//===- TensorThreading.h - writes in place become new tensors ---*- C++ -*-===//
//
// Every memory that is written, and every name that may be one of several, is a cell; a view is
// taken of the cell's present value where it is used. A write through a name is passed on to the
// memories that it may be. What such a memory shows the name shows where it is used, not where the
// memory is written: the names that may show a memory are many, those that anyone reads are few.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_FUNCTIONALIZE_TENSORTHREADING_H
#define JIT_LIB_FUNCTIONALIZE_TENSORTHREADING_H

#include "TensorMemory.h"
#include "jit/Dialect/Jit/CellThreading.h"

namespace jit {

/// A detached name through which something is written is a cell, too: from then on it has a history
/// of gradients of its own, and along its link go elements alone.
class TensorThreading : CellThreading {
public:
  TensorThreading(mlir::func::FuncOp func, MemoryClasses classes, Links links, Obstacle &obstacle)
      : func(func), classes(std::move(classes)), links(std::move(links)), obstacle(obstacle) {}
  llvm::LogicalResult run();

private:
  /// The views from a value to its cell, outermost first, and for each its present value; at the
  /// end that of the cell.
  struct Path {
    Cell cell = 0;
    llvm::SmallVector<mlir::Operation *> views;
    llvm::SmallVector<mlir::Value> values;
  };
  std::optional<Path> pathOf(mlir::Value value);
  void refresh(mlir::OpBuilder &builder, Path &path) {
    refresh(builder, path, shown(builder, path.cell));
  }
  void refresh(mlir::OpBuilder &builder, Path &path, mlir::Value base, bool isLink = false);
  mlir::Value writtenLeaf(mlir::OpBuilder &builder, mlir::Value leaf, mlir::Value elements);
  mlir::Value present(mlir::OpBuilder &builder, mlir::Value value);

  // Names, in ThreadedNames.cpp.
  using Values = llvm::SmallVector<std::pair<Cell, mlir::Value>>;
  mlir::Value shown(mlir::OpBuilder &builder, Cell cell);
  mlir::Value shownNow(mlir::OpBuilder &builder, Cell cell);
  const Cells &reachedBy(Cell cell);
  Values valuesBehind(Cell cell);
  unsigned depthOf(Cell cell);
  /// For each cell that a write may reach the condition under which it does.
  using WrittenCells = llvm::MapVector<Cell, mlir::Value>;
  llvm::LogicalResult passOn(mlir::OpBuilder &builder, mlir::Operation *op, Cell cell);
  llvm::LogicalResult writeThrough(mlir::OpBuilder &builder, mlir::Operation *op, Cell cell,
                                   mlir::Value condition, Path &path);
  mlir::Value choose(mlir::OpBuilder &builder, mlir::Value condition, mlir::Value otherwise,
                     llvm::function_ref<mlir::Value(mlir::OpBuilder &)> build);
  mlir::Value withHistory(mlir::OpBuilder &builder, mlir::Value self, mlir::Value elements);

  // Writes, in ThreadedWrites.cpp.
  mlir::FailureOr<mlir::Value> scatter(mlir::OpBuilder &builder, mlir::Operation *op,
                                       const Path &path, mlir::Value next);
  mlir::Value copied(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value self,
                     mlir::Value value);
  mlir::Value written(mlir::OpBuilder &builder, OverwriteOp op, mlir::Value self);
  llvm::LogicalResult raiseInstead(mlir::OpBuilder &builder, OverwriteOp op,
                                   const std::string &problem);
  llvm::LogicalResult refuseOut(mlir::OpBuilder &builder, OverwriteOp op);
  bool refusesRepeated(mlir::OpBuilder &builder, OverwriteOp op, const Path &path);
  llvm::LogicalResult write(OverwriteOp op);

  llvm::LogicalResult visit(mlir::Operation *op) final;
  void collectAssigned(mlir::Operation *op, Cells &cells) final;
  llvm::LogicalResult define(mlir::ValueRange values) final;
  void assigned(Cell cell, mlir::Value value) final;
  void replaced(mlir::Value from, mlir::Value to) final;
  void returnWrittenArguments();
  void linkDetached(Layouts &layouts, mlir::Value written);
  void addRoot(mlir::Value value);
  void addCells(Layouts &layouts);

  mlir::func::FuncOp func;
  MemoryClasses classes;
  Links links;
  Obstacle &obstacle;
  /// What shares the memory of its operand, and the layout of its result, as the program shows them
  /// before any change.
  llvm::DenseMap<mlir::Operation *, Layout> sharing;
  llvm::MapVector<mlir::Value, Cell> roots;
  /// For what shows a leaf after a write the leaf.
  llvm::DenseMap<mlir::Value, mlir::Value> writtenLeaves;
  /// Every value that a cell ever had, or begins with.
  llvm::DenseMap<mlir::Value, Cell> cellOf;
  /// The name that a cell with links is for.
  llvm::MapVector<Cell, mlir::Value> nameOf;
  /// The cells of names that have a history of gradients of their own.
  llvm::DenseSet<Cell> detached;
  llvm::DenseMap<Cell, Cells> reached;
  llvm::DenseMap<Cell, unsigned> depths;
  /// Values that a name and the memories behind it had together when they showed the same.
  llvm::DenseMap<Cell, Values> agreed;
  /// What a name was last found to show, before which assignment, and where.
  struct Shown {
    mlir::Value value;
    unsigned before = 0;
    mlir::Region *where = nullptr;
  };
  llvm::DenseMap<Cell, Shown> lastShown;
  unsigned assignments = 0;
  /// True, at the start of the function; made when it is needed.
  mlir::Value always;
};

/// `value`, an operator's result just made, under the type of what it replaces: a write changes
/// neither sizes nor element type.
mlir::Value underType(mlir::OpBuilder &builder, mlir::Value value, mlir::Type type);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_TENSORTHREADING_H
