//===- Loops.cpp - partial evaluation: loops ------------------------------===//

#include "ForLoop.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace jit {

namespace {

/// How many leading trips are taken out of a loop whose types settle only after them.
constexpr int maxPeeledTrips = 2;
/// Loops up to this many trips are unrolled where they cannot stay loops, or need not.
constexpr int64_t maxUnrolledTrips = 64;

/// Holds back the errors of a speculative attempt.
class CapturedErrors {
public:
  explicit CapturedErrors(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          errors.push_back(std::move(diagnostic));
          return success();
        }) {}
  std::vector<Diagnostic> errors;

private:
  ScopedDiagnosticHandler handler;
};

} // namespace

static void reportAll(MLIRContext *context, std::vector<Diagnostic> &errors) {
  for (Diagnostic &error : errors)
    context->getDiagEngine().emit(std::move(error));
}

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

FailureOr<Evaluator::Flow> Evaluator::evaluateTrip(scf::ForOp op, Value iv, OpBuilder &b,
                                                   const IRMapping &outer,
                                                   SmallVectorImpl<Value> &carried) {
  IRMapping map = outer;
  map.map(op.getInductionVar(), iv);
  for (auto [arg, value] : llvm::zip(op.getRegionIterArgs(), carried))
    map.map(arg, value);
  FailureOr<Flow> flow = evaluateBlock(*op.getBody(), b, map);
  if (succeeded(flow) && *flow == Flow::Continues)
    for (auto [value, yield] : llvm::zip(carried, op.getYieldedValues()))
      value = map.lookup(yield);
  return flow;
}

namespace {
struct Bounds {
  Value lower, upper, step;
};
} // namespace

/// Tries to keep the rest of a loop as a loop; false where it cannot be. With `mustKeep` types may
/// be left open (Lower says what is wrong with them where it matters) and errors are reported.
static FailureOr<bool> keepFor(Evaluator &evaluator, scf::ForOp op, const Bounds &bounds,
                               SmallVectorImpl<Value> &carried, OpBuilder &b, const IRMapping &map,
                               bool mustKeep) {
  for (bool widenTypes : {false, true}) {
    if (widenTypes && !mustKeep)
      return false;
    ForLoop loop(evaluator, op, bounds.lower, bounds.upper, bounds.step, carried, map);
    std::vector<Diagnostic> errors;
    ForLoop::Outcome outcome;
    {
      CapturedErrors captured(op.getContext());
      outcome = loop.run(b, widenTypes);
      errors = std::move(captured.errors);
    }
    if (outcome == ForLoop::Outcome::Done) {
      carried = loop.results;
      return true;
    }
    if (mustKeep && (widenTypes || !errors.empty())) {
      reportAll(op.getContext(), errors);
      return failure();
    }
  }
  return false;
}

