//===- Entries.cpp - objects as arguments and results of calls ------------===//
//
// A call gives and gets an object as the tuple of its attributes, in the order in which its class
// declares them. The object that the program works on is one of the call's own, as PyTorch makes
// one of what Python gives it: what is assigned to it does not reach the caller, and two arguments
// are two objects.
//
//===----------------------------------------------------------------------===//

#include "FunctionImporter.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

bool holdsObjects(Type type) {
  if (isa<ObjectType>(type))
    return true;
  if (auto list = dyn_cast<ListType>(type))
    return holdsObjects(list.getElementType());
  if (auto optional = dyn_cast<OptionalType>(type))
    return holdsObjects(optional.getElementType());
  if (auto dict = dyn_cast<DictType>(type))
    return holdsObjects(dict.getKeyType()) || holdsObjects(dict.getValueType());
  auto tuple = dyn_cast<TupleType>(type);
  return tuple && llvm::any_of(tuple.getTypes(), holdsObjects);
}

std::optional<Program::Attributes> Program::attributesOf(ObjectType type, Location loc) {
  const ts::ClassDef *definition = classOf(type.getClassName(), loc);
  if (!definition)
    return std::nullopt;
  Attributes attributes;
  for (const ts::AttributeDef &attribute : definition->attributes) {
    StringRef name = attribute.name;
    Type declared = attributeType(type, name, loc);
    if (!declared)
      return std::nullopt;
    attributes.push_back({name, declared});
  }
  return attributes;
}

//===----------------------------------------------------------------------===//
// The function before one that takes or gives objects
//===----------------------------------------------------------------------===//

namespace {

class EntryBuilder : OperatorBuilder {
public:
  EntryBuilder(Program &program, const Callable &callable)
      : OperatorBuilder(program.context, program.schemas, program), program(program),
        callable(callable), loc(program.location(*callable.def->file, callable.def->begin)) {}

  void build();

private:
  Type outside(Type type);
  Type outsideOf(ObjectType type);
  Value enter(Value given, Type type);
  Value leave(Value value, Type type);

  Program &program;
  const Callable &callable;
  Location loc;
  /// The classes whose attributes are looked at.
  SmallVector<ObjectType> within;
};

} // namespace

/// The type of what stands for values of `type` in a call; null after an error.
Type EntryBuilder::outside(Type type) {
  if (!holdsObjects(type))
    return type;
  if (auto object = dyn_cast<ObjectType>(type))
    return outsideOf(object);
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple) {
    program.missing(Coverage::Kind::Type, loc,
                    "objects in lists, dicts and Optionals are not supported as arguments and "
                    "results of '" +
                        callable.entry + "'");
    return {};
  }
  SmallVector<Type> parts;
  for (Type part : tuple.getTypes())
    if (Type given = outside(part))
      parts.push_back(given);
    else
      return {};
  return TupleType::get(program.context, parts);
}

Type EntryBuilder::outsideOf(ObjectType type) {
  if (llvm::is_contained(within, type)) {
    program.missing(Coverage::Kind::Type, loc,
                    "objects of the class " + type.getClassName().str() +
                        ", which hold others of it, are not supported as arguments and results");
    return {};
  }
  auto attributes = program.attributesOf(type, loc);
  if (!attributes)
    return {};
  within.push_back(type);
  SmallVector<Type> parts;
  for (auto [name, declared] : *attributes)
    if (Type given = outside(declared))
      parts.push_back(given);
    else
      return {};
  within.pop_back();
  Type tuple = TupleType::get(program.context, parts);
  if (partCount(tuple) <= maxTupleParts)
    return tuple;
  program.errorOnce(loc, "expected an object of at most " + std::to_string(maxTupleParts) +
                             " attributes, got more of " + type.getClassName().str());
  return {};
}

/// The value of `type` that a call means by `given`.
Value EntryBuilder::enter(Value given, Type type) {
  if (!holdsObjects(type))
    return given;
  auto parts =
      TupleUnpackOp::create(builder, loc, cast<TupleType>(given.getType()).getTypes(), given);
  if (auto object = dyn_cast<ObjectType>(type)) {
    Value made = CreateObjectOp::create(builder, loc, object);
    auto attributes = program.attributesOf(object, loc);
    for (auto [attribute, part] : llvm::zip(*attributes, parts.getResults())) {
      Value value = enter(part, attribute.second);
      // Lists and dicts in it are the object's own, too.
      if (isa<ListType, DictType>(attribute.second))
        value = callOperator("aten::copy", ArrayRef(value), loc);
      SetAttrOp::create(builder, loc, made, attribute.first, value);
    }
    return made;
  }
  SmallVector<Value> values;
  for (auto [part, partType] : llvm::zip(parts.getResults(), cast<TupleType>(type).getTypes()))
    values.push_back(enter(part, partType));
  return TupleOp::create(builder, loc, type, values);
}

/// What stands for `value` in what a call gives.
Value EntryBuilder::leave(Value value, Type type) {
  if (!holdsObjects(type))
    return value;
  SmallVector<Value> parts;
  if (auto object = dyn_cast<ObjectType>(type)) {
    auto attributes = program.attributesOf(object, loc);
    for (auto [name, declared] : *attributes)
      parts.push_back(leave(GetAttrOp::create(builder, loc, declared, value, name), declared));
  } else {
    auto types = cast<TupleType>(type).getTypes();
    auto unpacked = TupleUnpackOp::create(builder, loc, types, value);
    for (auto [part, partType] : llvm::zip(unpacked.getResults(), types))
      parts.push_back(leave(part, partType));
  }
  auto made = TupleType::get(program.context, llvm::to_vector(ValueRange(parts).getTypes()));
  return TupleOp::create(builder, loc, made, parts);
}

