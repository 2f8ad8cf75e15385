//===- ChangedSizes.cpp - partial evaluation: sizes that change in place --===//
//
// `x.unsqueeze_(0)` writes nothing: the tensor x is another view of its memory from there on, under
// every name that x has, while other views of it stay what they are. What an out= tensor of other
// sizes than the result becomes is in OutSizes.cpp.
//
//===----------------------------------------------------------------------===//

#include "ChangedSizes.h"
#include "Evaluator.h"
#include "Renaming.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

/// Whether `op` gives the very tensor that it is given; nothing where that is not known. All that
/// may do so keep the rank then: a flatten of several dimensions or of none makes another view.
static std::optional<bool> givesSelf(Operation *op) {
  if (!op->hasTrait<MayBeSelf>())
    return false;
  auto self = dyn_cast<TensorType>(op->getOperand(0).getType());
  auto result = dyn_cast<TensorType>(op->getResult(0).getType());
  ViewOf::Kind kind = viewOf(op).kind;
  if (!self || !result || !self.hasRank() || !result.hasRank() || kind == ViewOf::Kind::Unknown)
    return std::nullopt;
  // Real parts and conjugates of complex numbers are other views; of real ones they are these.
  return kind == ViewOf::Kind::Shares && self.getRank() == result.getRank() &&
         self.getDtype() == result.getDtype() && !isConjugation(op);
}

Value tensorBehind(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    bool isSame =
        isa<DerefineOp, UncheckedCastOp, OverwriteOp>(op) || givesSelf(op).value_or(false);
    if (!isSame)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The terminator of a region that is built already; null of one that is being built.
static Operation *endOf(Region &region) {
  return !region.empty() && region.front().mightHaveTerminator() ? region.front().getTerminator()
                                                                 : nullptr;
}

/// The values of which the variable `argument` of a loop is one; nullopt where that is not known
/// yet. Empty for an argument of the function, which is a tensor of its own.
static std::optional<SmallVector<Value, 2>> sourcesOf(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<func::FuncOp>(owner))
    return SmallVector<Value, 2>();
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    Operation *end = endOf(loop.getRegion());
    OpOperand *init = loop.getTiedLoopInit(argument);
    if (!end || !init)
      return std::nullopt;
    return SmallVector<Value, 2>{init->get(), end->getOperand(argument.getArgNumber() - 1)};
  }
  auto loop = dyn_cast<scf::WhileOp>(owner);
  Operation *test = loop ? endOf(loop.getBefore()) : nullptr;
  Operation *end = loop ? endOf(loop.getAfter()) : nullptr;
  if (!test || !end)
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  if (argument.getOwner()->getParent() == &loop.getAfter())
    return SmallVector<Value, 2>{cast<scf::ConditionOp>(test).getArgs()[number]};
  return SmallVector<Value, 2>{loop.getInits()[number], end->getOperand(number)};
}

/// The values of which `result`, of a loop, a branch or an operator that may give an operand, is
/// one; nullopt where that is not known. Empty for a tensor of its own.
static std::optional<SmallVector<Value, 2>> sourcesOf(OpResult result) {
  unsigned number = result.getResultNumber();
  Operation *op = result.getOwner();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return SmallVector<Value, 2>{branch.thenYield().getOperand(number),
                                 branch.elseYield().getOperand(number)};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return SmallVector<Value, 2>{loop.getInits()[number], loop.getYieldedValues()[number]};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return SmallVector<Value, 2>{loop.getConditionOp().getArgs()[number]};
  if (auto list =
          op->hasTrait<PicksElement>() ? op->getOperand(0).getDefiningOp<ListOp>() : ListOp())
    return SmallVector<Value, 2>(list.getElements());
  bool isPicked = op->hasTrait<PicksElement>() && !isa<TensorType>(op->getOperand(0).getType());
  if (op->getNumRegions() != 0 || isPicked || isa<ListUnpackOp, TupleUnpackOp, TupleIndexOp>(op))
    return std::nullopt;
  SmallVector<Value, 2> operands;
  if (op->hasTrait<MayGiveOperand>() || op->hasTrait<PicksElement>())
    operands.append(op->operand_begin(), op->operand_end());
  else if (!givesSelf(op))
    operands.push_back(op->getOperand(0));
  if (!llvm::all_of(operands, [](Value value) { return isa<TensorType>(value.getType()); }))
    return std::nullopt;
  return operands;
}

