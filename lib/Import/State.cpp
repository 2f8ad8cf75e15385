//===- State.cpp - the saved objects to slots -----------------------------===//
//
// State is flat: each attribute that is not itself an object becomes a jit.slot under its path from
// the root, as state_dict names it. What two paths reach is one slot and an alias.
//
//===----------------------------------------------------------------------===//

#include "FunctionImporter.h"
#include "PackedParams.h"
#include "Program.h"
#include "RestoredObjects.h"
#include "TensorSlots.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

namespace {
class StateImporter {
public:
  explicit StateImporter(Program &program)
      : program(program), context(program.context), builder(context),
        restoredObjects(program.archive) {
    builder.setInsertionPointToStart(program.module->getBody());
    program.module->walk([&](BecomeOp) { changesSizes = true; });
  }

  void importConstants() {
    Location loc = program.module->getLoc();
    for (auto [i, value] : llvm::enumerate(program.archive.constants())) {
      std::string path = "CONSTANTS.c" + std::to_string(i);
      if (value.asTensor())
        slot(path, TensorType::get(context), value, false, loc);
      else if (Type packed = packedTypeOf(value, context))
        slot(path, packed, value, false, loc);
    }
  }

  void importObject(const std::string &path, const ArchiveObject &object, Location usedAt);

private:
  void importAttribute(const std::string &path, const ArchiveObject &object,
                       const ts::ClassDef &definition, const ts::AttributeDef &attribute);
  bool slotOfObject(const std::string &path, Type type, Location loc);
  bool slotOfObjects(const std::string &path, Type type, const ArchiveValue &value, Location loc);
  std::optional<Program::Attributes> plainAttributes(Type type, Location loc);
  void slot(const std::string &path, Type type, const ArchiveValue &value, bool parameter,
            Location loc);
  SlotOp slot(const std::string &path, Type type, Attribute value, bool parameter, Location loc) {
    return SlotOp::create(builder, loc, builder.getStringAttr(path), TypeAttr::get(type), value,
                          parameter ? builder.getUnitAttr() : UnitAttr());
  }
  void alias(const std::string &path, const std::string &target, Location loc) {
    AliasOp::create(builder, loc, builder.getStringAttr(path), builder.getStringAttr(target));
  }
  /// The value as an attribute; tensors inside containers become slots of their own. Null after an
  /// error.
  Attribute attribute(const std::string &path, Type type, const ArchiveValue &value, Location loc);
  Attribute elements(const std::string &path, ArrayRef<ArchiveValue> values,
                     function_ref<Type(size_t)> typeOf, Location loc);
  Attribute element(const std::string &path, Type type, const ArchiveValue &value, Location loc);
  /// The tuple that stands for an object in a container; null, without an error, for one that
  /// cannot be.
  Attribute attributesOf(const std::string &path, const ArchiveObject &object, TupleType tuple,
                         Location loc);
  /// The tuple that stands for an object with the weights of a quantized layer.
  Attribute packedParams(const std::string &path, const ArchiveObject &object, Location loc);

  Program &program;
  MLIRContext *context;
  OpBuilder builder;
  RestoredObjects restoredObjects;
  llvm::DenseMap<const ArchiveObject *, std::string> objectPaths;
  llvm::StringMap<std::string> tensorPaths;
  /// Whether some function changes the sizes of a tensor in place.
  bool changesSizes = false;
};
} // namespace

void importState(Program &program) {
  StateImporter importer(program);
  importer.importObject("", program.archive.root(), program.module->getLoc());
  importer.importConstants();
}

static std::string join(const std::string &path, StringRef name) {
  return path.empty() ? name.str() : path + "." + name.str();
}

void StateImporter::importObject(const std::string &path, const ArchiveObject &object,
                                 Location usedAt) {
  auto [known, isNew] = objectPaths.try_emplace(&object, path);
  if (!isNew)
    return alias(path, known->second, usedAt);
  const ts::ClassDef *definition = program.classOf(object.className, usedAt);
  if (!definition)
    return;
  std::string reason;
  const ArchiveObject *restored = restoredObjects.restored(object, *definition, reason);
  if (!restored)
    return program.missing(Coverage::Kind::Type, usedAt, reason);
  // Tensors first: containers may hold them too.
  for (bool tensors : {true, false})
    for (const ts::AttributeDef &attribute : definition->attributes) {
      const ArchiveValue *value = restored->find(attribute.name);
      if (attribute.type && tensors == bool(value && value->asTensor()))
        importAttribute(join(path, attribute.name), *restored, *definition, attribute);
    }
}

