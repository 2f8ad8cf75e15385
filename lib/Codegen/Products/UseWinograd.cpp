//===- UseWinograd.cpp - convolutions that gain by Winograd's tiles -------===//

#include "Analysis/ProductBody.h"
#include "Analysis/WeightAnalysis.h"
#include "Products/Packing.h"
#include "Products/Winograd.h"
#include "jit/Codegen/Products/Passes.h"
#include "jit/Codegen/Products/WinogradOp.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_USEWINOGRAD
#include "jit/Codegen/Products/Passes.h.inc"

/// Taps of the kernels that there are transforms for, a side.
static constexpr int64_t knownTaps = 3;
/// Channels that one sum takes: a longer chain loses accuracy.
static constexpr int64_t mostChannels = 1024;
/// What the direct form has to cost more.
static constexpr double leastGain = 1.2;

namespace {

/// A convolution of stride 1 whose channels come last, and which of its loops are what.
struct Convolution {
  linalg::GenericOp op;
  WinogradShape shape; ///< but for the tile
  unsigned feature = 0, channel = 0, tapsDown = 0, tapsAcross = 0;
};

} // namespace

static std::optional<unsigned> loopOf(AffineExpr expr) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

/// The loop that `expr` adds to loop `base`.
static std::optional<unsigned> loopBeside(AffineExpr expr, unsigned base) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  std::optional<unsigned> left = loopOf(sum.getLHS()), right = loopOf(sum.getRHS());
  return left == base ? right : right == base ? left : std::nullopt;
}

static std::optional<Convolution> matchConvolution(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || !isProduct(op) || op.getNumLoops() != 7)
    return std::nullopt;
  auto typeOf = [&](unsigned operand) {
    return cast<RankedTensorType>(op->getOperand(operand).getType());
  };
  AffineMap image = op.getIndexingMapsArray()[Lhs], weight = op.getIndexingMapsArray()[Rhs],
            out = op.getIndexingMapsArray()[Out];
  bool isAllF32 = llvm::all_of(std::array{Lhs, Rhs, Out}, [&](unsigned side) {
    return typeOf(side).getElementType().isF32();
  });
  if (!isAllF32 || image.getNumResults() != 4 || out.getNumResults() != 4 ||
      !weight.isProjectedPermutation() || weight.getNumResults() != 4)
    return std::nullopt;
  unsigned height = out.getDimPosition(1), width = out.getDimPosition(2);
  std::optional<unsigned> down = loopBeside(image.getResult(1), height),
                          across = loopBeside(image.getResult(2), width),
                          channel = loopOf(image.getResult(3));
  if (loopOf(image.getResult(0)) != out.getDimPosition(0) || !down || !across || !channel)
    return std::nullopt;
  Convolution found{op, {}, out.getDimPosition(3), *channel, *down, *across};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : {found.feature, *channel, *down, *across})
    if (!weight.isFunctionOfDim(loop))
      return std::nullopt;
  // Images that are larger than what is read of them are rare.
  bool fits = typeOf(Lhs).getDimSize(1) == sizes[height] + knownTaps - 1 &&
              typeOf(Lhs).getDimSize(2) == sizes[width] + knownTaps - 1;
  if (sizes[*down] != knownTaps || sizes[*across] != knownTaps || sizes[*channel] > mostChannels ||
      !fits)
    return std::nullopt;
  found.shape = {0,
                 knownTaps,
                 sizes[out.getDimPosition(0)],
                 sizes[height],
                 sizes[width],
                 sizes[*channel],
                 sizes[found.feature]};
  return found;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Cycles of the direct form, its weights packed.
static std::optional<double> directCycles(const Convolution &convolution, const Machine &machine) {
  FailureOr<ProductNest> nest = matchProduct(convolution.op);
  if (failed(nest))
    return std::nullopt;
  int64_t elements =
      cast<RankedTensorType>(convolution.op->getOperand(Rhs).getType()).getNumElements();
  auto packing = choosePacking(*nest, Rhs, elements, /*once=*/true, machine);
  if (!packing)
    return std::nullopt;
  return std::max(packing->cost, memoryCycles(double(elements) * sizeof(float), machine));
}

/// Sets the convolution's tile, and gives its blocks; nothing where the direct form is as good.
static std::optional<WinogradBlocks> chooseForm(Convolution &convolution, const Machine &machine) {
  std::optional<double> direct = directCycles(convolution, machine);
  if (!direct)
    return std::nullopt;
  std::optional<WinogradBlocks> best;
  int64_t bestTile = 0;
  for (int64_t tile : {4, 2}) {
    convolution.shape.tile = tile;
    auto blocks = chooseWinogradBlocks(convolution.shape,
                                       Float32Type::get(convolution.op->getContext()), machine);
    if (!blocks || blocks->cost * leastGain > *direct || (best && best->cost <= blocks->cost))
      continue;
    best = blocks;
    bestTile = tile;
  }
  convolution.shape.tile = bestTile;
  return best;
}

//===----------------------------------------------------------------------===//
// The weights
//===----------------------------------------------------------------------===//

