//===- WhileLoop.cpp - a while loop under assumptions ---------------------===//

#include "WhileLoop.h"
#include "jit/Dialect/Aten/Lists.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace jit {

WhileLoop::WhileLoop(Evaluator &evaluator, scf::WhileOp op, ArrayRef<Value> inits,
                     const IRMapping &outer, bool packLists)
    : evaluator(evaluator), op(op), inits(inits), outer(outer), packLists(packLists) {}

//===----------------------------------------------------------------------===//
// Handing on
//===----------------------------------------------------------------------===//

/// The values under the types that they are handed on by, packed lists as tensors.
template <typename Ways>
static SmallVector<Value> flatten(OpBuilder &b, Location loc, const Ways &ways, ValueRange values) {
  SmallVector<Value> flat;
  for (auto [way, value] : llvm::zip_equal(ways, values)) {
    if (way.fixed)
      continue;
    if (!way.form)
      flat.push_back(widen(b, loc, value, way.type));
    else if (!isPoison(value))
      llvm::append_range(flat, packWidened(b, loc, value, *way.form));
    else
      for (Type type : way.form->types(b.getContext()))
        flat.push_back(PoisonOp::create(b, loc, type));
  }
  return flat;
}

template <typename Ways>
static SmallVector<Value> gather(OpBuilder &b, Location loc, const Ways &ways, ValueRange flat) {
  SmallVector<Value> values;
  unsigned next = 0;
  for (const auto &way : ways) {
    if (way.fixed)
      values.push_back(way.fixed);
    else if (way.form)
      values.push_back(unpackNext(b, loc, flat, next, *way.form, way.type));
    else
      values.push_back(flat[next++]);
  }
  return values;
}

/// The block of a region that takes what is handed on.
template <typename Ways>
static Block *createBlock(OpBuilder &b, Location loc, Region &region, const Ways &ways) {
  SmallVector<Type> types;
  for (const auto &way : ways) {
    if (way.form && !way.fixed)
      llvm::append_range(types, way.form->types(b.getContext()));
    else if (!way.fixed)
      types.push_back(way.type);
  }
  return b.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
}

