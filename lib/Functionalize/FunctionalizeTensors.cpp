//===- FunctionalizeTensors.cpp - the pass that makes writes new tensors --===//

#include "CallStrides.h"
#include "CarriedPlaces.h"
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

/// Puts its decomposition in the place of each operator that `isMeant`, where it has one yet.
static void expand(func::FuncOp func, llvm::function_ref<bool(Operation *)> isMeant) {
  RewritePatternSet patterns(func.getContext());
  populateDecompositionPatterns(patterns, isMeant);
  // Each of them is expanded once, so this comes to an end.
  (void)applyPatternsGreedily(
      func, std::move(patterns),
      GreedyRewriteConfig().enableFolding(false).setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled));
}

/// Operators that may give an operand itself show whether they do.
static void expandOperandGivers(func::FuncOp func) {
  expand(func, [](Operation *op) { return op->hasTrait<MayGiveOperand>(); });
}

static bool isQuestion(Operation *op) {
  return op->hasTrait<AsksStrides>() && !isa<ViewOpInterface>(op);
}

/// From here on tensors are values and have no strides that anybody knows: what asks for them must
/// have its answer, which may be known since code was copied. Else `unknown` is what asks.
static LogicalResult answerQuestions(func::FuncOp func, Value &unknown) {
  expand(func, isQuestion);
  WalkResult walk = func.walk([&](Operation *op) {
    if (!isQuestion(op) || op->use_empty())
      return WalkResult::advance();
    op->emitOpError("expected strides that are known where a program asks for them");
    unknown = op->getResult(0);
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

static OverwriteOp firstOf(func::FuncOp func, ArrayRef<int64_t> numbers) {
  OverwriteOp first;
  func.walk([&](OverwriteOp op) {
    auto number = numberOf(op);
    first = number && llvm::is_contained(numbers, *number) ? op : OverwriteOp();
    return first ? WalkResult::interrupt() : WalkResult::advance();
  });
  return first;
}

/// The names of what the writes of these numbers write carry places.
static void carryPlacesOf(func::FuncOp func, ArrayRef<int64_t> numbers) {
  while (OverwriteOp write = firstOf(func, numbers)) {
    dropNumber(write);
    // Where that cannot be done the write is refused once more.
    (void)carryPlaces(func, write.getSelf());
  }
}

/// The names of what is written by the writes of the numbers `carried` carry places. Where this
/// fails because something may be one of several things, that is `obstacle`.
static LogicalResult functionalize(func::FuncOp func, ArrayRef<int64_t> carried,
                                   Obstacle &obstacle) {
  recordStateStrides(func);
  if (failed(checkSavedApart(func)) || failed(settleSharedState(func)) ||
      failed(answerQuestions(func, obstacle.name)) || failed(rebaseStrided(func, obstacle.name)))
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
  if (!carried.empty()) {
    carryPlacesOf(func, carried);
    classes = MemoryClasses(func);
  }
  FailureOr<Links> links = linkNames(func, classes, obstacle);
  if (failed(links))
    return failure();
  return threadTensors(func, std::move(classes), std::move(*links), obstacle);
}

/// Up to how many operations a function gets copies of its code rather than places, and at all.
static constexpr int64_t fewOperations = 1024, maxOperations = 8192;

/// A copy of `func` without writes, or null. A function that cannot be functionalised as it is may
/// get copies of its own code, in each of which is known what it is about; where these are many,
/// names carry where they are.
static func::FuncOp functionalized(func::FuncOp func) {
  llvm::SmallSetVector<int64_t, 2> carried;
  while (true) {
    numberOperations(func);
    func::FuncOp copy = func.clone();
    func->getBlock()->getOperations().insertAfter(func->getIterator(), copy);
    std::vector<Diagnostic> errors;
    SmallVector<int64_t> choices;
    std::optional<int64_t> write;
    {
      CapturedErrors captured(func.getContext());
      Obstacle obstacle;
      if (succeeded(functionalize(copy, carried.getArrayRef(), obstacle)))
        return copy;
      if (obstacle.name)
        choices = choicesBehind(obstacle.name);
      if (obstacle.write)
        write = numberOf(obstacle.write);
      errors = captured.take();
    }
    copy.erase();
    auto copies = [&](int64_t upTo) {
      return llvm::any_of(choices, [&](int64_t number) { return duplicate(func, number, upTo); });
    };
    if (!copies(fewOperations) && !(write && carried.insert(*write)) && !copies(maxOperations)) {
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
