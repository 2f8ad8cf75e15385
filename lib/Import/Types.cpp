//===- Types.cpp - types and classes as TorchScript spells them -----------===//

#include "PackedParams.h"
#include "Program.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

/// NamedTuples may hold NamedTuples: in bad archives endlessly, or doubling at every level.
static constexpr unsigned maxTypeDepth = 64;

size_t partCount(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return 1;
  size_t count = 0;
  for (Type part : tuple.getTypes()) {
    count += partCount(part);
    if (count > maxTupleParts)
      break;
  }
  return count;
}

Type Program::type(const ts::Expr *expr, Location loc) {
  if (expr->as<ts::NoneExpr>())
    return NoneType::get(context);
  if (std::optional<std::string> name = ts::dottedName(expr))
    return namedType(*name, loc);
  if (auto *generic = expr->as<ts::SubscriptExpr>())
    if (std::optional<std::string> name = ts::dottedName(generic->base))
      return genericType(*name, generic->indices, loc);
  error(loc) << "expected a type";
  return {};
}

Type Program::namedType(StringRef name, Location loc) {
  if (Type packed = packedType(name, context))
    return packed;
  Builder b(context);
  // What entering a profiler's range gives: formRecord.
  if (name == "__torch__.torch.classes.profiler._RecordFunction")
    return b.getI64Type();
  if (name.starts_with("__torch__."))
    return classType(name, loc);
  Type type = llvm::StringSwitch<Type>(name)
                  .Case("Tensor", TensorType::get(context))
                  .Case("int", b.getI64Type())
                  .Case("float", b.getF64Type())
                  .Case("bool", b.getI1Type())
                  .Case("complex", ComplexType::get(b.getF64Type()))
                  .Case("str", StrType::get(context))
                  .Cases({"number", "Scalar"}, NumberType::get(context))
                  .Cases({"Device", "torch.device"}, DeviceType::get(context))
                  .Case("NoneType", NoneType::get(context))
                  .Case("Any", AnyType::get(context))
                  // A generator is never anything but None here.
                  .Case("Generator", NoneType::get(context))
                  .Default({});
  if (!type)
    missing(Coverage::Kind::Type, loc, "type " + name.str() + " is not supported");
  return type;
}

Type Program::genericType(StringRef name, ts::ExprList arguments, Location loc) {
  // Tuple[()] is the empty tuple.
  if (name == "Tuple" && arguments.size() == 1)
    if (auto *empty = arguments.front()->as<ts::TupleExpr>())
      arguments = empty->elements;
  SmallVector<Type> types;
  for (const ts::Expr *argument : arguments) {
    types.push_back(type(argument, loc));
    if (!types.back())
      return {};
  }
  if (name == "Tuple")
    return TupleType::get(context, types);
  // What is forked is run in its place, what is put off where it is waited for.
  if ((name == "Future" || name == "Await") && types.size() == 1)
    return types.front();
  if (name == "List" && types.size() == 1)
    return ListType::get(types.front());
  if (name == "Optional" && types.size() == 1)
    return isa<OptionalType, NoneType, AnyType>(types.front()) ? types.front()
                                                               : OptionalType::get(types.front());
  if (name == "Dict" && types.size() == 2)
    return DictType::get(context, types[0], types[1]);
  if (name == "Union" && !types.empty())
    return unionType(types, context);
  missing(Coverage::Kind::Type, loc, "type " + name.str() + "[...] is not supported");
  return {};
}

Type unionType(ArrayRef<Type> types, MLIRContext *context) {
  Type joined = types.front();
  for (Type type : types.drop_front())
    joined = joined ? joinTypes(joined, type) : Type();
  return joined ? joined : AnyType::get(context);
}

Type Program::classType(StringRef name, Location loc) {
  const ts::ClassDef *definition = classOf(name, loc);
  if (!definition)
    return {};
  switch (definition->kind) {
  case ts::ClassKind::Plain:
  case ts::ClassKind::Module:
    return ObjectType::get(context, name);
  case ts::ClassKind::NamedTuple:
    break;
  case ts::ClassKind::Enum:
    return enumType(*definition, loc);
  // A function that gets one is imported for each class that it is given.
  case ts::ClassKind::Interface:
  case ts::ClassKind::ModuleInterface:
    return AnyType::get(context);
  default:
    missing(Coverage::Kind::Type, loc,
            "class " + name.str() +
                " is not supported: expected a module, a class or a NamedTuple");
    return {};
  }
  if (typeDepth == maxTypeDepth) {
    errorOnce(loc, "expected NamedTuples nested at most " + std::to_string(maxTypeDepth) + " deep");
    return {};
  }
  SmallVector<Type> types;
  for (const ts::AttributeDef &attribute : definition->attributes) {
    ++typeDepth;
    Type member = attribute.type ? type(attribute.type, loc) : Type();
    --typeDepth;
    if (!member)
      return {};
    types.push_back(member);
  }
  Type tuple = TupleType::get(context, types);
  if (partCount(tuple) <= maxTupleParts)
    return tuple;
  errorOnce(loc, "expected a NamedTuple of at most " + std::to_string(maxTupleParts) + " parts");
  return {};
}

