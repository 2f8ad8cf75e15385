//===- TiledLoops.h - the loops around the register tiles ------*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_TILEDLOOPS_H
#define JIT_CODEGEN_PRODUCTS_TILEDLOOPS_H

#include "Products/TileKernel.h"

namespace jit::codegen {

/// How the longest reduction of a nest is cut so that no sum is one overlong chain.
struct ReductionBlocks {
  unsigned loop = 0;
  int64_t size = 0; ///< zero: in one pass
};
ReductionBlocks chooseReductionBlocks(const ProductNest &nest, const RegisterTile &tile);

/// Emits `body(false)`, or `body(true)` in the last of `count` iterations where that one is ragged.
void emitIfLast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value iteration, int64_t count,
                bool ragged, llvm::function_ref<void(bool)> body);

/// Emits a whole product: a grid of tiles, ordered so that a panel of the streamed operand stays in
/// the second-level cache, with independent parts of the grid as one scf.parallel.
class TiledLoops {
public:
  /// `flat` are flat views of the operands, `openExtent` the iterations of the nest's open loop if
  /// it has one. A nest that `needsSeveralPasses` must accumulate.
  TiledLoops(mlir::OpBuilder &builder, mlir::Location loc, const ProductNest &nest,
             const RegisterTile &tile, const Machine &machine, const Operands &flat,
             const Epilogue &epilogue, mlir::Value openExtent = {});

  void emit();
  /// Emits the product for one thread, its operands' first elements at `start`.
  void emitSerial(const Operands &base);

private:
  using Base = Operands;
  enum class Kind { Plain, Point, VectorGroup, Vector };
  /// One loop over tiles; `step` is what an iteration moves in each operand.
  struct GridLoop {
    Kind kind;
    unsigned point = 0; ///< index into the tile's points
    int64_t count = 1;  ///< where it is open, a guess
    Steps step = {};
    bool open = false;

    bool isLoop() const { return open || count > 1; }
  };
  /// Which block of each tiled loop the code stands in.
  struct Position {
    Base base;
    llvm::SmallVector<mlir::Value, 2> points;
    mlir::Value vector, group;
  };

  void buildGrid();
  void addPlainLoops(bool movesStreamed);
  int64_t panelBytes() const;
  bool blocksAreOutermost() const;
  int64_t panelsPerGroup(int64_t panels, bool hasRows) const;
  void chooseParallel();
  mlir::Value countOf(const GridLoop &loop);
  void enter(const GridLoop &loop, mlir::Value iteration, Position &position);
  void emitParallel(const Position &start, llvm::function_ref<void(const Position &)> body);
  void emitReductionBlocks(
      const Position &position,
      llvm::function_ref<void(const Position &, llvm::ArrayRef<ReductionLoop>)> body);
  void emitSequential(unsigned next, const Position &position,
                      llvm::ArrayRef<ReductionLoop> reductions);
  /// The tiles of each size that there is; their sums go to `kept` where there is one.
  void emitVariants(unsigned next, const Position &position, const TileShape &shape,
                    llvm::ArrayRef<ReductionLoop> reductions, mlir::Value kept = {});
  /// The tiles of the open loop, of which the last has any number of points.
  void emitOpenVariants(unsigned next, const Position &position, const TileShape &shape,
                        llvm::ArrayRef<ReductionLoop> reductions);
  /// Emits `body` for the width of the tile, which is less in the last panel.
  void emitWidths(const Position &position, llvm::function_ref<void(int64_t)> body);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const ProductNest &nest;
  const RegisterTile &tile;
  const Machine &machine;
  mlir::Value openExtent;
  TileKernel kernel;
  ReductionBlocks blocks;
  llvm::SmallVector<GridLoop> grid;
  unsigned parallelLoops = 0;
  int64_t panels = 1, group = 1;
};

/// Whether the output is read back between blocks of the reduction.
inline bool needsSeveralPasses(const ProductNest &nest, const RegisterTile &tile) {
  return chooseReductionBlocks(nest, tile).size != 0;
}

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_TILEDLOOPS_H
