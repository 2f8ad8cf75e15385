//===- GraphConstants.cpp - types and constants of a printed graph --------===//

#include "GraphImporter.h"
#include "PackedParams.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type GraphImporter::tensorType(const graphtext::Type &type) {
  Type dtype;
  if (!type.name.empty()) {
    std::optional<ScalarType> known = scalarTypeNamed(type.name);
    if (!known)
      return ObjectType::get(context, type.text);
    dtype = dtypeToType(*known, context);
  }
  if (!type.ranked)
    return TensorType::get(context, std::nullopt, dtype);
  SmallVector<int64_t> sizes(type.sizes.begin(), type.sizes.end());
  llvm::replace(sizes, graphtext::Type::unknownSize, TensorType::kDynamic);
  return TensorType::get(context, ArrayRef<int64_t>(sizes), dtype);
}

Type GraphImporter::namedType(const graphtext::Type &type) {
  StringRef name = type.name;
  if (Type packed = packedType(name, context))
    return packed;
  Type known = llvm::StringSwitch<Type>(name)
                   .Cases({"int", "SymInt"}, builder.getI64Type())
                   .Cases({"ScalarType", "Layout", "MemoryFormat"}, builder.getI64Type())
                   .Case("float", builder.getF64Type())
                   .Case("bool", builder.getI1Type())
                   .Case("complex", ComplexType::get(builder.getF64Type()))
                   .Case("str", StrType::get(context))
                   .Cases({"number", "Scalar"}, NumberType::get(context))
                   .Case("Device", DeviceType::get(context))
                   .Cases({"NoneType", "None"}, NoneType::get(context))
                   // A generator is never anything but None here.
                   .Cases({"Any", "Generator"}, AnyType::get(context))
                   .Default({});
  return known ? known : ObjectType::get(context, type.text);
}

Type GraphImporter::typeOf(const graphtext::Type &type) {
  using Kind = graphtext::Type::Kind;
  SmallVector<Type> parts;
  for (const graphtext::Type *part : type.parts)
    parts.push_back(typeOf(*part));
  switch (type.kind) {
  case Kind::Named:
    return namedType(type);
  case Kind::Tensor:
    return tensorType(type);
  case Kind::List:
    return ListType::get(parts.front());
  case Kind::Optional:
    return isa<OptionalType, NoneType, AnyType>(parts.front()) ? parts.front()
                                                               : OptionalType::get(parts.front());
  case Kind::Tuple:
    return TupleType::get(context, parts);
  case Kind::Union:
    return unionType(parts, context);
  case Kind::Dict:
    return DictType::get(context, parts[0], parts[1]);
  case Kind::Future:
    // What is forked is run in its place.
    return parts.front();
  }
  return {};
}

/// The same type with nothing known of its tensors.
static Type withoutSizes(Type type) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](TensorType tensor) { return TensorType::get(tensor.getContext()); });
  return replacer.replace(type);
}

