//===- LoweredTypes.cpp - jit tensors as builtin tensors ------------------===//

#include "Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace jit {

Type storageType(Type dtype) {
  bool isStoredAsInteger = dtype.isUnsignedInteger() || isFloat8(dtype);
  return isStoredAsInteger ? IntegerType::get(dtype.getContext(), dtype.getIntOrFloatBitWidth())
                           : dtype;
}

RankedTensorType loweredType(TensorType type) {
  static_assert(TensorType::kDynamic == ShapedType::kDynamic);
  auto complex = dyn_cast<ComplexType>(type.getDtype());
  if (!complex)
    return RankedTensorType::get(type.getSizes(), storageType(type.getDtype()));
  SmallVector<int64_t> sizes(type.getSizes());
  sizes.push_back(2);
  return RankedTensorType::get(sizes, complex.getElementType());
}
RankedTensorType loweredType(Value tensor) {
  return loweredType(cast<TensorType>(tensor.getType()));
}

Type dtypeOf(Value tensor) { return cast<TensorType>(tensor.getType()).getDtype(); }

LoweredTypes::LoweredTypes() {
  addConversion([](Type type) { return type; });
  addConversion([](TensorType type) -> std::optional<Type> {
    return type.hasRank() && type.hasDtype() ? Type(loweredType(type)) : Type(type);
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    // A pattern may know fewer sizes than the type of the operator says, or others of those.
    if (inputs.size() == 1 && tensor::CastOp::areCastCompatible(inputs.getTypes(), type))
      return tensor::CastOp::create(builder, loc, type, inputs[0]);
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

Value convertedElement(OpBuilder &b, Location loc, Value stored, Type from, Type to) {
  return from == to ? stored : convertScalar(b, loc, stored, from, to);
}

} // namespace jit
