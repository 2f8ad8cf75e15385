//===- SumPieces.h - long sums that several blocks share ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_SUMPIECES_H
#define JIT_CODEGEN_KERNELS_SUMPIECES_H

#include "Kernels/ProductEpilogue.h"

namespace jit::codegen {

/// Of a product: its tiles, and the slices of a tile's sums.
struct TileWork {
  int64_t tiles, slices;
  /// What a slice of a tile takes, in multiplications that a multiprocessor does at its best.
  double slice;
  /// How many of these it does while a number of four bytes goes to memory or comes from there.
  double moved;
};

/// About as many on an A100 and an H100, by their data sheets: of f32 by threads, and of halves by
/// tensor cores.
inline constexpr double movedByThreads = 32, movedByTensorCores = 512;

/// The sums of a product in pieces, each a block's; what the pieces add up to lies in memory, and a
/// second kernel adds that up in order and goes on with the sums. One piece is all of a sum.
class SumPieces {
public:
  /// As many as take the least time on a device of so many multiprocessors. `areRowsLast` says that
  /// the pieces' rows are neighbours in memory, and not their columns.
  SumPieces(ProductGroup &group, const TileWork &work, int64_t multiprocessors,
            bool areRowsLast = false);

  int64_t count() const { return pieces; }
  bool isCut() const { return pieces > 1; }
  /// What it takes, in the work's multiplications.
  double time() const { return timeOf(pieces); }
  /// The slices that a piece has at most; none has fewer than this less one.
  int64_t mostSlices() const { return llvm::divideCeilSigned(work.slices, pieces); }

  /// Where the builder stands, in front of the kernel.
  void allocate(mlir::OpBuilder &b);
  /// The first slice of piece number `piece`, and how many it has.
  std::pair<mlir::Value, mlir::Value> slicesOf(mlir::OpBuilder &b, mlir::Value piece) const;
  /// Stores what a piece adds up to, or goes on with the sums if they are whole: `pair` side by
  /// side in a row, in tiles that may go beyond the product's rows and columns.
  void finish(mlir::OpBuilder &b, mlir::ValueRange pair, mlir::Value piece, const SumPlace &place,
              int64_t rowTile, int64_t columnTile);
  /// The same of one sum that is inside.
  void store(mlir::OpBuilder &b, mlir::Value sum, mlir::Value piece, const SumPlace &place);
  /// Writes the second kernel, if there is one.
  void join(mlir::OpBuilder &b);

private:
  double timeOf(int64_t count) const;
  mlir::SmallVector<int64_t> sizes() const;

  ProductGroup &group;
  TileWork work;
  int64_t multiprocessors, pieces = 1;
  bool areRowsLast;
  /// Pieces by batches by rows and columns.
  mlir::Value partial;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_SUMPIECES_H