Type GraphImporter::declaredType(const graphtext::Value &value) {
  Type type = value.type ? typeOf(*value.type) : Type();
  return type ? withoutSizes(type) : Type();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value GraphImporter::makeList(ArrayRef<Value> elements, Type declared, Location loc) {
  auto list = dyn_cast_or_null<ListType>(declared);
  // Without elements and without a type TorchScript takes a list of tensors.
  Type element = list               ? list.getElementType()
                 : elements.empty() ? Type(TensorType::get(context))
                                    : elements.front().getType();
  Values widened;
  for (Value value : elements)
    widened.push_back(widen(value, element, loc, "list element"));
  if (llvm::is_contained(widened, Value()))
    return unknown();
  return ListOp::create(builder, loc, ListType::get(element), widened);
}

Value GraphImporter::constantList(const Attribute &attribute, const graphtext::Type *type,
                                  Location loc) {
  bool isTuple = attribute.kind == Attribute::Kind::Tuple;
  Values elements;
  for (auto [i, element] : llvm::enumerate(attribute.elements)) {
    const graphtext::Type *part = nullptr;
    if (type && !type->parts.empty())
      part = type->parts[isTuple && i < type->parts.size() ? i : 0];
    elements.push_back(constant(element, part, loc));
  }
  if (llvm::is_contained(elements, Value()))
    return unknown();
  return isTuple ? makeTuple(elements, loc)
                 : makeList(elements, type ? withoutSizes(typeOf(*type)) : Type(), loc);
}

Value GraphImporter::constantDict(const Attribute &attribute, const graphtext::Type *type,
                                  Location loc) {
  bool isTyped = type && type->kind == graphtext::Type::Kind::Dict;
  Values entries;
  for (auto [i, entry] : llvm::enumerate(attribute.elements))
    entries.push_back(constant(entry, isTyped ? type->parts[i % 2] : nullptr, loc));
  if (llvm::is_contained(entries, Value()))
    return unknown();
  return makeDict(type ? withoutSizes(typeOf(*type)) : Type(), entries, loc);
}

/// Of one element as a number, of more as a list of them that takes on the tensor's sizes.
Value GraphImporter::constantTensor(const Attribute &attribute, const graphtext::Type *type,
                                    Location loc) {
  bool braces = attribute.text.empty();
  StringRef name = !braces ? attribute.text : type ? type->name : std::string_view();
  std::optional<ScalarType> dtype = scalarTypeNamed(name);
  bool isPlain = llvm::all_of(attribute.elements, [](const Attribute &e) {
    return e.kind == Attribute::Kind::Int || e.kind == Attribute::Kind::Float;
  });
  if (attribute.rounded)
    return unsupported(loc,
                       "a constant tensor of which the text holds four digits of each element");
  if (!dtype || !isPlain || (braces && !(type && type->ranked)))
    return unsupported(loc, "a constant tensor whose element type and sizes are not in the text");
  ArrayRef<int64_t> sizes = braces ? asArray(type->sizes) : asArray(attribute.sizes);
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return unsupported(loc, "a constant tensor of unknown sizes");
  if (count != int64_t(attribute.elements.size())) {
    error(loc) << "expected " << count << " elements of a constant tensor, got "
               << attribute.elements.size();
    return unknown();
  }
  bool floats = llvm::any_of(attribute.elements,
                             [](const Attribute &e) { return e.kind == Attribute::Kind::Float; });
  auto number = [&](const Attribute &element) -> Value {
    if (*dtype == ScalarType::Bool)
      return boolConstant(element.integer != 0, loc);
    return floats ? floatConstant(element.number, loc) : intConstant(element.integer, loc);
  };
  if (sizes.empty())
    return numberTensor(number(attribute.elements.front()), *dtype, loc);
  CallArgument dtypeArgument = {intConstant(int64_t(*dtype), loc), "dtype"};
  Values elements;
  for (const Attribute &element : attribute.elements)
    elements.push_back(number(element));
  Type elementType = *dtype == ScalarType::Bool ? Type(builder.getI1Type())
                     : floats                   ? Type(builder.getF64Type())
                                                : Type(builder.getI64Type());
  Value list = makeList(elements, ListType::get(elementType), loc);
  Value flat = callOperator("aten::tensor", {{list, {}}, dtypeArgument}, loc);
  if (sizes.size() == 1 || !flat)
    return flat;
  Values sizeValues;
  for (int64_t size : sizes)
    sizeValues.push_back(intConstant(size, loc));
  return callOperator("aten::view",
                      {flat, makeList(sizeValues, ListType::get(builder.getI64Type()), loc)}, loc);
}

Value GraphImporter::constant(const Attribute &attribute, const graphtext::Type *type,
                              Location loc) {
  using Kind = Attribute::Kind;
  if (attribute.type && attribute.kind != Kind::Type)
    type = attribute.type;
  bool isNamed = type && type->kind == graphtext::Type::Kind::Named;
  StringRef name = isNamed ? StringRef(type->name) : StringRef();
  switch (attribute.kind) {
  case Kind::Int:
    if (name == "bool")
      return boolConstant(attribute.integer != 0, loc);
    return name == "float" ? floatConstant(attribute.number, loc)
                           : intConstant(attribute.integer, loc);
  case Kind::Float:
    return floatConstant(attribute.number, loc);
  case Kind::String:
    return name == "Device" ? deviceConstant(attribute.text, loc)
                            : Value(ConstantOp::create(builder, loc, StringRef(attribute.text)));
  case Kind::Word:
    return attribute.text == "None" ? noneConstant(loc)
                                    : boolConstant(attribute.text == "True", loc);
  case Kind::List:
  case Kind::Tuple:
    return constantList(attribute, type, loc);
  case Kind::Dict:
    return constantDict(attribute, type, loc);
  case Kind::Tensor:
    return constantTensor(attribute, type, loc);
  case Kind::Complex:
    return complexConstant({attribute.number, attribute.imaginary}, loc);
  case Kind::Type:
    return unsupported(loc, "a constant of which the text holds the name alone");
  case Kind::Absent:
    break;
  }
  return unsupported(loc, "a constant of which the text holds nothing but <" +
                              StringRef(attribute.text) + ">");
}

Value GraphImporter::formConstant(const Node &node, Operands, Location loc) {
  const graphtext::Type *type = node.outputs.empty() ? nullptr : node.outputs.front().type;
  if (const Attribute *value = node.find("value"))
    return constant(*value, type, loc);
  if (type && (type->kind == graphtext::Type::Kind::Optional || isa<NoneType>(typeOf(*type))))
    return noneConstant(loc);
  return unsupported(loc, "a constant of which the text does not hold the value");
}

} // namespace jit
