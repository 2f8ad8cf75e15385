//===- OperatorBuilder.cpp - operators by their schemas -------------------===//

#include "OperatorBuilder.h"
#include "jit/Dialect/Aten/Custom.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

bool isEnum(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  return tuple && tuple.getTypes().size() == 2 && isa<StrType>(tuple.getTypes().front());
}

Value OperatorBuilder::callOperator(StringRef name, ArrayRef<Value> arguments, Location loc) {
  SmallVector<CallArgument> positional;
  for (Value argument : arguments)
    positional.push_back({argument, {}});
  return callOperator(name, positional, loc);
}

/// Whether a division is told how to round, if only by None.
static bool rounds(ArrayRef<CallArgument> division) {
  return llvm::any_of(division.drop_front(2), [](const CallArgument &argument) {
    return argument.value && !isa<TensorType>(argument.value.getType());
  });
}

Value OperatorBuilder::callOperator(StringRef name, ArrayRef<CallArgument> arguments,
                                    Location loc) {
  Value first = arguments.empty() ? Value() : arguments.front().value;
  if (Change change = first ? findChange(name, first.getType()) : nullptr) {
    auto values = llvm::map_to_vector(arguments, [](const CallArgument &a) { return a.value; });
    return llvm::is_contained(values, Value()) ? unknown() : (this->*change)(values, loc);
  }
  if ((name == "aten::eq" || name == "aten::ne") && arguments.size() == 2 && first &&
      arguments[1].value && isEnum(first.getType()) && isEnum(arguments[1].value.getType())) {
    if (std::string shared = memberOfSeveralEnums(); !shared.empty())
      return unsupported(loc,
                         "a comparison of members of Enums, of which several have the member '" +
                             shared + "': compare their values, which");
    auto nameOf = [&](Value member) -> Value {
      return TupleIndexOp::create(builder, loc, StrType::get(context), member, 0);
    };
    return callOperator(name, {nameOf(first), nameOf(arguments[1].value)}, loc);
  }
  SmallVector<CallArgument> withNumber(arguments);
  // A division that rounds keeps its tensor.
  bool mayBeNumber = arguments.size() >= 2 && !(name == "aten::div" && rounds(arguments));
  if (mayBeNumber && arguments[1].keyword.empty())
    if (Value number = numberOf(name, arguments[1])) {
      withNumber[1].value = number;
      arguments = withNumber;
    }
  ArrayRef<Overload> overloads = schemas.find(name);
  // Of users' own operators nobody says that one is another one and a write.
  if (overloads.empty() && name.ends_with("_") && !name.ends_with("__") && !isCustomName(name))
    return callInPlace(name, name.drop_back(), arguments, loc);
  bool known = llvm::all_of(arguments, [](const CallArgument &a) { return bool(a.value); });
  if (known)
    if (std::optional<OverloadMatch> match = resolveOverload(overloads, arguments, context))
      return buildOperator(*match, loc);
  if (known)
    if (Value written = callInto(overloads, arguments, loc))
      return written;
  return known || overloads.empty() ? reportMissing(name, overloads, arguments, loc) : unknown();
}

/// Traces write a Python number as a tensor of the widest type. PyTorch's executor makes numbers of
/// them again, as they would decide on the result's type otherwise: `x * 1.5` of integers is float,
/// not double.
Value OperatorBuilder::numberOf(StringRef name, const CallArgument &operand) const {
  bool takesNumbers = llvm::StringSwitch<bool>(name)
                          .Cases({"aten::add", "aten::sub", "aten::mul", "aten::div"}, true)
                          .Default(false);
  return takesNumbers ? numbers.lookup(operand.value) : Value();
}

/// Nothing is known of what an operator that is not there gives, so nothing is wrong with its uses.
static MissingOp missingIn(ArrayRef<CallArgument> arguments) {
  for (const CallArgument &argument : arguments)
    if (auto missing = argument.value ? argument.value.getDefiningOp<MissingOp>() : MissingOp())
      return missing;
  return {};
}

