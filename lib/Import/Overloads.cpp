//===- Overloads.cpp - which operator a call means ------------------------===//

#include "Overloads.h"
#include "PackedParams.h"

using namespace mlir;

namespace jit {

using Kind = SchemaType::Kind;

namespace {

/// How well a value fits: lower is better; a conversion outweighs everything else.
/// An empty list is of its own type before it is of another one's.
constexpr unsigned exact = 0, toWider = 1, toVariable = 2, toAny = 3, ofNothing = 100,
                   byConversion = 1000;

struct Fit {
  unsigned cost;
  Conversion conversion = Conversion::Same;
};

/// Fits the arguments of one call to one overload.
class Fitter {
public:
  Fitter(const Overload &overload, bool convert, MLIRContext *context)
      : overload(overload), convert(convert), context(context) {}

  /// The cost, or nothing where the call cannot mean this overload.
  std::optional<unsigned> fit(ArrayRef<CallArgument> arguments, OverloadMatch &match) {
    ArrayRef<SchemaArgument> formals = overload.schema.arguments;
    match.overload = &overload;
    match.operands.assign(formals.size(), {});
    unsigned cost = 0;
    size_t position = 0;
    amongTensors = llvm::any_of(
        arguments, [](const CallArgument &a) { return isa<TensorType>(a.value.getType()); });
    for (const CallArgument &argument : arguments) {
      size_t index = position;
      if (argument.keyword.empty())
        ++position;
      else
        index = llvm::find_if(formals, [&](auto &f) { return f.name == argument.keyword; }) -
                formals.begin();
      if (index >= formals.size() || match.operands[index].value ||
          (argument.keyword.empty() && !argument.anyPosition && formals[index].keywordOnly))
        return std::nullopt;
      std::optional<Fit> fit = value(formals[index].type, argument.value);
      if (!fit)
        return std::nullopt;
      cost += fit->cost;
      match.operands[index] = {argument.value, fit->conversion};
    }
    for (auto [formal, operand] : llvm::zip(formals, match.operands))
      if (!operand.value && !formal.defaultText)
        return std::nullopt;
    for (const SchemaType &result : overload.schema.results)
      match.results.push_back(resultType(result, variables, context));
    return cost;
  }

private:
  std::optional<Fit> value(const SchemaType &formal, Value value) {
    if (formal.kind == Kind::Optional && !isa<OptionalType, NoneType>(value.getType()))
      return this->value(formal.parts.front(), value);
    if (std::optional<unsigned> cost = type(formal, value.getType()))
      return Fit{*cost};
    if (formal.kind == Kind::List)
      if (std::optional<Fit> fit = list(formal, value))
        return fit;
    if (convert)
      return conversion(formal, value.getType());
    return std::nullopt;
  }

  /// What only lists take.
  std::optional<Fit> list(const SchemaType &formal, Value value) {
    const SchemaType &element = formal.parts.front();
    Type actual = value.getType();
    if (auto literal = value.getDefiningOp<ListOp>(); literal && literal.getElements().empty())
      return Fit{ofNothing, Conversion::Retype};
    if (auto tuple = dyn_cast<TupleType>(actual)) {
      unsigned cost = toWider;
      for (Type part : tuple.getTypes()) {
        std::optional<unsigned> partCost = type(element, part);
        if (!partCost)
          return std::nullopt;
        cost += *partCost;
      }
      return Fit{cost, Conversion::Untuple};
    }
    if (formal.fixedLength && type(element, actual))
      return Fit{toWider, Conversion::Repeat};
    return std::nullopt;
  }

  std::optional<Fit> conversion(const SchemaType &formal, Type actual) {
    bool isNumber = actual.isInteger(64) || actual.isF64() || actual.isInteger(1) ||
                    isa<NumberType, ComplexType>(actual);
    auto by = [](Conversion conversion) { return Fit{byConversion, conversion}; };
    if (formal.kind == Kind::Float && actual.isInteger(64))
      return by(Conversion::IntToFloat);
    if (formal.kind == Kind::Tensor && isNumber && amongTensors)
      return by(Conversion::NumberToTensor);
    if (!isa<TensorType>(actual))
      return std::nullopt;
    if (formal.kind == Kind::Int)
      return by(Conversion::TensorToInt);
    if (formal.kind == Kind::Float)
      return by(Conversion::TensorToFloat);
    if (formal.kind == Kind::Complex)
      return by(Conversion::TensorToComplex);
    if (formal.kind == Kind::Number)
      return by(Conversion::TensorToNumber);
    return std::nullopt;
  }

  static std::optional<unsigned> exactlyIf(bool fits) {
    return fits ? std::optional(exact) : std::nullopt;
  }

