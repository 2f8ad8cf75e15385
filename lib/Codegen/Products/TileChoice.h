//===- TileChoice.h - the register tile of a product ------------*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_TILECHOICE_H
#define JIT_CODEGEN_PRODUCTS_TILECHOICE_H

#include "Analysis/ProductNest.h"
#include "jit/Codegen/Machine.h"
#include "jit/Codegen/Products/TileTable.h"

#include <optional>

namespace jit::codegen {

/// A loop whose iterations are unrolled into separate accumulators.
struct TiledLoop {
  unsigned loop;
  int64_t size;
};

/// More vectors than this side by side gain nothing and make blocks of weights that few widths
/// divide.
inline constexpr int64_t maxVectors = 8;

/// On a product: the sizes of the tile to take, vectors and points.
inline constexpr llvm::StringLiteral tileAttr = "jit.tile";

/// How a product is cut for the registers. The vector loop is parallel (each lane is one output) or
/// a reduction (lanes are partial sums of one output, added up at the end).
struct RegisterTile {
  unsigned vectorLoop;
  int64_t lanes;   ///< elements of one vector
  int64_t vectors; ///< vectors side by side along the vector loop; 1 where it is a reduction
  llvm::SmallVector<TiledLoop, 2> points; ///< innermost first
  double cost;                            ///< estimated cycles of the whole product

  int64_t width() const { return lanes * vectors; }
  int64_t pointCount() const;
  TileSizes sizes() const;
};

/// The tile of the wanted sizes for a simplified nest, or the cheapest where the nest has none;
/// nothing where no operand can be read by vectors.
std::optional<RegisterTile> chooseTile(const ProductNest &nest, const Machine &machine,
                                       std::optional<TileSizes> wanted = {});

/// The cheapest tiles of different sizes, `count` or less, the cheapest first.
llvm::SmallVector<RegisterTile> cheapestTiles(const ProductNest &nest, const Machine &machine,
                                              size_t count);

/// Elements of `nest`'s type in one vector.
int64_t lanesFor(const ProductNest &nest, const Machine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_TILECHOICE_H
