//===- Method.cpp - a function of the program, as calls see it ------------===//

#include "Method.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/Declarations.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit {
using namespace runtime;

static ArgumentType argumentType(Type type) {
  using Kind = ArgumentType::Kind;
  // A complex number comes as a tensor of rank 0.
  if (isa<TensorType, ComplexType>(type))
    return {Kind::Tensor};
  if (auto optional = dyn_cast<OptionalType>(type))
    return {Kind::Optional, {argumentType(optional.getElementType())}};
  if (auto list = dyn_cast<ListType>(type))
    return {Kind::List, {argumentType(list.getElementType())}};
  if (auto tuple = dyn_cast<TupleType>(type)) {
    ArgumentType result{Kind::Tuple};
    for (Type element : tuple.getTypes())
      result.elements.push_back(argumentType(element));
    return result;
  }
  bool isScalar = type.isIntOrFloat() || isa<NumberType, StrType, DeviceType>(type);
  return {isScalar ? Kind::Scalar : Kind::Any};
}

static std::string describeArgument(func::FuncOp entry, unsigned index) {
  auto name = entry.getArgAttrOfType<StringAttr>(index, nameAttr);
  std::string text = name ? name.str() : "arg" + std::to_string(index);
  llvm::raw_string_ostream(text) << ": " << entry.getArgumentTypes()[index];
  return text + (entry.getArgAttr(index, defaultAttr) ? " = default" : "");
}

static llvm::json::Value toJson(Attribute layout) {
  if (auto text = dyn_cast_or_null<StringAttr>(layout))
    return llvm::json::fixUTF8(text.getValue());
  if (auto number = dyn_cast_or_null<IntegerAttr>(layout))
    return number.getInt();
  if (auto number = dyn_cast_or_null<FloatAttr>(layout))
    return number.getValueAsDouble();
  auto parts = dyn_cast_or_null<ArrayAttr>(layout);
  if (!parts)
    return nullptr;
  llvm::json::Array array;
  for (Attribute part : parts)
    array.push_back(toJson(part));
  return array;
}

/// What the arguments of the call and its result are to the caller; empty where that is plain.
static std::string layoutOf(func::FuncOp entry) {
  llvm::json::Array arguments;
  Attribute result;
  bool isPlain = true;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    Attribute layout = entry.getArgAttr(i, layoutAttr);
    isPlain &= !layout;
    if (!entry.getArgAttr(i, slotAttr))
      arguments.push_back(toJson(layout));
  }
  for (unsigned i = 0; i < entry.getNumResults() && !result; ++i)
    result = entry.getResultAttr(i, layoutAttr);
  if (isPlain && !result)
    return {};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"arguments", std::move(arguments)}, {"result", toJson(result)}});
  return text;
}

static bool writesState(func::FuncOp entry) {
  return llvm::any_of(llvm::seq(entry.getNumResults()),
                      [&](unsigned i) { return bool(entry.getResultAttr(i, slotAttr)); });
}

