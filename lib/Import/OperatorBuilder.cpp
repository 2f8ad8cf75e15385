//===- OperatorBuilder.cpp - operators by their schemas -------------------===//

#include "OperatorBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

Value OperatorBuilder::callOperator(StringRef name, ArrayRef<Value> arguments, Location loc) {
  SmallVector<CallArgument> positional;
  for (Value argument : arguments)
    positional.push_back({argument, {}});
  return callOperator(name, positional, loc);
}

Value OperatorBuilder::callOperator(StringRef name, ArrayRef<CallArgument> arguments,
                                    Location loc) {
  ArrayRef<Overload> overloads = schemas.find(name);
  if (overloads.empty() && name.ends_with("_") && !name.ends_with("__"))
    return callInPlace(name, name.drop_back(), arguments, loc);
  bool known = llvm::all_of(arguments, [](const CallArgument &a) { return bool(a.value); });
  if (known)
    if (std::optional<OverloadMatch> match = resolveOverload(overloads, arguments, context))
      return buildOperator(*match, loc);
  if (known || overloads.empty())
    reportMissing(name, overloads, arguments, loc);
  return unknown();
}

bool OperatorBuilder::changesSizes(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"aten::squeeze_", "aten::unsqueeze_", "aten::transpose_", "aten::t_"}, true)
      .Cases({"aten::resize_", "aten::resize_as_", "aten::set_", "aten::swapdims_"}, true)
      .Cases({"aten::swapaxes_", "aten::as_strided_"}, true)
      .Default(false);
}

/// `list += [a, b]` appends each element; false for other arguments.
static bool appendAll(OpBuilder &builder, ArrayRef<CallArgument> arguments, Location loc) {
  if (arguments.size() != 2 || !arguments[0].value || !arguments[1].value)
    return false;
  Value list = arguments[0].value;
  auto added = arguments[1].value.getDefiningOp<ListOp>();
  if (!isa<ListType>(list.getType()) || !added || added.getType() != list.getType())
    return false;
  for (Value element : added.getElements())
    AppendOp::create(builder, loc, list, element);
  return true;
}

Value OperatorBuilder::callInPlace(StringRef name, StringRef functional,
                                   ArrayRef<CallArgument> arguments, Location loc) {
  if (name == "aten::add_" && appendAll(builder, arguments, loc))
    return arguments[0].value;
  if (changesSizes(name))
    return unsupported(loc, "operator " + name + ", which changes a tensor's sizes in place,");
  ArrayRef<Overload> overloads = schemas.find(functional);
  bool known = llvm::all_of(arguments, [](const CallArgument &a) { return bool(a.value); });
  if (!overloads.empty() && !known)
    return unknown();
  std::optional<OverloadMatch> match;
  if (!overloads.empty() && !arguments.empty() && isa<TensorType>(arguments[0].value.getType()))
    match = resolveOverload(overloads, arguments, context);
  if (!match || match->results.size() != 1 || !isa<TensorType>(match->results.front())) {
    reportMissing(name, overloads, arguments, loc);
    return unknown();
  }
  Value self = arguments.front().value;
  Value result = buildOperator(*match, loc);
  return result ? OverwriteOp::create(builder, loc, self.getType(), self, result) : unknown();
}

