//===- EmitProducts.cpp - products on buffers into vector loops -----------===//

#include "Products/EmitTransposes.h"
#include "Products/EmitWinograd.h"
#include "Products/FlatView.h"
#include "Products/TiledLoops.h"
#include "jit/Codegen/Products/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_EMITPRODUCTS
#include "jit/Codegen/Products/Passes.h.inc"

/// The tile that PackProducts has chosen, if it has.
static std::optional<TileSizes> wantedTile(linalg::LinalgOp product) {
  auto sizes = product->getAttrOfType<DenseI64ArrayAttr>(tileAttr);
  if (!sizes || sizes.size() != 3)
    return std::nullopt;
  return TileSizes{sizes[0], {sizes[1], sizes[2]}};
}

/// The nest and its tile, with as much folded in as the tile allows.
static std::optional<RegisterTile> plan(linalg::LinalgOp product, const Machine &machine,
                                        ProductNest &nest, Epilogue &epilogue) {
  ProductNest bare = nest;
  epilogue = planEpilogue(cast<DestinationStyleOpInterface>(product.getOperation()),
                          product.getMatchingIndexingMap(product.getDpsInitOperand(0)), nest);
  simplify(nest);
  std::optional<TileSizes> wanted = wantedTile(product);
  std::optional<RegisterTile> tile = chooseTile(nest, machine, wanted);
  if (tile && !needsSeveralPasses(nest, *tile) && canFinish(nest, *tile))
    return tile;
  nest = bare;
  epilogue = Epilogue();
  epilogue.target = product.getDpsInits()[0];
  simplify(nest);
  return chooseTile(nest, machine, wanted);
}

/// How often the open loop runs: the sizes of the dimensions that it stands for, as `target` has
/// them.
static Value openExtentOf(OpBuilder &builder, linalg::LinalgOp product, const ProductNest &nest,
                          Value target) {
  if (nest.openDims.empty())
    return {};
  Location loc = product.getLoc();
  AffineMap map = product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  Value extent;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (!llvm::is_contained(nest.openDims, cast<AffineDimExpr>(expr).getPosition()))
      continue;
    Value size = memref::DimOp::create(builder, loc, target, position);
    extent = extent ? arith::MulIOp::create(builder, loc, extent, size).getResult() : size;
  }
  return extent;
}

static void emitProduct(linalg::LinalgOp product, ProductNest nest, const Machine &machine) {
  Epilogue epilogue;
  std::optional<RegisterTile> tile = plan(product, machine, nest, epilogue);
  if (!tile)
    return;
  // What the consumer reads beside the product may be computed between the two.
  OpBuilder builder(epilogue.consumer ? epilogue.consumer : product.getOperation());
  Location loc = product.getLoc();
  Operands flat;
  for (Operand operand : {Lhs, Rhs})
    flat[operand] = flatten(builder, loc, product->getOperand(operand));
  flat[Out] = flatten(builder, loc, epilogue.target);
  for (auto [index, extra] : llvm::enumerate(epilogue.extras))
    flat[FirstExtra + index] = flatten(builder, loc, extra);
  Value openExtent = openExtentOf(builder, product, nest, epilogue.target);
  TiledLoops(builder, loc, nest, *tile, machine, flat, epilogue, openExtent).emit();
  product.erase();
  epilogue.eraseFolded();
}

namespace {

struct EmitProducts : impl::EmitProductsBase<EmitProducts> {
  using Base::Base;

  void runOnOperation() override {
    Machine machine{.lanes = lanes, .registers = registers, .l1Bytes = l1Bytes, .l2Bytes = l2Bytes};
    // All are matched first: emitting one erases the ops around it that it folds in.
    SmallVector<std::pair<Operation *, ProductNest>, 1> products;
    getOperation().walk([&](Operation *op) {
      auto product = dyn_cast<linalg::LinalgOp>(op);
      if (isa<winograd::ConvOp>(op))
        products.push_back({op, {}});
      else if (!product || !product.hasPureBufferSemantics())
        return;
      else if (FailureOr<ProductNest> nest = matchProduct(product); succeeded(nest))
        products.push_back({op, std::move(*nest)});
    });
    for (auto &[product, nest] : products) {
      if (auto convolution = dyn_cast<winograd::ConvOp>(product))
        emitWinograd(convolution, machine);
      else
        emitProduct(cast<linalg::LinalgOp>(product), std::move(nest), machine);
    }
    SmallVector<linalg::TransposeOp> transposes;
    getOperation().walk([&](linalg::TransposeOp op) { transposes.push_back(op); });
    for (linalg::TransposeOp transpose : transposes)
      emitTranspose(transpose, machine);
  }
};

} // namespace

std::unique_ptr<Pass> createEmitProducts(const Machine &machine) {
  return createEmitProducts(
      EmitProductsOptions{machine.lanes, machine.registers, machine.l1Bytes, machine.l2Bytes});
}

} // namespace jit::codegen
