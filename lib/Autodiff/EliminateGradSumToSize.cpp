//===- EliminateGradSumToSize.cpp - sums over what was not broadcast ------===//

#include "GradSums.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITELIMINATEGRADSUMTOSIZE
#include "jit/Autodiff/Passes.h.inc"

/// Whether open sizes are equal wherever operands have to have one size. That is so of sizes with
/// names, and of those that data tell, which are all where the sizes of the call's own arguments
/// are known: Lower guards both. A backward function has no such arguments, and says nothing.
static bool openSizesMeet(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  if (func->hasAttr(symbolicAttr))
    return true;
  bool isForward = false;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    if (func.getArgAttr(i, gradOfAttr) || func.getArgAttr(i, residualAttr))
      continue;
    auto tensor = dyn_cast<TensorType>(type);
    if (!(tensor ? tensor.hasStaticSizes() : type.isIntOrFloat()))
      return false;
    isForward = true;
  }
  return isForward;
}

/// Whether sizes that are equal where both are known can be the same: one that is known to be 1 is
/// not that of an open one.
static bool meet(TensorType from, TensorType to) {
  return from.hasRank() && to.hasRank() && from.getRank() == to.getRank() &&
         llvm::all_of(llvm::zip(from.getSizes(), to.getSizes()), [](auto pair) {
           auto [a, b] = pair;
           bool isOpen = ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
           return a == b || (isOpen && a != 1 && b != 1);
         });
}

namespace {

/// With None the gradient is as large as its operand; so it is where the types say the same.
struct DropSum : OpRewritePattern<aten::GradSumToSizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::GradSumToSizeOp op,
                                PatternRewriter &rewriter) const override {
    auto from = cast<TensorType>(op.getSelf().getType());
    auto to = cast<TensorType>(op.getResult().getType());
    bool same = from.hasStaticSizes() && to.hasStaticSizes() ? from.getSizes() == to.getSizes()
                                                             : openSizesMeet(op) && meet(from, to);
    if (!isa<NoneType>(op.getSize().getType()) && !same)
      return rewriter.notifyMatchFailure(op, "expected a size that is None");
    explainDone(op.getLoc(), "autodiff", "a gradient is not summed: {0} was not broadcast",
                Type(to));
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), op.getSelf(), to));
    return success();
  }
};

/// Open sizes are equal where they meet, and none of them is known to be 1:
/// an operand was broadcast where its type says 1 and the other's does not. (Where that one turns
/// out to be 1 too, the sum is over one element.)
struct SettleOpenSize : OpRewritePattern<aten::SizeIfNotEqualOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::SizeIfNotEqualOp op,
                                PatternRewriter &rewriter) const override {
    auto own = ListInfo(op.getSelfSize()).ints(), other = ListInfo(op.getOtherSize()).ints();
    if (!own || !other || !openSizesMeet(op))
      return rewriter.notifyMatchFailure(op, "expected sizes that are equal where they meet");
    auto isBroadcast = [](auto pair) {
      auto [from, to] = pair;
      bool isOpen = ShapedType::isDynamic(from) || ShapedType::isDynamic(to);
      return from != to && (!isOpen || from == 1);
    };
    bool differs =
        own->size() != other->size() || llvm::any_of(llvm::zip(*own, *other), isBroadcast);
    Value size = differs ? op.getSelfSize() : Value(ConstantOp::create(rewriter, op.getLoc()));
    if (size.getType() != op.getType())
      size = DerefineOp::create(rewriter, op.getLoc(), op.getType(), size);
    rewriter.replaceOp(op, size);
    return success();
  }
};

/// A size that is there need not be an Optional.
struct SettleSize : OpRewritePattern<aten::GradSumToSizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::GradSumToSizeOp op,
                                PatternRewriter &rewriter) const override {
    Value size = withoutDerefine(op.getSize());
    if (size == op.getSize())
      return rewriter.notifyMatchFailure(op, "expected a size that was made an Optional");
    rewriter.modifyOpInPlace(op, [&] { op.getSizeMutable().assign(size); });
    return success();
  }
};

/// Of a sum of a sum only the outer size counts.
struct DropInnerSum : OpRewritePattern<aten::GradSumToSizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::GradSumToSizeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSelf().getDefiningOp<aten::GradSumToSizeOp>();
    if (!inner || !isa<ListType>(op.getSize().getType()))
      return rewriter.notifyMatchFailure(op, "expected a sum to a size of another sum");
    rewriter.modifyOpInPlace(op, [&] { op.getSelfMutable().assign(inner.getSelf()); });
    return success();
  }
};

} // namespace

LogicalResult settleGradSums(Region &region) {
  RewritePatternSet patterns(region.getContext());
  patterns.add<DropSum, DropInnerSum, SettleSize, SettleOpenSize>(patterns.getContext());
  populateValueDecompositionPatterns(patterns);
  if (failed(applyPatternsGreedily(region, std::move(patterns))))
    return emitError(region.getLoc(), "expected the sums of gradients to come to an end");
  return success();
}

namespace {

struct EliminatePass : impl::JitEliminateGradSumToSizeBase<EliminatePass> {
  using JitEliminateGradSumToSizeBase::JitEliminateGradSumToSizeBase;

  void runOnOperation() override {
    if (failed(settleGradSums(getOperation().getBody())))
      return signalPassFailure();
    getOperation().walk([](aten::GradSumToSizeOp op) { explain(op); });
  }

private:
  static void explain(aten::GradSumToSizeOp op) {
    if (isa<OptionalType>(op.getSize().getType()))
      explainMissed(
          op.getLoc(), "autodiff",
          "a sum of a gradient stays: whether {0} was broadcast is only known at run time",
          Type(op.getResult().getType()));
    else
      explainMissed(op.getLoc(), "autodiff",
                    "a sum of a gradient stays: the operand was broadcast from {0} to {1}",
                    Type(op.getResult().getType()), Type(op.getSelf().getType()));
  }
};

} // namespace

} // namespace jit
