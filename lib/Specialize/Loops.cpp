//===- Loops.cpp - partial evaluation: loops ------------------------------===//

#include "ForLoop.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace jit {

namespace {

/// How many leading trips are taken out of a loop whose types settle only after them.
constexpr int maxPeeledTrips = 2;
/// Loops up to this many trips are unrolled where they cannot stay loops, or need not.
constexpr int64_t maxUnrolledTrips = 64;
/// Loops of more trips too where this many operations are all of them.
constexpr int64_t maxUnrolledOps = 8192;
/// Up to this many where sizes change in place: of which tensor has to be known.
constexpr int64_t maxNamedTrips = 8;

} // namespace

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

void Evaluator::ForTrips::enter(IRMapping &map) {
  map.map(op.getInductionVar(), lower);
  for (auto [arg, value] : llvm::zip(op.getRegionIterArgs(), carried))
    map.map(arg, value);
}

/// On to the next trip.
void Evaluator::ForTrips::leave(OpBuilder &b, const IRMapping &map) {
  for (auto [value, yield] : llvm::zip(carried, op.getYieldedValues()))
    value = map.lookup(yield);
  int64_t next = *IntInfo(lower).known + *IntInfo(step).known;
  lower = arith::ConstantOp::create(b, op.getLoc(), b.getI64IntegerAttr(next));
  ++done;
}

/// Whether so many trips of a loop may be written out.
static bool mayUnroll(scf::ForOp op, int64_t trips) {
  if (trips <= maxUnrolledTrips)
    return true;
  int64_t ops = 0;
  op.walk([&](Operation *) { ++ops; });
  return trips <= maxUnrolledOps / ops;
}

