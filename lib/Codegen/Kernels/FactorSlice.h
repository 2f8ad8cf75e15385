//===- FactorSlice.h - a factor's slices by way of registers -----*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_FACTORSLICE_H
#define JIT_CODEGEN_KERNELS_FACTORSLICE_H

#include "Kernels/DepthOffsets.h"
#include "Kernels/Factor.h"

namespace jit::codegen {

/// One operand of a product of any type: of which each block brings slices to shared memory, a tile
/// of rows or columns by a few summands. Each thread loads four elements of a slice, in one access
/// where they lie so, and stores them when the slice before is done with. Where threads go along
/// the summands, groups of four rows or columns are exchanged within their summand in shared
/// memory, so that a warp's stores are to different banks.
///
/// A thread has the same rows or columns of each slice, so where these begin in memory it finds
/// once. How much further a summand is it knows from the number of the slice, or from a table where
/// summands are not all as far apart. Rows and columns beyond the last are those of the last one,
/// for nobody stores their sums; the first slice has zeros in front where slices do not come out
/// even, so that all others are whole.
class FactorSlice : public Factor {
public:
  /// How many elements a thread brings of a slice, and reads side by side.
  static constexpr int64_t group = 4;

  /// A slice has as many summands as make a group for each of `threads` threads. With a window, the
  /// elements are read from what is inside of the zeros around the operand.
  FactorSlice(mlir::OpBuilder &b, mlir::linalg::LinalgOp product, unsigned operand,
              const ProductShape &shape, int64_t tile, int64_t threads,
              const PaddedWindow *window = nullptr);

  /// Declares memory for `stages` slices, of batch `batchAt`, from row or column `origin` on. The
  /// table is that of `other` slices of the operand, if there are any.
  void locate(Launch &launch, int64_t stages, mlir::Value batchAt, mlir::Value origin,
              const FactorSlice *other = nullptr);
  /// The table of slices, where there has to be one before they are loaded.
  DepthOffsets *table() { return offsets ? &*offsets : nullptr; }
  /// What the thread brings of slice number `number`, which is whole unless it may be the first.
  llvm::SmallVector<mlir::Value> load(mlir::Value number, bool mayBeFirst);
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
  /// Slices of the whole sum, and zeros in front of the first one's summands.
  int64_t slices() const { return llvm::divideCeilSigned(shape.depth.count, slice); }
  int64_t missing() const { return slices() * slice - shape.depth.count; }

private:
  /// A place in a slice: the summand, and the row or column.
  struct Place {
    mlir::Value depth, other;
  };

  void findPlaces();
  void chooseOrder();
  void locateStarts();
  /// Whether access number `i` of a slice is one: of the first slice, and of padded windows.
  mlir::Value insideAt(mlir::Value number, mlir::Value depthAt, int64_t i, bool isInFront);
  int64_t accesses() const { return isVector ? 1 : group; }
  int64_t width() const { return isVector ? group : 1; }
  Place placeOf(int64_t access);
  mlir::Value exchanged(mlir::Value depth, mlir::Value other);
  int64_t exchangeOf(int64_t depth) const;
  /// How far the thread's accesses are apart in memory; nothing where that is not known.
  std::optional<int64_t> apart() const;
  mlir::Value loadAt(mlir::Value view, mlir::Value at);
  llvm::SmallVector<mlir::Value> loadLinear(mlir::Value number, mlir::Value depthAt,
                                            bool mayBeFirst);
  /// By the indices of each.
  mlir::Value loadGathered(mlir::Value depthAt, const Place &place);
  /// What `load` gives where `inside` holds, and zeros else.
  mlir::Value loadIf(mlir::Value inside, llvm::function_ref<mlir::Value()> load);

  int64_t threads;
  const PaddedWindow *window;
  /// Where the elements are: the operand, or what is inside of its zeros.
  mlir::Value source;
  /// Nothing for operands whose elements are gathered.
  std::optional<LinearOperand> linear;
  LinearSide depthPlaces, sidePlaces, batchPlaces;
  std::optional<DepthOffsets> offsets;
  /// Whether neighbouring threads go along the summands, and whether a thread's elements are one
  /// access.
  bool alongDepth = false, isVector = false;
  mlir::Value memory, thread, origin;
  /// Where the thread's accesses to the first slice begin, in elements; one if the others' distance
  /// is known.
  llvm::SmallVector<mlir::Value> starts;
  /// The same number of bits, of padded windows, and those that the slice's summands need.
  llvm::SmallVector<mlir::Value> bits, needed;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_FACTORSLICE_H
