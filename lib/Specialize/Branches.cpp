//===- Branches.cpp - partial evaluation: branches ------------------------===//

#include "Joiner.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

namespace {
/// Branches on data in each other's ways: what follows them exists twice for each.
constexpr unsigned maxSplits = 6;
/// So many operations may be evaluated once more after branches, and so many after one where all
/// that it gains are sizes.
constexpr unsigned maxCopied = 4096, maxCopiedForSizes = 256;
/// So many may be evaluated in all ways together, where loops repeat them, before no branch more is
/// followed by two ways.
constexpr unsigned maxInWays = 8192;
} // namespace

//===----------------------------------------------------------------------===//
// What a branch gives
//===----------------------------------------------------------------------===//

/// What a branch's way gives for its result `i`; null for what is never used.
static Value given(const Evaluator::Evaluated &way, unsigned i) {
  return way.raises || isPoison(way.values[i]) ? Value() : way.values[i];
}

/// Whether more is known of each of two values than of one that is either: their types differ, or
/// they are containers and the like, of which only the way that they are made tells the contents.
static bool areSettledApart(Value a, Value b) {
  return a.getType() != b.getType() || !isFlat(a.getType());
}

/// Two tensors that differ in sizes alone.
static bool differInSizes(Type a, Type b) {
  auto x = dyn_cast<TensorType>(a), y = dyn_cast<TensorType>(b);
  return x && y && x.hasRank() && y.hasRank() && x.getRank() == y.getRank() &&
         x.getDtype() == y.getDtype();
}

