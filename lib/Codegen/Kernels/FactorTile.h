//===- FactorTile.h - a factor's tiles in shared memory ----------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_FACTORTILE_H
#define JIT_CODEGEN_KERNELS_FACTORTILE_H

#include "Kernels/Factor.h"

namespace jit::codegen {

/// The rows and columns that a warp multiplies at once.
inline constexpr int64_t mmaRows = 16, mmaColumns = 8;

/// The summands of one such product: 32 bytes of either factor.
int64_t mmaDepth(mlir::Type factor);

/// One operand of a product: of which each block brings tiles to shared memory, by asynchronous
/// copies of 16 bytes where elements lie so, else element by element. Pieces of 16 bytes are
/// exchanged within their rows so that eight rows of a matrix that is loaded are in different
/// banks. Floats are rounded to tf32 on their way, once if possible: what is copied is rounded
/// where it is loaded from shared memory.
class FactorTile : public Factor {
public:
  /// A tile has whole matrices, a slice whole steps. `isRounded` says that floats are rounded in
  /// the operand's memory.
  FactorTile(mlir::OpBuilder &b, mlir::linalg::LinalgOp product, unsigned operand,
             const ProductShape &shape, int64_t tile, int64_t slice, bool isRounded = false);

  /// How many bytes of shared memory one tile has.
  int64_t bytes() const;
  /// Declares memory for `stages` tiles; the launch's `threads` threads work on batch `batchAt`.
  void locate(Launch &launch, int64_t stages, int64_t threads, mlir::Value batchAt);
  /// The same in `shared`, bytes of the launch's memory, from byte `offset` on.
  void locate(Launch &launch, mlir::Value shared, mlir::Value offset, int64_t stages,
              int64_t threads, mlir::Value batchAt);
  /// Starts to bring the tile that begins with summand `depthAt` and row or column `otherAt`.
  void fill(mlir::Value stage, mlir::Value depthAt, mlir::Value otherAt);
  /// What the warp's threads have of rows from `otherAt` on of the tile, or of two neighbouring
  /// matrices of columns: one for each of the matrices, of the summands of step number `step`.
  llvm::SmallVector<mlir::Value> loadMatrices(mlir::Value stage, mlir::Value otherAt, int64_t step);

  int64_t tileSize() const { return tile; }
  /// True where whole pieces are copied and a tile's rows have the summands side by side.
  bool isOfRowsOfPieces() const { return isAsync && alongDepth; }
  int64_t steps() const { return slice / mmaDepth(type); }

private:
  void chooseLayout();
  mlir::MemRefType memoryType(int64_t stages);
  void locate(Launch &launch, int64_t threads, mlir::Value batchAt);
  int64_t memoryRows() const { return alongDepth ? tile : slice; }
  int64_t memoryColumns() const { return alongDepth ? slice : tile; }
  mlir::Value swizzled(mlir::Value row, mlir::Value place);
  void fillPiece(mlir::Value stage, mlir::Value number, mlir::Value depthAt, mlir::Value otherAt);
  void copyPiece(mlir::ValueRange to, mlir::Value depthAt, mlir::Value otherAt);
  void gatherPiece(mlir::ValueRange to, mlir::Value depthAt, mlir::Value otherAt);
  mlir::Value loadTogether(mlir::Value stage, mlir::Value otherAt, int64_t step);
  llvm::SmallVector<mlir::Value> loadOneByOne(mlir::Value stage, mlir::Value otherAt, int64_t step);
  mlir::Value loadFloat(mlir::Value stage, mlir::Value otherAt, int64_t place);
  llvm::SmallVector<mlir::Value> matricesOf(llvm::MutableArrayRef<mlir::Value> floats);

  /// Elements of one access.
  int64_t piece;
  bool isFirst, isRounded;
  /// Whether the summands lie side by side in shared memory, and whether pieces are copied whole.
  bool alongDepth = false, isAsync = false;
  int64_t threads = 0;
  mlir::Value memory, thread, lane;
};

/// Adds the product of two matrices of a warp to the thread's four of its sums. Of floats no more
/// is looked at than tf32 has.
void multiplyMatrices(mlir::OpBuilder &b, mlir::Location loc, mlir::Value left, mlir::Value right,
                      llvm::MutableArrayRef<mlir::Value> sums);

/// Slices of factors that come to so many stages of shared memory, in turn.
struct Pipeline {
  int64_t slices, stages;
  /// Products of a slice go on while the next one is multiplied, by units that read shared memory
  /// themselves. The first slice stands in front of the loop, and nothing is given to it: a loop
  /// that begins with zeros would write registers between products that are under way.
  bool hasAsyncProducts = false;
  /// Where it is given, a number from `ahead()` to `slices` of those that are multiplied.
  mlir::Value end = nullptr;

  /// How many slices are on their way while one is multiplied: no stage is filled that is read.
  int64_t ahead() const { return stages - (hasAsyncProducts ? 2 : 1); }
};

/// The loop over the slices: `bring(stage, number)` starts the copies of one, `multiply(stage,
/// number, carried)` gives what goes on to the next, the first with `init`. Gives what the last one
/// gave.
llvm::SmallVector<mlir::Value> runPipeline(
    mlir::OpBuilder &b, mlir::Location loc, const Pipeline &pipeline, mlir::ValueRange init,
    llvm::function_ref<void(mlir::Value, mlir::Value)> bring,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::Value, mlir::ValueRange)>
        multiply);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_FACTORTILE_H
