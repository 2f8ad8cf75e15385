//===- ChosenStrings.cpp - what follows from strings that data choose -----===//

#include "ChosenStrings.h"
#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

/// Whether `value`, of a branch, is a constant.
static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// The branch that gives one of two constants for `value`; null for any other value.
static scf::IfOp branchOfConstants(Value value) {
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch || branch.getElseRegion().empty())
    return {};
  unsigned number = cast<OpResult>(value).getResultNumber();
  bool areConstant = isConstant(branch.thenYield().getOperand(number)) &&
                     isConstant(branch.elseYield().getOperand(number));
  return areConstant ? branch : scf::IfOp();
}

namespace {

/// No string exists while a program is run: what is asked of one of two is asked of each.
struct AskEachString : OpInterfaceRewritePattern<AtenOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AtenOpInterface op, PatternRewriter &rewriter) const override {
    auto isPlain = [](Type type) { return type.isIntOrFloat() || isa<StrType>(type); };
    auto isChosen = [](Value value) {
      return isa<StrType>(value.getType()) && branchOfConstants(value);
    };
    MutableArrayRef<OpOperand> operands = op->getOpOperands();
    auto *chosen =
        llvm::find_if(operands, [&](OpOperand &operand) { return isChosen(operand.get()); });
    if (chosen == operands.end() || !isMemoryEffectFree(op) ||
        !llvm::all_of(op->getResultTypes(), isPlain))
      return rewriter.notifyMatchFailure(op, "expected a question about one of two strings");
    scf::IfOp branch = branchOfConstants(chosen->get());
    unsigned number = cast<OpResult>(chosen->get()).getResultNumber();
    unsigned place = chosen->getOperandNumber();
    auto each = scf::IfOp::create(rewriter, op->getLoc(), op->getResultTypes(),
                                  branch.getCondition(), true, true);
    for (int way : {0, 1}) {
      Operation *yield = branch->getRegion(way).front().getTerminator();
      rewriter.setInsertionPointToStart(&each->getRegion(way).front());
      Operation *text = rewriter.clone(*yield->getOperand(number).getDefiningOp());
      Operation *question = rewriter.clone(*op);
      question->setOperand(place, text->getResult(0));
      scf::YieldOp::create(rewriter, op->getLoc(), question->getResults());
    }
    rewriter.replaceOp(op, each.getResults());
    return success();
  }
};

} // namespace

void populateChosenStringPatterns(RewritePatternSet &patterns) {
  patterns.add<AskEachString>(patterns.getContext());
}

} // namespace jit