void OperatorBuilder::reportMissing(StringRef name, ArrayRef<Overload> overloads,
                                    ArrayRef<CallArgument> arguments, Location loc) {
  std::string text = "operator " + name.str() + " is not supported for arguments (";
  for (const CallArgument &argument : arguments) {
    if (&argument != arguments.begin())
      text += ", ";
    if (!argument.keyword.empty())
      text += argument.keyword.str() + "=";
    text += spell(argument.value ? argument.value.getType() : Type());
  }
  std::vector<std::string> notes;
  for (const Overload &overload : overloads)
    notes.push_back("supported: " + overload.text.str());
  // Where nothing of that name is there, one of its calls says it all.
  errors.errorOnce(loc, text + ")", notes, overloads.empty() ? name : StringRef());
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value OperatorBuilder::buildOperator(const OverloadMatch &match, Location loc) {
  OperationState state(loc, match.overload->operation);
  for (auto [formal, operand] : llvm::zip(match.overload->schema.arguments, match.operands)) {
    Value value = buildOperand(formal, operand, loc);
    if (!value)
      return unknown();
    state.operands.push_back(value);
  }
  // What the schema says; the inference stages know more. Early precision would only differ
  // between the paths that meet behind an if or a loop.
  state.addTypes(match.results);
  Operation *op = builder.create(state);
  if (op->getNumResults() == 1)
    return op->getResult(0);
  if (op->getNumResults() == 0)
    return noneConstant(loc);
  return TupleOp::create(builder, loc, TupleType::get(context, match.results), op->getResults());
}

/// The type that an element of a list takes on in the operator.
static Type elementTypeFor(const SchemaType &element, ArrayRef<Value> values,
                           MLIRContext *context) {
  if (element.kind != SchemaType::Kind::Variable && element.kind != SchemaType::Kind::Any)
    return resultType(element, {}, context);
  return values.empty() ? Type(AnyType::get(context)) : values.front().getType();
}

Value OperatorBuilder::elementsAs(ArrayRef<Value> elements, const SchemaType &element,
                                  Location loc) {
  Type type = elementTypeFor(element, elements, context);
  SmallVector<Value> values;
  for (Value value : elements)
    values.push_back(widen(value, type, loc, "list element"));
  if (llvm::is_contained(values, Value()))
    return unknown();
  return ListOp::create(builder, loc, ListType::get(type), values);
}

Value OperatorBuilder::buildOperand(const SchemaArgument &formal,
                                    const OverloadMatch::Operand &operand, Location loc) {
  Value value = operand.value;
  if (!value)
    return buildDefault(formal.type, *formal.defaultText, loc);
  const SchemaType &type =
      formal.type.kind == SchemaType::Kind::Optional ? formal.type.parts.front() : formal.type;
  switch (operand.conversion) {
  case Conversion::Same:
    return value;
  case Conversion::Repeat:
    return elementsAs(SmallVector<Value>(type.fixedLength, value), type.parts.front(), loc);
  case Conversion::Retype:
    return elementsAs({}, type.parts.front(), loc);
  case Conversion::Untuple: {
    auto types = cast<TupleType>(value.getType()).getTypes();
    auto unpacked = TupleUnpackOp::create(builder, loc, types, value);
    return elementsAs(llvm::to_vector_of<Value>(unpacked.getResults()), type.parts.front(), loc);
  }
  case Conversion::IntToFloat:
    return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), value);
  case Conversion::TensorToInt:
    return callOperator("aten::IntImplicit", ArrayRef(value), loc);
  case Conversion::TensorToFloat:
    return callOperator("aten::FloatImplicit", ArrayRef(value), loc);
  case Conversion::TensorToNumber:
    return callOperator("aten::ScalarImplicit", ArrayRef(value), loc);
  case Conversion::NumberToTensor:
    return callOperator("prim::NumToTensor", ArrayRef(value), loc);
  }
  return value;
}

/// The number that a word stands for in a schema's default.
static std::optional<int64_t> namedDefault(StringRef text) {
  return llvm::StringSwitch<std::optional<int64_t>>(text)
      .Cases({"contiguous_format", "strided", "none"}, 0)
      .Cases({"Mean", "preserve_format"}, 1)
      .Case("long", 4)
      .Case("float", 6)
      .Default(std::nullopt);
}

Value OperatorBuilder::buildDefault(const SchemaType &type, StringRef text, Location loc) {
  using Kind = SchemaType::Kind;
  text = text.trim();
  if (text == "None")
    return noneConstant(loc);
  if (text == "True" || text == "False")
    return boolConstant(text == "True", loc);
  if (type.kind == Kind::Optional)
    return buildDefault(type.parts.front(), text, loc);
  if (type.kind == Kind::List) {
    const SchemaType &element = type.parts.front();
    SmallVector<Value> values;
    if (text.consume_front("[")) {
      SmallVector<StringRef> parts;
      text.drop_back().split(parts, ',', -1, /*KeepEmpty=*/false);
      for (StringRef part : parts)
        values.push_back(buildDefault(element, part, loc));
    } else {
      values.assign(type.fixedLength, buildDefault(element, text, loc));
    }
    return elementsAs(values, element, loc);
  }
  if (type.kind == Kind::Str)
    return ConstantOp::create(builder, loc, text.trim("'\""));
  if (std::optional<int64_t> named = namedDefault(text))
    return intConstant(*named, loc);
  int64_t integer;
  double number;
  if (type.kind != Kind::Float && !text.getAsInteger(10, integer))
    return intConstant(integer, loc);
  if (!text.getAsDouble(number))
    return floatConstant(number, loc);
  return unsupported(loc, "the default " + text + " of an operator's argument");
}

//===----------------------------------------------------------------------===//
// Constants and types
//===----------------------------------------------------------------------===//

Value OperatorBuilder::unsupported(Location loc, const Twine &what) {
  error(loc) << what << " is not supported";
  return unknown();
}

Value OperatorBuilder::intConstant(int64_t value, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

Value OperatorBuilder::floatConstant(double value, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
}

Value OperatorBuilder::boolConstant(bool value, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

Value OperatorBuilder::noneConstant(Location loc) { return ConstantOp::create(builder, loc); }

Value OperatorBuilder::widen(Value value, Type type, Location loc, const Twine &what) {
  if (!value || !type)
    return unknown();
  if (value.getType() == type)
    return value;
  if (auto literal = value.getDefiningOp<ListOp>();
      literal && literal.getElements().empty() && isa<ListType>(type))
    return ListOp::create(builder, loc, type, ValueRange());
  if (isSubtype(value.getType(), type))
    return DerefineOp::create(builder, loc, type, value);
  error(loc) << "expected " << what << " of type " << spell(type) << ", got "
             << spell(value.getType());
  return unknown();
}

} // namespace jit
