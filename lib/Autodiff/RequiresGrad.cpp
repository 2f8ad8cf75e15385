//===- RequiresGrad.cpp - what requires a gradient ------------------------===//

#include "RequiresGrad.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace jit {

static bool isParameter(Operation *from, StringAttr slot) {
  auto op = SymbolTable::lookupNearestSymbolFrom<SlotOp>(from, slot);
  return op && op.getParameter();
}

std::optional<bool> RequiresGrad::operator()(Value value) {
  if (isa<ListType>(value.getType())) {
    Answer any = false;
    for (const ListPiece &piece : listPieces(value).value_or(SmallVector<ListPiece>()))
      if (Answer one = (*this)(piece.tensor); one != false && any != true)
        any = one;
    return any;
  }
  auto tensor = dyn_cast<TensorType>(value.getType());
  bool mayDiffer = tensor && !tensor.hasDtype(); // of what data pick one
  if (!mayDiffer && !isDifferentiable(value.getType()))
    return false;
  if (only && value == only)
    return true;
  if (changing.contains(value))
    return std::nullopt;
  if (auto found = assumed.find(value); found != assumed.end())
    return found->second;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  auto argument = dyn_cast<BlockArgument>(value);
  Answer answer = argument ? ofArgument(argument) : ofResult(cast<OpResult>(value));
  return known[value] = answer;
}

std::optional<bool> RequiresGrad::ofCarried(Value value, Value init, Value yielded) {
  Answer start = (*this)(init);
  assumed[value] = start;
  Answer end = (*this)(yielded);
  assumed.erase(value);
  if (end == start)
    return start;
  known.clear(); // of what follows from the assumption
  changing.insert(value);
  return std::nullopt;
}

std::optional<bool> RequiresGrad::ofLoop(scf::ForOp loop, unsigned index) {
  Value init = loop.getInitArgs()[index], last = loop.getYieldedValues()[index];
  Answer start = (*this)(init), carried = (*this)(loop.getRegionIterArg(index));
  if (start == carried)
    return start;
  IntInfo lower(loop.getLowerBound()), upper(loop.getUpperBound());
  bool runs = lower.known && upper.known && *lower.known < *upper.known;
  return runs ? (*this)(last) : std::nullopt;
}

std::optional<bool> RequiresGrad::ofArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (auto func = dyn_cast<func::FuncOp>(parent)) {
    if (only)
      return false;
    auto slot = func.getArgAttrOfType<StringAttr>(index, slotAttr);
    return func.getArgAttr(index, requiresGradAttr) || (slot && isParameter(func, slot));
  }
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return ofCarried(argument, loop.getInitArgs()[index - 1], loop.getYieldedValues()[index - 1]);
  auto loop = dyn_cast<scf::WhileOp>(parent);
  if (!loop)
    return std::nullopt;
  if (argument.getOwner() == loop.getAfterBody())
    return (*this)(loop.getConditionOp().getArgs()[index]);
  return ofCarried(argument, loop.getInits()[index], loop.getYieldOp().getOperand(index));
}

/// What is one of `values`.
std::optional<bool> RequiresGrad::ofAnyOf(ArrayRef<Value> values) {
  if (values.empty())
    return std::nullopt;
  Answer first = (*this)(values.front());
  bool areAlike =
      llvm::all_of(values.drop_front(), [&](Value value) { return (*this)(value) == first; });
  return areAlike ? first : std::nullopt;
}

/// What an operator takes out of a list or dict, at a place or key that is not known.
std::optional<bool> RequiresGrad::ofElement(Operation *op) {
  SmallVector<Value> elements;
  Value container = op->getOperand(0);
  if (auto split = container.getDefiningOp<SplitOpInterface>())
    return (*this)(split->getOperand(0));
  if (auto pieces = listPieces(container))
    for (const ListPiece &piece : *pieces)
      elements.push_back(piece.tensor);
  else if (auto dict = container.getDefiningOp<DictOp>())
    llvm::append_range(elements, dict->getOperands());
  llvm::append_range(elements, op->getOperands().drop_front());
  llvm::erase_if(elements, [](Value value) { return !isa<TensorType>(value.getType()); });
  return ofAnyOf(elements);
}

std::optional<bool> RequiresGrad::ofResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (isa<aten::LeafOp>(op) && !only)
    return true;
  // One that comes later, in a loop around what is asked about.
  if (auto gradient = dyn_cast<aten::GradientOp>(op))
    return BoolInfo(gradient.getCreateGraph()).known;
  if (auto get = dyn_cast<SlotGetOp>(op))
    return !only && isParameter(op, get.getSlotAttr().getAttr());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return ofAnyOf({branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)});
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return ofAnyOf({select.getTrueValue(), select.getFalseValue()});
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return ofLoop(loop, index);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return (*this)(loop.getConditionOp().getArgs()[index]);
  if (isa<DerefineOp, UncheckedCastOp>(op))
    return (*this)(op->getOperand(0));
  if (op->hasTrait<PicksElement>() && isa<ListType, DictType>(op->getOperand(0).getType()))
    return ofElement(op);
  Answer any = false;
  for (Value operand : op->getOperands())
    if (Answer one = (*this)(operand); one != false && any != true)
      any = one;
  if (any == false)
    return false;
  return isa<DecomposableOpInterface>(op) && !isa<DifferentiableOpInterface, ViewOpInterface>(op)
             ? ofBody(op, index)
             : ofOperator(op);
}

/// Takes away what was built between `before` and `op`.
static void eraseBetween(Operation *before, Operation *op) {
  while (op->getPrevNode() != before)
    op->getPrevNode()->erase();
}

/// The rules of the operator itself say to which operands a gradient flows back.
std::optional<bool> RequiresGrad::ofOperator(Operation *op) {
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return isa<ViewOpInterface>(op) ? (*this)(op->getOperand(0)) : Answer(true);
  DenseSet<Value> active;
  auto consider = [&](Value tensor) {
    if ((*this)(tensor) != false)
      active.insert(tensor);
  };
  for (Value operand : op->getOperands()) {
    if (!isa<ListType>(operand.getType()))
      consider(operand);
    else
      for (const ListPiece &piece : listPieces(operand).value_or(SmallVector<ListPiece>()))
        consider(piece.tensor);
  }
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  Operation *before = op->getPrevNode();
  OpBuilder b(op);
  GradientMap gradients;
  GradBuilder build(b, op, gradients, active);
  bool isKnown = succeeded(differentiable.differentiate(build));
  Answer answer = false;
  for (auto [operand, gradient] : gradients)
    if (Answer one = (*this)(operand); answer != true)
      answer = one;
  eraseBetween(before, op);
  return isKnown ? answer : Answer(true);
}

/// An operator without rules is what it is made of.
std::optional<bool> RequiresGrad::ofBody(Operation *op, unsigned result) {
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  Operation *before = op->getPrevNode();
  OpBuilder b(op);
  auto values = cast<DecomposableOpInterface>(op).decompose(b).values;
  Answer answer = succeeded(values) ? (*this)((*values)[result]) : Answer(true);
  for (Operation *built = op->getPrevNode(); built != before; built = built->getPrevNode())
    built->walk([&](Operation *inner) {
      for (Value value : inner->getResults())
        known.erase(value);
    });
  eraseBetween(before, op);
  return answer;
}

} // namespace jit