/// True for a loop that computes numbers alone, such as a product of sizes: nothing of it need be
/// left for run time.
static bool isOnNumbers(scf::ForOp op) {
  return !op.walk([](Operation *inner) {
              bool takes = llvm::any_of(inner->getOperandTypes(), llvm::IsaPred<TensorType>);
              bool gives = llvm::any_of(inner->getResultTypes(), llvm::IsaPred<TensorType>);
              return takes || gives ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

FailureOr<Evaluator::Flow> Evaluator::evaluateFor(scf::ForOp op, OpBuilder &b, IRMapping &map) {
  Bounds bounds{map.lookup(op.getLowerBound()), map.lookup(op.getUpperBound()),
                map.lookup(op.getStep())};
  auto carried = llvm::map_to_vector(op.getInitArgs(), [&](Value v) { return map.lookup(v); });
  std::optional<int64_t> trips = constantTripCount(bounds.lower, bounds.upper, bounds.step);
  bool unroll = trips && *trips <= maxUnrolledTrips && isOnNumbers(op), kept = false;
  for (int64_t done = 0; !kept && (!trips || done < *trips); ++done) {
    if (!unroll && !(trips && *trips - done == 1)) {
      bool mustKeep = !trips || (done >= maxPeeledTrips && *trips - done > maxUnrolledTrips);
      FailureOr<bool> loop = keepFor(*this, op, bounds, carried, b, map, mustKeep);
      if (failed(loop))
        return failure();
      kept = *loop;
      unroll = done >= maxPeeledTrips;
    }
    if (kept)
      break;
    FailureOr<Flow> flow = evaluateTrip(op, bounds.lower, b, map, carried);
    if (failed(flow) || *flow == Flow::Raises)
      return flow;
    int64_t next = *IntInfo(bounds.lower).known + *IntInfo(bounds.step).known;
    bounds.lower = arith::ConstantOp::create(b, op.getLoc(), b.getI64IntegerAttr(next));
  }
  map.map(op.getResults(), carried);
  return Flow::Continues;
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

namespace {

/// One block of a while loop evaluated for given values.
struct Evaluated {
  Evaluator::Flow flow;
  SmallVector<Value> values;
};

} // namespace

static FailureOr<Evaluated> evaluateWith(Evaluator &evaluator, Block &block, ValueRange values,
                                         OpBuilder &b, IRMapping map) {
  for (auto [arg, value] : llvm::zip(block.getArguments(), values))
    map.map(arg, value);
  FailureOr<Evaluator::Flow> flow = evaluator.evaluateBlock(block, b, map);
  if (failed(flow))
    return failure();
  Evaluated result{*flow, {}};
  if (*flow == Evaluator::Flow::Continues)
    for (Value operand : block.getTerminator()->getOperands())
      result.values.push_back(map.lookup(operand));
  return result;
}

/// Weakens `types` to hold `values` as well; true if something changed, failure where they have
/// nothing in common.
static FailureOr<bool> joinInto(Operation *op, SmallVectorImpl<Type> &types, ValueRange values) {
  bool changed = false;
  for (auto [type, value] : llvm::zip(types, values)) {
    if (isUndefined(value) || isSubtype(value.getType(), type))
      continue;
    Type joined = joinTypes(type, value.getType());
    if (!joined)
      return op->emitError("expected a loop variable of one type, got ")
             << type << " and " << value.getType();
    type = joined;
    changed = true;
  }
  return changed;
}

static void widenInto(OpBuilder &b, Location loc, MutableArrayRef<Value> values,
                      ArrayRef<Type> types) {
  for (auto [value, type] : llvm::zip(values, types))
    value = widen(b, loc, value, type);
}

/// The types of a loop's initial values. Those that are not defined before the first trip have the
/// types that it gives them.
static FailureOr<SmallVector<Type>> startTypes(Evaluator &evaluator, scf::WhileOp op,
                                               ArrayRef<Value> inits, OpBuilder &b,
                                               const IRMapping &map) {
  SmallVector<Type> types(ValueRange(inits).getTypes());
  if (llvm::none_of(inits, isUndefined))
    return types;
  auto scratch = scf::ExecuteRegionOp::create(b, op.getLoc(), TypeRange());
  auto erase = llvm::scope_exit([&] { scratch.erase(); });
  OpBuilder inner(op.getContext());
  inner.createBlock(&scratch.getRegion());
  FailureOr<Evaluated> test = evaluateWith(evaluator, op.getBefore().front(), inits, inner, map);
  if (failed(test) || test->flow == Evaluator::Flow::Raises)
    return types;
  ArrayRef<Value> passed = ArrayRef(test->values).drop_front();
  FailureOr<Evaluated> body = evaluateWith(evaluator, op.getAfter().front(), passed, inner, map);
  if (failed(body))
    return failure();
  for (auto [type, init, next] : llvm::zip(types, inits, body->values))
    if (isUndefined(init))
      type = next.getType();
  return types;
}

/// A while loop whose condition depends on data. Iteration types start as those of the initial
/// values and are weakened until every trip keeps them.
static FailureOr<SmallVector<Value>> keepWhile(Evaluator &evaluator, scf::WhileOp op,
                                               ArrayRef<Value> inits, OpBuilder &b,
                                               const IRMapping &map) {
  Location loc = op.getLoc();
  FailureOr<SmallVector<Type>> started = startTypes(evaluator, op, inits, b, map);
  if (failed(started))
    return failure();
  SmallVector<Type> types = std::move(*started);
  for (bool changed = true; changed;) {
    SmallVector<Value> start(inits);
    widenInto(b, loc, start, types);
    auto loop = scf::WhileOp::create(b, loc, TypeRange(), start);
    Block *before =
        b.createBlock(&loop.getBefore(), {}, types, SmallVector<Location>(types.size(), loc));
    FailureOr<Evaluated> test =
        evaluateWith(evaluator, op.getBefore().front(), before->getArguments(), b, map);
    if (failed(test) || test->flow == Evaluator::Flow::Raises)
      return loop.erase(), op.emitError("expected a loop condition that can be evaluated");
    SmallVector<Value> passed(ArrayRef(test->values).drop_front());
    SmallVector<Type> passedTypes(ValueRange(passed).getTypes());
    scf::ConditionOp::create(b, loc, test->values[0], passed);
    Block *after =
        b.createBlock(&loop.getAfter(), {}, passedTypes, SmallVector<Location>(passed.size(), loc));
    FailureOr<Evaluated> body =
        evaluateWith(evaluator, op.getAfter().front(), after->getArguments(), b, map);
    if (failed(body))
      return loop.erase(), failure();
    // After a raise the trip never ends: whatever it started with will do.
    SmallVector<Value> next =
        body->flow == Evaluator::Flow::Raises
            ? llvm::map_to_vector(
                  types, [&](Type type) -> Value { return UninitializedOp::create(b, loc, type); })
            : body->values;
    FailureOr<bool> joined = joinInto(op, types, next);
    if (failed(joined))
      return loop.erase(), failure();
    changed = *joined;
    if (!changed) {
      widenInto(b, loc, next, types);
      scf::YieldOp::create(b, loc, next);
      b.setInsertionPointAfter(loop);
      auto kept = scf::WhileOp::create(b, loc, passedTypes, start);
      kept.getBefore().takeBody(loop.getBefore());
      kept.getAfter().takeBody(loop.getAfter());
      loop.erase();
      return SmallVector<Value>(kept.getResults());
    }
    b.setInsertionPointAfter(loop);
    loop.erase();
  }
  return failure();
}

FailureOr<Evaluator::Flow> Evaluator::evaluateWhile(scf::WhileOp op, OpBuilder &b, IRMapping &map) {
  auto carried = llvm::map_to_vector(op.getInits(), [&](Value v) { return map.lookup(v); });
  // Trips whose condition is a constant are taken at once.
  for (int64_t done = 0; done <= maxUnrolledTrips; ++done) {
    auto scratch = scf::ExecuteRegionOp::create(b, op.getLoc(), TypeRange());
    OpBuilder inner(op.getContext());
    inner.createBlock(&scratch.getRegion());
    FailureOr<Evaluated> test = evaluateWith(*this, op.getBefore().front(), carried, inner, map);
    if (failed(test))
      return scratch.erase(), failure();
    APInt condition;
    bool raises = test->flow == Flow::Raises;
    if (!raises && (!matchPattern(test->values[0], m_ConstantInt(&condition)) ||
                    (!condition.isZero() && done == maxUnrolledTrips))) {
      scratch.erase();
      break;
    }
    // Known: what was evaluated stays, in line.
    Block &block = scratch.getRegion().front();
    b.getInsertionBlock()->getOperations().splice(scratch->getIterator(), block.getOperations());
    scratch.erase();
    if (raises)
      return Flow::Raises;
    SmallVector<Value> passed(ArrayRef(test->values).drop_front());
    if (condition.isZero()) {
      map.map(op.getResults(), passed);
      return Flow::Continues;
    }
    FailureOr<Evaluated> body = evaluateWith(*this, op.getAfter().front(), passed, b, map);
    if (failed(body) || body->flow == Flow::Raises)
      return failed(body) ? FailureOr<Flow>(failure()) : Flow::Raises;
    carried = body->values;
  }
  FailureOr<SmallVector<Value>> results = keepWhile(*this, op, carried, b, map);
  if (failed(results))
    return failure();
  map.map(op.getResults(), *results);
  return Flow::Continues;
}

} // namespace jit
