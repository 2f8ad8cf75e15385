//===- PackProducts.cpp - weights of products in register blocks ----------===//

#include "Analysis/ProductBody.h"
#include "Analysis/WeightAnalysis.h"
#include "Products/Packing.h"
#include "Products/TiledLoops.h"
#include "jit/Codegen/Products/Passes.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_PACKPRODUCTS
#include "jit/Codegen/Products/Passes.h.inc"

/// Bytes that a block of the reduction has to find side by side: a page.
static constexpr int64_t leastRun = 4096;

/// The reduction loop whose blocks are so short that the others have to lie inside of it, if any.
static std::optional<unsigned> shortlyBlocked(const ProductNest &nest, const Packing &packing) {
  RegisterTile tile{packing.loop, /*lanes=*/1, /*vectors=*/1, {}, packing.cost};
  ReductionBlocks blocks = chooseReductionBlocks(nest, tile);
  int64_t run = blocks.size * packing.block * nest.storedBits(packing.weight) / 8;
  return blocks.size != 0 && run < leastRun ? std::optional(blocks.loop) : std::nullopt;
}

/// The weight as `[dimensions of other loops, blocks, taps, rest of the reduction, lanes]`, and its
/// map.
static std::pair<Value, AffineMap> packWeight(OpBuilder &builder, linalg::LinalgOp op,
                                              const ProductNest &nest, const Packing &packing) {
  Location loc = op.getLoc();
  Value weight = op->getOperand(packing.weight);
  auto type = cast<RankedTensorType>(weight.getType());
  Type element = type.getElementType();
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
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    weight = tensor::PadOp::create(builder, loc, RankedTensorType::get(shape, element), weight, low,
                                   high, zero);
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
  weight = tensor::ExpandShapeOp::create(builder, loc, RankedTensorType::get(shape, element),
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
  Value empty = tensor::EmptyOp::create(builder, loc, packedShape, element);
  Value packed = linalg::TransposeOp::create(builder, loc, weight, empty, order)->getResult(0);
  return {packed, AffineMap::get(nest.loops.size(), 0, packedExprs, context)};
}

/// Gives the product of the packed operand.
static linalg::LinalgOp rewrite(linalg::LinalgOp op, const ProductNest &nest,
                                const Packing &packing) {
  OpBuilder builder(op);
  auto [packed, map] = packWeight(builder, op, nest, packing);
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs[packing.weight] = packed;
  maps[packing.weight] = map;
  auto generic = linalg::GenericOp::create(builder, op.getLoc(), op->getResultTypes(), inputs,
                                           op.getDpsInits(), maps, op.getIteratorTypesArray(),
                                           buildProductBody);
  op->replaceAllUsesWith(generic->getResults());
  op->erase();
  return generic;
}

/// The product, where it is one that changes with the call and is not packed yet.
static std::optional<Packable> packableOf(linalg::LinalgOp op, WeightAnalysis &sources) {
  FailureOr<ProductNest> nest = matchProduct(op);
  if (failed(nest) || llvm::any_of(nest->loops, [](const NestLoop &l) { return l.block != 0; }))
    return std::nullopt;
  std::array<bool, 2> isFixed = {sources.sourceOf(op->getOperand(Lhs)) != Source::Call,
                                 sources.sourceOf(op->getOperand(Rhs)) != Source::Call};
  if (isFixed[Lhs] && isFixed[Rhs])
    return std::nullopt;
  return Packable{op, std::move(*nest), isFixed};
}

/// The product cut as a table says.
static void apply(const ProductCut &cut, Packable product, const Machine &machine) {
  linalg::LinalgOp op = product.op;
  if (auto packing = packingOf(cut, product, machine))
    op = rewrite(op, product.nest, *packing);
  Builder builder(op.getContext());
  const auto &[vectors, points] = cut.tile;
  op->setAttr(tileAttr, builder.getDenseI64ArrayAttr({vectors, points[0], points[1]}));
}

static void packProduct(const Packable &product, const ProductTuning &tuning,
                        const Machine &machine) {
  // What is fastest depends on sizes that only a call tells.
  bool isOpen = !product.nest.openDims.empty();
  if (!isOpen && (tuning.table || tuning.listener)) {
    std::string text = describe(product.nest);
    for (Operand side : {Lhs, Rhs})
      if (product.isFixed[side])
        text += " fixed " + std::to_string(side);
    auto measured = tuning.table ? tuning.table->find(text) : std::nullopt;
    if (measured)
      return apply(*measured, product, machine);
    if (tuning.listener)
      tuning.listener->found(product.op, text, product.isFixed, likelyCuts(product, machine));
  }
  if (auto packing = choosePacking(product, machine))
    rewrite(product.op, product.nest, *packing);
}

namespace {

struct PackProducts : impl::PackProductsBase<PackProducts> {
  using Base::Base;
  PackProducts(const PackProductsOptions &options, const ProductTuning &tuning)
      : Base(options), tuning(tuning) {}

  LogicalResult initialize(MLIRContext *context) override {
    if (tiles.empty())
      return success();
    auto read = TileTable::read(tiles);
    if (!read)
      return emitError(UnknownLoc::get(context), read.error().str());
    table = std::make_shared<TileTable>(std::move(*read));
    tuning.table = table.get();
    return success();
  }

  void runOnOperation() override {
    Machine machine{.lanes = lanes, .registers = registers, .l1Bytes = l1Bytes, .l2Bytes = l2Bytes};
    WeightAnalysis sources;
    SmallVector<linalg::LinalgOp> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics())
        products.push_back(op);
    });
    for (linalg::LinalgOp product : products)
      if (auto packable = packableOf(product, sources))
        packProduct(*packable, tuning, machine);
  }

  ProductTuning tuning;
  std::shared_ptr<const TileTable> table; // of the option
};

} // namespace

std::unique_ptr<Pass> createPackProducts(const Machine &machine, const ProductTuning &tuning) {
  PackProductsOptions options{machine.lanes, machine.registers, machine.l1Bytes, machine.l2Bytes};
  return std::make_unique<PackProducts>(options, tuning);
}

} // namespace jit::codegen