void StateImporter::importAttribute(const std::string &path, const ArchiveObject &object,
                                    const ts::ClassDef &definition,
                                    const ts::AttributeDef &attribute) {
  Location loc = program.location(*definition.file, attribute.begin);
  const ArchiveValue *value = object.find(attribute.name);
  const ArchiveObject *part = value ? value->asObject() : nullptr;
  if (part && !packedTypeOf(*value, context))
    return importObject(path, *part, loc);
  Type type = program.type(attribute.type, loc);
  if (!type)
    return;
  if (part)
    if (auto [known, isNew] = objectPaths.try_emplace(part, path); !isNew)
      return alias(path, known->second, loc);
  if (!value) {
    Attribute literal = attribute.value ? literalAttribute(attribute.value, context) : Attribute();
    if (literal) {
      slot(path, type, literal, false, loc);
      return;
    }
    program.errorOnce(loc, "expected a value of '" + path + "' in the archive");
    return;
  }
  bool isAssigned = program.isAssigned(object.className, attribute.name);
  if (isAssigned ? value->isNone() && slotOfObject(path, type, loc)
                 : slotOfObjects(path, type, *value, loc))
    return;
  bool isParameter = llvm::is_contained(definition.parameters, attribute.name);
  // An attribute that is assigned comes to hold something of its own, and sizes that change in
  // place are those of one tensor of several in a memory.
  if (value->asTensor() && !isAssigned && (isParameter || !changesSizes)) {
    auto [known, isNew] = tensorPaths.try_emplace(viewKey(*value->asTensor()), path);
    if (!isNew)
      return alias(path, known->second, loc);
  }
  slot(path, type, *value, isParameter, loc);
}

/// The attributes of a class of which none holds an object itself; none for any other type.
std::optional<Program::Attributes> StateImporter::plainAttributes(Type type, Location loc) {
  auto object = dyn_cast_or_null<ObjectType>(type);
  auto attributes = object ? program.attributesOf(object, loc) : std::nullopt;
  if (!attributes || llvm::any_of(*attributes, [](const auto &attribute) {
        return holdsObjects(attribute.second);
      }))
    return std::nullopt;
  return attributes;
}

/// The tuple that stands for an object in a slot, and the names of its parts.
static std::pair<Type, ArrayAttr> tupleOf(const Program::Attributes &attributes, Builder &b) {
  SmallVector<Type> types;
  SmallVector<StringRef> names;
  for (auto [name, declared] : attributes) {
    names.push_back(name);
    types.push_back(declared);
  }
  return {TupleType::get(b.getContext(), types), b.getStrArrayAttr(names)};
}

/// What is None and comes to hold an object has a slot for the tuple of its attributes; false for
/// any other type.
bool StateImporter::slotOfObject(const std::string &path, Type type, Location loc) {
  auto optional = dyn_cast<OptionalType>(type);
  auto attributes = plainAttributes(optional ? optional.getElementType() : Type(), loc);
  if (!attributes)
    return false;
  auto [tuple, names] = tupleOf(*attributes, builder);
  auto slot =
      SlotOp::create(builder, loc, builder.getStringAttr(path),
                     TypeAttr::get(OptionalType::get(tuple)), builder.getUnitAttr(), UnitAttr());
  slot->setAttr(attributesAttr, names);
  return true;
}

