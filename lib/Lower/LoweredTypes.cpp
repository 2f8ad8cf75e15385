//===- LoweredTypes.cpp - jit tensors as builtin tensors ------------------===//

#include "Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace jit {

Type storageType(Type dtype) {
  // A bool is a byte: vectors of i1 would be packed in memory, eight to a byte.
  if (dtype.isInteger(1) || dtype.isUnsignedInteger(8))
    return IntegerType::get(dtype.getContext(), 8);
  return dtype;
}

RankedTensorType loweredType(TensorType type) {
  return RankedTensorType::get(type.getSizes(), storageType(type.getDtype()));
}
RankedTensorType loweredType(Value tensor) {
  return loweredType(cast<TensorType>(tensor.getType()));
}

Type dtypeOf(Value tensor) { return cast<TensorType>(tensor.getType()).getDtype(); }

LoweredTypes::LoweredTypes() {
  addConversion([](Type type) { return type; });
  addConversion([](TensorType type) -> std::optional<Type> {
    return type.isStatic() ? Type(loweredType(type)) : Type(type);
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

Value loadedElement(OpBuilder &b, Location loc, Value stored, Type dtype) {
  return dtype.isInteger(1) ? b.createOrFold<arith::TruncIOp>(loc, b.getI1Type(), stored) : stored;
}

Value storedElement(OpBuilder &b, Location loc, Value value, Type dtype) {
  return dtype.isInteger(1) ? b.createOrFold<arith::ExtUIOp>(loc, b.getI8Type(), value) : value;
}

Value convertedElement(OpBuilder &b, Location loc, Value stored, Type from, Type to) {
  if (from == to)
    return stored;
  Value value = convertScalar(b, loc, loadedElement(b, loc, stored, from), from, to);
  return storedElement(b, loc, value, to);
}

} // namespace jit
