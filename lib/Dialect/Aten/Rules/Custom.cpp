//===- Custom.cpp - calls of a user's own operators -----------------------===//

#include "Rules/Custom.h"
#include "jit/Dialect/Aten/Custom.h"
#include "jit/TensorLimits.h"

#include <limits>

using namespace mlir;

namespace jit {

static_assert(JIT_MAX_RANK == maxTensorRank);

StringRef schemaOf(Operation *op) {
  if (auto custom = dyn_cast<aten::CustomOp>(op))
    return custom.getSignature();
  auto aten = dyn_cast<AtenOpInterface>(op);
  return aten ? aten.getSchema() : StringRef();
}

StringRef operatorNameOf(Operation *op) {
  auto custom = dyn_cast<aten::CustomOp>(op);
  return custom ? custom.getSignature().take_until([](char c) { return c == '('; })
                : op->getName().getStringRef();
}

//===----------------------------------------------------------------------===//
// What sizes functions are asked with
//===----------------------------------------------------------------------===//

using Known = SizesCall::Known;

Known SizesCall::tensor(Value value, jit_value &into) {
  auto type = dyn_cast<TensorType>(value.getType());
  if (!type)
    return Known::Wrong;
  if (type.hasDtype() && isa<ComplexType>(type.getDtype()))
    return Known::Wrong;
  if (!type.isStatic())
    return Known::Some;
  into.kind = JIT_KIND_TENSOR;
  into.as.tensor = {};
  into.as.tensor.sizes = type.getSizes().data(); // the context's
  into.as.tensor.rank = int32_t(type.getRank());
  into.as.tensor.dtype = int32_t(*typeToDtype(type.getDtype()));
  return Known::All;
}

Known SizesCall::number(Value value, jit_value &into) {
  Type type = value.getType();
  if (type.isF64()) {
    // No variant is compiled for a float's value.
    into.kind = JIT_KIND_FLOAT;
    into.as.real = std::numeric_limits<double>::quiet_NaN();
    return Known::All;
  }
  if (type.isInteger(1)) {
    BoolInfo flag(value);
    into.kind = JIT_KIND_BOOL;
    into.as.integer = flag.known.value_or(false);
    return flag.known ? Known::All : Known::Some;
  }
  if (!type.isInteger(64))
    return isa<NumberType>(type) ? Known::Some : Known::Wrong;
  IntInfo number(value);
  into.kind = JIT_KIND_INT;
  into.as.integer = number.known.value_or(0);
  return number.known ? Known::All : Known::Some;
}

Known SizesCall::list(const SchemaType &type, Value value, jit_value &into) {
  if (!isa<ListType>(value.getType()))
    return Known::Wrong;
  ListInfo list(value);
  if (!list.elements)
    return Known::Some;
  SmallVector<jit_value> &items = lists.emplace_back(list.elements->size());
  Known known = Known::All;
  for (auto [element, item] : llvm::zip(*list.elements, items))
    known = std::max(known, this->value(type.parts.front(), element, item));
  into.kind = JIT_KIND_LIST;
  into.as.list.items = items.data();
  into.as.list.count = items.size();
  return known;
}

Known SizesCall::value(const SchemaType &type, Value value, jit_value &into) {
  using Kind = SchemaType::Kind;
  into = {};
  auto only = [&](bool fits) { return fits ? number(value, into) : Known::Wrong; };
  switch (type.kind) {
  case Kind::Optional:
    if (isa<OptionalType>(value.getType()))
      return Known::Some;
    return isa<NoneType>(value.getType()) ? Known::All
                                          : this->value(type.parts.front(), value, into);
  case Kind::Tensor:
    return tensor(value, into);
  case Kind::Int:
    return only(value.getType().isInteger(64));
  case Kind::Float:
    return only(value.getType().isF64());
  case Kind::Bool:
    return only(value.getType().isInteger(1));
  case Kind::Number:
    return number(value, into);
  case Kind::List:
    return list(type, value, into);
  case Kind::Str: {
    if (!isa<StrType>(value.getType()))
      return Known::Wrong;
    StrInfo text(value);
    into.kind = JIT_KIND_STRING;
    into.as.string = strings.emplace_back(text.known.value_or("")).c_str();
    return text.known ? Known::All : Known::Some;
  }
  default:
    return Known::Wrong;
  }
}

/// An argument as the schema asks for it: "Tensor", "int[]".
static std::string spelled(const SchemaType &type) {
  if (type.kind == SchemaType::Kind::List)
    return spelled(type.parts.front()) + "[]";
  if (type.kind == SchemaType::Kind::Optional)
    return spelled(type.parts.front()) + "?";
  return type.name;
}

Known SizesCall::read(const Schema &schema, ValueRange operands) {
  if (operands.size() != schema.arguments.size()) {
    what = std::to_string(schema.arguments.size()) + " arguments, got " +
           std::to_string(operands.size());
    return Known::Wrong;
  }
  Known known = Known::All;
  arguments.resize(operands.size());
  for (auto [formal, operand, into] : llvm::zip(schema.arguments, operands, arguments)) {
    Known own = value(formal.type, operand, into);
    if (own <= known)
      continue;
    known = own;
    llvm::raw_string_ostream text(what = "");
    if (own == Known::Some)
      text << "more to be known of '" << formal.name << "', got '" << operand.getType() << "'";
    else
      text << "a real " << spelled(formal.type) << " as '" << formal.name << "', got '"
           << operand.getType() << "'";
  }
  return known;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type that a sizes function gave; null for one that no tensor has.
static TensorType resultType(const jit_result_type &given, MLIRContext *context) {
  if (!scalarTypeNumbered(given.dtype) || given.rank < 0 || given.rank > JIT_MAX_RANK)
    return {};
  Type dtype = dtypeToType(ScalarType(given.dtype), context);
  ArrayRef<int64_t> sizes(given.sizes, size_t(given.rank));
  if (!dtype || isa<ComplexType>(dtype) || llvm::any_of(sizes, [](int64_t n) { return n < 0; }))
    return {};
  return TensorType::get(context, sizes, dtype);
}

static std::string describe(const jit_result_type &given) {
  std::string text = "element type " + std::to_string(given.dtype) + " and ";
  if (given.rank < 0 || given.rank > JIT_MAX_RANK)
    return text + std::to_string(given.rank) + " sizes";
  text += "sizes [";
  for (int32_t i = 0; i < given.rank; ++i)
    text += (i ? "," : "") + std::to_string(given.sizes[i]);
  return text + "]";
}

/// What the operator gives for the call; failure after an error.
static LogicalResult askSizes(const CustomOperator &op, const SizesCall &call,
                              std::optional<Location> loc, SmallVectorImpl<Type> &types,
                              MLIRContext *context) {
  std::vector<jit_result_type> results(op.schema.results.size(), jit_result_type{-1, -1, {}});
  auto error = std::make_unique<jit_error>();
  *error = {};
  if (op.sizes(call.values().data(), results.data(), error.get()) != JIT_OK) {
    error->message[sizeof error->message - 1] = 0;
    StringRef message = error->message;
    return emitOptionalError(loc, op.text, ": ",
                             message.empty() ? "expected other arguments" : message);
  }
  for (const jit_result_type &result : results) {
    TensorType type = resultType(result, context);
    if (!type)
      return emitOptionalError(loc, op.text,
                               ": expected a real element type and sizes of its sizes function, "
                               "got ",
                               describe(result));
    types.push_back(type);
  }
  return success();
}

namespace aten {

LogicalResult CustomOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                         ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &types) {
  auto schema = attributes ? attributes.getAs<StringAttr>("signature") : StringAttr();
  const CustomOperator *op =
      schema ? CustomOperators::of(context).find(schema.getValue()) : nullptr;
  if (!op)
    return emitOptionalError(loc, "expected a file of operators that has ",
                             schema ? schema.getValue() : "the operator",
                             ": give it by --operators=FILE");
  SizesCall call;
  Known known = call.read(op->schema, operands);
  if (known == Known::Wrong)
    return emitOptionalError(loc, op->text, ": expected ", call.what);
  if (known == Known::All)
    return askSizes(*op, call, loc, types, context);
  types.assign(op->schema.results.size(), TensorType::get(context));
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// What an argument of the gradient stands for; null for the gradient of a result that has none.
static Value argumentOfGradient(GradBuilder &build, CustomOp op, const Schema &schema,
                                StringRef name) {
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (name == resultGradientName(schema, i))
      return build.gradOf(result);
    if (name == resultName(schema, i))
      return result;
  }
  for (auto [argument, operand] : llvm::zip(schema.arguments, op->getOperands()))
    if (argument.name == name)
      return operand;
  return {};
}

/// The call of the operator that gives the gradients; null after an error.
static Operation *callGradient(GradBuilder &build, CustomOp op, const CustomOperator &own) {
  const CustomOperator &gradient = *own.gradient;
  OperationState state(op.getLoc(), CustomOp::getOperationName());
  for (const SchemaArgument &argument : gradient.schema.arguments) {
    Value value = argumentOfGradient(build, op, own.schema, argument.name);
    if (!value)
      return op->emitError(own.text)
                 << ": expected a result of floats, whose gradient " << gradient.text << " takes",
             nullptr;
    state.addOperands(value);
  }
  auto text = build.builder.getStringAttr(gradient.text);
  state.addAttribute("signature", text);
  SmallVector<Type> types;
  if (failed(CustomOp::inferReturnTypes(op.getContext(), op.getLoc(), state.operands,
                                        DictionaryAttr::get(op.getContext(), state.attributes),
                                        nullptr, {}, types)))
    return nullptr;
  state.addTypes(types);
  return build.builder.create(state);
}

/// Adds the gradient that is result `number` of `made` to that of the argument that it is named by.
static LogicalResult addGradient(GradBuilder &build, CustomOp op, const CustomOperator &own,
                                 Operation *made, size_t number) {
  StringRef name = own.gradient->schema.resultNames[number];
  name.consume_front("grad_");
  auto argument = llvm::find_if(own.schema.arguments,
                                [&](const SchemaArgument &formal) { return formal.name == name; });
  Any operand(build, op->getOperand(argument - own.schema.arguments.begin()));
  if (!build.wants(operand))
    return success();
  Value gradient = made->getResult(number);
  if (!areConsistent(gradient.getType(), operand.v.getType()))
    return op->emitError(own.gradient->text) << ": expected a gradient " << operand.v.getType()
                                             << " of '" << name << "', got " << gradient.getType();
  return build.add(operand, Gradient(Any(build, gradient)));
}

LogicalResult CustomOp::differentiate(GradBuilder &build) {
  const CustomOperator *own = CustomOperators::of(getContext()).find(getSignature());
  if (!own || !own->gradient)
    return emitError("expected an operator with a gradient, got ")
           << getSignature() << ": its file of operators names none";
  Operation *made = callGradient(build, *this, *own);
  if (!made)
    return failure();
  for (size_t number = 0; number < made->getNumResults(); ++number)
    if (failed(addGradient(build, *this, *own, made, number)))
      return failure();
  for (auto [formal, operand] : llvm::zip(own->schema.arguments, getOperands())) {
    bool isGiven = llvm::is_contained(own->gradient->schema.resultNames, "grad_" + formal.name);
    if (!isGiven && build.wants(Any(build, operand)))
      return emitError(own->text) << ": expected a gradient of '" << formal.name << "', which "
                                  << own->gradient->text << " does not give";
  }
  return success();
}

} // namespace aten
} // namespace jit
