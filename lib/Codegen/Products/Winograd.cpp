//===- Winograd.cpp - transforms, and how work is cut ---------------------===//

#include "Products/Winograd.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace jit::codegen {

//===----------------------------------------------------------------------===//
// Transforms (Cook and Toom)
//===----------------------------------------------------------------------===//

/// Where polynomials are evaluated; infinity is one more point. Binary fractions, so that
/// transforms are exact; of those in pairs these lose the fewest digits: with the usual 0, 1, -1,
/// 2, -2 six times as many.
static ArrayRef<double> finitePoints(int64_t count) {
  static const double three[] = {0, 1, -1}, five[] = {0, 0.625, -0.625, 1.5, -1.5};
  return count == 3 ? ArrayRef(three) : ArrayRef(five);
}

/// The coefficients of the product of all `x - p`, lowest first, without the point numbered
/// `without`.
static SmallVector<double> polynomial(ArrayRef<double> points, std::optional<size_t> without) {
  SmallVector<double> coefficients = {1};
  for (auto [index, point] : llvm::enumerate(points)) {
    if (without == index)
      continue;
    SmallVector<double> next(coefficients.size() + 1, 0);
    for (auto [power, coefficient] : llvm::enumerate(coefficients)) {
      next[power + 1] += coefficient;
      next[power] -= point * coefficient;
    }
    coefficients = std::move(next);
  }
  return coefficients;
}

WinogradTransforms winogradTransforms(int64_t tile, int64_t taps) {
  int64_t side = tile + taps - 1;
  ArrayRef<double> points = finitePoints(side - 1);
  assert(int64_t(points.size()) == side - 1 && "expected tiles of 2 or 4 for 3 taps");
  auto zeros = [](int64_t rows, int64_t columns) {
    return Matrix(rows, SmallVector<double>(columns, 0));
  };
  WinogradTransforms transforms{zeros(side, side), zeros(side, taps), zeros(tile, side)};
  for (auto [k, point] : llvm::enumerate(points)) {
    // The k-th polynomial of Lagrange; its denominator goes to the weights, which are transformed
    // once.
    SmallVector<double> row = polynomial(points, k);
    llvm::copy(row, transforms.input[k].begin());
    double denominator = 1;
    for (auto [l, other] : llvm::enumerate(points))
      denominator *= l == k ? 1 : point - other;
    double power = 1;
    for (int64_t i = 0; i < std::max(tile, taps); ++i, power *= point) {
      if (i < taps)
        transforms.weight[k][i] = power / denominator;
      if (i < tile)
        transforms.output[i][k] = power;
    }
  }
  llvm::copy(polynomial(points, std::nullopt), transforms.input[side - 1].begin());
  transforms.weight[side - 1][taps - 1] = 1;
  transforms.output[tile - 1][side - 1] = 1;
  return transforms;
}

//===----------------------------------------------------------------------===//
// Pieces of work
//===----------------------------------------------------------------------===//

/// Tiles that pay for reading the weights, from the second-level cache and from beyond it.
static constexpr int64_t nearTiles = 12, farTiles = 48;
/// Cycles for a vector that is stored and read again from the second-level cache.
static constexpr double throughCache = 2;
/// Bytes of memory that one core gets in a cycle while the others ask too.
static constexpr double memoryBytes = 4;

double memoryCycles(double bytes, const Machine &machine) {
  return bytes > double(machine.l2Bytes) ? bytes / memoryBytes : 0;
}

static int64_t weightBytes(const WinogradShape &shape) {
  return shape.points() * shape.channels * shape.features * 4;
}

int64_t winogradRows(const WinogradShape &shape, int64_t lanes, const Machine &machine) {
  int64_t wanted = weightBytes(shape) <= machine.l2Bytes * 5 / 8 ? nearTiles : farTiles;
  // The more channels a product sums over, the less its sums weigh, wherever they lie.
  int64_t most = machine.l2Bytes * std::max<int64_t>(shape.channels, 64) / 128;
  int64_t best = 1;
  for (int64_t rows = 1; rows <= shape.rows(); ++rows) {
    int64_t tiles = rows * shape.rowTiles();
    if (shape.rows() % rows != 0)
      continue;
    if (shape.points() * tiles * lanes * 4 > most)
      break;
    best = rows;
    if (tiles >= wanted)
      break;
  }
  return best;
}

ProductNest winogradProducts(const WinogradShape &shape, const WinogradBlocks &blocks,
                             int64_t stride, FloatType element, const Machine &machine) {
  int64_t tiles = blocks.rows * shape.rowTiles(), lanes = blocks.lanes;
  auto loop = [](int64_t extent, bool reduction, int64_t lhs, int64_t rhs, int64_t out) {
    NestLoop made;
    made.extent = extent;
    made.reduction = reduction;
    made.step[Lhs] = lhs;
    made.step[Rhs] = rhs;
    made.step[Out] = out;
    return made;
  };
  ProductNest nest;
  nest.element = element;
  nest.stored = {element, element};
  nest.loops = {loop(shape.points(), false, stride, shape.channels * lanes,
                     tiles * lanes + winogradGap(machine)),
                loop(tiles, false, shape.channels, 0, lanes), loop(lanes, false, 0, 1, 1),
                loop(shape.channels, true, 1, lanes, 0)};
  NestLoop &features = nest.loops[2];
  features.block = lanes;
  features.blockStep[Rhs] = shape.points() * shape.channels * lanes;
  features.blockStep[Out] = lanes;
  llvm::erase_if(nest.loops,
                 [](const NestLoop &each) { return each.extent == 1 && each.block == 0; });
  return nest;
}

/// Cycles of the transforms. A load takes half a cycle and a store a whole one; what lies between
/// them and the products goes through the second-level cache, which costs more than the sums.
static double transformCycles(const WinogradShape &shape, const Machine &machine) {
  double side = double(shape.side()), tile = double(shape.tile), points = side * side;
  double in = points * 0.5 + 2 * points + points * (1 + throughCache);
  double out = points * (0.5 + throughCache) + (side + tile) * side / 2 + 2 * tile * tile;
  double tiles = double(shape.rows()) * double(shape.rowTiles());
  auto vectors = [&](int64_t elements) {
    return double(llvm::divideCeilSigned(elements, machine.lanes));
  };
  return tiles * (in * vectors(shape.channels) + out * vectors(shape.features));
}

std::optional<WinogradBlocks> chooseWinogradBlocks(const WinogradShape &shape, FloatType element,
                                                   const Machine &machine) {
  std::optional<WinogradBlocks> best;
  int64_t most = std::min<int64_t>(8, llvm::divideCeilSigned(shape.features, machine.lanes));
  for (int64_t vectors = 1; vectors <= most; ++vectors) {
    WinogradBlocks blocks{vectors * machine.lanes, 1};
    blocks.rows = winogradRows(shape, blocks.lanes, machine);
    ProductNest nest = winogradProducts(
        shape, blocks, blocks.rows * shape.rowTiles() * shape.channels, element, machine);
    std::optional<RegisterTile> tile = chooseTile(nest, machine);
    if (!tile)
      continue;
    double products = tile->cost * double(blocks.blocks(shape)) * double(blocks.groups(shape));
    blocks.cost = std::max(products, memoryCycles(double(weightBytes(shape)), machine)) +
                  transformCycles(shape, machine);
    if (!best || blocks.cost < best->cost)
      best = blocks;
  }
  return best;
}

} // namespace jit::codegen
