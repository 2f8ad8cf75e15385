//===- FoldTransposes.cpp - products read transposed operands in place ----===//

#include "Analysis/ProductNest.h"
#include "jit/Codegen/Products/Passes.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "jit/Codegen/Products/Passes.h.inc"

static void foldTransposes(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (Operand side : {Lhs, Rhs}) {
    auto transpose = op->getOperand(side).getDefiningOp<linalg::TransposeOp>();
    if (!transpose)
      continue;
    SmallVector<AffineExpr> reads(maps[side].getNumResults());
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      reads[from] = maps[side].getResult(to);
    maps[side] = AffineMap::get(maps[side].getNumDims(), 0, reads, op.getContext());
    op->setOperand(side, transpose.getInput());
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

/// Pads before it transposes, so that the transposition stands beside the product.
static void padFirst(tensor::PadOp pad) {
  auto transpose = pad.getSource().getDefiningOp<linalg::TransposeOp>();
  Value padding = pad.getConstantPaddingValue();
  auto constant = padding ? padding.getDefiningOp<arith::ConstantOp>() : arith::ConstantOp();
  if (!transpose || !constant || !pad.getResultType().hasStaticShape())
    return;
  OpBuilder b(pad);
  ArrayRef<int64_t> order = transpose.getPermutation();
  SmallVector<OpFoldResult> low(order.size()), high(order.size());
  for (auto [to, from] : llvm::enumerate(order)) {
    low[from] = b.getIndexAttr(pad.getStaticLow()[to]);
    high[from] = b.getIndexAttr(pad.getStaticHigh()[to]);
  }
  // The constant may stand inside of the op, which goes.
  Value value = b.clone(*constant)->getResult(0);
  Value padded =
      tensor::PadOp::create(b, pad.getLoc(), Type(), transpose.getInput(), low, high, value);
  Value empty = tensor::EmptyOp::create(b, pad.getLoc(), pad.getResultType().getShape(),
                                        pad.getResultType().getElementType());
  Value turned = linalg::TransposeOp::create(b, pad.getLoc(), padded, empty, order)->getResult(0);
  pad->replaceAllUsesWith(ValueRange(turned));
  pad.erase();
}

/// Whether a product alone reads what is padded.
static bool isForProduct(tensor::PadOp pad) {
  auto reader =
      pad->hasOneUse() ? dyn_cast<linalg::LinalgOp>(*pad->getUsers().begin()) : linalg::LinalgOp();
  return reader && isProduct(reader);
}

namespace {

struct FoldTransposes : impl::FoldTransposesBase<FoldTransposes> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp pad) {
      if (isForProduct(pad))
        pads.push_back(pad);
    });
    llvm::for_each(pads, padFirst);
    getOperation().walk([](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && isProduct(op))
        foldTransposes(op);
    });
  }
};

} // namespace

} // namespace jit::codegen