static FailureOr<Evaluator::Evaluated> evaluateWith(Evaluator &evaluator, Block &block,
                                                    ValueRange values, OpBuilder &b, IRMapping map,
                                                    Evaluator::Place place) {
  for (auto [arg, value] : llvm::zip(block.getArguments(), values))
    map.map(arg, value);
  return evaluator.evaluate(block, b, std::move(map), place);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The types of a loop's initial values. Those that are not defined before the first trip have the
/// types that it gives them; none where it cannot be evaluated.
SmallVector<Type> WhileLoop::startTypes(OpBuilder &b) {
  SmallVector<Type> types(ValueRange(inits).getTypes());
  if (llvm::none_of(inits, isPoison))
    return types;
  auto scratch = scf::ExecuteRegionOp::create(b, op.getLoc(), TypeRange());
  auto erase = llvm::scope_exit([&] { scratch.erase(); });
  OpBuilder inner(op.getContext());
  inner.createBlock(&scratch.getRegion());
  FailureOr<Evaluator::Evaluated> test =
      evaluateWith(evaluator, op.getBefore().front(), inits, inner, outer, Evaluator::Place::Loop);
  if (failed(test) || test->raises)
    return types;
  ArrayRef<Value> handedOn = ArrayRef(test->values).drop_front();
  FailureOr<Evaluator::Evaluated> body = evaluateWith(evaluator, op.getAfter().front(), handedOn,
                                                      inner, outer, Evaluator::Place::Branch);
  if (failed(body))
    return {};
  for (auto [type, init, next] : llvm::zip(types, inits, body->values))
    if (isPoison(init))
      type = next.getType();
  return types;
}

/// What the condition passes to the body: a list that is made outside of the loop is there.
void WhileLoop::handOnAsPassed(ArrayRef<Value> values, scf::WhileOp loop) {
  passed.clear();
  for (Value value : values) {
    Way way{value.getType()};
    if (packLists && isTensorList(way.type)) {
      bool isInside = loop->isProperAncestor(value.getParentRegion()->getParentOp()) ||
                      value.getParentRegion()->getParentOp() == loop;
      way.fixed = isInside ? Value() : value;
      way.form = packedForm(value);
    }
    passed.push_back(way);
  }
}

/// Weakens how a list is handed on; true if something changed.
bool WhileLoop::weakenList(Way &way, Value next) {
  if (way.fixed && isSameValue(way.fixed, next))
    return false;
  auto before = way.fixed ? packedForm(way.fixed) : way.form, after = packedForm(next);
  auto joined = before && after ? joinForms(*before, *after) : std::nullopt;
  bool changed = way.fixed || joined != way.form;
  way.fixed = {};
  way.form = joined;
  return changed;
}

/// Weakens what is carried to hold `next` as well; true if something changed, failure where they
/// have nothing in common.
FailureOr<bool> WhileLoop::weaken(ValueRange next) {
  bool changed = false;
  for (auto [way, value] : llvm::zip_equal(carried, next)) {
    if (isPoison(value))
      continue;
    if (way.fixed || way.form) {
      changed |= weakenList(way, value);
      continue;
    }
    if (isSubtype(value.getType(), way.type))
      continue;
    Type joined = joinTypes(way.type, value.getType());
    if (!joined)
      return op->emitError("expected a loop variable of one type, got ")
             << way.type << " and " << value.getType();
    way.type = joined;
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Trips
//===----------------------------------------------------------------------===//

LogicalResult WhileLoop::run(OpBuilder &b) {
  SmallVector<Type> types = startTypes(b);
  if (types.size() != inits.size())
    return failure();
  for (auto [init, type] : llvm::zip_equal(inits, types)) {
    bool isList = packLists && isTensorList(type) && !isPoison(init) && packedForm(init);
    carried.push_back(Way{type, isList ? init : Value()});
  }
  for (;;) {
    FailureOr<bool> changed = attempt(b);
    if (failed(changed) || !*changed)
      return LogicalResult(changed);
  }
}

/// Evaluates a trip; whether that weakened what is assumed of the loop.
FailureOr<bool> WhileLoop::attempt(OpBuilder &b) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> start = flatten(b, loc, carried, inits);
  auto loop = scf::WhileOp::create(b, loc, TypeRange(), start);
  Block *before = createBlock(b, loc, loop.getBefore(), carried);
  FailureOr<Evaluator::Evaluated> test = evaluateWith(
      evaluator, op.getBefore().front(), gather(b, loc, carried, before->getArguments()), b, outer,
      Evaluator::Place::Loop);
  if (failed(test) || test->raises)
    return loop.erase(), op.emitError("expected a loop condition that can be evaluated");
  ArrayRef<Value> handedOn = ArrayRef(test->values).drop_front();
  handOnAsPassed(handedOn, loop);
  scf::ConditionOp::create(b, loc, test->values[0], flatten(b, loc, passed, handedOn));
  Block *after = createBlock(b, loc, loop.getAfter(), passed);
  FailureOr<Evaluator::Evaluated> body =
      evaluateWith(evaluator, op.getAfter().front(), gather(b, loc, passed, after->getArguments()),
                   b, outer, Evaluator::Place::Branch);
  if (failed(body))
    return loop.erase(), failure();
  // After a raise the trip never ends: whatever it started with will do.
  SmallVector<Value> next = body->values;
  if (body->raises)
    next = llvm::map_to_vector(
        carried, [&](const Way &way) -> Value { return PoisonOp::create(b, loc, way.type); });
  FailureOr<bool> changed = weaken(next);
  if (failed(changed) || *changed) {
    loop.erase();
    return changed;
  }
  finish(b, loop, start, next);
  return false;
}

void WhileLoop::finish(OpBuilder &b, scf::WhileOp loop, ValueRange start, ValueRange next) {
  Location loc = op.getLoc();
  scf::YieldOp::create(b, loc, flatten(b, loc, carried, next));
  b.setInsertionPointAfter(loop);
  auto kept = scf::WhileOp::create(b, loc, loop.getAfter().getArgumentTypes(), start);
  kept.getBefore().takeBody(loop.getBefore());
  kept.getAfter().takeBody(loop.getAfter());
  loop.erase();
  b.setInsertionPointAfter(kept);
  results = gather(b, loc, passed, kept.getResults());
  leavesOutSizes = jit::leavesOutSizes(kept);
  losesTypes = llvm::any_of(llvm::zip_equal(inits, carried), [](auto pair) {
    auto [init, way] = pair;
    return !isPoison(init) && isSettled(init.getType()) && !isSettled(way.type);
  });
  losesKinds = llvm::any_of(llvm::zip_equal(inits, carried, next), [](auto handedOn) {
    auto [init, way, value] = handedOn;
    bool isKnownList = isa_and_present<ListOp>(withoutDerefine(init).getDefiningOp());
    return (hasKind(init.getType()) && !isPoison(init) && !hasKind(way.type)) ||
           (isKnownList && !way.fixed && !way.form && !isa<BlockArgument>(value));
  });
}

} // namespace jit
