//===- Loops.cpp - partial evaluation: loops ------------------------------===//

#include "ForLoop.h"
#include "WhileLoop.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Raise.h"
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
  lower = b.createOrFold<arith::AddIOp>(op.getLoc(), lower, step);
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

/// Whether a loop carries a list of tensors.
static bool carriesTensorList(scf::ForOp op) {
  return llvm::any_of(op.getResultTypes(), [](Type type) {
    auto list = dyn_cast<ListType>(type);
    return list && isa<TensorType>(list.getElementType());
  });
}

/// Tries to keep the rest of a loop as a loop; false where it cannot be.
static FailureOr<bool> keepFor(Evaluator &evaluator, scf::ForOp op, ArrayRef<Value> bounds,
                               SmallVectorImpl<Value> &carried, OpBuilder &b, const IRMapping &map,
                               Evaluator::Keep keep) {
  using Keep = Evaluator::Keep;
  std::vector<Diagnostic> errors;
  auto attempt = [&](bool widenTypes, bool packLists) {
    ForLoop loop(evaluator, op, bounds[0], bounds[1], bounds[2], carried, map);
    CapturedErrors captured(op.getContext());
    bool isDone = loop.run(b, widenTypes, packLists) == ForLoop::Outcome::Done;
    if (isDone)
      carried = loop.results;
    errors = captured.take();
    return isDone;
  };
  if (attempt(/*widenTypes=*/false, /*packLists=*/false))
    return true;
  if (keep == Keep::Settled)
    return false;
  if (errors.empty() && attempt(/*widenTypes=*/true, /*packLists=*/false))
    return true;
  if (keep != Keep::Must)
    return false;
  // Lists are packed only where nothing else will do.
  if (carriesTensorList(op) && evaluator.mayPackLists() &&
      attempt(/*widenTypes=*/true, /*packLists=*/true))
    return true;
  reportAll(op.getContext(), errors);
  return failure();
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
  if (!loop.trips)
    return evaluateOpenTrips(std::move(loop), b, map);
  scf::ForOp op = loop.op;
  while (loop.done < *loop.trips) {
    if (!loop.unroll && *loop.trips - loop.done != 1) {
      FailureOr<bool> kept = keepFor(*this, op, {loop.lower, loop.upper, loop.step}, loop.carried,
                                     b, map, howToKeep(loop));
      if (failed(kept))
        return failure();
      if (*kept)
        break;
      loop.unroll = loop.done >= maxPeeledTrips;
    }
    loop.enter(map);
    FailureOr<Flow> flow =
        evaluateRegion(op.getRegion(), b, map, [=, this](OpBuilder &b, IRMapping &map) {
          return evaluateNext(loop, b, map);
        });
    if (failed(flow) || *flow != Flow::Continues)
      return flow;
    loop.leave(b, map);
  }
  map.map(op.getResults(), loop.carried);
  return Flow::Continues;
}

/// Erases what was built behind `begin`, which nothing uses.
static void eraseAfter(Operation *begin, OpBuilder &b) {
  for (Operation *last; (last = &*std::prev(b.getInsertionPoint())) != begin;)
    last->erase();
}

/// Whether `isSo` of some value that a loop begins with, and not of what it gives for it.
static bool loses(ValueRange inits, ValueRange results, llvm::function_ref<bool(Type)> isSo) {
  return llvm::any_of(llvm::zip_equal(inits, results), [&](auto pair) {
    auto [init, result] = pair;
    return !isPoison(init) && isSo(init.getType()) && !isSo(result.getType());
  });
}

/// Whether the rest of a loop of as many trips as data tell was kept as a loop; else `errors` says
/// why not.
static bool keepsFor(Evaluator &evaluator, scf::ForOp op, ArrayRef<Value> bounds,
                     SmallVectorImpl<Value> &carried, OpBuilder &b, const IRMapping &map,
                     std::vector<Diagnostic> &errors) {
  CapturedErrors captured(b.getContext());
  bool isKept = succeeded(keepFor(evaluator, op, bounds, carried, b, map, Evaluator::Keep::Must));
  errors = captured.take();
  if (isKept)
    reportAll(b.getContext(), errors);
  return isKept;
}

/// Trips that cannot stay a loop. Those that change sizes in place are taken out, one by one, as
/// far as may be; the calls that get to further ones end there.
template <typename Trips>
FailureOr<Evaluator::Flow> Evaluator::evaluateRest(Trips loop, int64_t taken, OpBuilder &b,
                                                   IRMapping &map,
                                                   std::vector<Diagnostic> &errors) {
  bool mayTakeOut = jit::changesSizes(loop.op) && !errors.empty();
  if (mayTakeOut && maySplitOn(loop.op))
    return takeOut(std::move(loop), b, map);
  if (mayTakeOut && taken > 0) {
    std::string text = errors.front().str();
    StringRef why = text;
    why.consume_front("'jit.become' op ");
    raise(b, loop.op.getLoc(), why, unsupportedClass);
    return Flow::Raises;
  }
  reportAll(b.getContext(), errors);
  return failure();
}