/// A member is a tuple of its name and value, which does not say of which Enum it is.
void Program::noteMembers(const ts::ClassDef &definition) {
  for (const ts::AttributeDef &member : definition.attributes)
    if (enumOfMember.try_emplace(member.name, &definition).first->second != &definition)
      sharedMember = member.name;
}

Type Program::enumType(const ts::ClassDef &definition, Location loc) {
  noteMembers(definition);
  Builder b(context);
  const ts::Expr *value =
      definition.attributes.empty() ? nullptr : definition.attributes.front().value;
  Type type = !value                        ? Type()
              : value->as<ts::IntExpr>()    ? Type(b.getI64Type())
              : value->as<ts::FloatExpr>()  ? Type(b.getF64Type())
              : value->as<ts::StringExpr>() ? Type(StrType::get(context))
                                            : Type();
  if (type)
    return TupleType::get(context, {StrType::get(context), type});
  missing(Coverage::Kind::Type, loc,
          "Enum " + std::string(definition.name) +
              " is not supported: expected values of type int, float or str");
  return {};
}

const ts::AttributeDef *Program::enumMember(StringRef className, StringRef member) {
  Result<const ts::ClassDef *> found = archive.findClass(className);
  bool isEnum = found && (*found)->kind == ts::ClassKind::Enum;
  if (!isEnum)
    return nullptr;
  noteMembers(**found);
  return (*found)->findAttribute(member);
}

const ts::ClassDef *Program::classOf(StringRef name, Location loc) {
  if (name.starts_with("__torch__.torch.classes."))
    return missing(Coverage::Kind::Type, loc,
                   "class " + name.str() + " is not supported: it is written in C++"),
           nullptr;
  Result<const ts::ClassDef *> found = archive.findClass(name);
  if (!found)
    return errorOnce(loc, found.error().str()), nullptr;
  return *found;
}

Type Program::attributeType(ObjectType object, StringRef name, Location loc) {
  const ts::ClassDef *definition = classOf(object.getClassName(), loc);
  if (!definition)
    return {};
  const ts::AttributeDef *attribute = definition->findAttribute(name);
  if (!attribute || !attribute->type) {
    errorOnce(loc, "expected an attribute '" + name.str() + "' of " + object.getClassName().str());
    return {};
  }
  Location at = location(*definition->file, attribute->begin);
  if (isInterface(attribute->type, at))
    return heldType(object.getClassName(), name, at);
  return type(attribute->type, at);
}

SmallVector<StringRef> Program::submodules(ObjectType object, Location loc) {
  SmallVector<StringRef> names;
  if (const ts::ClassDef *definition = classOf(object.getClassName(), loc))
    for (const ts::AttributeDef &attribute : definition->attributes)
      if (isa_and_nonnull<ObjectType>(attributeType(object, attribute.name, loc)))
        names.push_back(attribute.name);
  return names;
}

bool Program::isInterface(const ts::Expr *type, Location loc) {
  std::optional<std::string> name = ts::dottedName(type);
  if (!name || !StringRef(*name).starts_with("__torch__."))
    return false;
  Result<const ts::ClassDef *> found = archive.findClass(*name);
  return found && ((*found)->kind == ts::ClassKind::Interface ||
                   (*found)->kind == ts::ClassKind::ModuleInterface);
}

void Program::noteHeld(const ArchiveObject &object) {
  if (!heldBy.insert(&object).second)
    return;
  for (auto &[name, value] : object.attributes) {
    const ArchiveObject *part = value.asObject();
    if (!part)
      continue;
    auto [known, isNew] = held.try_emplace(object.className + "." + name, part->className);
    if (!isNew && known->second != part->className)
      known->second.clear();
    noteHeld(*part);
  }
}

Type Program::heldType(StringRef className, StringRef attribute, Location loc) {
  noteHeld(archive.root());
  std::string heldClass = held.lookup((className + "." + attribute).str());
  if (!heldClass.empty())
    return classType(heldClass, loc);
  missing(Coverage::Kind::Type, loc,
          "interface '" + attribute.str() + "' of " + className.str() +
              " is not supported: expected objects of one class in all modules");
  return {};
}

static std::string assignedKey(StringRef className, StringRef name) {
  return (className + "." + name).str();
}

void Program::noteAssigned(ObjectType object, StringRef name) {
  assigned.insert(assignedKey(object.getClassName(), name));
}

bool Program::isAssigned(StringRef className, StringRef name) const {
  return assigned.contains(assignedKey(className, name));
}

} // namespace jit
