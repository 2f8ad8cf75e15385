//===- PropagateAbsent.cpp - the algebra of gradients that are not there -===//

#include "Reverse.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITPROPAGATEABSENT
#include "jit/Autodiff/Passes.h.inc"

static bool isAbsent(Value value) { return bool(value.getDefiningOp<AbsentOp>()); }

namespace {

/// How a value depends on the gradients that a function is given.
struct Presence {
  enum Kind { Unrelated, Absent, Given };

  static Presence join(Presence a, Presence b) { return {std::max(a.kind, b.kind)}; }
  bool operator==(const Presence &other) const { return kind == other.kind; }
  void print(raw_ostream &os) const {
    os << (kind == Given ? "given" : kind == Absent ? "absent" : "unrelated");
  }

  Kind kind = Unrelated;
};

using PresenceLattice = dataflow::Lattice<Presence>;

/// A backward function is linear in all gradients that it is given together. So what depends on
/// absent ones alone is absent, whatever it is computed with, and PyTorch computes nothing of it:
/// from zeros it could be NaN (0 * inf). Of other functions nobody knows which arguments are
/// gradients; there only operators that are linear in what is absent give what is absent.
class PresenceAnalysis : public dataflow::SparseForwardDataFlowAnalysis<PresenceLattice> {
public:
  PresenceAnalysis(DataFlowSolver &solver, func::FuncOp func)
      : SparseForwardDataFlowAnalysis(solver), func(func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      isBackward |= bool(func.getArgAttr(i, gradOfAttr));
  }

  LogicalResult visitOperation(Operation *op, ArrayRef<const PresenceLattice *> operands,
                               ArrayRef<PresenceLattice *> results) override {
    for (auto [value, lattice] : llvm::zip(op->getResults(), results))
      propagateIfChanged(lattice, lattice->join(presenceOf(value, operands)));
    return success();
  }

  void setToEntryState(PresenceLattice *lattice) override {
    auto argument = dyn_cast<BlockArgument>(lattice->getAnchor());
    bool isGiven = !isBackward || (argument && argument.getOwner() == &func.front() &&
                                   func.getArgAttr(argument.getArgNumber(), gradOfAttr));
    propagateIfChanged(lattice, lattice->join({isGiven ? Presence::Given : Presence::Unrelated}));
  }

private:
  Presence presenceOf(OpResult result, ArrayRef<const PresenceLattice *> operands) const {
    Operation *op = result.getOwner();
    auto type = dyn_cast<TensorType>(result.getType());
    if (isa<AbsentOp>(op))
      return {Presence::Absent};
    if (isZeros(result) || isa<PoisonOp>(op) || (!type && !isa<ListType>(result.getType())))
      return {Presence::Unrelated};
    Presence all;
    for (const PresenceLattice *operand : operands)
      all = Presence::join(all, operand->getValue());
    if (!isBackward)
      return ofLinear(op, operands);
    bool isGradient = !type || !type.getDtype() || isa<FloatType>(type.getDtype());
    return isGradient || all.kind == Presence::Unrelated ? all : Presence{Presence::Given};
  }

  /// A set of operands in which `op` is linear together gives absence where the others are given.
  static Presence ofLinear(Operation *op, ArrayRef<const PresenceLattice *> operands) {
    Presence least{Presence::Given};
    if (auto linear = dyn_cast<LinearOpInterface>(op))
      for (ArrayRef<unsigned> set : linear.getLinearOperands()) {
        Presence all;
        for (unsigned i : set)
          all = Presence::join(all, operands[i]->getValue());
        least.kind = std::min(least.kind, all.kind);
      }
    return least;
  }

  func::FuncOp func;
  bool isBackward = false;
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

struct PropagatePass : impl::JitPropagateAbsentBase<PropagatePass> {
  void runOnOperation() override {
    if (failed(propagate(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<PropagateThroughSum>(&getContext());
    // What a branch or loop gives no more needs no zeros.
    scf::IfOp::getCanonicalizationPatterns(patterns, &getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    WalkResult walk = getOperation().walk([](AbsentOp op) {
      return succeeded(materialize(op)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

  static LogicalResult propagate(func::FuncOp func) {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<PresenceAnalysis>(func);
    if (failed(solver.initializeAndRun(func)))
      return failure();
    SmallVector<Value> gone;
    func.walk([&](Operation *op) {
      SmallVector<Value> values(op->getResults());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::append_range(values, block.getArguments());
      llvm::copy_if(values, std::back_inserter(gone), [&](Value value) {
        auto *lattice = solver.lookupState<PresenceLattice>(value);
        return lattice && lattice->getValue().kind == Presence::Absent &&
               isa<TensorType>(value.getType()) && !isAbsent(value);
      });
    });
    for (Value value : gone)
      replaceByAbsent(value);
    return success();
  }

  static void replaceByAbsent(Value value) {
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    if (Operation *op = value.getDefiningOp())
      explainDone(op->getLoc(), "autodiff", "'{0}' of a gradient that is not there is not computed",
                  op->getName().getStringRef());
    value.replaceAllUsesWith(AbsentOp::create(b, value.getLoc(), value.getType()).getResult());
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
