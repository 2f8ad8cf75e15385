//===- ComplexNumbers.cpp - complex numbers as operands of tensors' operators -===//

#include "ComplexParts.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Creation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

namespace {
/// How an operator takes a number that is complex: at this place alone, by the rule of the overload
/// that takes a tensor there.
struct NumberPlace {
  unsigned place;
  StringRef rule;
};
} // namespace

static std::optional<NumberPlace> placeOfNumber(StringRef name) {
  using Place = std::optional<NumberPlace>;
  return llvm::StringSwitch<Place>(name)
      .Case("add.Scalar", Place({1, "add.Tensor"}))
      .Cases({"sub.Scalar", "subtract.Scalar"}, Place({1, "sub.Tensor"}))
      .Case("rsub.Scalar", Place({1, "rsub.Tensor"}))
      .Cases({"mul.Scalar", "multiply.Scalar"}, Place({1, "mul.Tensor"}))
      .Cases({"div.Scalar", "divide.Scalar", "true_divide.Scalar"}, Place({1, "div.Tensor"}))
      .Case("eq.Scalar", Place({1, "eq.Tensor"}))
      .Case("ne.Scalar", Place({1, "ne.Tensor"}))
      .Case("pow.Tensor_Scalar", Place({1, "pow.Tensor_Tensor"}))
      .Case("pow.Scalar", Place({0, "pow.Tensor_Tensor"}))
      .Case("masked_fill.Scalar", Place({2, "masked_fill.Scalar"}))
      .Case("index_fill.int_Scalar", Place({3, "index_fill.int_Scalar"}))
      .Case("lerp.Scalar", Place({2, "lerp.Scalar"}))
      .Case("add.Tensor", Place({2, "add.Tensor"}))
      .Case("sub.Tensor", Place({2, "sub.Tensor"}))
      .Case("rsub.Tensor", Place({2, "rsub.Tensor"}))
      .Case("full", Place({1, "full"}))
      .Default(std::nullopt);
}

bool isComplexNumber(Value value) { return isa<ComplexType>(value.getType()); }

LogicalResult checkNumbers(Operation *op) {
  auto place = placeOfNumber(op->getName().stripDialect());
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (isComplexNumber(operand) && (!place || place->place != i))
      return op->emitError("expected a real number as argument ")
             << i << " of " << op->getName() << ", got a complex one";
  return success();
}

std::optional<Parts> partsOfNumber(GraphBuilder &build, Operation *op, Value value) {
  Type type = promotedType(llvm::to_vector(op->getOperands()), /*toFloat=*/false);
  if (isComplexTensor(op->getResult(0).getType()))
    type = TensorInfo(op->getResult(0)).dtype();
  auto complex = dyn_cast_or_null<ComplexType>(type);
  if (!complex)
    return std::nullopt;
  auto tensor = [&](Float part) -> Tensor {
    return build.op<aten::ScalarTensorOp>(part, int64_t(*typeToDtype(complex.getElementType())),
                                          build.none(), build.none(), build.none());
  };
  ComplexNumber number(build, value);
  return Parts{tensor(number.re()), tensor(number.im())};
}

ComplexRule ruleOf(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (llvm::any_of(op->getOperands(), isComplexNumber))
    if (auto place = placeOfNumber(name))
      name = place->rule;
  return complexRule(name);
}

} // namespace jit
