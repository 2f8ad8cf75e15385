//===- FoldKnown.cpp - folds what is known --------------------------------===//

#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Jit/SelectionPatterns.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_FOLDKNOWNPASS
#include "jit/Normalize/Passes.h.inc"

/// False for an operator that may copy what is written in place: its rule may say that the copy is
/// the original. False for a question where a tensor lies in memory: a call answers it.
static bool holdsForAllCalls(Operation *op) {
  if (op->hasTrait<DecomposesEarly>() || op->hasTrait<AsksStrides>())
    return false;
  auto isWritten = [](Value value) {
    return isa<ListType, DictType>(value.getType()) && isWrittenInPlace(value);
  };
  return !llvm::any_of(op->getResultTypes(), llvm::IsaPred<ListType, DictType>) ||
         !(llvm::any_of(op->getOperands(), isWritten) || llvm::any_of(op->getResults(), isWritten));
}

namespace {

/// Hides what is in lists and dicts that change later: a fold would read one as it was made. A cast
/// without a meaning of its own stands for it meanwhile.
class ChangingContainers {
public:
  explicit ChangingContainers(ModuleOp module) {
    SmallVector<Operation *> containers;
    module.walk([&](Operation *op) {
      if (isa<ListOp, DictOp>(op) && isWrittenInPlace(op->getResult(0)))
        containers.push_back(op);
    });
    for (Operation *op : containers) {
      OpBuilder builder(op);
      auto cast = UnrealizedConversionCastOp::create(builder, op->getLoc(), op->getResultTypes(),
                                                     op->getOperands());
      op->replaceAllUsesWith(cast);
      op->erase();
    }
  }

  static void restore(ModuleOp module) {
    module.walk([](UnrealizedConversionCastOp cast) {
      OpBuilder builder(cast);
      OperationState state(cast.getLoc(), isa<DictType>(cast.getResult(0).getType())
                                              ? DictOp::getOperationName()
                                              : ListOp::getOperationName());
      state.addOperands(cast.getInputs());
      state.addTypes(cast.getResultTypes());
      cast->replaceAllUsesWith(builder.create(state));
      cast.erase();
    });
  }
};

/// One value is one object. Only here: later passes merge equal values of different objects.
template <typename OpTy> struct FoldIdentity : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (withoutDerefine(op.getSelf()) != withoutDerefine(op.getObj()))
      return rewriter.notifyMatchFailure(op, "expected the same value twice");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getBoolAttr(std::is_same_v<OpTy, aten::IsOp>));
    return success();
  }
};

/// Two results of a branch are one object where they are in the arm that is taken.
template <typename OpTy> struct AskIdentityInArms : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto self = dyn_cast<OpResult>(withoutDerefine(op.getSelf()));
    auto obj = dyn_cast<OpResult>(withoutDerefine(op.getObj()));
    auto branch = self ? dyn_cast<scf::IfOp>(self.getOwner()) : scf::IfOp();
    if (!branch || !obj || obj.getOwner() != branch)
      return rewriter.notifyMatchFailure(op, "expected two results of one branch");
    SmallVector<Type> types(branch.getResultTypes());
    types.push_back(op.getType());
    rewriter.setInsertionPoint(branch);
    auto asking =
        scf::IfOp::create(rewriter, branch.getLoc(), types, branch.getCondition(), true, true);
    for (auto [from, to] : llvm::zip(branch->getRegions(), asking->getRegions())) {
      rewriter.eraseBlock(&to.front());
      rewriter.inlineRegionBefore(from, to, to.end());
      auto yield = cast<scf::YieldOp>(to.front().getTerminator());
      rewriter.setInsertionPoint(yield);
      Value answer = OpTy::create(rewriter, op.getLoc(), op.getType(),
                                  ValueRange{yield.getOperand(self.getResultNumber()),
                                             yield.getOperand(obj.getResultNumber())});
      rewriter.modifyOpInPlace(yield, [&] { yield.getResultsMutable().append(answer); });
    }
    rewriter.replaceOp(op, asking.getResults().back());
    rewriter.replaceOp(branch, asking.getResults().drop_back());
    return success();
  }
};

struct FoldKnownPass : impl::FoldKnownPassBase<FoldKnownPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    for (Dialect *dialect : getContext().getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, &getContext());
    populateScalarExpansionPatterns(patterns);
    populateValueDecompositionPatterns(patterns, holdsForAllCalls);
    populateDropWideningPatterns(patterns);
    patterns.add<FoldIdentity<aten::IsOp>, FoldIdentity<aten::IsNotOp>,
                 AskIdentityInArms<aten::IsOp>, AskIdentityInArms<aten::IsNotOp>>(&getContext());
    FrozenRewritePatternSet frozen(std::move(patterns), selectionPatterns());
    ChangingContainers changing(getOperation());
    // Not coming to an end within the limit leaves a correct program.
    (void)applyPatternsGreedily(
        getOperation(), frozen,
        GreedyRewriteConfig().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled));
    ChangingContainers::restore(getOperation());
  }
};

} // namespace

} // namespace jit
