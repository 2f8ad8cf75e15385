//===- ChangedLists.cpp - partial evaluation: lists and dicts that change -===//
//
// What Promote leaves: lists and dicts that are in others, or may be one of several, and change.
// Here what is in a list is known, so a value is an object: `rows[0].append(x)` finds the row, and
// from there on that is the longer one by every name that it has, in every container that it is in.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "Renaming.h"
#include "jit/Dialect/Aten/Aliasing.h"

using namespace mlir;

namespace jit {

static Value changedBy(Operation *op) {
  return isa<AppendOp, ReplaceOp>(op) ? writtenInPlace(op) : Value();
}

bool changesContainers(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return changedBy(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The value that is the very list or dict that `value` is.
static Value containerBehind(Value value) {
  while (isa_and_present<DerefineOp, UncheckedCastOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// What a container holds may be, or hold, a list or dict of type `type`.
static bool elementsMayHold(Type container, Type type) {
  if (auto optional = dyn_cast<OptionalType>(container))
    return elementsMayHold(optional.getElementType(), type);
  if (auto list = dyn_cast<ListType>(container))
    return mayHold(list.getElementType(), type);
  if (auto dict = dyn_cast<DictType>(container))
    return mayHold(dict.getValueType(), type);
  return mayHold(container, type);
}

bool changesOuterContainers(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        Value changed = changedBy(inner);
        Operation *maker = changed ? containerBehind(changed).getDefiningOp() : nullptr;
        bool isOwn = isa_and_present<ListOp, DictOp>(maker) && op->isAncestor(maker);
        return changed && !isOwn ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `value` was made where it is defined: no other value is the same list or dict.
static bool isMadeHere(Value value) {
  Operation *op = value.getDefiningOp();
  if (showsItsParts(value) || isa_and_present<ListFromTensorOp>(op))
    return true;
  // An operator may give what it is given, or an element of that.
  auto mayGive = [&](Type type) { return mayHold(type, value.getType()); };
  return isa_and_present<AtenOpInterface>(op) && llvm::none_of(op->getOperandTypes(), mayGive);
}

//===----------------------------------------------------------------------===//
// Which lists are one
//===----------------------------------------------------------------------===//

void Evaluator::forgetIdentity(Value value, Operation *since) {
  Operation *op = value.getDefiningOp();
  bool isNew =
      op && (!since || (op->getBlock() == since->getBlock() && since->isBeforeInBlock(op)));
  if (!isNew || !mayBeContainer(value.getType()) || !openContainers.insert(value).second)
    return;
  if (showsItsParts(value))
    for (Value part : op->getOperands())
      forgetIdentity(part, since);
}

/// Whether it is not known if `value` is, or holds, the list or dict `container`.
bool Evaluator::mayBeOrHold(Value value, Value container, DenseMap<Value, bool> &known) const {
  value = containerBehind(value);
  Type type = container.getType();
  if (value == container || isPoison(value) || !mayBeContainer(value.getType()) ||
      !mayHold(value.getType(), type))
    return false;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  bool open =
      openContainers.contains(value) || (mayHold(type, value.getType()) && !isMadeHere(value));
  if (!open && elementsMayHold(value.getType(), type))
    open = !showsItsParts(value) ||
           llvm::any_of(value.getDefiningOp()->getOperands(),
                        [&](Value part) { return mayBeOrHold(part, container, known); });
  return known[value] = open;
}

void Evaluator::keepApart(Operation &op, MutableArrayRef<Value> results, OpBuilder &b,
                          const IRMapping &map) const {
  if (!isa<AtenOpInterface>(op) || op.hasTrait<PicksElement>() || op.hasTrait<MayGiveOperand>())
    return;
  for (auto [result, old] : llvm::zip(results, op.getResults())) {
    Value given = containerBehind(result);
    bool isOperand =
        isa<ListType, DictType>(given.getType()) &&
        llvm::any_of(op.getOperands(), [&](Value operand) {
          return mayBeContainer(operand.getType()) && containerBehind(map.lookup(operand)) == given;
        });
    if (isOperand && showsItsParts(given) &&
        !elementsMayHold(op.getOperand(0).getType(), old.getType()))
      result = b.clone(*given.getDefiningOp())->getResult(0);
  }
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// The content that `op` gives the list or dict `self`, as a list or dict that nothing else is.
FailureOr<Value> Evaluator::changedContent(Operation *op, Value self, OpBuilder &b,
                                           const IRMapping &map) {
  if (auto append = dyn_cast<AppendOp>(op)) {
    Operation *longer = ListAppendOp::create(b, op->getLoc(), self.getType(), self,
                                             map.lookup(append.getElement()));
    FailureOr<SmallVector<Value>> results = simplify(longer, b);
    return failed(results) ? FailureOr<Value>() : FailureOr<Value>(results->front());
  }
  Value content = containerBehind(map.lookup(cast<ReplaceOp>(op).getValue()));
  if (showsItsParts(content))
    return b.clone(*content.getDefiningOp())->getResult(0);
  return content;
}

FailureOr<Evaluator::Flow> Evaluator::evaluateChange(Operation *op, OpBuilder &b, IRMapping &map) {
  Value self = containerBehind(map.lookup(changedBy(op)));
  auto refuse = [&](StringRef what) {
    return op->emitError("expected a list or dict that is known where it changes, got ") << what;
  };
  if (openContainers.contains(self) || !isMadeHere(self))
    return refuse("one of several");
  if (isOutOfScope(self))
    return refuse("one from outside of a loop or branch whose trips or way data tell");
  FailureOr<Value> content = changedContent(op, self, b, map);
  if (failed(content))
    return failure();
  Renaming rename(b, [&](Value value) { return value == self; }, *content);
  DenseMap<Value, bool> known;
  for (auto [name, value] : namedValues(op, map)) {
    if (!mayBeContainer(value.getType()))
      continue;
    bool isOther = isa<ReplaceOp>(op) && value == *content && name != op->getOperand(1);
    if ((isOther || mayBeOrHold(value, self, known)) && isUsedAfter(name, op)) {
      InFlightDiagnostic diag = refuse("one that may have another name");
      diag.attachNote(name.getLoc()) << "this may be it, or hold it";
      return diag;
    }
    map.map(name, rename(value));
  }
  return Flow::Continues;
}

} // namespace jit
