//===- Winograd.h - fewer products for a convolution ------------*- C++ -*-===//
//
// m outputs of a filter of r taps are the coefficients of a product of polynomials, transposed.
// Such a product is settled by its values at m + r - 1 points: one multiplication for each, where
// the sums take m * r. In two dimensions both are squared.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CODEGEN_PRODUCTS_WINOGRAD_H
#define JIT_CODEGEN_PRODUCTS_WINOGRAD_H

#include "Products/TileChoice.h"

namespace jit::codegen {

/// Rows of coefficients.
using Matrix = llvm::SmallVector<llvm::SmallVector<double>>;

/// `output * ((weight * filter) . (input * signal))`, where `.` multiplies element by element, is
/// the filter's response of `tile` elements.
struct WinogradTransforms {
  Matrix input;  ///< [side, side]
  Matrix weight; ///< [side, taps]
  Matrix output; ///< [tile, side]
};

/// The transforms for tiles of 2 or 4 outputs and 3 taps. Those of image and output are exact in
/// f32.
WinogradTransforms winogradTransforms(int64_t tile, int64_t taps);

/// A convolution of stride 1 in tiles.
struct WinogradShape {
  int64_t tile, taps;
  int64_t batch, height, width; ///< of the output
  int64_t channels, features;   ///< summed over, and given

  int64_t side() const { return tile + taps - 1; }
  int64_t points() const { return side() * side(); }
  /// Rows of tiles of one image, tiles in a row.
  int64_t imageRows() const { return llvm::divideCeilSigned(height, tile); }
  int64_t rowTiles() const { return llvm::divideCeilSigned(width, tile); }
  int64_t rows() const { return batch * imageRows(); }
};

/// How the tiles and features of a convolution are cut into pieces of work.
struct WinogradBlocks {
  int64_t lanes;   ///< features of one block of the weights
  int64_t rows;    ///< rows of tiles in a group, which divides their number
  double cost = 0; ///< estimated cycles of the whole convolution

  int64_t blocks(const WinogradShape &shape) const {
    return llvm::divideCeilSigned(shape.features, lanes);
  }
  int64_t groups(const WinogradShape &shape) const { return shape.rows() / rows; }
};

/// Rows of tiles in a group for blocks of `lanes` features.
int64_t winogradRows(const WinogradShape &shape, int64_t lanes, const Machine &machine);

/// Elements that are added so that places of points do not fall on one another in the caches.
inline int64_t winogradGap(const Machine &machine) { return machine.lanes; }

/// The products of one group and one block: at each point, [tiles, channels] x [channels, lanes].
/// `stride` are elements from one point to the next in what the image is transformed to.
ProductNest winogradProducts(const WinogradShape &shape, const WinogradBlocks &blocks,
                             int64_t stride, mlir::FloatType element, const Machine &machine);

/// The cheapest blocks for `shape`.
std::optional<WinogradBlocks> chooseWinogradBlocks(const WinogradShape &shape,
                                                   mlir::FloatType element, const Machine &machine);

/// Cycles in which memory gives a core that many bytes while others ask too; none where a core
/// keeps them in its own caches.
double memoryCycles(double bytes, const Machine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_WINOGRAD_H
