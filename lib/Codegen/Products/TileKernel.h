//===- TileKernel.h - the code of one register tile -------------*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_TILEKERNEL_H
#define JIT_CODEGEN_PRODUCTS_TILEKERNEL_H

#include "Products/Epilogue.h"
#include "Products/TileChoice.h"

#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// One reduction loop as the kernel walks it.
struct ReductionLoop {
  unsigned loop;
  int64_t extent; ///< iterations of this block of the loop
};

/// The sizes of one tile: those of its RegisterTile, or smaller at an edge.
struct TileShape {
  llvm::SmallVector<int64_t, 2> points; ///< as RegisterTile::points
  int64_t width; ///< outputs along a parallel vector loop; 1 where it is a reduction
};

/// A value for each operand of a nest: its buffer, or a position in it.
using Operands = std::array<mlir::Value, maxOperands>;

/// Emits tiles of one product. The operands are flat views: rank-1 memrefs of unit stride.
class TileKernel {
public:
  TileKernel(mlir::OpBuilder &builder, mlir::Location loc, const ProductNest &nest,
             const RegisterTile &tile, const Machine &machine, const Operands &flat,
             const Epilogue &epilogue);

  /// The reduction loops, outermost first; a reduction that is the vector loop comes last.
  llvm::SmallVector<ReductionLoop> reductions() const;

  /// Emits the tile whose first element lies at `base` of each operand. Its sums stay unfinished in
  /// `kept`, a buffer of `allocateSums`, where there is one.
  void emit(const TileShape &shape, const Operands &base, llvm::ArrayRef<ReductionLoop> reductions,
            mlir::Value kept = {});

  /// Finishes and stores the vectors of a tile, the innermost points first.
  void store(llvm::ArrayRef<mlir::Value> sums, const Operands &base, const TileShape &shape);

  /// Whether a loop over the rows should finish a tile's sums where several kernels make them, one
  /// for each number of rows: with functions they would be ten thousand instructions. A vector of a
  /// row has to be contiguous in the output.
  bool finishesByLoop() const;
  /// Memory for the sums of a whole tile, to be hoisted out of loops.
  mlir::Value allocateSums();
  /// Finishes and stores the first `rows` rows of a tile that was emitted into `kept`, by a loop.
  void storeKept(mlir::Value kept, mlir::Value rows, const Operands &base, int64_t width);

  /// `base + iteration * step` for each operand; step zero costs nothing.
  Operands advance(const Operands &base, mlir::Value iteration, const Steps &step);
  mlir::Value index(int64_t value);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  using Base = Operands;
  /// Values already read in the current body, by operand, constant offset and kind.
  using Loads = llvm::DenseMap<std::tuple<unsigned, int64_t, int64_t>, mlir::Value>;

  const NestLoop &vector() const { return nest.loops[tile.vectorLoop]; }
  int64_t vectorsOf(const TileShape &shape) const;
  /// Constant offset of one point of the tile in an operand.
  int64_t pointOffset(llvm::ArrayRef<int64_t> point, Operand operand) const;
  llvm::SmallVector<llvm::SmallVector<int64_t>> pointsOf(const TileShape &shape) const;

  mlir::Value at(mlir::Value base, int64_t offset);
  /// `factor`, a vector of what an operand holds, in the type of the sums; pairs stay pairs.
  mlir::Value widened(mlir::Value factor);
  mlir::Value loadVector(Operand operand, mlir::Value base, int64_t offset, int64_t valid);
  mlir::Value loadEverySecond(Operand operand, mlir::Value base, int64_t offset, int64_t valid);
  mlir::Value read(Loads &loads, Operand operand, const Base &base, int64_t offset, int64_t valid);

  /// Asks for what the streamed operand holds a while ahead of `base + offset`.
  void prefetch(Operand operand, mlir::Value base, int64_t offset);
  /// Whether the operand is packed, and too large to be in the caches when a call begins.
  bool comesFromMemory(Operand operand, const Machine &machine) const;

  int64_t unrollFor(const ReductionLoop &innermost, int64_t accumulators) const;
  Values reduce(llvm::ArrayRef<ReductionLoop> loops, const Base &base, Values accumulators,
                const TileShape &shape);
  Values reduceInnermost(ReductionLoop loop, const Base &base, Values accumulators,
                         const TileShape &shape);
  mlir::Value loop(int64_t iterations, int64_t step, Values &carried,
                   llvm::function_ref<Values(mlir::Value, Values)> body);
  /// `sum` and the products of the factors' lanes.
  mlir::Value multiplyAdd(const std::array<mlir::Value, 2> &factors, mlir::Value sum);
  /// One step of the reduction at constant offsets from `base`; `lanes` are valid where vectors are
  /// summed.
  void step(Loads &loads, const Base &base, const Steps &offset, int64_t lanes,
            llvm::MutableArrayRef<mlir::Value> accumulators, const TileShape &shape);

  void keep(llvm::ArrayRef<mlir::Value> sums, mlir::Value kept);
  void storeDirect(llvm::ArrayRef<mlir::Value> sums, const Base &base, const TileShape &shape);
  void storeTransposed(llvm::ArrayRef<mlir::Value> sums, const Base &base, const TileShape &shape);
  /// Steps to one point of the tile, `lane` elements along the vector loop.
  Steps offsetOf(llvm::ArrayRef<int64_t> point, int64_t lane) const;
  /// Finishes and stores a scalar, or the first `valid` elements of a vector along loop `along`.
  void put(mlir::Value sum, const Base &base, const Steps &offset, unsigned along, int64_t valid);
  void storeElements(llvm::ArrayRef<mlir::Value> sums, const Base &base, const TileShape &shape);
  void storeSums(llvm::ArrayRef<mlir::Value> sums, const Base &base, const TileShape &shape);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const ProductNest &nest;
  const RegisterTile &tile;
  const Operands &flat;
  const Epilogue &epilogue;
  mlir::VectorType vectorType;
  std::optional<Operand> fromMemory;
};

/// Whether the extra operands of a nest can be read by the vectors in which its tiles are stored.
bool canFinish(const ProductNest &nest, const RegisterTile &tile);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_TILEKERNEL_H
