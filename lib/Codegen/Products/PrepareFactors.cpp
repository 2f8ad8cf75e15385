//===- PrepareFactors.cpp - halves as they are multiplied -----------------===//

#include "Analysis/ProductBody.h"
#include "Analysis/ProductNest.h"
#include "Analysis/WeightAnalysis.h"
#include "jit/Codegen/Products/Passes.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_PREPAREFACTORS
#include "jit/Codegen/Products/Passes.h.inc"

/// How often an element has to be multiplied for a copy of it to pay.
static constexpr int64_t leastReuse = 16;

namespace {

/// A product with factors of 16 bits.
struct HalfProduct {
  linalg::GenericOp op;
  ProductNest nest;
  std::array<bool, 2> isFixed; ///< depends on weights alone

  bool isHalf(Operand side) const { return nest.storedBits(side) == 16; }
  bool readsWindows() const;
  /// Multiplications with each element of a factor.
  int64_t reuse(Operand side) const;
  RankedTensorType typeOf(Operand side) const {
    return cast<RankedTensorType>(op->getOperand(side).getType());
  }
  AffineMap mapOf(Operand side) const { return linalg::GenericOp(op).getIndexingMapsArray()[side]; }
};

} // namespace

bool HalfProduct::readsWindows() const {
  return llvm::any_of(llvm::seq<unsigned>(0, nest.loops.size()), [&](unsigned loop) {
    return nest.loops[loop].reduction && nest.isWindow(loop);
  });
}

int64_t HalfProduct::reuse(Operand side) const {
  int64_t count = 1;
  for (const NestLoop &loop : nest.loops)
    if (!loop.reduction && loop.step[side] == 0)
      count *= loop.extent;
  return count;
}

static std::optional<HalfProduct> matchHalves(linalg::GenericOp op, WeightAnalysis &sources) {
  FailureOr<ProductNest> nest = matchProduct(op);
  if (!op.hasPureTensorSemantics() || failed(nest))
    return std::nullopt;
  auto isFixed = [&](Operand side) {
    return sources.sourceOf(op->getOperand(side)) != Source::Call;
  };
  HalfProduct product{op, std::move(*nest), {isFixed(Lhs), isFixed(Rhs)}};
  return product.isHalf(Lhs) || product.isHalf(Rhs) ? std::optional(std::move(product))
                                                    : std::nullopt;
}

/// The product of other factors that lie in the same order.
static void replaceFactors(linalg::GenericOp op, Value lhs, Value rhs) {
  OpBuilder builder(op);
  auto made = linalg::GenericOp::create(
      builder, op.getLoc(), op->getResultTypes(), ValueRange{lhs, rhs}, op.getDpsInits(),
      op.getIndexingMapsArray(), op.getIteratorTypesArray(), buildProductBody);
  op->replaceAllUsesWith(made->getResults());
  op->erase();
}