/// Tries to keep the rest of a loop as a loop; false where it cannot be.
static FailureOr<bool> keepFor(Evaluator &evaluator, scf::ForOp op, ArrayRef<Value> bounds,
                               SmallVectorImpl<Value> &carried, OpBuilder &b, const IRMapping &map,
                               Evaluator::Keep keep) {
  for (bool widenTypes : {false, true}) {
    if (widenTypes && keep == Evaluator::Keep::Settled)
      return false;
    ForLoop loop(evaluator, op, bounds[0], bounds[1], bounds[2], carried, map);
    std::vector<Diagnostic> errors;
    ForLoop::Outcome outcome;
    {
      CapturedErrors captured(op.getContext());
      outcome = loop.run(b, widenTypes);
      errors = captured.take();
    }
    if (outcome == ForLoop::Outcome::Done) {
      carried = loop.results;
      return true;
    }
    if (!widenTypes && errors.empty())
      continue;
    if (keep != Evaluator::Keep::Must)
      return false;
    reportAll(op.getContext(), errors);
    return failure();
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
  ForTrips loop{.op = op,
                .lower = map.lookup(op.getLowerBound()),
                .upper = map.lookup(op.getUpperBound()),
                .step = map.lookup(op.getStep()),
                .carried = {},
                .trips = {}};
  loop.carried = llvm::map_to_vector(op.getInitArgs(), [&](Value v) { return map.lookup(v); });
  loop.trips = constantTripCount(loop.lower, loop.upper, loop.step);
  loop.unroll = loop.trips && ((*loop.trips <= maxUnrolledTrips && isOnNumbers(op)) ||
                               (*loop.trips <= maxNamedTrips && changesSizes) ||
                               (changesOuterContainers(op) && mayUnroll(op, *loop.trips)));
  return evaluateTrips(std::move(loop), b, map);
}

Evaluator::Keep Evaluator::howToKeep(const ForTrips &loop) {
  if (!loop.trips)
    return Keep::Must;
  int64_t rest = *loop.trips - loop.done;
  if (loop.done < maxPeeledTrips || rest <= maxUnrolledTrips)
    return Keep::Settled;
  return mayUnroll(loop.op, rest) ? Keep::Possible : Keep::Must;
}

/// The trips that are left: one by one until the rest can be kept as a loop.
FailureOr<Evaluator::Flow> Evaluator::evaluateTrips(ForTrips loop, OpBuilder &b, IRMapping &map) {
  scf::ForOp op = loop.op;
  for (; !loop.trips || loop.done < *loop.trips;) {
    if (!loop.unroll && !(loop.trips && *loop.trips - loop.done == 1)) {
      FailureOr<bool> kept = keepFor(*this, op, {loop.lower, loop.upper, loop.step}, loop.carried,
                                     b, map, howToKeep(loop));
      if (failed(kept))
        return failure();
      if (*kept)
        break;
      loop.unroll = loop.done >= maxPeeledTrips;
    }
    loop.enter(map);
    FailureOr<Flow> flow = evaluateRegion(
        op.getRegion(), b, map, [=, this](OpBuilder &b, IRMapping &map) -> FailureOr<Flow> {
          ForTrips next = loop;
          next.leave(b, map);
          FailureOr<Flow> flow = evaluateTrips(std::move(next), b, map);
          bool goesOn = succeeded(flow) && *flow == Flow::Continues;
          return goesOn ? evaluateFrom(next.op->getNextNode(), b, map) : flow;
        });
    if (failed(flow) || *flow != Flow::Continues)
      return flow;
    loop.leave(b, map);
  }
  map.map(op.getResults(), loop.carried);
  return Flow::Continues;
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

static FailureOr<Evaluator::Evaluated>
evaluateWith(Evaluator &evaluator, Block &block, ValueRange values, OpBuilder &b, IRMapping map,
             Evaluator::Place place = Evaluator::Place::Loop) {
  for (auto [arg, value] : llvm::zip(block.getArguments(), values))
    map.map(arg, value);
  return evaluator.evaluate(block, b, std::move(map), place);
}

/// Weakens `types` to hold `values` as well; true if something changed, failure where they have
/// nothing in common.
static FailureOr<bool> joinInto(Operation *op, SmallVectorImpl<Type> &types, ValueRange values) {
  bool changed = false;
  for (auto [type, value] : llvm::zip(types, values)) {
    if (isPoison(value) || isSubtype(value.getType(), type))
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
  if (llvm::none_of(inits, isPoison))
    return types;
  auto scratch = scf::ExecuteRegionOp::create(b, op.getLoc(), TypeRange());
  auto erase = llvm::scope_exit([&] { scratch.erase(); });
  OpBuilder inner(op.getContext());
  inner.createBlock(&scratch.getRegion());
  FailureOr<Evaluator::Evaluated> test =
      evaluateWith(evaluator, op.getBefore().front(), inits, inner, map);
  if (failed(test) || test->raises)
    return types;
  ArrayRef<Value> passed = ArrayRef(test->values).drop_front();
  FailureOr<Evaluator::Evaluated> body =
      evaluateWith(evaluator, op.getAfter().front(), passed, inner, map, Evaluator::Place::Branch);
  if (failed(body))
    return failure();
  for (auto [type, init, next] : llvm::zip(types, inits, body->values))
    if (isPoison(init))
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
    FailureOr<Evaluator::Evaluated> test =
        evaluateWith(evaluator, op.getBefore().front(), before->getArguments(), b, map);
    if (failed(test) || test->raises)
      return loop.erase(), op.emitError("expected a loop condition that can be evaluated");
    SmallVector<Value> passed(ArrayRef(test->values).drop_front());
    SmallVector<Type> passedTypes(ValueRange(passed).getTypes());
    scf::ConditionOp::create(b, loc, test->values[0], passed);
    Block *after =
        b.createBlock(&loop.getAfter(), {}, passedTypes, SmallVector<Location>(passed.size(), loc));
    FailureOr<Evaluator::Evaluated> body = evaluateWith(
        evaluator, op.getAfter().front(), after->getArguments(), b, map, Evaluator::Place::Branch);
    if (failed(body))
      return loop.erase(), failure();
    // After a raise the trip never ends: whatever it started with will do.
    SmallVector<Value> next =
        body->raises
            ? llvm::map_to_vector(
                  types, [&](Type type) -> Value { return PoisonOp::create(b, loc, type); })
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

/// Whether less is known of what a loop gives than of what it begins with: the types of what a trip
/// makes of it have little in common with that.
static bool losesTypes(ArrayRef<Value> inits, ArrayRef<Value> results) {
  auto loop = results.empty() ? scf::WhileOp() : results.front().getDefiningOp<scf::WhileOp>();
  return loop && llvm::any_of(llvm::zip(inits, loop.getBeforeArguments()), [](auto pair) {
           auto [init, argument] = pair;
           return !isPoison(init) && isSettled(init.getType()) && !isSettled(argument.getType());
         });
}

/// The state of a while loop of which some trips are taken out.
struct Evaluator::WhileTrips {
  scf::WhileOp op;
  SmallVector<Value> carried;
  int64_t done = 0;
  /// Of these, trips that the data may not run.
  int64_t taken = 0;

  /// On to the next trip.
  void leave(const IRMapping &map) {
    for (auto [value, yield] : llvm::zip(carried, op.getYieldOp().getOperands()))
      value = map.lookup(yield);
    ++done;
  }
};

FailureOr<Evaluator::Flow> Evaluator::evaluateWhile(scf::WhileOp op, OpBuilder &b, IRMapping &map) {
  auto carried = llvm::map_to_vector(op.getInits(), [&](Value v) { return map.lookup(v); });
  return evaluateTrips(WhileTrips{op, std::move(carried)}, b, map);
}

/// The trips that are left: at once as long as their condition is a constant.
FailureOr<Evaluator::Flow> Evaluator::evaluateTrips(WhileTrips loop, OpBuilder &b, IRMapping &map) {
  scf::WhileOp op = loop.op;
  while (loop.done <= maxUnrolledTrips) {
    auto scratch = scf::ExecuteRegionOp::create(b, op.getLoc(), TypeRange());
    OpBuilder inner(op.getContext());
    inner.createBlock(&scratch.getRegion());
    FailureOr<Evaluated> test =
        evaluateWith(*this, op.getBefore().front(), loop.carried, inner, map);
    if (failed(test))
      return scratch.erase(), failure();
    APInt condition;
    if (!test->raises && (!matchPattern(test->values[0], m_ConstantInt(&condition)) ||
                          (!condition.isZero() && loop.done == maxUnrolledTrips))) {
      scratch.erase();
      break;
    }
    // Known: what was evaluated stays, in line.
    Block &block = scratch.getRegion().front();
    b.getInsertionBlock()->getOperations().splice(scratch->getIterator(), block.getOperations());
    scratch.erase();
    if (test->raises)
      return Flow::Raises;
    SmallVector<Value> passed(ArrayRef(test->values).drop_front());
    if (condition.isZero()) {
      map.map(op.getResults(), passed);
      return Flow::Continues;
    }
    map.map(op.getAfterArguments(), passed);
    FailureOr<Flow> flow =
        evaluateRegion(op.getAfter(), b, map, [=, this](OpBuilder &b, IRMapping &map) {
          return evaluateNext(loop, b, map);
        });
    if (failed(flow) || *flow != Flow::Continues)
      return flow;
    loop.leave(map);
  }
  FailureOr<SmallVector<Value>> results = keepWhile(*this, op, loop.carried, b, map);
  if (failed(results))
    return failure();
  if (loop.taken < maxPeeledTrips && losesTypes(loop.carried, *results) && maySplitOn(op)) {
    results->front().getDefiningOp()->erase();
    return takeOut(loop, b, map);
  }
  map.map(op.getResults(), *results);
  return Flow::Continues;
}

/// The trips behind one that was evaluated, and what follows the loop.
FailureOr<Evaluator::Flow> Evaluator::evaluateNext(WhileTrips loop, OpBuilder &b, IRMapping &map) {
  loop.leave(map);
  FailureOr<Flow> flow = evaluateTrips(loop, b, map);
  bool goesOn = succeeded(flow) && *flow == Flow::Continues;
  return goesOn ? evaluateFrom(loop.op->getNextNode(), b, map) : flow;
}

/// Takes the next trip out of a loop, so that what comes after it begins with what it gives: a
/// branch, which data choose, of that trip and all that follows, or what follows the loop alone.
FailureOr<Evaluator::Flow> Evaluator::takeOut(WhileTrips loop, OpBuilder &b, IRMapping &map) {
  scf::WhileOp op = loop.op;
  FailureOr<Evaluated> test = evaluateWith(*this, op.getBefore().front(), loop.carried, b, map);
  if (failed(test))
    return failure();
  if (test->raises)
    return Flow::Raises;
  SmallVector<Value> passed(ArrayRef(test->values).drop_front());
  ++loop.taken;
  auto goOn = [=, this](OpBuilder &b, IRMapping &map) { return evaluateNext(loop, b, map); };
  return splitOn(op, test->values[0], b, map,
                 [&](bool holds, OpBuilder &inner, IRMapping &way) -> FailureOr<Flow> {
                   if (!holds) {
                     way.map(op.getResults(), passed);
                     return evaluateFrom(op->getNextNode(), inner, way);
                   }
                   way.map(op.getAfterArguments(), passed);
                   FailureOr<Flow> flow = evaluateRegion(op.getAfter(), inner, way, goOn);
                   bool goesOn = succeeded(flow) && *flow == Flow::Continues;
                   return goesOn ? goOn(inner, way) : flow;
                 });
}

} // namespace jit