static std::optional<SmallVector<Value, 2>> sourcesOf(Value tensor) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  return argument ? sourcesOf(argument) : sourcesOf(cast<OpResult>(tensor));
}

bool isOpenTensor(Value value) {
  auto sources = sourcesOf(tensorBehind(value));
  return !sources || !sources->empty();
}

/// Whether `value` may be the very tensor `tensor`, by all that loops and branches may give.
static bool mayBe(Value value, Value tensor, DenseSet<Value> &seen) {
  value = tensorBehind(value);
  if (value == tensor)
    return true;
  if (!seen.insert(value).second)
    return false;
  auto sources = sourcesOf(value);
  return !sources ||
         llvm::any_of(*sources, [&](Value source) { return mayBe(source, tensor, seen); });
}

static bool mayBe(Value value, Value tensor) {
  DenseSet<Value> seen;
  return mayBe(value, tensorBehind(tensor), seen);
}

bool isUsedAfter(Value name, Operation *op) {
  return llvm::any_of(name.getUses(), [&](OpOperand &use) {
    return use.getOwner() != op && mayFollow(use.getOwner(), op, name);
  });
}

bool isTheCallers(Value tensor) {
  auto part = tensor.getDefiningOp<aten::AsStridedOp>();
  auto argument = dyn_cast<BlockArgument>(part ? part.getSelf() : tensor);
  auto func =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  unsigned number = func ? argument.getArgNumber() : 0;
  return func && !func.getArgAttr(number, slotAttr) &&
         (!part || func.getArgAttr(number, memoryAttr));
}

bool haveEqualSizes(TensorType a, TensorType b) {
  return a.hasStaticSizes() && b.hasStaticSizes() && a.getSizes() == b.getSizes();
}

/// Of a tensor of the call the caller has to be told what it has become.
LogicalResult Evaluator::noteChange(Operation *op, Value tensor, Value other, bool isOutgrown) {
  auto isIt = [&](auto &changed) { return tensorBehind(changed.second.now) == tensor; };
  auto *known = llvm::find_if(changedArguments, isIt);
  bool isKnown = known != changedArguments.end();
  if (!isKnown && !isTheCallers(tensor))
    return success();
  auto argument = isKnown ? known->first : dyn_cast<BlockArgument>(tensor);
  if (!argument)
    return op->emitOpError("expected sizes to change in place of a tensor with memory of its own, "
                           "got an argument that shares memory with another");
  auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (llvm::any_of(chosenChanges, [&](auto &chosen) { return chosen.argument == argument; }))
    return op->emitOpError("expected sizes to change in place of a tensor that is known, got an "
                           "argument whose sizes data choose");
  isOutgrown |= isKnown && known->second.isOutgrown;
  if (keepsArgumentMemory && isOutgrown)
    return op->emitOpError("expected an argument that keeps its memory where it is written, got "
                           "argument ")
           << func.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), argPathAttr)[0];
  changedArguments[argument] = {other, isOutgrown};
  return success();
}

/// Has the ways of `branch` give what `change` is and, for one that data choose, whether it is so;
/// `values` and `flags` are null for a way in which it is not.
static void give(scf::IfOp branch, Evaluator::Evaluated (&ways)[2], ArrayRef<Value> values,
                 ArrayRef<Value> flags) {
  Type type = (values[0] ? values[0] : values[1]).getType();
  for (int i : {0, 1}) {
    if (ways[i].raises)
      continue;
    OpBuilder b = OpBuilder::atBlockEnd(&branch->getRegion(i).front());
    ways[i].values.push_back(values[i] ? values[i]
                                       : PoisonOp::create(b, branch.getLoc(), type).getResult());
    if (flags.empty())
      continue;
    ways[i].values.push_back(
        flags[i] ? flags[i]
                 : arith::ConstantOp::create(b, branch.getLoc(), b.getBoolAttr(false)).getResult());
  }
}

/// The arguments that one of two ways leaves other than they were, or leaves to data.
llvm::SmallSetVector<BlockArgument, 4> Evaluator::changedIn(const Evaluated (&ways)[2],
                                                            const Changes (&changes)[2]) const {
  llvm::SmallSetVector<BlockArgument, 4> all;
  for (int i : {0, 1}) {
    if (ways[i].raises)
      continue;
    for (auto [argument, now] : changes[i].always)
      if (changedArguments.lookup(argument) != now)
        all.insert(argument);
    for (auto [argument, before] : changedArguments)
      if (changes[i].always.lookup(argument) != before)
        all.insert(argument);
  }
  return all;
}

