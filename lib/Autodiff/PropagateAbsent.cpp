//===- PropagateAbsent.cpp - the algebra of gradients that are not there -===//

#include "Reverse.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITPROPAGATEABSENT
#include "jit/Autodiff/Passes.h.inc"

static bool isAbsent(Value value) { return bool(value.getDefiningOp<AbsentOp>()); }

/// True if the operands that are not there make the result zeros, beside others that are.
static bool givesZeros(LinearOpInterface op) {
  return llvm::any_of(op.getLinearOperands(), [&](ArrayRef<unsigned> set) {
    auto isNone = [&](unsigned i) {
      return isAbsent(op->getOperand(i)) || isZeros(op->getOperand(i));
    };
    return llvm::all_of(set, isNone) &&
           llvm::any_of(set, [&](unsigned i) { return isAbsent(op->getOperand(i)); });
  });
}

namespace {

struct PropagateThroughLinear : OpInterfaceRewritePattern<LinearOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(LinearOpInterface op, PatternRewriter &rewriter) const override {
    if (!givesZeros(op))
      return rewriter.notifyMatchFailure(op, "expected an operator that is linear in an absent "
                                             "gradient");
    explainDone(op.getLoc(), "autodiff", "'{0}' of a gradient that is not there is not computed",
                op->getName().getStringRef());
    rewriter.replaceOpWithNewOp<AbsentOp>(op, op->getResult(0).getType());
    return success();
  }
};

/// A sum with zeros is the other addend, as long as that has the sizes of the sum.
struct PropagateThroughSum : OpRewritePattern<aten::AddTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::AddTensorOp op, PatternRewriter &rewriter) const override {
    for (auto [gone, other] :
         {std::pair(op.getSelf(), op.getOther()), {op.getOther(), op.getSelf()}}) {
      if (!isAbsent(gone) || other.getType() != op.getType())
        continue;
      Value sum = other;
      if (other == op.getOther() && IntInfo(op.getAlpha()).known != 1)
        sum = aten::MulScalarOp::create(rewriter, op.getLoc(), op.getType(),
                                        ValueRange{other, op.getAlpha()});
      rewriter.replaceOp(op, sum);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "expected an absent addend");
  }
};

/// What a branch gives of gradients that are not there, in one way or both, and of zeros.
struct PropagateThroughBranch : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    bool changes = false;
    for (OpResult result : op.getResults()) {
      unsigned i = result.getResultNumber();
      Value ways[] = {op.thenYield().getOperand(i), op.elseYield().getOperand(i)};
      bool areNone = llvm::all_of(ways, [](Value way) {
        return isAbsent(way) || isZeros(way) || bool(way.getDefiningOp<PoisonOp>());
      });
      if (result.use_empty() || !areNone || llvm::none_of(ways, isAbsent))
        continue;
      rewriter.replaceAllUsesWith(
          result, AbsentOp::create(rewriter, op.getLoc(), result.getType()).getResult());
      changes = true;
    }
    return success(changes);
  }
};

struct PropagatePass : impl::JitPropagateAbsentBase<PropagatePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<PropagateThroughLinear, PropagateThroughSum, PropagateThroughBranch>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    WalkResult walk = getOperation().walk([](AbsentOp op) {
      return succeeded(materialize(op)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

  /// What is still used must be there.
  static LogicalResult materialize(AbsentOp op) {
    if (!op->use_empty()) {
      auto type = cast<TensorType>(op.getType());
      if (!type.isStatic())
        return op.emitError("expected an absent tensor of known sizes where zeros are needed, "
                            "got ")
               << type;
      OpBuilder b(op);
      op.replaceAllUsesWith(zerosOf(b, op.getLoc(), type));
    }
    op.erase();
    return success();
  }
};

} // namespace

} // namespace jit
