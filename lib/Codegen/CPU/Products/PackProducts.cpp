//===- PackProducts.cpp - weights of products in register blocks ----------===//

#include "NestEmitter.h"
#include "Packing.h"
#include "WeightAnalysis.h"
#include "jit/Codegen/Products/Passes.h"

#include <limits>

using namespace mlir;

namespace jit {
#define GEN_PASS_DEF_PACKPRODUCTS
#include "jit/Codegen/Products/Passes.h.inc"

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

std::optional<Packing> choosePacking(const ProductNest &nest, Operand weight, int64_t elements,
                                     bool once, const CpuProfile &profile) {
  Operand other = weight == Lhs ? Rhs : Lhs;
  int64_t lanes = lanesFor(nest, profile);
  std::optional<Packing> best;
  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    if (loop.reduction || loop.step[weight] == 0 || loop.step[other] != 0 || loop.extent == 1)
      continue;
    int64_t most = std::min<int64_t>(8, llvm::divideCeilSigned(loop.extent, lanes));
    for (int64_t vectors = 1; vectors <= most; ++vectors) {
      int64_t block = vectors * lanes;
      auto tile = chooseTile(packedNest(nest, index, weight, block), profile);
      if (!tile || block == 1)
        continue;
      double cost = tile->cost;
      if (!once)
        cost += elements * (loop.extent % block == 0 ? packCost : packCost + padCost);
      if (!best || cost < best->cost)
        best = Packing{weight, unsigned(index), block, cost};
    }
  }
  return best;
}

/// Bytes that a block of the reduction has to find side by side: a page.
static constexpr int64_t leastRun = 4096;

/// The reduction loop whose blocks are so short that the others have to lie inside of it, if any.
static std::optional<unsigned> shortlyBlocked(const ProductNest &nest, const Packing &packing) {
  RegisterTile tile{packing.loop, /*lanes=*/1, /*vectors=*/1, {}, packing.cost};
  ReductionBlocks blocks = chooseReductionBlocks(nest, tile);
  int64_t run = blocks.size * packing.block * nest.elementBits() / 8;
  return blocks.size != 0 && run < leastRun ? std::optional(blocks.loop) : std::nullopt;
}

/// The weight as `[dimensions of other loops, blocks, taps, rest of the reduction, lanes]`, and its
/// map.
static std::pair<Value, AffineMap> packWeight(OpBuilder &builder, linalg::LinalgOp op,
                                              const ProductNest &nest, const Packing &packing) {
  Location loc = op.getLoc();
  Value weight = op->getOperand(packing.weight);
  auto type = cast<RankedTensorType>(weight.getType());
  SmallVector<unsigned> dims;
  for (AffineExpr expr : op.getIndexingMapsArray()[packing.weight].getResults())
    dims.push_back(cast<AffineDimExpr>(expr).getPosition());
  int64_t at = llvm::find(dims, packing.loop) - dims.begin();

  SmallVector<int64_t> shape(type.getShape());
  int64_t padded = llvm::alignTo(shape[at], packing.block);
  if (padded != shape[at]) {
    SmallVector<OpFoldResult> low(shape.size(), builder.getIndexAttr(0)), high = low;
    high[at] = builder.getIndexAttr(padded - shape[at]);
    shape[at] = padded;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(nest.element));
    weight = tensor::PadOp::create(builder, loc, RankedTensorType::get(shape, nest.element), weight,
                                   low, high, zero);
  }
  // One dimension more: `at` counts blocks, `at + 1` the elements of one.
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, next = 0; dim < int64_t(dims.size()); ++dim) {
    groups.push_back({next++});
    if (dim == at)
      groups.back().push_back(next++);
  }
  shape[at] = padded / packing.block;
  shape.insert(shape.begin() + at + 1, packing.block);
  weight = tensor::ExpandShapeOp::create(builder, loc, RankedTensorType::get(shape, nest.element),
                                         weight, groups);

  MLIRContext *context = builder.getContext();
  AffineExpr cut = getAffineDimExpr(packing.loop, context);
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(getAffineDimExpr(dim, context));
  exprs[at] = cut.floorDiv(packing.block);
  exprs.insert(exprs.begin() + at + 1, cut % packing.block);
  dims.insert(dims.begin() + at + 1, packing.loop);

  std::optional<unsigned> blocked = shortlyBlocked(nest, packing);
  auto rank = [&](int64_t dim) {
    const NestLoop &loop = nest.loops[dims[dim]];
    if (dim == at + 1)
      return 5;
    if (dim == at)
      return 1;
    if (blocked == dims[dim])
      return 2;
    return !loop.reduction ? 0 : nest.isWindow(dims[dim]) ? 3 : 4;
  };
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return rank(a) < rank(b); });
  SmallVector<int64_t> packedShape;
  SmallVector<AffineExpr> packedExprs;
  for (int64_t dim : order) {
    packedShape.push_back(shape[dim]);
    packedExprs.push_back(exprs[dim]);
  }
  Value empty = tensor::EmptyOp::create(builder, loc, packedShape, nest.element);
  Value packed = linalg::TransposeOp::create(builder, loc, weight, empty, order)->getResult(0);
  return {packed, AffineMap::get(nest.loops.size(), 0, packedExprs, context)};
}

