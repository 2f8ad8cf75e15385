//===- TileKernel.h - the code of one register tile -------------*- C++ -*-===//
#ifndef JIT_CODEGEN_CPU_PRODUCTS_TILEKERNEL_H
#define JIT_CODEGEN_CPU_PRODUCTS_TILEKERNEL_H

#include "TileChoice.h"

#include "mlir/IR/Builders.h"

namespace jit {

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

/// Emits tiles of one product. The operands are flat views: rank-1 memrefs of unit stride.
class TileKernel {
public:
  TileKernel(mlir::OpBuilder &builder, mlir::Location loc, const ProductNest &nest,
             const RegisterTile &tile, std::array<mlir::Value, 3> flat, bool accumulates);

  /// The reduction loops, outermost first; a reduction that is the vector loop comes last.
  llvm::SmallVector<ReductionLoop> reductions() const;

  /// Emits the tile whose first element lies at `base` of each operand.
  void emit(const TileShape &shape, const std::array<mlir::Value, 3> &base,
            llvm::ArrayRef<ReductionLoop> reductions);

  /// `base + iteration * step` for each operand; step zero costs nothing.
  std::array<mlir::Value, 3> advance(const std::array<mlir::Value, 3> &base, mlir::Value iteration,
                                     const std::array<int64_t, 3> &step);
  mlir::Value index(int64_t value);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  using Base = std::array<mlir::Value, 3>;
  /// Values already read in the current body, by operand, constant offset and kind.
  using Loads = llvm::DenseMap<std::tuple<unsigned, int64_t, int64_t>, mlir::Value>;

  const NestLoop &vector() const { return nest.loops[tile.vectorLoop]; }
  int64_t vectorsOf(const TileShape &shape) const;
  /// Constant offset of one point of the tile in an operand.
  int64_t pointOffset(llvm::ArrayRef<int64_t> point, Operand operand) const;
  llvm::SmallVector<llvm::SmallVector<int64_t>> pointsOf(const TileShape &shape) const;

  mlir::Value at(mlir::Value base, int64_t offset);
  mlir::Value loadVector(Operand operand, mlir::Value base, int64_t offset, int64_t valid);
  mlir::Value loadEverySecond(Operand operand, mlir::Value base, int64_t offset, int64_t valid);
  void storeVector(mlir::Value value, mlir::Value base, int64_t offset, int64_t valid);
  mlir::Value read(Loads &loads, Operand operand, const Base &base, int64_t offset, int64_t valid);

  int64_t unrollFor(const ReductionLoop &innermost, int64_t accumulators) const;
  Values reduce(llvm::ArrayRef<ReductionLoop> loops, const Base &base, Values accumulators,
                const TileShape &shape);
  Values reduceInnermost(ReductionLoop loop, const Base &base, Values accumulators,
                         const TileShape &shape);
  mlir::Value loop(int64_t iterations, int64_t step, Values &carried,
                   llvm::function_ref<Values(mlir::Value, Values)> body);
  /// One step of the reduction at constant offsets from `base`; `lanes` are valid where vectors are
  /// summed.
  void step(Loads &loads, const Base &base, const std::array<int64_t, 3> &offset, int64_t lanes,
            llvm::MutableArrayRef<mlir::Value> accumulators, const TileShape &shape);

  void store(const Values &sums, const Base &base, const TileShape &shape);
  void storeDirect(const Values &sums, const Base &base, const TileShape &shape);
  void storeTransposed(const Values &sums, const Base &base, const TileShape &shape);
  void storeElement(mlir::Value element, mlir::Value base, int64_t offset);
  void storeElements(const Values &sums, const Base &base, const TileShape &shape);
  void storeSums(const Values &sums, const Base &base, const TileShape &shape);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const ProductNest &nest;
  const RegisterTile &tile;
  std::array<mlir::Value, 3> flat;
  bool accumulates;
  mlir::VectorType vectorType;
};

} // namespace jit

#endif // JIT_CODEGEN_CPU_PRODUCTS_TILEKERNEL_H