/// What two ways have made of arguments becomes further values of theirs, those of `joined`; what
/// an argument was before them it stays. Where that is not the same in both, data choose.
void Evaluator::joinChanges(scf::IfOp branch, Evaluated (&ways)[2], const Changes (&changes)[2],
                            SmallVectorImpl<ChosenChange> &joined) {
  auto choose = [&](int i, BlockArgument argument, ChangedArgument change, Value isSo) {
    Value values[2], flags[2];
    values[i] = change.now;
    flags[i] = isSo;
    give(branch, ways, values, flags);
    joined.push_back({argument, change, isSo});
  };
  for (BlockArgument argument : changedIn(ways, changes)) {
    ChangedArgument both[2] = {changes[0].always.lookup(argument),
                               changes[1].always.lookup(argument)};
    Value now[2] = {both[0].now, both[1].now};
    bool isOne = ways[0].raises   ? bool(now[1])
                 : ways[1].raises ? bool(now[0])
                                  : now[0] && now[1] && now[0].getType() == now[1].getType() &&
                                        both[0].isOutgrown == both[1].isOutgrown;
    if (isOne) {
      give(branch, ways, now, {});
      joined.push_back({argument, both[ways[0].raises], Value()});
      continue;
    }
    changedArguments.erase(argument);
    for (int i : {0, 1}) {
      OpBuilder b = OpBuilder::atBlockEnd(&branch->getRegion(i).front());
      if (now[i] && !ways[i].raises)
        choose(i, argument, both[i],
               arith::ConstantOp::create(b, branch.getLoc(), b.getBoolAttr(true)));
    }
  }
  for (int i : {0, 1})
    for (const ChosenChange &chosen :
         ArrayRef(changes[i].chosen)
             .drop_front(ways[i].raises ? changes[i].chosen.size() : chosenChanges.size()))
      choose(i, chosen.argument, chosen.change, chosen.isSo);
}

/// The last values that the joined ways give are those of `joined`.
void Evaluator::noteJoined(ArrayRef<ChosenChange> joined, Evaluated &given) {
  for (const ChosenChange &change : llvm::reverse(joined)) {
    Value isSo = change.isSo ? given.values.pop_back_val() : Value();
    ChangedArgument now{given.values.pop_back_val(), change.change.isOutgrown};
    if (isSo)
      chosenChanges.push_back({change.argument, now, isSo});
    else
      changedArguments[change.argument] = now;
  }
}

/// Outside of the scope the tensor would not be seen to change.
bool Evaluator::isOutOfScope(Value tensor) const {
  return scope->place != Place::Function && !scope->into->isAncestor(tensor.getParentRegion());
}

/// Whether `view`, of a tensor, has all of its elements in their places, so that to become it
/// changes nothing: a squeeze without a dimension of size 1.
static bool isIdentity(Value view, Value tensor) {
  Operation *op = view.getDefiningOp();
  auto from = dyn_cast<TensorType>(tensor.getType()), to = dyn_cast<TensorType>(view.getType());
  if (!isa_and_present<ViewOpInterface>(op) || tensorBehind(op->getOperand(0)) != tensor || !from ||
      !to || !haveEqualSizes(from, to))
    return false;
  ViewOf shown = viewOf(op);
  Layout layout = layoutOf(tensor);
  auto strides = layout.strides(from.getSizes());
  return shown.kind == ViewOf::Kind::Shares && strides &&
         shown.layout.strides(to.getSizes()) == strides && shown.layout.offset() == layout.offset();
}

/// Whether `self` may be an element of a list that is used elsewhere, too, and of which this call
/// does not tell the elements: each time that one is taken would be another tensor.
static bool mayBeTakenAgain(Value self, const IRMapping &map) {
  llvm::SetVector<Value> ways;
  ways.insert(self);
  for (size_t next = 0; next < ways.size(); ++next) {
    Operation *op = ways[next].getDefiningOp();
    if (op &&
        (isa<DerefineOp, UncheckedCastOp, OverwriteOp, BecomeOp>(op) || op->hasTrait<MayBeSelf>()))
      ways.insert(op->getOperand(0));
    bool isTaken = op && (op->hasTrait<PicksElement>() || isa<ListUnpackOp>(op)) &&
                   !isa<TensorType>(op->getOperand(0).getType());
    Value list = isTaken ? map.lookupOrNull(op->getOperand(0)) : Value();
    bool isKnown = list && isa_and_present<ListOp, DictOp>(list.getDefiningOp());
    if (isTaken && !isKnown && !op->getOperand(0).hasOneUse())
      return true;
    for (Value way : waysTo(ways[next]))
      ways.insert(way);
  }
  return false;
}