/// A list or dict of objects that the program leaves as they are is one of the tuples of their
/// attributes; false for any other.
bool StateImporter::slotOfObjects(const std::string &path, Type type, const ArchiveValue &value,
                                  Location loc) {
  auto list = dyn_cast<ListType>(type);
  auto dict = dyn_cast<DictType>(type);
  auto object = dyn_cast_or_null<ObjectType>(list   ? list.getElementType()
                                             : dict ? dict.getValueType()
                                                    : Type());
  auto attributes = plainAttributes(object, loc);
  bool isChanged = attributes && llvm::any_of(*attributes, [&](const auto &attribute) {
                     return program.isAssigned(object.getClassName(), attribute.first);
                   });
  if (!attributes || isChanged)
    return false;
  auto [tuple, names] = tupleOf(*attributes, builder);
  type = list ? Type(ListType::get(tuple)) : Type(DictType::get(context, dict.getKeyType(), tuple));
  Attribute held = attribute(path, type, value, loc);
  if (!held)
    return true;
  auto slot = SlotOp::create(builder, loc, builder.getStringAttr(path), TypeAttr::get(type), held,
                             UnitAttr());
  slot->setAttr(attributesAttr, names);
  return true;
}

void StateImporter::slot(const std::string &path, Type type, const ArchiveValue &value,
                         bool parameter, Location loc) {
  Attribute held = attribute(path, type, value, loc);
  if (!held)
    return;
  const ArchiveTensor *tensor = value.asTensor();
  if (tensor)
    type = isa<OptionalType>(type) ? Type(OptionalType::get(storedType(*tensor, context)))
                                   : Type(storedType(*tensor, context));
  SlotOp made = slot(path, type, held, parameter, loc);
  if (tensor)
    markRecord(made, *tensor);
}

Attribute StateImporter::elements(const std::string &path, ArrayRef<ArchiveValue> values,
                                  function_ref<Type(size_t)> typeOf, Location loc) {
  SmallVector<Attribute> attributes;
  for (auto [i, value] : llvm::enumerate(values)) {
    attributes.push_back(element(join(path, std::to_string(i)), typeOf(i), value, loc));
    if (!attributes.back())
      return {};
  }
  return builder.getArrayAttr(attributes);
}

Attribute StateImporter::element(const std::string &path, Type type, const ArchiveValue &value,
                                 Location loc) {
  const ArchiveTensor *tensor = value.asTensor();
  if (!tensor)
    return attribute(path, type, value, loc);
  // nn.LSTM keeps its parameters in a list beside.
  if (auto known = tensorPaths.find(viewKey(*tensor)); known != tensorPaths.end())
    return FlatSymbolRefAttr::get(context, known->second);
  slot(path, type, value, false, loc);
  return FlatSymbolRefAttr::get(context, path);
}

Attribute StateImporter::attributesOf(const std::string &path, const ArchiveObject &object,
                                      TupleType tuple, Location loc) {
  const ts::ClassDef *definition = program.classOf(object.className, loc);
  if (!definition)
    return {};
  std::string reason;
  const ArchiveObject *restored = restoredObjects.restored(object, *definition, reason);
  if (!restored)
    return program.missing(Coverage::Kind::Type, loc, reason), Attribute();
  SmallVector<ArchiveValue> parts;
  for (const ts::AttributeDef &attribute : definition->attributes)
    if (const ArchiveValue *part = restored->find(attribute.name))
      parts.push_back(*part);
  if (parts.size() == tuple.getTypes().size())
    return elements(path, parts, [&](size_t i) { return tuple.getTypes()[i]; }, loc);
  program.errorOnce(loc, "expected an object with " + std::to_string(tuple.getTypes().size()) +
                             " attributes in '" + path + "', got one of " + object.className);
  return {};
}

/// A number as a tensor of rank 0; null for any other value.
static Attribute rankZero(const ArchiveValue &value, MLIRContext *context) {
  Builder b(context);
  TypedAttr number;
  if (const double *real = value.asDouble())
    number = b.getF64FloatAttr(*real);
  else if (const int64_t *integer = value.asInt())
    number = b.getI64IntegerAttr(*integer);
  return number ? DenseElementsAttr::get(RankedTensorType::get({}, number.getType()), number)
                : Attribute();
}

