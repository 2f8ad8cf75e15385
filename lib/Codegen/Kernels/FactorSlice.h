//===- FactorSlice.h - a factor's slices by way of registers -----*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_FACTORSLICE_H
#define JIT_CODEGEN_KERNELS_FACTORSLICE_H

#include "Kernels/Factor.h"

namespace jit::codegen {

/// One operand of a product of any type: of which each block brings slices to shared memory, a tile
/// of rows or columns by a few summands. Each thread loads four elements of a slice, in one access
/// where they lie so, and stores them when the slice before is done with. Where threads go along
/// the summands, groups of four rows or columns are exchanged within their summand in shared
/// memory, so that a warp's stores are to different banks.
class FactorSlice : public Factor {
public:
  /// How many elements a thread brings of a slice, and reads side by side.
  static constexpr int64_t group = 4;

  /// A slice has as many summands as make a group for each of `threads` threads.
  FactorSlice(mlir::OpBuilder &b, mlir::linalg::LinalgOp product, unsigned operand,
              const ProductShape &shape, int64_t tile, int64_t threads);

  /// Declares memory for `stages` slices, of batch `batchAt`, from row or column `origin` on.
  void locate(Launch &launch, int64_t stages, mlir::Value batchAt, mlir::Value origin);
  /// What the thread brings of the slice that begins with summand `depthAt`; zeros beyond the last.
  llvm::SmallVector<mlir::Value> load(mlir::Value depthAt);
  void store(mlir::Value stage, mlir::ValueRange elements);

  /// What a thread reads of a tile: `groups` groups that are `apart` places from each other, both
  /// powers of two; `first`, where the first one begins, has none of the bits that number them.
  struct Reader {
    mlir::Value first;
    int64_t apart, groups;
  };
  /// The reader's group number `number`, of summand `depth` of a slice.
  llvm::SmallVector<mlir::Value> read(mlir::Value stage, int64_t depth, const Reader &reader,
                                      int64_t number);

  int64_t summands() const { return slice; }

private:
  /// A place in a slice: the summand, and the row or column.
  struct Place {
    mlir::Value depth, other;
  };

  void chooseOrder();
  Place placeOf(int64_t element);
  mlir::Value exchanged(mlir::Value depth, mlir::Value other);
  int64_t exchangeOf(int64_t depth) const;
  llvm::SmallVector<mlir::Value> loadInside(mlir::Value depthAt, const Place &place, int64_t width);

  int64_t threads;
  /// Whether neighbouring threads go along the summands, and whether a thread's elements are one
  /// access.
  bool alongDepth = false, isVector = false;
  mlir::Value memory, thread, origin;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_FACTORSLICE_H