/// The weights as `[features / lanes, taps, taps, channels, lanes]`, features padded with zeros.
static Value blockedWeights(OpBuilder &b, const Convolution &convolution, int64_t lanes) {
  linalg::GenericOp op = convolution.op;
  Location loc = op.getLoc();
  Value weight = op->getOperand(Rhs);
  AffineMap map = op.getIndexingMapsArray()[Rhs];
  auto type = cast<RankedTensorType>(weight.getType());
  SmallVector<int64_t> shape(type.getShape());
  auto place = [&](unsigned loop) {
    return int64_t(*map.getResultPosition(getAffineDimExpr(loop, b.getContext())));
  };
  int64_t at = place(convolution.feature), padded = llvm::alignTo(shape[at], lanes);
  if (padded != shape[at]) {
    SmallVector<OpFoldResult> low(4, b.getIndexAttr(0)), high = low;
    high[at] = b.getIndexAttr(padded - shape[at]);
    shape[at] = padded;
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    weight = tensor::PadOp::create(b, loc, type.clone(shape), weight, low, high, zero);
  }
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0, next = 0; dim < 4; ++dim) {
    groups.push_back({next++});
    if (dim == at)
      groups.back().push_back(next++);
  }
  shape[at] = padded / lanes;
  shape.insert(shape.begin() + at + 1, lanes);
  weight = tensor::ExpandShapeOp::create(b, loc, type.clone(shape), weight, groups);
  auto placeBehind = [&](unsigned loop) { return place(loop) + (place(loop) > at ? 1 : 0); };
  SmallVector<int64_t> order = {at, placeBehind(convolution.tapsDown),
                                placeBehind(convolution.tapsAcross),
                                placeBehind(convolution.channel), at + 1};
  SmallVector<int64_t> turned = llvm::map_to_vector(order, [&](int64_t dim) { return shape[dim]; });
  Value empty = tensor::EmptyOp::create(b, loc, turned, type.getElementType());
  return linalg::TransposeOp::create(b, loc, weight, empty, order)->getResult(0);
}

/// `[points, taps, taps]`: what each tap of the weight counts at each point.
static Value weightForms(OpBuilder &b, Location loc, const WinogradShape &shape) {
  Matrix rows = winogradTransforms(shape.tile, shape.taps).weight;
  SmallVector<float> forms;
  for (const auto &down : rows)
    for (const auto &across : rows)
      for (double y : down)
        for (double x : across)
          forms.push_back(float(y * x));
  auto type = RankedTensorType::get({shape.points(), shape.taps, shape.taps}, b.getF32Type());
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef<float>(forms)));
}

/// The weights at the points of a tile: `[features / lanes, points, channels, lanes]`.
static Value transformedWeights(OpBuilder &b, const Convolution &convolution, int64_t lanes) {
  const WinogradShape &shape = convolution.shape;
  Location loc = convolution.op->getLoc();
  Value blocked = blockedWeights(b, convolution, lanes), forms = weightForms(b, loc, shape);
  SmallVector<int64_t> sizes = {llvm::divideCeilSigned(shape.features, lanes), shape.points(),
                                shape.channels, lanes};
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(b.getF32Type()));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, b.getF32Type());
  Value start = linalg::FillOp::create(b, loc, zero, empty)->getResult(0);
  MLIRContext *context = b.getContext();
  // Loops: block, point, channel, lane, taps down, taps across.
  auto map = [&](ArrayRef<unsigned> loops) {
    return AffineMap::getMultiDimMapWithTargets(6, loops, context);
  };
  SmallVector<utils::IteratorType> kinds(4, utils::IteratorType::parallel);
  kinds.append(2, utils::IteratorType::reduction);
  auto product = linalg::GenericOp::create(
      b, loc, start.getType(), {forms, blocked}, start,
      {map({1, 4, 5}), map({0, 4, 5, 2, 3}), map({0, 1, 2, 3})}, kinds, buildProductBody);
  return product->getResult(0);
}

static void rewrite(const Convolution &convolution, int64_t lanes) {
  linalg::GenericOp op = convolution.op;
  OpBuilder b(op);
  Value weights = transformedWeights(b, convolution, lanes);
  auto tiled =
      winograd::ConvOp::create(b, op.getLoc(), op->getResultTypes(), op->getOperand(Lhs), weights,
                               op->getOperand(Out), convolution.shape.tile, convolution.shape.taps);
  op->replaceAllUsesWith(tiled->getResults());
  op->erase();
}

namespace {

struct UseWinograd : impl::UseWinogradBase<UseWinograd> {
  using Base::Base;

  void runOnOperation() override {
    Machine machine{.lanes = lanes, .registers = registers, .l1Bytes = l1Bytes, .l2Bytes = l2Bytes};
    WeightAnalysis sources;
    SmallVector<Convolution> convolutions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (auto convolution = matchConvolution(op))
        convolutions.push_back(*convolution);
    });
    for (Convolution &convolution : convolutions) {
      if (sources.sourceOf(convolution.op->getOperand(Rhs)) != Source::Weight)
        continue;
      if (auto blocks = chooseForm(convolution, machine))
        rewrite(convolution, blocks->lanes);
    }
  }
};

} // namespace

std::unique_ptr<Pass> createUseWinograd(const Machine &machine) {
  return createUseWinograd(
      UseWinogradOptions{machine.lanes, machine.registers, machine.l1Bytes, machine.l2Bytes});
}

} // namespace jit::codegen
