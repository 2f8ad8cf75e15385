//===- FunctionalizeTensors.cpp - the pass that makes writes new tensors --===//

#include "CallStrides.h"
#include "CarriedPlaces.h"
#include "CopiedMemory.h"
#include "DetachedMemory.h"
#include "Duplicate.h"
#include "ForwardWrites.h"
#include "RebaseStrided.h"
#include "RefusedCalls.h"
#include "SharedState.h"
#include "SinkIntoBranches.h"
#include "TensorMemory.h"
#include "WrittenLeaves.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Raise.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// Ends the calls that get to a question, where data choose if one does. False where all do.
static bool refuseQuestion(Operation *op, StringRef why) {
  Type type = op->getResult(0).getType();
  if (!isBehindBranch(op) || op->getNumResults() != 1 || !type.isInteger())
    return false;
  OpBuilder b(op);
  refuseCalls(b, op, why);
  op->replaceAllUsesWith(arith::ConstantOp::create(b, op->getLoc(), b.getIntegerAttr(type, 0)));
  return true;
}

/// From here on tensors are values and have no strides that anybody knows: what asks for them must
/// have its answer, which may be known since code was copied. Else `unknown` is what asks, or, with
/// `refuses`, the calls that get there are refused.
static LogicalResult answerQuestions(func::FuncOp func, Value &unknown, bool refuses) {
  expand(func, isQuestion);
  constexpr StringLiteral why = "expected strides that are known where a program asks for them";
  WalkResult walk = func.walk([&](Operation *op) {
    if (!isQuestion(op) || op->use_empty() || (refuses && refuseQuestion(op, why)))
      return WalkResult::advance();
    op->emitOpError(why);
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

/// The names of what the writes of these numbers write carry places. So that a write is known again
/// by its own number, which it must not be found by twice, that is inverted.
static void carryPlacesOf(func::FuncOp func, ArrayRef<int64_t> numbers, MemoryClasses &classes) {
  while (OverwriteOp write = firstOf(func, numbers)) {
    invertNumber(write);
    // Where that cannot be done nothing has changed, and the write is refused once more.
    if (succeeded(carryPlaces(func, classes, write.getSelf())))
      classes = MemoryClasses(func);
  }
}

/// The names of what is written by the writes of the numbers `carried` carry places. Where this
/// fails because something may be one of several things, that is `obstacle`. With `refuses`,
/// questions that only some calls get to are refused for those.
static LogicalResult functionalize(func::FuncOp func, ArrayRef<int64_t> carried, Obstacle &obstacle,
                                   bool refuses) {
  recordStateStrides(func);
  if (failed(checkSavedApart(func)) || failed(checkCopiedMemory(func)) ||
      failed(settleSharedState(func)) || failed(answerQuestions(func, obstacle.name, refuses)) ||
      failed(rebaseStrided(func, obstacle.name)))
    return failure();
  bool writes = func.walk([](OverwriteOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!writes)
    return success();
  detachMemory(func);
  forwardWrites(func);
  expandOperandGivers(func);
  if (failed(settleWrittenLeaves(func, MemoryClasses(func))))
    return failure();
  MemoryClasses classes(func);
  if (dependsOnStrides(func, classes))
    func->setAttr(dependsOnStridesAttr, UnitAttr::get(func.getContext()));
  carryPlacesOf(func, carried, classes);
  FailureOr<Links> links = linkNames(func, classes, obstacle);
  if (failed(links))
    return failure();
  return threadTensors(func, std::move(classes), std::move(*links), obstacle);
}

/// Ends the calls that get to the write of this number, where data choose if one does. False where
/// all do.
static bool refuseWrite(func::FuncOp func, int64_t number, StringRef why) {
  OverwriteOp write = firstOf(func, number);
  if (!write || !isBehindBranch(write))
    return false;
  why.consume_front("'jit.overwrite' op ");
  OpBuilder b(write);
  refuseCalls(b, write, why);
  write->replaceAllUsesWith(ValueRange(write.getSelf()));
  write.erase();
  return true;
}

namespace {
/// What has become of a copy of a function.
struct Attempt {
  func::FuncOp copy; // null where it is not functionalised
  std::vector<Diagnostic> errors = {};
  SmallVector<int64_t> choices = {}; // because of which something may be one of several things
  std::optional<int64_t> write = {}; // of which it is not known where it goes
};
} // namespace

static Attempt attempt(func::FuncOp func, ArrayRef<int64_t> carried, bool refuses) {
  numberOperations(func);
  func::FuncOp copy = func.clone();
  func->getBlock()->getOperations().insertAfter(func->getIterator(), copy);
  CapturedErrors captured(func.getContext());
  Obstacle obstacle;
  if (succeeded(functionalize(copy, carried, obstacle, refuses)))
    return {copy};
  Attempt failed{.copy = {}};
  if (obstacle.name)
    failed.choices = choicesBehind(obstacle.name);
  if (obstacle.write)
    failed.write = numberOf(obstacle.write);
  if (failed.write && *failed.write < 0)
    failed.write = ~*failed.write;
  failed.errors = captured.take();
  copy.erase();
  return failed;
}

/// Up to how many operations a function gets copies of its code rather than places, and at all.
static constexpr int64_t fewOperations = 1024, maxOperations = 8192;

/// Each write that is refused is an attempt more. A function with many copies is tried again for
/// that up to so many operations, counted in each attempt.
static constexpr int64_t maxTriedAgain = 1 << 16;

static int64_t countOperations(func::FuncOp func) {
  int64_t count = 0;
  func.walk([&](Operation *) { ++count; });
  return count;
}

/// A copy of `func` without writes, or null because of `problem`. A function that cannot be
/// functionalised as it is may get copies of its own code, up to so many operations, in each of
/// which is known what it is about; where these are many, names carry where they are. At last what
/// only some calls get to is refused for those. Fails where too many copies would be refused.
static FailureOr<func::FuncOp> withCopies(func::FuncOp func, int64_t mostOperations,
                                          std::vector<Diagnostic> &problem) {
  llvm::SmallSetVector<int64_t, 2> carried;
  int64_t triedAgain = 0;
  for (bool refuses = false; triedAgain <= maxTriedAgain || mostOperations <= fewOperations;) {
    Attempt made = attempt(func, carried.getArrayRef(), refuses);
    if (made.copy && succeeded(checkServesCalls(made.copy, problem)))
      return made.copy;
    auto copies = [&](int64_t upTo) {
      return llvm::any_of(made.choices,
                          [&](int64_t number) { return duplicate(func, number, upTo); });
    };
    if (copies(fewOperations) || (made.write && carried.insert(*made.write)) ||
        copies(mostOperations))
      continue;
    std::string why = made.errors.empty() ? "" : made.errors.front().str();
    if (!refuses)
      problem = std::move(made.errors);
    bool isLess = !made.copy && made.write && refuseWrite(func, *made.write, why);
    triedAgain += isLess ? countOperations(func) : 0;
    if (made.copy || (std::exchange(refuses, true) && !isLess)) {
      if (made.copy)
        made.copy.erase();
      return func::FuncOp();
    }
  }
  return failure();
}

/// As withCopies(), with an error where there is none. A function with few copies refuses more of
/// the calls than one with many, and is tried again quickly.
static func::FuncOp functionalized(func::FuncOp func) {
  OwningOpRef<func::FuncOp> original = func.clone();
  std::vector<Diagnostic> problem; // before anything was refused
  FailureOr<func::FuncOp> done = withCopies(func, maxOperations, problem);
  if (failed(done)) {
    func.getBody().takeBody(original->getBody());
    done = withCopies(func, fewOperations, problem);
  }
  if (!*done)
    reportAll(func.getContext(), problem);
  return *done;
}

static bool needsWork(func::FuncOp func) {
  return func
      .walk([](Operation *op) {
        bool needs = isa<OverwriteOp, aten::AsStridedOp>(op) || op->hasTrait<AsksStrides>() ||
                     putsIntoCopy(op);
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
      sinkIntoBranches(done);
      func.erase();
    }
  }
};
} // namespace

} // namespace jit