Attribute StateImporter::packedParams(const std::string &path, const ArchiveObject &object,
                                      Location loc) {
  Result<ArchiveTuple> parts = unpackParams(object);
  if (!parts) {
    if (parts.error().code == ErrorCode::Unsupported)
      program.missing(Coverage::Kind::Type, loc, "'" + path + "': " + parts.error().str());
    else
      program.errorOnce(loc, "'" + path + "': " + parts.error().str());
    return {};
  }
  ArrayRef<Type> types = cast<TupleType>(packedType(object.className, context)).getTypes();
  SmallVector<Attribute> attributes;
  for (auto [i, value] : llvm::enumerate(parts->items)) {
    Attribute number = rankZero(value, context);
    attributes.push_back(number ? number
                                : element(join(path, std::to_string(i)), types[i], value, loc));
    if (!attributes.back())
      return {};
  }
  return builder.getArrayAttr(attributes);
}

Attribute StateImporter::attribute(const std::string &path, Type type, const ArchiveValue &value,
                                   Location loc) {
  if (auto optional = dyn_cast<OptionalType>(type); optional && !value.isNone())
    type = optional.getElementType();
  switch (value.kind()) {
  case ArchiveValue::Kind::None:
    return builder.getUnitAttr();
  case ArchiveValue::Kind::Bool:
    return builder.getBoolAttr(*value.asBool());
  case ArchiveValue::Kind::Int:
    return builder.getI64IntegerAttr(*value.asInt());
  case ArchiveValue::Kind::Double:
    return builder.getF64FloatAttr(*value.asDouble());
  case ArchiveValue::Kind::String:
    return builder.getStringAttr(*value.asString());
  case ArchiveValue::Kind::Device:
    return builder.getStringAttr(value.asDevice()->name);
  case ArchiveValue::Kind::Tensor:
    return storageOf(*value.asTensor(), context);
  case ArchiveValue::Kind::List: {
    auto list = dyn_cast<ListType>(type);
    Type element = list ? list.getElementType() : Type(AnyType::get(context));
    return elements(path, value.asList()->items, [&](size_t) { return element; }, loc);
  }
  case ArchiveValue::Kind::Tuple: {
    auto tuple = dyn_cast<TupleType>(type);
    auto typeOf = [&](size_t i) -> Type {
      return tuple && i < tuple.getTypes().size() ? tuple.getTypes()[i] : AnyType::get(context);
    };
    return elements(path, value.asTuple()->items, typeOf, loc);
  }
  case ArchiveValue::Kind::Dict: {
    auto dict = dyn_cast<DictType>(type);
    SmallVector<Attribute> pairs;
    for (auto [i, item] : llvm::enumerate(value.asDict()->items)) {
      auto typeOf = [&](size_t side) {
        return !dict       ? Type(AnyType::get(context))
               : side == 0 ? dict.getKeyType()
                           : dict.getValueType();
      };
      ArchiveValue sides[2] = {item.first, item.second};
      pairs.push_back(elements(join(path, std::to_string(i)), sides, typeOf, loc));
      if (!pairs.back())
        return {};
    }
    return builder.getArrayAttr(pairs);
  }
  case ArchiveValue::Kind::Enum: {
    const ArchiveEnum &member = *value.asEnum();
    Attribute held = attribute(path, AnyType::get(context), member.value, loc);
    const ts::ClassDef *definition = program.classOf(member.className, loc);
    if (!held || !definition)
      return {};
    for (const ts::AttributeDef &candidate : definition->attributes)
      if (candidate.value && literalAttribute(candidate.value, context) == held)
        return builder.getArrayAttr({builder.getStringAttr(StringRef(candidate.name)), held});
    break;
  }
  case ArchiveValue::Kind::Object:
    if (packedTypeOf(value, context))
      return packedParams(path, *value.asObject(), loc);
    if (auto tuple = dyn_cast<TupleType>(type))
      return attributesOf(path, *value.asObject(), tuple, loc);
    break;
  case ArchiveValue::Kind::Complex: {
    std::complex<double> number = *value.asComplex();
    return builder.getF64ArrayAttr({number.real(), number.imag()});
  }
  case ArchiveValue::Kind::QuantizedTensor:
    break;
  }
  program.missing(Coverage::Kind::Type, loc,
                  "'" + path + "' holds a value of kind " + std::string(value.kindName()) +
                      ", which is not supported");
  return {};
}

} // namespace jit
