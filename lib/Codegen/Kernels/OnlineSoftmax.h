//===- OnlineSoftmax.h - rows of scores in registers, block by block -*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_ONLINESOFTMAX_H
#define JIT_CODEGEN_KERNELS_ONLINESOFTMAX_H

#include "Analysis/Attention.h"
#include "Kernels/Launch.h"

namespace jit::codegen {

/// Rows that a lane has elements of, where a warp has 16 rows of a matrix of sums.
inline constexpr int64_t rowsOfLane = 2;

/// What goes from one block of keys to the next.
struct Carried {
  /// Of the second product, four for each matrix; of both rows, the maximum and the sum.
  llvm::SmallVector<mlir::Value> results, maxima, sums;

  llvm::SmallVector<mlir::Value> all() const;
  static Carried of(mlir::ValueRange values);
};

/// The softmax between the two products of an attention, of which a warp has 16 queries: scores
/// come block by block, in registers as the tensor cores leave sums there, by groups of four: two
/// keys side by side of each of the lane's rows. What was summed up is corrected when a larger
/// score comes; sums are divided at the end.
class OnlineSoftmax {
public:
  /// A block of the grid has `rowTile` queries, of which it goes along `keyBlock` keys at a time;
  /// results have `head` columns, filled up to whole matrices.
  OnlineSoftmax(Attention &attention, mlir::OpBuilder &b, int64_t rowTile, int64_t keyBlock,
                int64_t head)
      : attention(attention), scores(attention.scores), output(attention.output), b(b),
        loc(output.product.getLoc()), rowTile(rowTile), keyBlock(keyBlock), head(head) {}

  /// Which queries a block has: those of tile `rowTileAt` of batch `batchAt`.
  void locateBlock(mlir::Value block);
  /// The warp's queries begin with number `warpRow` of the tile.
  void locateWarp(mlir::Value thread, mlir::Value warpRow);

  int64_t rowTiles() const { return llvm::divideCeilSigned(scores.shape.rows.count, rowTile); }
  int64_t gridBlocks() const { return scores.shape.batch.count * rowTiles(); }
  int64_t allKeyBlocks() const {
    return llvm::divideCeilSigned(scores.shape.columns.count, keyBlock);
  }
  bool skipsKeys() const;
  /// How many blocks of keys some query of the block sees; null where it is all of them.
  mlir::Value keyBlocks();

  /// What there is before the first block of keys.
  Carried start();
  /// Makes scores of the sums of the first product for the block of keys from `keyAt` on: minus
  /// infinity beyond the last key.
  void score(llvm::MutableArrayRef<mlir::Value> sums, mlir::Value keyAt);
  /// Replaces scores by their exponentials and corrects what was summed up.
  void exponentiate(llvm::MutableArrayRef<mlir::Value> sums, Carried &carried);
  /// Stores the results.
  void finish(Carried carried);

  mlir::Value batch() const { return batchAt; }
  mlir::Value tile() const { return rowTileAt; }
  mlir::Value laneOf() const { return lane; }
  /// A row of the lane, the first one in place of those that there are not.
  mlir::Value rowInside(int64_t number) const { return rowsInside[static_cast<size_t>(number)]; }

private:
  /// Whether the kernel compares keys and queries itself, in place of the program's mask.
  bool hidesKeys() const;
  mlir::Value isCut(mlir::Value keyAt);
  void hide(llvm::MutableArrayRef<mlir::Value> sums, mlir::Value column);
  mlir::Value widened(mlir::Value value);
  llvm::SmallVector<mlir::Value> scoresOf(mlir::ValueRange sums, mlir::Value row,
                                          mlir::Value column);
  mlir::Value acrossRow(mlir::Value value,
                        llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> join);
  void exponentiateRow(int64_t row, llvm::MutableArrayRef<mlir::Value> sums, Carried &carried);

  mlir::Value index(int64_t value) { return constantIndex(b, loc, value); }
  mlir::Value number(float value);
  mlir::Value minusInfinity();
  mlir::Value choose(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value isEmpty(mlir::Value maximum);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, int64_t y);
  mlir::Value larger(mlir::Value x, mlir::Value y);
  mlir::Value plus(mlir::Value x, mlir::Value y);
  mlir::Value times(mlir::Value x, mlir::Value y);

  Attention &attention;
  ProductGroup &scores, &output;
  mlir::OpBuilder &b;
  mlir::Location loc;
  int64_t rowTile, keyBlock, head;
  mlir::Value lane, batchAt, rowTileAt;
  /// The lane's rows, and places in the rows that there are.
  llvm::SmallVector<mlir::Value> rows, rowsInside;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_ONLINESOFTMAX_H