/// Elementwise from `inputs` into a new tensor of `type`, whose open sizes are those of `like`.
static Value computed(OpBuilder &builder, Location loc, RankedTensorType type, Value like,
                      ValueRange inputs, ArrayRef<AffineMap> maps,
                      llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<Value> open;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      open.push_back(tensor::DimOp::create(builder, loc, like, dim));
  Value empty = tensor::EmptyOp::create(builder, loc, type, open);
  SmallVector<AffineMap> all(maps);
  all.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> kinds(type.getRank(), utils::IteratorType::parallel);
  auto build = [&](OpBuilder &b, Location at, ValueRange args) {
    linalg::YieldOp::create(b, at, body(b, at, args));
  };
  return linalg::GenericOp::create(builder, loc, TypeRange(type), inputs, empty, all, kinds, build)
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Widened
//===----------------------------------------------------------------------===//

static Value widened(OpBuilder &builder, Location loc, Value factor, Type element) {
  auto type = cast<RankedTensorType>(factor.getType());
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  return computed(builder, loc, type.clone(element), factor, factor, map,
                  [&](OpBuilder &b, Location at, ValueRange args) {
                    return arith::ExtFOp::create(b, at, element, args[0]).getResult();
                  });
}

static void widen(const HalfProduct &product) {
  std::array<Value, 2> factors = {product.op->getOperand(Lhs), product.op->getOperand(Rhs)};
  OpBuilder builder(product.op);
  bool windows = product.readsWindows(), changed = false;
  for (Operand side : {Lhs, Rhs}) {
    bool pays = windows || (!product.isFixed[side] && product.reuse(side) >= leastReuse);
    if (!product.isHalf(side) || !pays)
      continue;
    factors[side] = widened(builder, product.op->getLoc(), factors[side], product.nest.element);
    changed = true;
  }
  if (changed)
    replaceFactors(product.op, factors[Lhs], factors[Rhs]);
}

//===----------------------------------------------------------------------===//
// Paired
//===----------------------------------------------------------------------===//

/// Where a factor has the loop as a dimension of its own.
static std::optional<unsigned> dimOf(AffineMap map, unsigned loop) {
  if (!map.isProjectedPermutation())
    return std::nullopt;
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

/// The loop along which both factors can be paired.
static std::optional<unsigned> pairedLoop(const HalfProduct &product) {
  for (auto [index, loop] : llvm::enumerate(product.nest.loops)) {
    // What moves both factors and the result is a batch.
    bool isBatch = !loop.reduction && loop.step[Lhs] != 0 && loop.step[Rhs] != 0;
    if (isBatch)
      return std::nullopt;
  }
  for (auto [index, loop] : llvm::enumerate(product.nest.loops))
    if (loop.reduction && loop.extent % 2 == 0 && dimOf(product.mapOf(Lhs), index) &&
        dimOf(product.mapOf(Rhs), index))
      return index;
  return std::nullopt;
}

/// Elements 2i and 2i + 1 along `dim` as the halves of word i, the first one the lower.
static Value paired(OpBuilder &builder, Location loc, Value factor, unsigned dim) {
  auto type = cast<RankedTensorType>(factor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= 2;
  SmallVector<AffineExpr> first, second;
  for (unsigned i = 0; i < shape.size(); ++i)
    first.push_back(builder.getAffineDimExpr(i) * (i == dim ? 2 : 1));
  second = first;
  second[dim] = first[dim] + 1;
  auto mapOf = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(shape.size(), 0, exprs, builder.getContext());
  };
  Type word = builder.getI32Type();
  auto join = [&](OpBuilder &b, Location at, ValueRange args) -> Value {
    auto bits = [&](Value half) -> Value {
      Value raw = arith::BitcastOp::create(b, at, b.getI16Type(), half);
      return arith::ExtUIOp::create(b, at, word, raw);
    };
    Value half = arith::ConstantIntOp::create(b, at, word, 16);
    Value high = arith::ShLIOp::create(b, at, bits(args[1]), half);
    return arith::OrIOp::create(b, at, bits(args[0]), high);
  };
  return computed(builder, loc, RankedTensorType::get(shape, word), factor, {factor, factor},
                  {mapOf(first), mapOf(second)}, join);
}

/// Fails where the factors have no pairs, or few uses for them.
static LogicalResult pair(const HalfProduct &product) {
  std::optional<unsigned> loop = pairedLoop(product);
  if (!loop || product.readsWindows())
    return failure();
  for (Operand side : {Lhs, Rhs})
    if (!product.nest.stored[side].isBF16() ||
        (!product.isFixed[side] && product.reuse(side) < leastReuse))
      return failure();
  OpBuilder builder(product.op);
  auto pairsOf = [&](Operand side) {
    return paired(builder, product.op->getLoc(), product.op->getOperand(side),
                  *dimOf(product.mapOf(side), *loop));
  };
  Value lhs = pairsOf(Lhs), rhs = pairsOf(Rhs);
  replaceFactors(product.op, lhs, rhs);
  return success();
}

namespace {

struct PrepareFactors : impl::PrepareFactorsBase<PrepareFactors> {
  using Base::Base;

  void runOnOperation() override {
    WeightAnalysis sources;
    SmallVector<HalfProduct, 1> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (auto product = matchHalves(op, sources))
        products.push_back(std::move(*product));
    });
    for (const HalfProduct &product : products)
      if (!pairs || failed(pair(product)))
        widen(product);
  }
};

} // namespace

std::unique_ptr<Pass> createPrepareFactors(const Machine &machine) {
  return createPrepareFactors(PrepareFactorsOptions{
      machine.lanes, machine.registers, machine.l1Bytes, machine.l2Bytes, machine.multipliesPairs});
}

} // namespace jit::codegen
