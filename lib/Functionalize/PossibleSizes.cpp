//===- PossibleSizes.cpp - sizes among which data choose ------------------===//

#include "PossibleSizes.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Jit/CapturedErrors.h"

using namespace mlir;

namespace jit {

/// Of a tensor no more are kept, and of the operands of an operator no more combinations tried.
static constexpr size_t maxSizes = 8, maxCombinations = 64;

/// The values of which `value` is one, perhaps under another type.
static SmallVector<Value> sameAs(Value value) {
  Operation *op = value.getDefiningOp();
  if (ListOp list = listPickedFrom(op))
    return llvm::to_vector(list.getElements());
  if (isa_and_present<OverwriteOp, DerefineOp, UncheckedCastOp>(op))
    return {op->getOperand(0)};
  return waysTo(value);
}

/// The tensors of open sizes, those in lists among them, from whose sizes those of the results of
/// `op` follow.
static llvm::SmallSetVector<Value, 4> openOperands(Operation *op) {
  llvm::SmallSetVector<Value, 4> tensors;
  for (Value operand : op->getOperands()) {
    auto list = operand.getDefiningOp<ListOp>();
    for (Value value : list ? ValueRange(list.getElements()) : ValueRange(operand))
      if (auto type = dyn_cast<TensorType>(value.getType()); type && !type.isStatic())
        tensors.insert(value);
  }
  return tensors;
}

/// The values from which the sizes of `value`, a tensor of open sizes, follow.
static SmallVector<Value> behind(Value value) {
  SmallVector<Value> same = sameAs(value);
  if (same.empty() && value.getDefiningOp<InferTypeOpInterface>())
    return openOperands(value.getDefiningOp()).takeVector();
  return same;
}

/// What the operands of `result`'s operator, under the types that they have now, give it; null
/// where they do not go together, which is an exception of the calls that get there.
static TensorType typeOf(OpResult result) {
  auto op = cast<InferTypeOpInterface>(result.getOwner());
  CapturedErrors captured(op->getContext());
  SmallVector<Type> types;
  if (failed(op.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                 op->getAttrDictionary(), op->getPropertiesStorage(),
                                 op->getRegions(), types)))
    return {};
  return dyn_cast<TensorType>(types[result.getResultNumber()]);
}

/// Asked under each combination of the types that the operands may have.
PossibleSizes::Types PossibleSizes::inferred(OpResult result) const {
  SmallVector<Value> operands = openOperands(result.getOwner()).takeVector();
  size_t combinations = operands.empty() ? 0 : 1;
  for (Value operand : operands) {
    const Types &types = known.find(operand)->second;
    if (!types)
      return std::nullopt;
    combinations *= types->size();
  }
  if (operands.empty() || combinations > maxCombinations)
    return std::nullopt;
  SmallVector<Type> own = llvm::map_to_vector(operands, [](Value v) { return v.getType(); });
  llvm::SmallSetVector<TensorType, 4> all;
  bool areKnown = true;
  for (size_t i = 0; i < combinations; ++i) {
    size_t rest = i;
    for (Value &operand : operands) {
      const auto &types = *known.find(operand)->second;
      operand.setType(types[rest % types.size()]);
      rest /= types.size();
    }
    if (TensorType type = typeOf(result)) {
      areKnown &= type.isStatic();
      all.insert(type);
    }
  }
  for (auto [operand, type] : llvm::zip_equal(operands, own))
    operand.setType(type);
  return areKnown ? Types(all) : std::nullopt;
}

/// What is known of `tensor` by what is known so far of those behind it.
PossibleSizes::Types PossibleSizes::now(Value tensor) const {
  if (auto type = cast<TensorType>(tensor.getType()); type.isStatic()) {
    llvm::SmallSetVector<TensorType, 4> one;
    one.insert(type);
    return one;
  }
  if (tensor.getDefiningOp<PoisonOp>()) // nothing reads it
    return Types(std::in_place);
  SmallVector<Value> same = sameAs(tensor);
  if (same.empty())
    return tensor.getDefiningOp<InferTypeOpInterface>() ? inferred(cast<OpResult>(tensor))
                                                        : std::nullopt;
  llvm::SmallSetVector<TensorType, 4> all;
  for (Value value : same) {
    const Types &types = known.find(value)->second;
    if (!types)
      return std::nullopt;
    all.insert_range(*types);
  }
  return all.size() <= maxSizes ? Types(all) : std::nullopt;
}

/// Finds the sizes of `tensor` and of all behind it: in loops they grow until nothing is new.
void PossibleSizes::settle(Value tensor) {
  SmallVector<Value> open;
  auto add = [&](Value value) {
    bool isTensor = isa<TensorType>(value.getType());
    if (known.try_emplace(value, isTensor ? Types(std::in_place) : std::nullopt).second && isTensor)
      open.push_back(value);
  };
  add(tensor);
  for (size_t next = 0; next < open.size(); ++next)
    if (!cast<TensorType>(open[next].getType()).isStatic())
      for (Value value : behind(open[next]))
        add(value);
  for (bool changed = true; changed;) {
    changed = false;
    for (Value value : llvm::reverse(open)) {
      Types types = now(value);
      Types &before = known.find(value)->second;
      changed |= before && (!types || types->size() != before->size());
      if (before)
        before = std::move(types);
    }
  }
}

std::optional<int64_t> PossibleSizes::mostElements(Value tensor) {
  settle(tensor);
  const Types &types = known.find(tensor)->second;
  if (!types || types->empty())
    return std::nullopt;
  int64_t most = 0;
  for (TensorType type : *types)
    most = std::max(most, ShapedType::getNumElements(type.getSizes()));
  return most;
}

} // namespace jit