void refuseGradient(OpBuilder &b, Location loc, Value tensor, StringRef message,
                    StringRef pythonClass) {
  GraphBuilder build{b, loc};
  Value needsGradient = build.op<aten::RequiresGradOp>(Tensor(build, tensor)).v;
  Value isFree = b.createOrFold<arith::XOrIOp>(loc, needsGradient, build.flag(true).v);
  GuardOp::create(b, loc, isFree, pythonClass, message, ValueRange());
}

/// The sizes and strides of dimensions that are not 1; nullopt where they are not known.
static std::optional<SmallVector<std::pair<int64_t, int64_t>>> orderOf(Value tensor) {
  auto type = dyn_cast<TensorType>(tensor.getType());
  if (!type || !type.hasStaticSizes())
    return std::nullopt;
  auto strides = layoutOf(tensor).strides(type.getSizes());
  if (!strides)
    return std::nullopt;
  SmallVector<std::pair<int64_t, int64_t>> order;
  for (auto [size, stride] : llvm::zip(type.getSizes(), *strides))
    if (size != 1)
      order.emplace_back(size, stride);
  return order;
}

/// Whether two tensors of one memory differ in dimensions of size 1 alone, so that a gradient of
/// the one is one of the other.
static bool isInOrderOf(Value view, Value tensor) {
  auto order = orderOf(view);
  return order && order == orderOf(tensor);
}

FailureOr<Evaluator::Flow> Evaluator::evaluateBecome(BecomeOp op, OpBuilder &b, IRMapping &map) {
  if (op.getValue().getDefiningOp<aten::ResizedOp>())
    return evaluateResize(op, b, map);
  Value tensor = tensorBehind(map.lookup(op.getSelf()));
  if (isIdentity(map.lookup(op.getValue()), tensor)) {
    map.map(op.getResult(), map.lookup(op.getSelf()));
    return Flow::Continues;
  }
  if (isOpenTensor(tensor) || isOutOfScope(tensor) || mayBeTakenAgain(op.getSelf(), map))
    return op.emitOpError("expected a tensor that is known where its sizes change in place");
  FailureOr<bool> may = op->hasAttr(otherAttr) ? checkSet(op, b, map) : true;
  if (failed(may) || !*may)
    return failed(may) ? FailureOr<Flow>(failure()) : Flow::Raises;
  Value value = map.lookup(op.getValue());
  if (op->hasAttr(gradientsOffAttr) && !isInOrderOf(value, tensor))
    refuseGradient(b, op.getLoc(), tensor,
                   "a change of the order of dimensions in place, where gradients are off, is not "
                   "supported of a tensor that requires gradients");
  if (failed(noteChange(op, tensor, value, /*isOutgrown=*/false)))
    return failure();
  return become(op, tensor, value, b, map);
}

/// From `op` on, which is a write to it, `tensor` is `other` by all its names.
FailureOr<Evaluator::Flow> Evaluator::become(Operation *op, Value tensor, Value other, OpBuilder &b,
                                             IRMapping &map) {
  auto isTensor = [from = tensorBehind(tensor)](Value value) {
    return isa<TensorType>(value.getType()) && tensorBehind(value) == from;
  };
  Renaming rename(b, isTensor, other);
  for (auto [name, value] : namedValues(op, map)) {
    if (isa<TensorType>(value.getType()) && isOpenTensor(value) && mayBe(value, tensor) &&
        isUsedAfter(name, op)) {
      InFlightDiagnostic diag =
          op->emitOpError("expected a tensor whose sizes change in place to have one name");
      diag.attachNote(name.getLoc()) << "this may be the same tensor";
      return diag;
    }
    map.map(name, rename(value));
  }
  map.map(op->getResult(0), map.lookup(op->getOperand(0)));
  return Flow::Continues;
}

} // namespace jit
