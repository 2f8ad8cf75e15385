//===- Gradient.cpp - builders for the rules of Gradient.td ---------------===//

#include "Rules/Gradient.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace jit {

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void aten::LeafOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), (*this)->getResult(0));
}

void aten::VariableOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), (*this)->getResult(0));
}

Type gradientType(TypeRules &infer, ListInfo inputs, IntInfo index) {
  bool isKnown = inputs.elements && index.known && *index.known >= 0 &&
                 *index.known < int64_t(inputs.elements->size());
  return isKnown ? withoutDerefine((*inputs.elements)[*index.known]).getType()
                 : Type(infer.tensor());
}

namespace {

/// Finds values that require a gradient for certain, before writes are gone: by what no write
/// reaches, no branch gives and no loop carries.
class CertainGrad {
public:
  bool of(Value value) {
    if (!isDifferentiable(value.getType()) || visits == maxVisits)
      return false;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    ++visits;
    bool answer = !isWrittenInPlace(value) && compute(value);
    return known[value] = answer;
  }

private:
  bool compute(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto func = dyn_cast_or_null<func::FuncOp>(argument.getOwner()->getParentOp());
      return func && func.getArgAttr(argument.getArgNumber(), requiresGradAttr) &&
             llvm::none_of(argument.getUsers(), llvm::IsaPred<aten::RequiresGradInPlaceOp>);
    }
    Operation *op = value.getDefiningOp();
    bool isWidened = isa<DerefineOp>(op) || isa<UncheckedCastOp>(op);
    if (isWidened || (isa<ViewOpInterface>(op) && !isa<DifferentiableOpInterface>(op)))
      return of(op->getOperand(0));
    bool isAny = isa<AtenOpInterface>(op) && op->getNumRegions() == 0 &&
                 llvm::any_of(op->getOperands(), [&](Value operand) { return of(operand); });
    if (!isAny)
      return false;
    ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
    Operation *before = op->getPrevNode();
    OpBuilder b(op);
    bool answer = isa<DifferentiableOpInterface>(op)
                      ? flowsBack(b, op)
                      : isOfBody(b, op, cast<OpResult>(value).getResultNumber());
    while (op->getPrevNode() != before) {
      for (Value built : op->getPrevNode()->getResults())
        known.erase(built);
      op->getPrevNode()->erase();
    }
    return answer;
  }

  /// The rules of the operator itself say to which operands a gradient flows back.
  bool flowsBack(OpBuilder &b, Operation *op) {
    DenseSet<Value> active;
    for (Value operand : op->getOperands())
      if (of(operand))
        active.insert(operand);
    GradientMap gradients;
    GradBuilder build(b, op, gradients, active);
    return succeeded(cast<DifferentiableOpInterface>(op).differentiate(build)) &&
           !gradients.empty();
  }

  bool isOfBody(OpBuilder &b, Operation *op, unsigned result) {
    auto composed = dyn_cast<DecomposableOpInterface>(op);
    if (!composed)
      return false;
    auto values = composed.decompose(b).values;
    return succeeded(values) && of((*values)[result]);
  }

  static constexpr unsigned maxVisits = 2000;
  unsigned visits = 0;
  DenseMap<Value, bool> known;
};

} // namespace

Decomposition requiresNoGrad(Tensor a, Operation *question) {
  if (!question->getParentOfType<LoopLikeOpInterface>() && CertainGrad().of(a.v))
    return a.b->flag(true);
  if (mayRequireGrad(a.v, question, /*countsParameters=*/false))
    return a.b->notYet("to know that no gradient is required");
  return a.b->flag(false);
}

} // namespace jit
