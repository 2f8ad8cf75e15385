//===- ForLoop.cpp - a for loop under assumptions -------------------------===//

#include "ForLoop.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Lists.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace jit {

std::optional<int64_t> constantTripCount(Value lower, Value upper, Value step) {
  auto lb = IntInfo(lower).known, ub = IntInfo(upper).known, by = IntInfo(step).known;
  if (!lb || !ub || !by || *by <= 0)
    return std::nullopt;
  if (*ub <= *lb)
    return 0;
  int64_t span;
  if (llvm::SubOverflow(*ub, *lb, span))
    return std::nullopt;
  return int64_t(llvm::divideCeil(uint64_t(span), uint64_t(*by)));
}

ForLoop::ForLoop(Evaluator &evaluator, scf::ForOp op, Value lower, Value upper, Value step,
                 ArrayRef<Value> inits, const IRMapping &outer)
    : evaluator(evaluator), op(op), lower(lower), upper(upper), step(step), outer(outer) {
  for (Value init : inits)
    carried.push_back(Carried{.init = init});
}

ForLoop::Outcome ForLoop::run(OpBuilder &b, bool widenTypes, bool pack) {
  packLists = pack;
  // Every retry weakens an assumption, of which each carried value has few.
  for (bool retry = true; retry;) {
    retry = false;
    Outcome outcome = attempt(b, widenTypes, retry);
    if (!retry)
      return outcome;
  }
  return Outcome::Failed;
}

/// True for what is known of a container only where the trip's number is.
static bool isOpenLookUp(Operation *op) {
  return isa<AtenOpInterface>(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ListType, DictType, StrType>) &&
         (op->hasTrait<PicksElement>() ||
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>));
}