/// Ends `branch`, a branch without results, by the joined values of its ways.
FailureOr<Evaluator::Evaluated> Evaluator::join(scf::IfOp branch, const Evaluated (&ways)[2],
                                                TypeRange declared, OpBuilder &b, Place place) {
  Evaluated joined{.raises = ways[0].raises && ways[1].raises,
                   .open = std::max(ways[0].open, ways[1].open)};
  Location loc = branch.getLoc();
  Value condition = branch.getCondition();
  Joiner joiner(branch);
  SmallVector<std::function<Value()>> values;
  for (unsigned i = 0; i < declared.size() && !joined.raises; ++i) {
    Value thenValue = given(ways[0], i), elseValue = given(ways[1], i);
    if (Value common = commonValue(branch, thenValue, elseValue)) {
      values.push_back([=] { return common; });
      continue;
    }
    if (!thenValue && !elseValue) {
      values.push_back([&, i] { return PoisonOp::create(b, loc, declared[i]); });
      continue;
    }
    // What one way alone gives is that, wherever it is used.
    Value only = !thenValue ? elseValue : !elseValue ? thenValue : Value();
    if (only && !isFlat(only.getType()) && joiner.addParts(only, thenValue ? 0 : 1)) {
      values.push_back([&, only] { return joiner.rebuilt(b, only); });
      continue;
    }
    if (!only && !isFlat(thenValue.getType()) && areAlike(thenValue, elseValue)) {
      values.push_back([&, part = joiner.addAlike(thenValue, elseValue)] { return part(b); });
      continue;
    }
    bool differs = !only && areSettledApart(thenValue, elseValue);
    if (differs && place != Place::Function && isa<ListType>(thenValue.getType()) && mayPackLists())
      if (auto packed = joiner.addPacked(thenValue, elseValue)) {
        values.push_back([&, packed] { return packed(b); });
        continue;
      }
    if (differs && place == Place::Function && joiner.addParts(thenValue, 0) &&
        joiner.addParts(elseValue, 1)) {
      values.push_back([&, thenValue, elseValue] {
        return EitherOp::create(b, loc, AnyType::get(b.getContext()), condition,
                                joiner.rebuilt(b, thenValue), joiner.rebuilt(b, elseValue));
      });
      continue;
    }
    if (differs)
      joined.open = std::max(joined.open, differInSizes(thenValue.getType(), elseValue.getType())
                                              ? Open::Sizes
                                              : Open::Types);
    Type type = only ? only.getType() : joinTypes(thenValue.getType(), elseValue.getType());
    if (!type) {
      emitError(loc, "expected branches that give values of one type, got ")
          << thenValue.getType() << " and " << elseValue.getType();
      return branch.erase(), failure();
    }
    unsigned at = joiner.add(type, thenValue, elseValue);
    values.push_back([&, at] { return branch.getResult(at); });
  }
  branch = joiner.build(b);
  for (auto &value : values)
    joined.values.push_back(value());
  return joined;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The number of operations that follow `op` up to the end of `block`.
static unsigned countRest(Operation *op, Block *block) {
  unsigned count = 0;
  for (; op->getBlock() != block; op = op->getParentOp())
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      next->walk([&](Operation *) { ++count; });
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    next->walk([&](Operation *) { ++count; });
  return count;
}

bool Evaluator::maySplitOn(Operation *op) const {
  // Where the call has left sizes open, other variants serve those that are 1.
  auto func = scope->into->getParentOfType<func::FuncOp>();
  bool isSymbolic = llvm::any_of(llvm::seq(func.getNumArguments()), [&](unsigned i) {
    return bool(func.getArgAttr(i, sizeNamesAttr));
  });
  return scope->place == Place::Function && !isSymbolic && maySplit(countRest(op, &scope->block));
}

FailureOr<Evaluator::Flow> Evaluator::evaluateKnownIf(scf::IfOp op, bool condition, OpBuilder &b,
                                                      IRMapping &map) {
  Region &taken = condition ? op.getThenRegion() : op.getElseRegion();
  if (taken.empty())
    return Flow::Continues;
  auto leave = [op, &taken](IRMapping &map) mutable {
    for (auto [result, value] :
         llvm::zip(op.getResults(), taken.front().getTerminator()->getOperands()))
      map.map(result, map.lookup(value));
  };
  FailureOr<Flow> flow =
      evaluateRegion(taken, b, map, [=, this](OpBuilder &b, IRMapping &map) mutable {
        leave(map);
        return evaluateFrom(op->getNextNode(), b, map);
      });
  if (succeeded(flow) && *flow == Flow::Continues)
    leave(map);
  return flow;
}

/// Whether `value` is true where `other` is false, and the other way round.
static bool isNegation(Value value, Value other) {
  auto op = value.getDefiningOp<arith::XOrIOp>();
  return op && op.getLhs() == other && matchPattern(op.getRhs(), m_One());
}

/// Notes what is known where `condition` holds or does not: of itself and of its negations.
static void settle(Value condition, bool holds, OpBuilder &b, IRMapping &way) {
  SmallVector<Value> settled[2];
  for (auto [source, value] : way.getValueMap()) {
    bool isNegated = isNegation(value, condition) || isNegation(condition, value);
    if (value == condition || isNegated)
      settled[holds != isNegated].push_back(source);
  }
  for (bool known : {false, true}) {
    if (settled[known].empty())
      continue;
    Value constant = arith::ConstantOp::create(b, condition.getLoc(), b.getBoolAttr(known));
    for (Value source : settled[known])
      way.map(source, constant);
  }
}

FailureOr<Evaluator::Flow> Evaluator::evaluateIf(scf::IfOp op, OpBuilder &b, IRMapping &map) {
  Value condition = map.lookup(op.getCondition());
  APInt known;
  if (matchPattern(condition, m_ConstantInt(&known))) {
    if (scope->splits == 0)
      explainDone(op.getLoc(), "specialize",
                  "the condition is {0} in this call: {1} branch is gone",
                  known.isZero() ? "false" : "true", known.isZero() ? "its" : "the other");
    return evaluateKnownIf(op, !known.isZero(), b, map);
  }

  if (jit::changesSizes(op)) {
    if (maySplit(countRest(op, &scope->block)))
      return split(op, b, map);
    return op.emitError("expected sizes that change in place in few branches on data");
  }
  if ((jit::changesOuterContainers(op) || resizesOuts(op)) &&
      maySplit(countRest(op, &scope->block)))
    return split(op, b, map);

  Block::iterator here = b.getInsertionPoint();
  Operation *before = here == b.getInsertionBlock()->begin() ? nullptr : &*std::prev(here);
  // Both ways: into a branch without results first, as the types of these follow.
  auto branch = scf::IfOp::create(b, op.getLoc(), TypeRange(), condition, true, true);
  Evaluated ways[2];
  for (int i : {0, 1}) {
    Block *block = &branch->getRegion(i).front();
    block->clear();
    OpBuilder inner = OpBuilder::atBlockEnd(block);
    if (op->getRegion(i).empty())
      continue;
    FailureOr<Evaluated> way = evaluate(op->getRegion(i).front(), inner, map, Place::Branch);
    if (failed(way))
      return branch.erase(), failure();
    ways[i] = std::move(*way);
  }
  if (shouldSplit(op, ways)) {
    branch.erase();
    return split(op, b, map);
  }
  FailureOr<Evaluated> joined = join(branch, ways, op.getResultTypes(), b, Place::Branch);
  if (failed(joined))
    return failure();
  scope->open = std::max(scope->open, joined->open);
  if (joined->raises)
    return Flow::Raises;
  map.map(op.getResults(), joined->values);
  if (changesContainers)
    for (Value value : joined->values)
      forgetIdentity(value, before);
  // What comes after a way that raises is of calls that take the other one.
  if ((ways[0].raises || ways[1].raises) && !op.getCondition().hasOneUse())
    settle(condition, /*holds=*/ways[1].raises, b, map);
  return Flow::Continues;
}

//===----------------------------------------------------------------------===//
// Ways that settle a value differently
//===----------------------------------------------------------------------===//

bool Evaluator::maySplit(unsigned rest) const {
  return scope->splits < maxSplits && scope->copied + rest <= maxCopied && inWays <= maxInWays;
}

/// Whether a branch gives a list, packed, that each trip of a loop may change: as many ways as
/// there are lists would be too many. Not for a GPU, whose plans do not have memory for a size that
/// such a branch tells.
bool Evaluator::packsInLoop(scf::IfOp op, Value thenValue, Value elseValue) {
  return dataSqueeze && isa<ListType>(thenValue.getType()) &&
         op->getParentOfType<LoopLikeOpInterface>() && formOfBoth(thenValue, elseValue) &&
         mayPackLists();
}

/// Whether what follows a branch should be evaluated in each of its ways: a value has not one type
/// there, or is a container that is made differently.
bool Evaluator::shouldSplit(scf::IfOp op, const Evaluated (&ways)[2]) {
  unsigned rest = countRest(op, &scope->block);
  if (!maySplit(rest) || ways[0].raises || ways[1].raises)
    return false;
  bool isWorthIt = false, sizesDiffer = false;
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    Value thenValue = given(ways[0], i), elseValue = given(ways[1], i);
    // What a branch inside has left open is settled in the ways of that.
    for (int way : {0, 1})
      if (Value value = given(ways[way], i); value && !isSettled(value.getType())) {
        isWorthIt |= ways[way].open == Open::Types;
        sizesDiffer |= ways[way].open == Open::Sizes;
      }
    if (!thenValue || !elseValue || isSameValue(thenValue, elseValue))
      continue;
    isWorthIt |= changesSizes && isa<TensorType>(thenValue.getType());
    isWorthIt |=
        changesContainers && !isFlat(thenValue.getType()) && isWrittenAfter(op->getResult(i), op);
    if (!areSettledApart(thenValue, elseValue) || areAlike(thenValue, elseValue) ||
        packsInLoop(op, thenValue, elseValue))
      continue;
    bool onlySizes = differInSizes(thenValue.getType(), elseValue.getType());
    (onlySizes ? sizesDiffer : isWorthIt) = true;
  }
  return isWorthIt || (sizesDiffer && rest <= maxCopiedForSizes);
}

