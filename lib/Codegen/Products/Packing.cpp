//===- Packing.cpp - whether and how to pack a product --------------------===//

#include "Products/Packing.h"

#include <limits>

using namespace mlir;

namespace jit::codegen {

/// The nest of the product as if `packing.weight` were packed along `packing.loop`.
static ProductNest packedNest(ProductNest nest, unsigned loop, Operand weight, int64_t block) {
  NestLoop &cut = nest.loops[loop];
  cut.block = block;
  cut.step[weight] = 1;
  for (Operand operand : {Lhs, Rhs, Out})
    cut.blockStep[operand] = block * cut.step[operand];
  // Only that it differs from block * step matters here: the packed operand is padded.
  cut.blockStep[weight] = block * std::max<int64_t>(2, nest.volume());
  simplify(nest);
  return nest;
}

/// Cycles to read and write one element of an operand that is packed in every call, and to copy it
/// into a padded buffer before.
static constexpr double packCost = 1.5, padCost = 3;

/// Whether `weight` may be cut along the loop, which moves it and not the other operand.
static bool canCut(const NestLoop &loop, Operand weight) {
  Operand other = weight == Lhs ? Rhs : Lhs;
  return !loop.reduction && !loop.open && loop.step[weight] != 0 && loop.step[other] == 0 &&
         loop.extent != 1;
}

/// Visits each way to pack an operand, over its output dimensions and the widths of a block; their
/// costs are those of packing alone.
static void forEachPacking(const ProductNest &nest, Operand weight, int64_t elements, bool once,
                           const Machine &machine,
                           llvm::function_ref<void(Packing, const ProductNest &)> visit) {
  int64_t lanes = lanesFor(nest, machine);
  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    if (!canCut(loop, weight))
      continue;
    int64_t most = std::min(maxVectors, llvm::divideCeilSigned(loop.extent, lanes));
    for (int64_t vectors = 1; vectors <= most; ++vectors) {
      int64_t block = vectors * lanes;
      if (block == 1)
        continue;
      double perElement = once ? 0 : loop.extent % block == 0 ? packCost : packCost + padCost;
      visit({weight, unsigned(index), block, elements * perElement},
            packedNest(nest, index, weight, block));
    }
  }
}

std::optional<Packing> choosePacking(const ProductNest &nest, Operand weight, int64_t elements,
                                     bool once, const Machine &machine) {
  std::optional<Packing> best;
  forEachPacking(nest, weight, elements, once, machine,
                 [&](Packing packing, const ProductNest &packed) {
                   std::optional<RegisterTile> tile = chooseTile(packed, machine);
                   if (!tile)
                     return;
                   packing.cost += tile->cost;
                   if (!best || packing.cost < best->cost)
                     best = packing;
                 });
  return best;
}

/// Whether the operand is read by plain dimensions of known sizes, so that packing it is a
/// transposition.
static bool isPermutation(linalg::LinalgOp op, Operand operand) {
  return op.getIndexingMapsArray()[operand].isProjectedPermutation() &&
         op.getIndexingMapsArray()[operand].getNumResults() > 0 &&
         cast<ShapedType>(op->getOperand(operand).getType()).hasStaticShape();
}

/// Whether an operand may be packed: what changes with every call is not, beside what does not.
static bool isPackable(const Packable &product, Operand side) {
  bool isAnyFixed = product.isFixed[Lhs] || product.isFixed[Rhs];
  return isPermutation(product.op, side) && (product.isFixed[side] || !isAnyFixed);
}

static int64_t elementsOf(const Packable &product, Operand operand) {
  return cast<ShapedType>(product.op->getOperand(operand).getType()).getNumElements();
}

/// What a direct read of an operand larger than the second-level cache costs beyond the model, for
/// its rows lie pages apart.
static constexpr double stridedPenalty = 1.4;

static ProductNest directNest(ProductNest nest) {
  simplify(nest);
  return nest;
}

static double directCost(const ProductNest &nest, Operand side, int64_t elements, bool isWeight,
                         const Machine &machine) {
  std::optional<RegisterTile> tile = chooseTile(directNest(nest), machine);
  if (!tile)
    return std::numeric_limits<double>::infinity();
  // Packed weights are also read in order; what the model sees as slightly worse is still better.
  if (isWeight)
    return 1.1 * tile->cost;
  bool fits = elements * nest.storedBits(side) / 8 <= machine.l2Bytes;
  return (fits ? 1.0 : stridedPenalty) * tile->cost;
}

std::optional<Packing> choosePacking(const Packable &product, const Machine &machine) {
  std::optional<Packing> best;
  double bestGain = 0;
  for (Operand side : {Lhs, Rhs}) {
    if (!isPackable(product, side))
      continue;
    int64_t elements = elementsOf(product, side);
    bool once = product.isFixed[side];
    auto packing = choosePacking(product.nest, side, elements, once, machine);
    if (!packing)
      continue;
    double gain = directCost(product.nest, side, elements, once, machine) - packing->cost;
    if (gain > bestGain) {
      best = packing;
      bestGain = gain;
    }
  }
  return best;
}

std::optional<Packing> packingOf(const ProductCut &cut, const Packable &product,
                                 const Machine &machine) {
  if (cut.packed != Lhs && cut.packed != Rhs)
    return std::nullopt;
  auto weight = Operand(cut.packed);
  int64_t vectors = cut.tile.vectors;
  bool isLoop = cut.loop >= 0 && cut.loop < int64_t(product.nest.loops.size());
  if (!isLoop || vectors < 1 || vectors > maxVectors || !isPackable(product, weight))
    return std::nullopt;
  int64_t block = vectors * lanesFor(product.nest, machine);
  if (block == 1 || !canCut(product.nest.loops[cut.loop], weight))
    return std::nullopt;
  return Packing{weight, unsigned(cut.loop), block, 0};
}

/// Cuts that the model takes to be slower than the best by more than this factor are not tried.
static constexpr double nearEnough = 1.35;
/// Tiles of one packing, and cuts in all.
static constexpr size_t tilesOfPacking = 3, mostCuts = 10;

SmallVector<ProductCut> likelyCuts(const Packable &product, const Machine &machine) {
  SmallVector<std::pair<double, ProductCut>> all;
  for (const RegisterTile &tile : cheapestTiles(directNest(product.nest), machine, tilesOfPacking))
    all.push_back({tile.cost, {-1, 0, tile.sizes()}});
  for (Operand side : {Lhs, Rhs})
    if (isPackable(product, side))
      forEachPacking(
          product.nest, side, elementsOf(product, side), product.isFixed[side], machine,
          [&](Packing packing, const ProductNest &packed) {
            for (const RegisterTile &tile : cheapestTiles(packed, machine, tilesOfPacking))
              all.push_back({packing.cost + tile.cost, {side, packing.loop, tile.sizes()}});
          });
  llvm::stable_sort(all, [](const auto &a, const auto &b) { return a.first < b.first; });
  SmallVector<ProductCut> cuts;
  for (const auto &[cost, cut] : all)
    if (cuts.size() < mostCuts && cost <= nearEnough * all.front().first)
      cuts.push_back(cut);
  return cuts;
}

} // namespace jit::codegen
