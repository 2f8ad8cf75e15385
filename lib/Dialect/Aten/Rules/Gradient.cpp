//===- Gradient.cpp - builders for the rules of Gradient.td ---------------===//

#include "Rules/Gradient.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/Lists.h"

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

Decomposition requiresNoGrad(Tensor a, Operation *question) {
  if (mayRequireGrad(a.v, question, /*countsParameters=*/false))
    return a.b->notYet("to know that no gradient is required");
  return a.b->flag(false);
}

} // namespace jit