static void rewrite(linalg::LinalgOp op, const ProductNest &nest, const Packing &packing) {
  OpBuilder builder(op);
  auto [packed, map] = packWeight(builder, op, nest, packing);
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs[packing.weight] = packed;
  maps[packing.weight] = map;
  auto generic = linalg::GenericOp::create(
      builder, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(), maps,
      op.getIteratorTypesArray(), [](OpBuilder &b, Location loc, ValueRange args) {
        Value term = arith::MulFOp::create(b, loc, args[0], args[1]);
        linalg::YieldOp::create(b, loc, arith::AddFOp::create(b, loc, args[2], term).getResult());
      });
  op->replaceAllUsesWith(generic->getResults());
  op->erase();
}

/// Whether the operand is read by plain dimensions, so that packing it is a transposition.
static bool isPermutation(linalg::LinalgOp op, Operand operand) {
  return op.getIndexingMapsArray()[operand].isProjectedPermutation() &&
         op.getIndexingMapsArray()[operand].getNumResults() > 0;
}

/// What a direct read of an operand larger than the second-level cache costs beyond the model, for
/// its rows lie pages apart.
static constexpr double stridedPenalty = 1.4;

static double directCost(const ProductNest &nest, int64_t elements, bool isWeight,
                         const CpuProfile &profile) {
  ProductNest direct = nest;
  simplify(direct);
  std::optional<RegisterTile> tile = chooseTile(direct, profile);
  if (!tile)
    return std::numeric_limits<double>::infinity();
  // Packed weights are also read in order; what the model sees as slightly worse is still better.
  if (isWeight)
    return 1.1 * tile->cost;
  bool fits = elements * nest.elementBits() / 8 <= profile.l2Bytes;
  return (fits ? 1.0 : stridedPenalty) * tile->cost;
}

static void packProduct(linalg::LinalgOp op, WeightAnalysis &sources, const CpuProfile &profile) {
  FailureOr<ProductNest> nest = matchProduct(op);
  if (failed(nest) || llvm::any_of(nest->loops, [](const NestLoop &l) { return l.block != 0; }))
    return;
  std::array<bool, 2> fixed = {sources.sourceOf(op->getOperand(Lhs)) != Source::Call,
                               sources.sourceOf(op->getOperand(Rhs)) != Source::Call};
  if (fixed[Lhs] && fixed[Rhs])
    return;
  std::optional<Packing> best;
  double bestGain = 0;
  for (Operand side : {Lhs, Rhs}) {
    if (!isPermutation(op, side) || (!fixed[side] && (fixed[Lhs] || fixed[Rhs])))
      continue;
    int64_t elements = cast<ShapedType>(op->getOperand(side).getType()).getNumElements();
    auto packing = choosePacking(*nest, side, elements, fixed[side], profile);
    if (!packing)
      continue;
    double gain = directCost(*nest, elements, fixed[side], profile) - packing->cost;
    if (gain > bestGain) {
      best = packing;
      bestGain = gain;
    }
  }
  if (best)
    rewrite(op, *nest, *best);
}

namespace {

struct PackProducts : impl::PackProductsBase<PackProducts> {
  using Base::Base;

  void runOnOperation() override {
    CpuProfile profile{lanes, registers, l1Bytes, l2Bytes};
    WeightAnalysis sources;
    SmallVector<linalg::LinalgOp> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics())
        products.push_back(op);
    });
    for (linalg::LinalgOp product : products)
      packProduct(product, sources, profile);
  }
};

} // namespace

std::unique_ptr<Pass> createPackProducts(const CpuProfile &profile) {
  return createPackProducts(
      PackProductsOptions{profile.lanes, profile.registers, profile.l1Bytes, profile.l2Bytes});
}

} // namespace jit
