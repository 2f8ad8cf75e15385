//===- FoldWindows.cpp - products read windows where they lie -------------===//

#include "Analysis/ProductNest.h"
#include "jit/Codegen/Products/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_FOLDWINDOWS
#include "jit/Codegen/Products/Passes.h.inc"

/// Whether the map reads forward only, and something by more than one loop: `d0 * 2 + d1`.
static bool readsForward(AffineMap map) {
  bool forward = true;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr part) {
      auto factor = part.getKind() == AffineExprKind::Mul
                        ? dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS())
                        : AffineConstantExpr();
      forward &= isa<AffineDimExpr, AffineConstantExpr>(part) ||
                 part.getKind() == AffineExprKind::Add || (factor && factor.getValue() > 0);
    });
  return forward && !map.isProjectedPermutation(/*allowZeroInResults=*/true);
}

/// The loop that copies windows of something into `tensor`, one after the other, if such a one
/// does.
static linalg::GenericOp windowsBehind(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 || op.getBody()->getOperations().size() != 1 ||
      op.getBody()->getTerminator()->getOperand(0) != op.getBody()->getArgument(0))
    return {};
  bool copies =
      op.getIndexingMapsArray()[1].isIdentity() && readsForward(op.getIndexingMapsArray()[0]);
  return copies && !op.hasIndexSemantics() ? op : linalg::GenericOp();
}

static bool readsWindows(linalg::GenericOp op) {
  return isProduct(op) && llvm::any_of(op.getDpsInputs(), [](Value input) {
           return static_cast<bool>(windowsBehind(input));
         });
}

/// Whether the loops of the reader are to be taken apart as its operand was before it was
/// collapsed.
static bool expands(OpOperand *operand) {
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto reader = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!collapse || !reader)
    return false;
  if (isProduct(reader))
    return static_cast<bool>(windowsBehind(collapse.getSrc()));
  // What is done to the product's result has to follow, or it is no longer computed with it.
  auto product = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
  return product && readsWindows(product) && reader.getNumReductionLoops() == 0;
}

static void foldWindows(linalg::GenericOp product) {
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  for (OpOperand *input : product.getDpsInputOperands()) {
    linalg::GenericOp windows = windowsBehind(input->get());
    if (!windows)
      continue;
    AffineMap &map = maps[input->getOperandNumber()];
    AffineMap before = std::exchange(map, windows.getIndexingMapsArray()[0].compose(map));
    // Every loop still has to show its size in an operand.
    if (inversePermutation(concatAffineMaps(maps, product.getContext())))
      input->set(windows.getDpsInputs()[0]);
    else
      map = before;
  }
  product.setIndexingMapsAttr(Builder(product.getContext()).getAffineMapArrayAttr(maps));
}

namespace {

struct FoldWindows : impl::FoldWindowsBase<FoldWindows> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, expands);
    linalg::FillOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation().walk([](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && readsWindows(op))
        foldWindows(op);
    });
  }
};

} // namespace

} // namespace jit::codegen