  /// The cost of a value of type \p actual as it is.
  std::optional<unsigned> type(const SchemaType &formal, Type actual) {
    switch (formal.kind) {
    case Kind::Tensor:
      return exactlyIf(isa<TensorType>(actual));
    case Kind::Int:
      return exactlyIf(actual.isInteger(64));
    case Kind::Float:
      return exactlyIf(actual.isF64());
    case Kind::Bool:
      return exactlyIf(actual.isInteger(1));
    case Kind::Complex:
      return exactlyIf(isa<ComplexType>(actual));
    case Kind::Number:
      if (actual.isInteger(64) || actual.isF64() || actual.isInteger(1) || isa<ComplexType>(actual))
        return toWider;
      return exactlyIf(isa<NumberType>(actual));
    case Kind::Str:
      return exactlyIf(isa<StrType>(actual));
    case Kind::Device:
      if (isa<StrType>(actual))
        return toWider;
      return exactlyIf(isa<DeviceType>(actual));
    case Kind::None:
      return exactlyIf(isa<NoneType>(actual));
    case Kind::Any:
      return toAny;
    case Kind::Variable:
      return variable(formal, actual);
    case Kind::List:
      if (auto list = dyn_cast<ListType>(actual))
        return type(formal.parts[0], list.getElementType());
      return std::nullopt;
    case Kind::Optional:
      if (isa<NoneType>(actual))
        return exact;
      if (auto optional = dyn_cast<OptionalType>(actual))
        actual = optional.getElementType();
      return type(formal.parts[0], actual);
    case Kind::Tuple:
      if (auto tuple = dyn_cast<TupleType>(actual))
        return all(formal.parts, tuple.getTypes());
      return std::nullopt;
    case Kind::Dict:
      if (auto dict = dyn_cast<DictType>(actual))
        return all(formal.parts, {dict.getKeyType(), dict.getValueType()});
      return std::nullopt;
    case Kind::Other:
      return exactlyIf(packedType(formal.name, context) == actual);
    }
    return std::nullopt;
  }

  std::optional<unsigned> all(ArrayRef<SchemaType> formals, ArrayRef<Type> actuals) {
    if (formals.size() != actuals.size())
      return std::nullopt;
    unsigned cost = exact;
    for (auto [formal, actual] : llvm::zip(formals, actuals)) {
      std::optional<unsigned> part = type(formal, actual);
      if (!part)
        return std::nullopt;
      cost += *part;
    }
    return cost;
  }

  std::optional<unsigned> variable(const SchemaType &formal, Type actual) {
    Type &bound = variables[formal.name];
    Type joined = bound ? joinTypes(bound, actual) : actual;
    if (!joined)
      return std::nullopt;
    bound = joined;
    return toVariable;
  }

  const Overload &overload;
  bool convert;
  MLIRContext *context;
  /// Numbers alone never mean an operator on tensors.
  bool amongTensors = false;
  llvm::StringMap<Type> variables;
};

} // namespace

std::optional<OverloadMatch> resolveOverload(ArrayRef<Overload> overloads,
                                             ArrayRef<CallArgument> arguments,
                                             MLIRContext *context) {
  for (bool convert : {false, true}) {
    std::optional<OverloadMatch> best;
    unsigned bestCost = 0;
    for (const Overload &overload : overloads) {
      OverloadMatch match;
      std::optional<unsigned> cost = Fitter(overload, convert, context).fit(arguments, match);
      if (cost && (!best || *cost < bestCost)) {
        best = std::move(match);
        bestCost = *cost;
      }
    }
    if (best)
      return best;
  }
  return std::nullopt;
}

Type resultType(const SchemaType &type, const llvm::StringMap<Type> &variables,
                MLIRContext *context) {
  auto part = [&](size_t i) { return resultType(type.parts[i], variables, context); };
  Builder b(context);
  switch (type.kind) {
  case Kind::Tensor:
    return TensorType::get(context);
  case Kind::Int:
    return b.getI64Type();
  case Kind::Float:
    return b.getF64Type();
  case Kind::Bool:
    return b.getI1Type();
  case Kind::Complex:
    return ComplexType::get(b.getF64Type());
  case Kind::Number:
    return NumberType::get(context);
  case Kind::Str:
    return StrType::get(context);
  case Kind::Device:
    return DeviceType::get(context);
  case Kind::None:
    return NoneType::get(context);
  case Kind::Variable:
    if (Type bound = variables.lookup(type.name))
      return bound;
    return AnyType::get(context);
  case Kind::List:
    return ListType::get(part(0));
  case Kind::Optional:
    return OptionalType::get(part(0));
  case Kind::Tuple: {
    SmallVector<Type> parts;
    for (size_t i = 0; i < type.parts.size(); ++i)
      parts.push_back(part(i));
    return TupleType::get(context, parts);
  }
  case Kind::Dict:
    return DictType::get(context, part(0), part(1));
  case Kind::Other:
    if (Type packed = packedType(type.name, context))
      return packed;
    break;
  case Kind::Any:
    break;
  }
  return AnyType::get(context);
}

} // namespace jit
