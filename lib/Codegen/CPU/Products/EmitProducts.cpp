//===- EmitProducts.cpp - products on buffers into vector loops -----------===//

#include "EmitTransposes.h"
#include "FlatView.h"
#include "NestEmitter.h"
#include "jit/Codegen/Products/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace jit {
#define GEN_PASS_DEF_EMITPRODUCTS
#include "jit/Codegen/Products/Passes.h.inc"

static Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether two roots may be the same memory: not if both are allocated or are distinct arguments'
/// buffers.
static bool mayAlias(Value a, Value b) {
  if (a == b)
    return true;
  auto known = [](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isa<func::FuncOp>(argument.getOwner()->getParentOp());
    return hasSingleEffect<MemoryEffects::Allocate>(value.getDefiningOp());
  };
  return !known(a) || !known(b);
}

static bool mayTouch(Operation *op, Value buffer) {
  if (isMemoryEffectFree(op) || isa<memref::AllocOp, memref::AllocaOp>(op))
    return false;
  if (op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op))
    return true;
  if (!isa<linalg::LinalgOp, memref::CopyOp, memref::StoreOp, memref::LoadOp>(op))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<MemRefType>(operand.getType()) && mayAlias(rootOf(operand), rootOf(buffer));
  });
}

/// The fill that sets the product's whole output to zero just before, where nothing sees it
/// between.
static linalg::FillOp findZeroFill(linalg::LinalgOp product) {
  Value out = product.getDpsInits()[0];
  for (Operation *op = product->getPrevNode(); op; op = op->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (fill && fill.getOutputs()[0] == out) {
      auto value = fill.getInputs()[0].getDefiningOp<arith::ConstantOp>();
      auto zero = value ? dyn_cast<FloatAttr>(value.getValue()) : FloatAttr();
      return zero && zero.getValue().isZero() ? fill : linalg::FillOp();
    }
    if (mayTouch(op, out))
      return {};
  }
  return {};
}

static void emitProduct(linalg::LinalgOp product, const CpuProfile &profile) {
  FailureOr<ProductNest> nest = matchProduct(product);
  if (failed(nest))
    return;
  simplify(*nest);
  std::optional<RegisterTile> tile = chooseTile(*nest, profile);
  if (!tile)
    return;
  linalg::FillOp fill;
  if (!needsSeveralPasses(*nest, *tile))
    fill = findZeroFill(product);

  OpBuilder builder(product);
  Location loc = product.getLoc();
  std::array<Value, 3> flat;
  for (Operand operand : {Lhs, Rhs, Out})
    flat[operand] = flatten(builder, loc, product->getOperand(operand));
  NestEmitter(builder, loc, *nest, *tile, profile, flat, /*accumulates=*/!fill).emit();
  product.erase();
  if (fill)
    fill.erase();
}

namespace {

struct EmitProducts : impl::EmitProductsBase<EmitProducts> {
  using Base::Base;

  void runOnOperation() override {
    CpuProfile profile{lanes, registers, l1Bytes, l2Bytes};
    SmallVector<linalg::LinalgOp> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        products.push_back(op);
    });
    for (linalg::LinalgOp product : products)
      emitProduct(product, profile);
    SmallVector<linalg::TransposeOp> transposes;
    getOperation().walk([&](linalg::TransposeOp op) { transposes.push_back(op); });
    for (linalg::TransposeOp transpose : transposes)
      emitTranspose(transpose, profile);
  }
};

} // namespace

std::unique_ptr<Pass> createEmitProducts(const CpuProfile &profile) {
  return createEmitProducts(
      EmitProductsOptions{profile.lanes, profile.registers, profile.l1Bytes, profile.l2Bytes});
}

} // namespace jit
