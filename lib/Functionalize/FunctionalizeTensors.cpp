//===- FunctionalizeTensors.cpp - the pass that makes writes new tensors --===//

#include "CallStrides.h"
#include "Duplicate.h"
#include "ForwardWrites.h"
#include "RebaseStrided.h"
#include "SharedState.h"
#include "TensorMemory.h"
#include "WrittenLeaves.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_FUNCTIONALIZETENSORSPASS
#include "jit/Functionalize/Passes.h.inc"

/// Operators that may give an operand itself show whether they do.
static void expandOperandGivers(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  populateDecompositionPatterns(patterns,
                                [](Operation *op) { return op->hasTrait<MayGiveOperand>(); });
  // Each of them is expanded once, so this comes to an end.
  (void)applyPatternsGreedily(
      func, std::move(patterns),
      GreedyRewriteConfig().enableFolding(false).setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled));
}

/// From here on tensors are values and have no strides that anybody knows: what asks for them must
/// have its answer. Else `unknown` is what asks.
static LogicalResult checkAnswered(func::FuncOp func, Value &unknown) {
  WalkResult walk = func.walk([&](Operation *op) {
    if (!op->hasTrait<AsksStrides>() || isa<ViewOpInterface>(op) || op->use_empty())
      return WalkResult::advance();
    op->emitOpError("expected strides that are known where a program asks for them");
    unknown = op->getResult(0);
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Where this fails because something may be one of several things, that is `unknown`.
static LogicalResult functionalize(func::FuncOp func, Value &unknown) {
  recordStateStrides(func);
  if (failed(checkSavedApart(func)) || failed(settleSharedState(func)) ||
      failed(checkAnswered(func, unknown)) || failed(rebaseStrided(func)))
    return failure();
  bool writes = func.walk([](OverwriteOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!writes)
    return success();
  forwardWrites(func);
  expandOperandGivers(func);
  if (failed(settleWrittenLeaves(func, MemoryClasses(func))))
    return failure();
  MemoryClasses classes(func);
  if (dependsOnStrides(func, classes))
    func->setAttr(dependsOnStridesAttr, UnitAttr::get(func.getContext()));
  FailureOr<Links> links = linkNames(func, classes, unknown);
  if (failed(links))
    return failure();
  return threadTensors(func, std::move(classes), std::move(*links));
}

/// A copy of `func` without writes, or null. A function that cannot be functionalised as it is may
/// get copies of its own code, in each of which is known what it is about.
static func::FuncOp functionalized(func::FuncOp func) {
  while (true) {
    numberRegions(func);
    func::FuncOp copy = func.clone();
    func->getBlock()->getOperations().insertAfter(func->getIterator(), copy);
    std::vector<Diagnostic> errors;
    SmallVector<int64_t> choices;
    {
      CapturedErrors captured(func.getContext());
      Value unknown;
      if (succeeded(functionalize(copy, unknown)))
        return copy;
      if (unknown)
        choices = choicesBehind(unknown);
      errors = captured.take();
    }
    copy.erase();
    if (llvm::none_of(choices, [&](int64_t number) { return duplicate(func, number); })) {
      reportAll(func.getContext(), errors);
      return {};
    }
  }
}

static bool needsWork(func::FuncOp func) {
  return func
      .walk([](Operation *op) {
        bool needs = isa<OverwriteOp, aten::AsStridedOp>(op) || op->hasTrait<AsksStrides>();
        return needs ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct FunctionalizeTensorsPass : impl::FunctionalizeTensorsPassBase<FunctionalizeTensorsPass> {
  void runOnOperation() override {
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!needsWork(func)) {
        recordStateStrides(func);
        if (failed(settleSharedState(func)))
          return signalPassFailure();
        continue;
      }
      func::FuncOp done = functionalized(func);
      if (!done)
        return signalPassFailure();
      dropNumbers(done);
      func.erase();
    }
  }
};
} // namespace

} // namespace jit
