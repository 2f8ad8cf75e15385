//===- GradRules.cpp - the builder of gradients ---------------------------===//

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

bool isDifferentiable(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa_and_nonnull<FloatType, ComplexType>(tensor.getDtype());
}

Value GradBuilder::gradOf(Value result) {
  if (Value gradient = gradients.lookup(result))
    return gradient;
  return isDifferentiable(result.getType()) ? zerosLike(Tensor(*this, result)).v : Value();
}

/// The tensors that an operand is made of: itself, or the pieces of a list.
static SmallVector<Value> partsOf(Value operand) {
  if (!isa<ListType>(operand.getType()))
    return {operand};
  SmallVector<Value> parts;
  for (const ListPiece &piece : listPieces(operand).value_or(SmallVector<ListPiece>()))
    parts.push_back(piece.tensor);
  return parts;
}

bool GradBuilder::wants(Any operand) {
  asked.push_back(operand.v);
  return llvm::any_of(partsOf(operand.v), [&](Value part) { return active.contains(part); });
}

LogicalResult GradBuilder::finish() {
  for (Value operand : forward->getOperands())
    if (!llvm::is_contained(asked, operand) &&
        llvm::any_of(partsOf(operand), [&](Value part) { return active.contains(part); }))
      return forward->emitError("expected '")
             << forward->getName() << "' to have a gradient for each of its operands";
  return success();
}

/// Several tensor operands of a pointwise operator broadcast against each other.
static bool mayBroadcast(Operation *op) {
  return isa<PointwiseOpInterface>(op) &&
         llvm::count_if(op->getOperandTypes(), llvm::IsaPred<TensorType>) > 1;
}

/// `gradient` summed to the sizes of `operand`.
Value GradBuilder::summed(Value operand, Value gradient) {
  auto to = cast<TensorType>(operand.getType()), from = cast<TensorType>(gradient.getType());
  bool broadcasts = mayBroadcast(forward);
  bool same = to.hasRank() && from.hasRank() && to.getSizes() == from.getSizes() &&
              (to.hasStaticSizes() || forward->getNumOperands() == 1);
  if (same && !broadcasts)
    return gradient;
  IntList sizes(*this, multi<aten::SizeOp>(operand)->getResult(0));
  // Of the sizes in the forward pass only the answer is kept for the backward pass.
  Value size = sizes.v;
  if (broadcasts) {
    Value result = multi<aten::SizeOp>(forward->getResult(0))->getResult(0);
    size = multi<aten::SizeIfNotEqualOp>(sizes, result)->getResult(0);
  }
  Value sum = op<aten::GradSumToSizeOp>(gradient, size).v;
  if (Type known = meetTypes(sum.getType(), to.withDtype(from.getDtype())))
    sum.setType(known);
  return sum;
}

bool isZeros(Value gradient) {
  return isa_and_nonnull<aten::ZerosLikeOp, aten::ZerosOp>(gradient.getDefiningOp());
}

/// Complex tensors are pairs of real ones by now, but for what leaves the graph.
static Tensor sumOf(GraphBuilder &build, Tensor a, Tensor b) {
  if (!isComplexTensor(a.v.getType()))
    return a + b;
  Tensor x = build.op<aten::ViewAsRealOp>(a), y = build.op<aten::ViewAsRealOp>(b);
  return build.op<aten::ViewAsComplexOp>(x + y);
}

void accumulate(GraphBuilder &build, GradientMap &gradients, Value value, Value gradient) {
  Value &sum = gradients[value];
  if (!sum || isZeros(sum))
    sum = gradient;
  else if (!isZeros(gradient))
    sum = sumOf(build, Tensor(build, sum), Tensor(build, gradient)).v;
}

LogicalResult GradBuilder::add(Any operand, Gradient gradient) {
  SmallVector<Value> operands = partsOf(operand.v);
  if (::mlir::failed(gradient.values) || failed || gradient.values->size() != operands.size())
    return forward->emitError("expected more to be known of the operands of '")
           << forward->getName() << "' to differentiate it" << needsClause(gradient.needs);
  for (auto [value, part] : llvm::zip(operands, *gradient.values)) {
    if (!active.contains(value) || isa<NoneType>(part.getType()))
      continue;
    Value sum = summed(value, part);
    auto dtype = cast<TensorType>(value.getType()).getDtype();
    if (dtype != cast<TensorType>(sum.getType()).getDtype())
      sum = op<aten::ToDTypeOp>(sum, int64_t(*typeToDtype(dtype)), false, false, none()).v;
    accumulate(*this, gradients, value, sum);
  }
  return success(!failed);
}

} // namespace jit