static bool any(func::FuncOp entry, llvm::function_ref<bool(Operation *)> test) {
  return entry
      .walk(
          [&](Operation *op) { return test(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

static bool asksByName(Operation *op) { return op->hasTrait<AsksStrides>(); }

/// Whether `op` gives a view by places in memory, which may be such as its operand leaves out.
static bool readsGaps(Operation *op) { return asksByName(op) && isa<ViewOpInterface>(op); }

/// On a declared function: what it does may depend on the strides of its arguments, as what is a
/// view and what a copy matters to those who write; it asks for strides by name; it may show what
/// lies between their elements.
static constexpr llvm::StringLiteral mayAskStridesAttr = "jit.may_ask_strides";
static constexpr llvm::StringLiteral asksByNameAttr = "jit.asks_by_name";
static constexpr llvm::StringLiteral readsGapsAttr = "jit.reads_gaps";

OwningOpRef<ModuleOp> declareProgram(ModuleOp program) {
  auto mayAsk = [](Operation *op) { return isa<OverwriteOp, BecomeOp>(op) || asksByName(op); };
  auto unit = UnitAttr::get(program.getContext());
  if (llvm::any_of(program.getOps<func::FuncOp>(),
                   [&](func::FuncOp function) { return any(function, mayAsk); }))
    program->setAttr(asksStridesAttr, unit);
  OwningOpRef<ModuleOp> declarations = declarationsOf(program);
  for (auto declared : declarations->getOps<func::FuncOp>()) {
    auto function = program.lookupSymbol<func::FuncOp>(declared.getName());
    if (any(function, mayAsk))
      declared->setAttr(mayAskStridesAttr, unit);
    if (any(function, asksByName))
      declared->setAttr(asksByNameAttr, unit);
    if (any(function, readsGaps))
      declared->setAttr(readsGapsAttr, unit);
  }
  auto b = OpBuilder::atBlockBegin(declarations->getBody());
  program.walk([&](SlotOp slot) {
    b.clone(*slot.getOperation())->setLoc(UnknownLoc::get(program.getContext()));
  });
  return declarations;
}

Result<std::unique_ptr<Method>> Method::create(func::FuncOp entry, uint32_t number,
                                               const ModuleState &state) {
  MethodInfo info{entry.getName().str(), {}, layoutOf(entry)};
  Signature signature{
      .name = info.name, .arguments = {}, .policy = {.strides = entry->hasAttr(mayAskStridesAttr)}};
  std::vector<unsigned> slots;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    if (auto path = entry.getArgAttrOfType<StringAttr>(i, slotAttr)) {
      auto slot = state.find(path.str());
      if (!slot)
        return slot.takeError();
      slots.push_back(*slot);
      continue;
    }
    if (!slots.empty())
      return Error{ErrorCode::Internal, "expected the state of '" + info.name + "' to come last"};
    signature.arguments.push_back(argumentType(entry.getArgumentTypes()[i]));
    info.arguments.push_back(describeArgument(entry, i));
  }
  std::vector<ArgumentType> types = signature.arguments;
  auto encoder = CallKeyEncoder::create(signature);
  if (!encoder)
    return encoder.takeError();
  bool strides = signature.policy.strides;
  signature.policy.sizes = SizePolicy::Symbolic;
  auto symbolic = CallKeyEncoder::create(std::move(signature));
  if (!symbolic)
    return symbolic.takeError();
  bool readsState = !slots.empty();
  std::unique_ptr<Method> method(new Method(std::move(info), number, std::move(*encoder),
                                            std::move(*symbolic), std::move(slots)));
  method->types = std::move(types);
  method->asksStrides = strides;
  method->asksItself = entry->hasAttr(asksByNameAttr);
  method->asksPlaces = entry->hasAttr(readsGapsAttr);
  method->access = writesState(entry) ? StateAccess::Write
                   : readsState       ? StateAccess::Read
                                      : StateAccess::None;
  return method;
}

static bool takesValue(const ArgumentType &type, const Value &value) {
  using Kind = ArgumentType::Kind;
  auto takesAll = [](const ArgumentType &element, const std::vector<Value> &items) {
    return llvm::all_of(items, [&](const Value &item) { return takesValue(element, item); });
  };
  const auto *list = value.getIf<List>();
  const auto *tuple = value.getIf<Tuple>();
  switch (type.kind) {
  case Kind::Tensor:
    return value.getIf<Tensor>();
  case Kind::Scalar:
    return !value.isNone() && !value.getIf<Tensor>() && !list && !tuple;
  case Kind::Optional:
    return value.isNone() || takesValue(type.elements.front(), value);
  case Kind::List:
    return list && takesAll(type.elements.front(), list->items);
  case Kind::Tuple:
    return tuple && tuple->items.size() == type.elements.size() &&
           llvm::all_of_zip(type.elements, tuple->items, takesValue);
  case Kind::Any:
    break;
  }
  return true;
}

bool Method::takes(std::span<const Value> args) const {
  return args.size() <= types.size() &&
         llvm::all_of(llvm::zip(llvm::ArrayRef(types).take_front(args.size()), args),
                      [](auto pair) { return takesValue(std::get<0>(pair), std::get<1>(pair)); });
}

Result<void> Method::encode(std::span<const Value> args, CallKind kind, ModuleState &state,
                            CallKey &key) {
  auto stateKind = kinds.present(state);
  if (!stateKind)
    return stateKind.takeError();
  CallContext context{.entry = 6 * number + 2 * uint32_t(kind.mode) + kind.exact,
                      .state = *stateKind};
  const CallKeyEncoder &used = kind.sizes == SizePolicy::Symbolic ? symbolic : encoder;
  return used.encode(args, context, key, kind.open);
}

Result<CallSpec> Method::specOf(const CallKey &key, ModuleState &state) const {
  CallSpec spec{readRecords(key.words())};
  spec.arguments.resize(description.arguments.size(), {.kind = ValueSpec::Kind::Default});
  auto stateSpecs = kinds.specs(state);
  if (!stateSpecs)
    return stateSpecs.takeError();
  llvm::append_range(spec.arguments, std::move(*stateSpecs));
  return spec;
}

} // namespace jit