/// Evaluates a branch with all that follows it in the scope in each of its ways.
FailureOr<Evaluator::Flow> Evaluator::split(scf::IfOp op, OpBuilder &b, IRMapping &map) {
  Value condition = map.lookup(op.getCondition());
  auto evaluateWay = [&](bool holds, OpBuilder &inner, IRMapping &way) {
    settle(condition, holds, inner, way);
    return evaluateFrom(op, inner, way);
  };
  return splitOn(op, condition, b, map, evaluateWay);
}

FailureOr<Evaluator::Flow> Evaluator::splitOn(Operation *op, Value condition, OpBuilder &b,
                                              const IRMapping &map, Way evaluateWay) {
  auto branch = scf::IfOp::create(b, op->getLoc(), TypeRange(), condition, true, true);
  Evaluated ways[2];
  SmallVector<Rest> rest = scope->rest;
  Open wasOpen = std::exchange(scope->open, Open::No);
  ++scope->splits;
  scope->copied += countRest(op, &scope->block);
  Changes before{changedArguments, chosenChanges}, changes[2];
  for (int i : {0, 1}) {
    Block *block = &branch->getRegion(i).front();
    block->clear();
    OpBuilder inner = OpBuilder::atBlockEnd(block);
    IRMapping way = map;
    FailureOr<Evaluated> done = finish(evaluateWay(i == 0, inner, way), inner, way);
    scope->rest = rest;
    if (failed(done))
      return branch.erase(), failure();
    ways[i] = std::move(*done);
    changes[i] = {std::exchange(changedArguments, before.always),
                  std::exchange(chosenChanges, before.chosen)};
  }
  --scope->splits;
  SmallVector<Type> types(scope->block.getTerminator()->getOperandTypes());
  SmallVector<ChosenChange> told;
  joinChanges(branch, ways, changes, told);
  for (const ChosenChange &change : told) {
    types.push_back(change.change.now.getType());
    if (change.isSo)
      types.push_back(b.getI1Type());
  }
  FailureOr<Evaluated> joined = join(branch, ways, types, b, scope->place);
  if (failed(joined))
    return failure();
  if (!joined->raises)
    noteJoined(told, *joined);
  scope->open = wasOpen;
  scope->ended = std::move(*joined);
  return joined->raises ? Flow::Raises : Flow::Ended;
}

} // namespace jit
