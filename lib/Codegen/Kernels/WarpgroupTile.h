//===- WarpgroupTile.h - a block's sums by groups of four warps --*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_WARPGROUPTILE_H
#define JIT_CODEGEN_KERNELS_WARPGROUPTILE_H

#include "Kernels/SumPieces.h"
#include "Kernels/Warpgroups.h"

namespace jit::codegen {

/// The groups of a block, each of which has as many rows of the block's tile as it multiplies.
inline constexpr int64_t tileGroups = 2, tileRows = tileGroups * groupRows;

/// How many columns a tile has: 64, or as many more as leave work for all of the device.
int64_t chooseTileColumns(const ProductShape &shape, int64_t multiprocessors);
/// What the tiles of a product are for groups, in slices of so many summands, a row of shared
/// memory.
TileWork workOfGroups(const ProductShape &shape, int64_t columns, int64_t slice);
/// True where a product has rows and columns enough for groups, and elements that they multiply as
/// they lie in memory: halves, or rounded floats.
bool isForWarpgroups(const ProductGroup &group);

/// A factor's slice in shared memory, from the group's first row or column on.
struct SharedSlice {
  const SharedFactor &factor;
  mlir::Value address;
};

/// The sums of a thread of a group: an LLVM struct of floats.
mlir::Type sumsOfGroup(mlir::OpBuilder &b, int64_t columns);
/// Begins the products of two slices of `summands` summands, which read shared memory and write the
/// sums until the group is waited for; `scale` says whether the old sums count.
mlir::Value multiplySlices(mlir::OpBuilder &b, mlir::Location loc, const SharedSlice &left,
                           const SharedSlice &right, int64_t summands, mlir::Value sums,
                           mlir::NVVM::WGMMAScaleOut scale);
/// A tile, and the piece of its sums.
struct TilePlace {
  mlir::Value piece;
  SumPlace origin;
};
/// Writes what becomes of a thread's sums, `warp` its number among those that multiply.
void finishSums(SumPieces &pieces, mlir::OpBuilder &b, mlir::Value sums, mlir::Value warp,
                mlir::Value lane, const TilePlace &tile, int64_t columns);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_WARPGROUPTILE_H