static bool hasOpenLookUps(scf::ForOp loop) {
  return loop
      .walk([](Operation *op) {
        return isOpenLookUp(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// How many trips there are, where the step is known.
Value ForLoop::tripCount(OpBuilder &b) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value span = arith::SubIOp::create(b, loc, upper, lower);
  span = arith::MaxSIOp::create(b, loc, span, zero);
  return arith::CeilDivSIOp::create(b, loc, span, step);
}

/// Memory for what the trips append to a list.
Value ForLoop::emptyBuffer(OpBuilder &b, TensorType type) {
  GraphBuilder build{b, op.getLoc()};
  SmallVector<Int> sizes;
  for (int64_t size : type.getSizes())
    sizes.push_back(size == TensorType::kDynamic ? Int(build, tripCount(b)) : build.i(size));
  OperationName empty("aten.empty.memory_format", b.getContext());
  Value none = build.none().v, dtype = build.i(int64_t(*typeToDtype(type.getDtype()))).v;
  return createInferred(b, op.getLoc(), empty, {build.list(sizes).v, dtype, none, none, none, none})
      ->getResult(0);
}

/// What the loop begins with for a variable.
SmallVector<Value> ForLoop::initsOf(OpBuilder &b, const Carried &c) {
  if (c.mode == Mode::Argument)
    return {widen(b, op.getLoc(), c.init, c.type)};
  if (c.mode == Mode::Growing)
    return {emptyBuffer(b, cast<TensorType>(c.type))};
  return c.mode == Mode::Packed ? packWidened(b, op.getLoc(), c.init, c.form)
                                : SmallVector<Value>();
}

ForLoop::Outcome ForLoop::attempt(OpBuilder &b, bool widenTypes, bool &retry) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> inits;
  for (const Carried &c : carried)
    llvm::append_range(inits, initsOf(b, c));
  auto loop = scf::ForOp::create(b, op.getLoc(), lower, upper, step, inits,
                                 [](OpBuilder &, Location, Value, ValueRange) {});
  SmallVector<Value> yields;
  if (failed(evaluateBody(loop, yields)))
    return loop.erase(), Outcome::Failed;
  for (auto [c, yield] : llvm::zip(carried, yields)) {
    Outcome outcome = settle(c, yield, widenTypes, retry);
    if (outcome != Outcome::Done)
      return loop.erase(), outcome;
  }
  if (retry)
    return loop.erase(), Outcome::Done;
  if (!widenTypes && (hasOpenLookUps(loop) || leavesOutSizes(loop)))
    return loop.erase(), Outcome::Unstable;
  finish(b, loop, yields);
  return Outcome::Done;
}

LogicalResult ForLoop::evaluateBody(scf::ForOp loop, SmallVectorImpl<Value> &yields) {
  OpBuilder b = OpBuilder::atBlockEnd(loop.getBody());
  IRMapping map = outer;
  map.map(op.getInductionVar(), loop.getInductionVar());
  ValueRange arguments = loop.getRegionIterArgs();
  unsigned next = 0;
  for (auto [c, arg] : llvm::zip(carried, op.getRegionIterArgs())) {
    Value seen = c.init;
    if (c.mode == Mode::Argument)
      seen = arguments[next++];
    if (c.mode == Mode::Packed)
      seen = unpackNext(b, op.getLoc(), arguments, next, c.form, arg.getType());
    // A list that nothing is known of: any use but the append is left over and found.
    if (c.mode == Mode::Growing)
      seen = c.grown = PoisonOp::create(b, op.getLoc(), arg.getType()), ++next;
    map.map(arg, seen);
  }
  using Place = Evaluator::Place;
  Place place = constantTripCount(lower, upper, step) ? Place::Loop : Place::Branch;
  FailureOr<Evaluator::Evaluated> trip = evaluator.evaluate(*op.getBody(), b, map, place);
  if (failed(trip))
    return failure();
  // After a raise the trip never ends: whatever was carried in will do.
  if (trip->raises)
    for (Value argument : op.getRegionIterArgs())
      trip->values.push_back(map.lookup(argument));
  llvm::append_range(yields, trip->values);
  return success();
}

/// The body does nothing with the list but append to it, once, on every trip.
bool ForLoop::onlyAppends(Carried &c, Value yield) {
  auto append = yield.getDefiningOp<ListAppendOp>();
  if (append && append.getList() == c.grown && c.grown.hasOneUse() &&
      append->getBlock() == c.grown.getParentBlock())
    return true;
  op.emitError("expected a list in a loop to be appended to once per trip and not read");
  return false;
}

ForLoop::Outcome ForLoop::settle(Carried &c, Value yield, bool widenTypes, bool &retry) {
  if (isPoison(yield) && c.mode != Mode::Growing)
    return Outcome::Done;
  if (c.mode == Mode::Invariant) {
    if (isSameValue(c.init, yield))
      return Outcome::Done;
    if (isa<ListType>(c.init.getType()))
      return settleList(c, yield, retry);
    if (isa<StrType, DictType>(c.init.getType())) {
      op.emitError(
          "expected a string or dict that does not change in a loop of unknown or many trips");
      return Outcome::Unstable;
    }
    c.mode = Mode::Argument;
    c.type = (isPoison(c.init) ? yield : c.init).getType();
    retry = true;
  }
  if (c.mode == Mode::Growing)
    return onlyAppends(c, yield) ? Outcome::Done : Outcome::Unstable;
  if (c.mode == Mode::Packed)
    return settlePacked(c, yield, retry);
  if (isSubtype(yield.getType(), c.type))
    return Outcome::Done;
  Type joined = joinTypes(c.type, yield.getType());
  if (!joined) {
    op.emitError("expected a loop variable of one type, got ")
        << c.type << " before the trip and " << yield.getType() << " after it";
    return Outcome::Failed;
  }
  if (!isSettled(joined) && !widenTypes)
    return Outcome::Unstable;
  c.type = joined;
  retry = true;
  return Outcome::Done;
}

/// Whether what the loop appends to a list may be written later on, as the program before
/// specialisation shows.
bool ForLoop::isElementWritten(const Carried &c) {
  Value yield = withoutDerefine(op.getYieldedValues()[&c - carried.data()]);
  auto append = yield.getDefiningOp<ListAppendOp>();
  return !append || isWrittenAfter(append.getElement(), append);
}

/// Whether the program does nothing with the list in each trip but append to it.
bool ForLoop::appendsOnce(const Carried &c) {
  unsigned index = &c - carried.data();
  BlockArgument list = op.getRegionIterArg(index);
  auto append = withoutDerefine(op.getYieldedValues()[index]).getDefiningOp<ListAppendOp>();
  return append && append.getList() == list && list.hasOneUse() &&
         append->getBlock() == op.getBody();
}

ForLoop::Outcome ForLoop::settlePacked(Carried &c, Value yield, bool &retry) {
  auto form = packedForm(yield), joined = form ? joinForms(c.form, *form) : std::nullopt;
  if (!joined) {
    op.emitError("expected the tensors of a list that changes in a loop to be of one element type "
                 "and to differ in one size at most");
    return Outcome::Unstable;
  }
  retry |= *joined != c.form;
  c.form = *joined;
  return Outcome::Done;
}

ForLoop::Outcome ForLoop::settleList(Carried &c, Value yield, bool &retry) {
  auto append = yield.getDefiningOp<ListAppendOp>();
  Value element = append && append.getList() == c.init ? append.getElement() : Value();
  // An append to a list whose elements are known has become the longer list.
  auto list = yield.getDefiningOp<ListOp>();
  auto init = c.init.getDefiningOp<ListOp>();
  if (list && init && list.getNumOperands() == init.getNumOperands() + 1 &&
      llvm::equal(list.getElements().drop_back(), init.getElements()))
    element = list.getElements().back();
  // The loop will store what the element is then, where the list has the tensor itself.
  if (element && isElementWritten(c)) {
    op.emitError("expected tensors that are not written after they were appended to a list");
    return Outcome::Unstable;
  }
  auto tensor = element ? dyn_cast<TensorType>(element.getType()) : TensorType();
  bool mayGrow = tensor && tensor.isStatic() && IntInfo(step).known.value_or(0) > 0;
  if (auto form = packedForm(c.init); packLists && form && !(mayGrow && appendsOnce(c))) {
    c.mode = Mode::Packed;
    c.form = *form;
    retry = true;
    return settlePacked(c, yield, retry);
  }
  auto trips = constantTripCount(lower, upper, step);
  if (!mayGrow) {
    op.emitError("expected a list in a loop to grow by one tensor of constant size per trip");
    return Outcome::Unstable;
  }
  SmallVector<int64_t> sizes = {trips.value_or(TensorType::kDynamic)};
  llvm::append_range(sizes, tensor.getSizes());
  c.mode = Mode::Growing;
  c.type = TensorType::get(tensor.getContext(), ArrayRef(sizes), tensor.getDtype());
  retry = true;
  return Outcome::Done;
}

/// The filled buffer after this trip, in place of the append of the body.
Value ForLoop::appended(scf::ForOp loop, Carried &c, Value buffer, Value yield) {
  auto append = yield.getDefiningOp<ListAppendOp>();
  OpBuilder b(append);
  GraphBuilder build{b, append.getLoc()};
  Value trip = arith::SubIOp::create(b, append.getLoc(), loop.getInductionVar(), lower);
  trip = arith::DivSIOp::create(b, append.getLoc(), trip, step);
  Value filled =
      createInferred(b, append.getLoc(), OperationName("aten.select_scatter", b.getContext()),
                     {buffer, append.getElement(), build.i(0).v, trip})
          ->getResult(0);
  append.erase();
  c.grown.getDefiningOp()->erase();
  return filled;
}

void ForLoop::finish(OpBuilder &b, scf::ForOp loop, ArrayRef<Value> yields) {
  SmallVector<Value> carriedOut;
  OpBuilder inner = OpBuilder::atBlockEnd(loop.getBody());
  unsigned next = 0;
  for (auto [c, yield] : llvm::zip(carried, yields)) {
    if (c.mode == Mode::Argument)
      carriedOut.push_back(widen(inner, op.getLoc(), yield, c.type)), ++next;
    if (c.mode == Mode::Growing)
      carriedOut.push_back(appended(loop, c, loop.getRegionIterArgs()[next++], yield));
    if (c.mode == Mode::Packed) {
      SmallVector<Value> tensors = packWidened(inner, op.getLoc(), yield, c.form);
      llvm::append_range(carriedOut, tensors);
      next += tensors.size();
    }
  }
  inner.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(inner, op.getLoc(), carriedOut);

  b.setInsertionPointAfter(loop);
  next = 0;
  for (auto [c, result] : llvm::zip(carried, op.getResults())) {
    Value value = c.init;
    if (c.mode == Mode::Argument || c.mode == Mode::Growing)
      value = loop.getResult(next++);
    if (c.mode == Mode::Packed)
      value = unpackNext(b, op.getLoc(), loop.getResults(), next, c.form, result.getType());
    if (c.mode == Mode::Growing) {
      value = ListFromTensorOp::create(b, op.getLoc(), result.getType(), value);
      auto start = c.init.getDefiningOp<ListOp>();
      if (!start || start.getNumOperands() > 0)
        value = ListConcatOp::create(b, op.getLoc(), result.getType(), c.init, value);
    }
    results.push_back(value);
  }
}

} // namespace jit
