//===- Constants.cpp - constants of the archive, literals as attributes ---===//

#include "FunctionImporter.h"
#include "PackedParams.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"

#include <cstring>

using namespace mlir;

namespace jit {

namespace ts = torchscript;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The one element of a tensor of rank 0 as a constant; null for an element type without one, and
/// among weights.
static TypedAttr elementOf(const ArchiveTensor &tensor, MLIRContext *context) {
  Builder b(context);
  if (!tensor.constantData())
    return {};
  auto read = [&]<typename T>(T value) {
    std::memcpy(&value, tensor.constantData(), sizeof(T));
    return value;
  };
  switch (tensor.dtype) {
  case ScalarType::Long:
    return b.getI64IntegerAttr(read(int64_t()));
  case ScalarType::Int:
    return b.getI64IntegerAttr(read(int32_t()));
  case ScalarType::Bool:
    return b.getBoolAttr(read(uint8_t()) != 0);
  case ScalarType::Float:
    return b.getF64FloatAttr(read(float()));
  case ScalarType::Double:
    return b.getF64FloatAttr(read(double()));
  default:
    return {};
  }
}

Value FunctionImporter::importArchiveConstant(StringRef name, Location loc) {
  std::span<const ArchiveValue> constants = program.archive.constants();
  size_t index;
  bool isListed =
      name.consume_front("c") && !name.getAsInteger(10, index) && index < constants.size();
  Type packed = isListed ? packedTypeOf(constants[index], context) : Type();
  if (!isListed || (!packed && !constants[index].asTensor())) {
    error(loc) << "expected CONSTANTS.cN to be a tensor of the archive";
    return unknown();
  }
  auto slot = FlatSymbolRefAttr::get(context, "CONSTANTS.c" + std::to_string(index));
  if (packed)
    return SlotGetOp::create(builder, loc, packed, slot);
  const ArchiveTensor &tensor = *constants[index].asTensor();
  // Traced programs compute sizes with constants, so their numbers have to be in the program.
  if (TypedAttr element = tensor.sizes.empty() ? elementOf(tensor, context) : TypedAttr()) {
    Value number = arith::ConstantOp::create(builder, loc, element);
    return numberTensor(number, tensor.dtype, loc);
  }
  return SlotGetOp::create(builder, loc, TensorType::get(context), slot);
}

//===----------------------------------------------------------------------===//
// Literals as attributes
//===----------------------------------------------------------------------===//

Attribute literalAttribute(const ts::Expr *expr, MLIRContext *context) {
  Builder b(context);
  if (auto *number = expr->as<ts::IntExpr>())
    return b.getI64IntegerAttr(number->value);
  if (auto *number = expr->as<ts::FloatExpr>())
    return b.getF64FloatAttr(number->value);
  if (auto *flag = expr->as<ts::BoolExpr>())
    return b.getBoolAttr(flag->value);
  if (auto *text = expr->as<ts::StringExpr>())
    return b.getStringAttr(StringRef(text->value));
  if (expr->as<ts::NoneExpr>())
    return b.getUnitAttr();
  if (std::optional<std::string> name = ts::dottedName(expr))
    return StringRef(*name).starts_with("CONSTANTS.") ? FlatSymbolRefAttr::get(context, *name)
                                                      : Attribute();
  // annotate(T, value)
  if (auto *call = expr->as<ts::CallExpr>(); call && call->args.size() == 2)
    return literalAttribute(call->args.back(), context);
  ts::ExprList elements;
  if (auto *tuple = expr->as<ts::TupleExpr>())
    elements = tuple->elements;
  else if (auto *list = expr->as<ts::ListExpr>())
    elements = list->elements;
  else
    return {};
  SmallVector<Attribute> attributes;
  for (const ts::Expr *element : elements) {
    attributes.push_back(literalAttribute(element, context));
    if (!attributes.back())
      return {};
  }
  return b.getArrayAttr(attributes);
}

} // namespace jit