void EntryBuilder::build() {
  SmallVector<Type> types = {callable.parameters.front()};
  for (Type type : llvm::drop_begin(callable.parameters))
    types.push_back(outside(type));
  Type result = outside(callable.result);
  if (!result || llvm::is_contained(types, Type()))
    return;
  builder.setInsertionPointToEnd(program.module->getBody());
  auto function = func::FuncOp::create(builder, loc, callable.entry,
                                       FunctionType::get(program.context, types, result));
  setArgumentAttributes(function, callable);
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> operands = {function.getArgument(0)};
  for (auto [given, type] :
       llvm::zip(llvm::drop_begin(function.getArguments()), llvm::drop_begin(callable.parameters)))
    operands.push_back(enter(given, type));
  Value given =
      func::CallOp::create(builder, loc, callable.symbol, callable.result, operands).getResult(0);
  func::ReturnOp::create(builder, loc, leave(given, callable.result));
}

//===----------------------------------------------------------------------===//
// What arguments and results are to the caller
//===----------------------------------------------------------------------===//

/// `tag` and the layouts of the parts of a value; a unit where these say nothing.
static Attribute layoutOfParts(StringRef tag, ArrayRef<Attribute> parts, MLIRContext *context) {
  Builder b(context);
  if (llvm::all_of(parts, llvm::IsaPred<UnitAttr>))
    return b.getUnitAttr();
  SmallVector<Attribute> layout = {b.getStringAttr(tag)};
  llvm::append_range(layout, parts);
  return b.getArrayAttr(layout);
}

Attribute Program::layout(const ts::Expr *expr, Location loc) {
  Builder b(context);
  std::optional<std::string> name = ts::dottedName(expr);
  if (name && StringRef(*name).starts_with("__torch__.")) {
    Result<const ts::ClassDef *> found = archive.findClass(*name);
    return found ? classLayout(**found, *name, loc) : Attribute(b.getUnitAttr());
  }
  auto *generic = expr->as<ts::SubscriptExpr>();
  std::optional<std::string> base = generic ? ts::dottedName(generic->base) : std::nullopt;
  if (!base)
    return b.getUnitAttr();
  StringRef tag = llvm::StringSwitch<StringRef>(*base)
                      .Case("Tuple", "tuple")
                      .Case("List", "list")
                      .Case("Dict", "dict")
                      .Case("Optional", "optional")
                      .Default({});
  if ((*base == "Future" || *base == "Await") && generic->indices.size() == 1)
    return layout(generic->indices.front(), loc);
  if (tag.empty())
    return b.getUnitAttr();
  SmallVector<Attribute> parts;
  for (const ts::Expr *part : generic->indices)
    parts.push_back(layout(part, loc));
  return layoutOfParts(tag, parts, context);
}

/// Of an attribute, which may be of an interface, or of a field.
Attribute Program::memberLayout(StringRef className, const ts::AttributeDef &member, Location loc) {
  if (!member.type || !isInterface(member.type, loc))
    return member.type ? layout(member.type, loc) : Attribute();
  auto held = dyn_cast_or_null<ObjectType>(heldType(className, member.name, loc));
  const ts::ClassDef *definition = held ? classOf(held.getClassName(), loc) : nullptr;
  return definition ? classLayout(*definition, held.getClassName(), loc) : Attribute();
}

Attribute Program::classLayout(const ts::ClassDef &definition, StringRef name, Location loc) {
  Builder b(context);
  bool isEnum = definition.kind == ts::ClassKind::Enum;
  bool isTuple = definition.kind == ts::ClassKind::NamedTuple;
  SmallVector<Attribute> all = {b.getStringAttr(isEnum    ? "enum"
                                                : isTuple ? "namedtuple"
                                                          : "object"),
                                b.getStringAttr(name)};
  bool changes = false;
  for (const ts::AttributeDef &attribute : definition.attributes) {
    StringRef member = attribute.name;
    changes |= isAssigned(name, member);
    Attribute part = !isEnum           ? memberLayout(name, attribute, loc)
                     : attribute.value ? literalAttribute(attribute.value, context)
                                       : Attribute();
    all.push_back(b.getArrayAttr({b.getStringAttr(member), part ? part : b.getUnitAttr()}));
  }
  if (changes)
    all.front() = b.getStringAttr("changing object");
  return b.getArrayAttr(all);
}

static void setLayouts(Program &program, const Callable &callable) {
  auto function = program.module->lookupSymbol<func::FuncOp>(callable.entry);
  if (!function)
    return;
  Location loc = function.getLoc();
  auto layoutOf = [&](const ts::Expr *type) {
    Attribute layout = type ? program.layout(type, loc) : Attribute();
    return layout && !isa<UnitAttr>(layout) ? layout : Attribute();
  };
  for (auto [i, parameter] : llvm::enumerate(callable.def->parameters))
    if (Attribute layout = i ? layoutOf(parameter.type) : Attribute())
      function.setArgAttr(i, layoutAttr, layout);
  if (Attribute layout = layoutOf(callable.def->returnType))
    function.setResultAttr(0, layoutAttr, layout);
}

void importEntry(Program &program, const Callable &callable) {
  if (!callable.isKnown())
    return;
  if (!callable.isPublic)
    EntryBuilder(program, callable).build();
  setLayouts(program, callable);
}

} // namespace jit