/// As many trips as data tell: a loop, or where one trip gives a variable another rank, other sizes
/// or another element type than it had, that trip and a loop.
FailureOr<Evaluator::Flow> Evaluator::evaluateOpenTrips(ForTrips loop, OpBuilder &b,
                                                        IRMapping &map) {
  scf::ForOp op = loop.op;
  SmallVector<Value> inits = loop.carried;
  Operation *begin = UnrealizedConversionCastOp::create(b, op.getLoc(), TypeRange(), ValueRange());
  auto erase = llvm::scope_exit([&] { begin->erase(); });
  if (std::vector<Diagnostic> errors;
      !keepsFor(*this, op, {loop.lower, loop.upper, loop.step}, loop.carried, b, map, errors)) {
    eraseAfter(begin, b);
    return evaluateRest(loop, loop.done, b, map, errors);
  }
  bool mayTakeOut = loses(inits, loop.carried, hasKind) ||
                    (loop.done < maxPeeledTrips && loses(inits, loop.carried, isSettled));
  if (mayTakeOut && maySplitOn(op)) {
    eraseAfter(begin, b);
    loop.carried = std::move(inits);
    return takeOut(std::move(loop), b, map);
  }
  map.map(op.getResults(), loop.carried);
  return Flow::Continues;
}

/// The trips behind one that was evaluated, and what follows the loop.
FailureOr<Evaluator::Flow> Evaluator::evaluateNext(ForTrips loop, OpBuilder &b, IRMapping &map) {
  loop.leave(b, map);
  scf::ForOp op = loop.op;
  FailureOr<Flow> flow = evaluateTrips(std::move(loop), b, map);
  bool goesOn = succeeded(flow) && *flow == Flow::Continues;
  return goesOn ? evaluateFrom(op->getNextNode(), b, map) : flow;
}

/// Takes the next trip out of a loop: a branch, which data choose, of that trip and all that
/// follows, or what follows the loop alone.
FailureOr<Evaluator::Flow> Evaluator::takeOut(ForTrips loop, OpBuilder &b, IRMapping &map) {
  scf::ForOp op = loop.op;
  Value isRun =
      arith::CmpIOp::create(b, op.getLoc(), arith::CmpIPredicate::slt, loop.lower, loop.upper);
  auto goOn = [=, this](OpBuilder &b, IRMapping &map) { return evaluateNext(loop, b, map); };
  return splitOn(op, isRun, b, map,
                 [&](bool holds, OpBuilder &inner, IRMapping &way) -> FailureOr<Flow> {
                   if (!holds) {
                     way.map(op.getResults(), loop.carried);
                     return evaluateFrom(op->getNextNode(), inner, way);
                   }
                   loop.enter(way);
                   FailureOr<Flow> flow = evaluateRegion(op.getRegion(), inner, way, goOn);
                   bool goesOn = succeeded(flow) && *flow == Flow::Continues;
                   return goesOn ? goOn(inner, way) : flow;
                 });
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

/// As keepsFor.
static bool keepsWhile(WhileLoop &kept, scf::WhileOp op, OpBuilder &b,
                       std::vector<Diagnostic> &errors) {
  CapturedErrors captured(op.getContext());
  bool isKept = succeeded(kept.run(b));
  errors = captured.take();
  if (isKept)
    reportAll(op.getContext(), errors);
  return isKept;
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
  Operation *begin = UnrealizedConversionCastOp::create(b, op.getLoc(), TypeRange(), ValueRange());
  auto erase = llvm::scope_exit([&] { begin->erase(); });
  WhileLoop kept(*this, op, loop.carried, map, mayPackLists());
  if (std::vector<Diagnostic> errors; !keepsWhile(kept, op, b, errors)) {
    eraseAfter(begin, b);
    return evaluateRest(loop, loop.taken, b, map, errors);
  }
  bool isOpen = kept.losesTypes || kept.leavesOutSizes;
  bool mayTakeOut = (loop.taken < maxPeeledTrips && isOpen) || kept.losesKinds;
  if (mayTakeOut && maySplitOn(op)) {
    eraseAfter(begin, b);
    return takeOut(loop, b, map);
  }
  map.map(op.getResults(), kept.results);
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