Value OperatorBuilder::reportMissing(StringRef name, ArrayRef<Overload> overloads,
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
  text += ")";
  if (isCustomName(name))
    text += overloads.empty() ? "; give the file of operators that has it (--operators=FILE, or "
                                "jit_mlir.register)"
                              : "; its file has " + overloads.front().text.str();
  MissingOp before = missingIn(arguments);
  if (!before || overloads.empty())
    errors.missingOperator(loc, text, notes, overloads.empty() ? name : StringRef());
  return MissingOp::create(builder, loc, TensorType::get(context),
                           before ? before.getMessage() : StringRef(text));
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
  errors.coveredOperator();
  if (state.name.getStringRef() == aten::CustomOp::getOperationName())
    state.addAttribute("signature", builder.getStringAttr(match.overload->text));
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
    return implicitNumber("aten::FloatImplicit", value, loc);
  case Conversion::TensorToComplex:
    return implicitNumber("aten::ComplexImplicit", value, loc);
  case Conversion::TensorToNumber:
    return implicitNumber("aten::ScalarImplicit", value, loc);
  case Conversion::NumberToTensor:
    return callOperator("prim::NumToTensor", ArrayRef(value), loc);
  }
  return value;
}

static std::string unescaped(StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    char c = text[++i];
    plain += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'f' ? '\f' : c == 'v' ? '\v' : c;
  }
  return plain;
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
    return ConstantOp::create(builder, loc, unescaped(text.trim("'\"")));
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
  errors.missing(Coverage::Kind::Statement, loc, (what + " is not supported").str());
  return unknown();
}

Value OperatorBuilder::numberTensor(Value number, ScalarType dtype, Location loc) {
  Value type = intConstant(int64_t(dtype), loc);
  Value tensor = callOperator("aten::scalar_tensor", {{number, {}}, {type, "dtype"}}, loc);
  if (tensor && !number.getType().isInteger(1))
    numbers[tensor] = number;
  return tensor;
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

Value OperatorBuilder::deviceConstant(StringRef name, Location loc) {
  return ConstantOp::create(builder, loc, DeviceType::get(context), builder.getStringAttr(name));
}

Value OperatorBuilder::noneConstant(Location loc) { return ConstantOp::create(builder, loc); }

Value OperatorBuilder::complexConstant(std::complex<double> number, Location loc) {
  return ComplexOp::create(builder, loc, floatConstant(number.real(), loc),
                           floatConstant(number.imag(), loc));
}

Value OperatorBuilder::implicitNumber(StringRef name, Value tensor, Location loc) {
  if (Value requiresGrad = callOperator("prim::requires_grad", ArrayRef(tensor), loc))
    raiseUnless(arith::XOrIOp::create(builder, loc, requiresGrad, boolConstant(true, loc)),
                "Cannot input a tensor that requires grad as a scalar argument",
                "builtins.RuntimeError", loc);
  return callOperator(name, ArrayRef(tensor), loc);
}

Value OperatorBuilder::convert(Value value, Type type, Location loc) {
  if (!value || !type || !isa<TensorType>(value.getType()) || value.getDefiningOp<MissingOp>())
    return value;
  StringRef name = type.isInteger(64)       ? "aten::IntImplicit"
                   : type.isF64()           ? "aten::FloatImplicit"
                   : isa<ComplexType>(type) ? "aten::ComplexImplicit"
                   : isa<NumberType>(type)  ? "aten::ScalarImplicit"
                                            : "";
  return name.empty() ? value : implicitNumber(name, value, loc);
}

Value OperatorBuilder::widen(Value value, Type type, Location loc, const Twine &what) {
  if (!value || !type)
    return unknown();
  if (value.getType() == type)
    return value;
  if (auto literal = value.getDefiningOp<ListOp>();
      literal && literal.getElements().empty() && isa<ListType>(type))
    return ListOp::create(builder, loc, type, ValueRange());
  if (auto literal = value.getDefiningOp<DictOp>();
      literal && literal.getKeys().empty() && isa<DictType>(type))
    return DictOp::create(builder, loc, type, ValueRange(), ValueRange());
  if (value.getDefiningOp<MissingOp>())
    return PoisonOp::create(builder, loc, type);
  if (isSubtype(value.getType(), type))
    return DerefineOp::create(builder, loc, type, value);
  error(loc) << "expected " << what << " of type " << spell(type) << ", got "
             << spell(value.getType());
  return unknown();
}

} // namespace jit
