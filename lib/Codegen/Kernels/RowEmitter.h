//===- RowEmitter.h - what kernels for groups of rows share ------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_ROWEMITTER_H
#define JIT_CODEGEN_KERNELS_ROWEMITTER_H

#include "Analysis/RowChains.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/Launch.h"
#include "Kernels/Reducer.h"

namespace jit::codegen {

/// The threads of a few rows, and the numbers of these: each is in all threads of its row, and the
/// first one stores it.
class RowEmitter {
protected:
  /// Writes nothing yet.
  RowEmitter(const RowChain &group, mlir::OpBuilder &b);

  /// Writes what gives the sizes of the ops' loops, where the builder stands: comes before all that
  /// follows.
  void readSizes();
  /// A launch in which `body` is written once, where row and lane are known: `lanes` threads, a
  /// power of two, have a row together. Where rows are open a block goes from row to row.
  void launchRows(int64_t lanes, const GpuMachine &machine, llvm::function_ref<void()> body);
  /// The same of known rows, for `blocks` blocks that go from row to row with what `body` gives,
  /// first with `init`. `start` is written in front of that, where the lane is known. The builder
  /// stands behind the loop then, and gets what the last rows gave.
  llvm::SmallVector<mlir::Value>
  launchCarrying(int64_t lanes, int64_t blocks, mlir::ValueRange init,
                 llvm::function_ref<void()> start,
                 llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> body);
  /// Ends the launch: the builder stands behind it.
  void endLaunch() { launch.reset(); }
  /// How many rows a block of rows of so many threads has side by side.
  static int64_t rowsSideBySide(int64_t lanes);

  /// A point of the op's, in its dimensions, and one beside it.
  llvm::SmallVector<mlir::Value> point(mlir::linalg::LinalgOp op, mlir::Value column);
  llvm::SmallVector<mlir::Value> neighbour(mlir::linalg::LinalgOp op, mlir::ValueRange point,
                                           int64_t lane);
  /// The dimension of the op's whose neighbours are neighbours in a row.
  unsigned innerDim(mlir::linalg::LinalgOp op);
  /// How far that goes.
  Extent innerExtent(mlir::linalg::LinalgOp op) { return (*group.space.loopsOf(op))[innerDim(op)]; }
  llvm::ArrayRef<mlir::OpFoldResult> sizesOf(mlir::linalg::LinalgOp op) { return sizes[op]; }
  /// How many neighbours one access of the widest elements brings.
  int64_t widestAccess();

  /// The operand's number of the row; null where it has none.
  mlir::Value rowNumber(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);
  /// The operand's elements from this column on.
  llvm::SmallVector<mlir::Value> loadElements(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                                              mlir::Value column, int64_t width);
  void storeElements(mlir::linalg::LinalgOp op, mlir::OpOperand &init, mlir::Value column,
                     llvm::ArrayRef<mlir::Value> values);
  void emitRowLevel(mlir::linalg::LinalgOp op);
  /// How many registers a thread may have, for what only the assembler can tell.
  void allowRegisters(int64_t count) { launch->allowRegisters(count); }
  /// From here on numbers of rows are those in memory again.
  void forgetNumbers() { rowNumbers.clear(); }
  /// What the row's threads have together; each of them gets it.
  llvm::SmallVector<mlir::Value> acrossRow(Reducer &reducer, llvm::ArrayRef<mlir::Value> own);
  /// Makes numbers of rows of what the row's threads have each.
  void finishReduction(mlir::linalg::LinalgOp op, Reducer &reducer,
                       llvm::ArrayRef<mlir::Value> own);

  mlir::Value index(int64_t value) { return constantIndex(b, loc, value); }
  mlir::Value below(mlir::Value value, mlir::Value end);

  RowChain group;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value row, lane;
  /// The first of the rows that the thread goes through; set where blocks carry something.
  mlir::Value firstRow;
  /// Whether there is such a row; null where that is certain.
  mlir::Value rowInside;

private:
  mlir::Value placeThreads(int64_t lanes, int64_t blocks);
  mlir::ValueRange
  goThroughRows(mlir::Value count, int64_t blocks, mlir::ValueRange init,
                llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> body);
  mlir::Value rowOf(mlir::Value block);
  /// Sets the row that the thread has of a block's; `end` where not all of them need be there.
  void placeRow(mlir::Value block, mlir::Value end);
  void storeRow(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

  std::optional<Launch> launch;
  int64_t threadsOfRow = 1, rowsOfBlock = 1;
  /// The number of the thread's row in the block; null where that has one.
  mlir::Value rowInBlock;
  /// The sizes of the ops' loops, known or open.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::OpFoldResult>> sizes;
  llvm::DenseMap<mlir::Value, mlir::Value> rowNumbers;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_ROWEMITTER_H
