//===- MobileModule.cpp - a module in the flatbuffer form -----------------===//

#include "MobileModule.h"

namespace jit {
namespace {

/// Fields of the tables by their numbers.
enum ModuleField {
  State = 3,
  Values = 4,
  Storages = 6,
  Types = 7,
  Sources = 8,
  Constants = 9,
  OperatorVersion = 10
};
enum FileField { FileName = 0, Content = 1 };
enum ValueField { ValueKind = 0, Held = 1 };
enum ListField { Items = 0, Annotation = 1 };
enum DictField { Keys = 0, DictValues = 1, DictAnnotation = 2 };
enum TypeField { TypeName = 0, AttributeNames = 2 };
enum ObjectField { TypeIndex = 0, ObjectState = 1, Attributes = 2 };
enum EnumField { EnumName = 0, EnumMember = 1 };

enum Kind : uint8_t {
  None,
  Int,
  Bool,
  Double,
  Complex,
  Tensor,
  String,
  List,
  Tuple,
  Dict,
  Object,
  IntList,
  DoubleList,
  BoolList,
  Device,
  EnumValue,
  Function,
};

constexpr std::string_view identifier = "PTMF";
constexpr std::string_view beyond = "a part of the file reaches beyond its end";

} // namespace

/// "code/__torch__/a.py" of "__torch__.a".
static std::string memberOf(std::string_view qualifier) {
  std::string path(qualifier);
  std::replace(path.begin(), path.end(), '.', '/');
  return "code/" + path + ".py";
}

Error MobileModule::withoutSource(std::string name) {
  return Error{ErrorCode::Unsupported,
               "expected the program's source beside its bytecode, got bytecode alone: in Python, "
               "torch.jit.script(module)._save_for_lite_interpreter(path) writes both",
               std::move(name)};
}

bool MobileModule::recognizes(const SharedBytes &bytes) {
  return bytes.size() >= 8 && bytes.text().substr(4, 4) == identifier;
}

Error MobileModule::malformed(std::string message) const {
  return Error{ErrorCode::Malformed, std::move(message), name};
}

Result<ZipFile> MobileModule::openMembers(SharedBytes bytes, const std::string &name,
                                          const ArchiveLimits &limits) {
  FlatBuffer buffer(bytes.span());
  FlatTable module = FlatTable::at(buffer, 0);
  FlatVector storages = module.vector(Storages, 4), sources = module.vector(Sources, 4);
  // Whoever asks for all that a program depends on gets the values, which are no members, so.
  std::vector<StoredMember> members = {{"flatbuffer", 0, bytes.size()}};
  for (uint32_t i = 0; i < storages.count && !buffer.isDamaged(); ++i) {
    FlatVector data = FlatTable::at(buffer, storages.place + 4 * uint64_t(i)).vector(0, 1);
    members.push_back({"data/" + std::to_string(i), data.place, data.count});
  }
  for (uint32_t i = 0; i < sources.count && !buffer.isDamaged(); ++i) {
    FlatTable source = FlatTable::at(buffer, sources.place + 4 * uint64_t(i));
    FlatVector text = source.vector(Content, 1);
    members.push_back({memberOf(source.string(FileName)), text.place, text.count});
  }
  if (buffer.isDamaged())
    return Error{ErrorCode::Malformed, std::string(beyond), name};
  return ZipFile::ofStored(std::move(bytes), name, std::move(members), limits);
}

Result<void> MobileModule::read() {
  FlatTable module = FlatTable::at(buffer, 0);
  operatorVersion = module.scalar<uint32_t>(OperatorVersion);
  valueTables = module.vector(Values, 4);
  objectTypes = module.vector(Types, 4);
  FlatVector constants = module.vector(Constants, 4);
  if (buffer.isDamaged())
    return malformed(std::string(beyond));
  if (!module.vector(Sources, 4).count)
    return withoutSource(name);
  for (uint32_t i = 0; i < valueTables.count; ++i) {
    Result<ArchiveValue> value = make(i);
    if (buffer.isDamaged())
      return malformed(std::string(beyond));
    if (!value)
      return value.takeError();
    built.push_back(*value);
  }
  Extent extent;
  Result<ArchiveValue> state = part(module.scalar<uint32_t>(State), extent);
  if (!state)
    return state.takeError();
  rootObject = state->asObject();
  if (!rootObject)
    return malformed("expected a module, got a " + std::string(state->kindName()));
  Result<std::vector<ArchiveValue>> pool = parts(constants, extent);
  if (!pool)
    return pool.takeError();
  constantValues = std::move(*pool);
  return {};
}

Result<ArchiveValue> MobileModule::part(uint32_t index, Extent &extent) {
  if (index >= built.size())
    return malformed("expected a value in front of what it is a part of, got number " +
                     std::to_string(index) + " of " + std::to_string(built.size()));
  extent.depth = std::max(extent.depth, extents[index].depth + 1);
  if (__builtin_add_overflow(extent.nodes, extents[index].nodes, &extent.nodes))
    extent.nodes = UINT64_MAX;
  return built[index];
}

std::string MobileModule::textOf(const FlatTable &table, unsigned field) {
  std::string_view text = table.string(field);
  spend(text.size());
  return spent > members.budget() ? std::string() : std::string(text);
}

Result<std::vector<ArchiveValue>> MobileModule::parts(FlatVector indices, Extent &extent) {
  std::vector<ArchiveValue> items;
  spend(indices.count * sizeof(ArchiveValue));
  if (spent > members.budget())
    return items;
  for (uint32_t i = 0; i < indices.count; ++i) {
    Result<ArchiveValue> item =
        part(buffer.read<uint32_t>(indices.place + 4 * uint64_t(i)), extent);
    if (!item)
      return item.takeError();
    items.push_back(*item);
  }
  return items;
}

Result<ArchiveValue> MobileModule::make(uint32_t index) {
  FlatTable value = FlatTable::at(buffer, valueTables.place + 4 * uint64_t(index));
  auto kind = value.scalar<uint8_t>(ValueKind);
  Extent extent;
  auto made = [&]() -> Result<ArchiveValue> {
    if (kind != None && kind != Function && !value.has(Held))
      return malformed("expected a value, got none");
    uint64_t held = kind == None || kind == Function ? 0 : value.structure(Held);
    switch (kind) {
    case None:
    case Function:
      return ArchiveValue();
    case Int:
      return ArchiveValue(buffer.read<int64_t>(held));
    case Bool:
      return ArchiveValue(buffer.read<uint8_t>(held) != 0);
    case Double:
      return ArchiveValue(buffer.read<double>(held));
    case Complex:
      return ArchiveValue(
          std::complex<double>(buffer.read<double>(held), buffer.read<double>(held + 8)));
    case Tensor:
      return makeTensor(value.table(Held));
    case String:
      return makeString(value.table(Held));
    case List:
      return makeList(value.table(Held), extent);
    case Tuple:
      return makeTuple(value.table(Held), extent);
    case Dict:
      return makeDict(value.table(Held), extent);
    case Object:
      return makeObject(value.table(Held), extent);
    case IntList:
    case DoubleList:
    case BoolList:
      return makeNumbers(value.table(Held), kind);
    case Device:
      return ArchiveValue(
          &std::as_const(values.devices.emplace_back(std::string(value.table(Held).string(0)))));
    case EnumValue:
      return makeEnum(value.table(Held), extent);
    }
    return malformed("expected a value of a kind from 0 to 16, got " + std::to_string(kind));
  }();
  if (extent.depth > members.limits().maxDepth ||
      extent.nodes > members.limits().maxExpandedNodes || spent > members.budget())
    return Error{ErrorCode::LimitExceeded, "values are nested too deep, or shared too often", name};
  extents.push_back(extent);
  return made;
}

Result<ArchiveValue> MobileModule::makeString(const FlatTable &value) {
  return ArchiveValue(&std::as_const(values.strings.emplace_back(textOf(value, 0))));
}

Result<ArchiveValue> MobileModule::makeList(const FlatTable &list, Extent &extent) {
  Result<std::vector<ArchiveValue>> items = parts(list.vector(Items, 4), extent);
  if (!items)
    return items.takeError();
  ArchiveList &made = values.lists.emplace_back();
  made.type = textOf(list, Annotation);
  made.items = std::move(*items);
  return ArchiveValue(&std::as_const(made));
}

Result<ArchiveValue> MobileModule::makeNumbers(const FlatTable &list, unsigned kind) {
  ArchiveList &made = values.lists.emplace_back();
  made.type = kind == IntList ? "List[int]" : kind == DoubleList ? "List[float]" : "List[bool]";
  uint64_t size = kind == BoolList ? 1 : 8;
  FlatVector numbers = list.vector(Items, size);
  spend(numbers.count * sizeof(ArchiveValue));
  if (spent > members.budget())
    numbers.count = 0;
  for (uint64_t i = 0; i < numbers.count; ++i) {
    uint64_t place = numbers.place + i * size;
    made.items.push_back(kind == IntList      ? ArchiveValue(buffer.read<int64_t>(place))
                         : kind == DoubleList ? ArchiveValue(buffer.read<double>(place))
                                              : ArchiveValue(buffer.read<uint8_t>(place) != 0));
  }
  return ArchiveValue(&std::as_const(made));
}

Result<ArchiveValue> MobileModule::makeTuple(const FlatTable &tuple, Extent &extent) {
  Result<std::vector<ArchiveValue>> items = parts(tuple.vector(Items, 4), extent);
  if (!items)
    return items.takeError();
  ArchiveTuple &made = values.tuples.emplace_back();
  made.items = std::move(*items);
  return ArchiveValue(&std::as_const(made));
}

Result<ArchiveValue> MobileModule::makeDict(const FlatTable &dict, Extent &extent) {
  Result<std::vector<ArchiveValue>> keys = parts(dict.vector(Keys, 4), extent);
  if (!keys)
    return keys.takeError();
  Result<std::vector<ArchiveValue>> held = parts(dict.vector(DictValues, 4), extent);
  if (!held)
    return held.takeError();
  if (keys->size() != held->size())
    return malformed("expected " + std::to_string(keys->size()) + " values of a dict, got " +
                     std::to_string(held->size()));
  ArchiveDict &made = values.dicts.emplace_back();
  made.type = textOf(dict, DictAnnotation);
  for (size_t i = 0; i < keys->size(); ++i)
    made.items.emplace_back((*keys)[i], (*held)[i]);
  return ArchiveValue(&std::as_const(made));
}

Result<ArchiveValue> MobileModule::makeObject(const FlatTable &object, Extent &extent) {
  auto index = object.scalar<uint32_t>(TypeIndex);
  if (index >= objectTypes.count)
    return malformed("expected one of " + std::to_string(objectTypes.count) +
                     " classes, got number " + std::to_string(index));
  FlatTable type = FlatTable::at(buffer, objectTypes.place + 4 * uint64_t(index));
  Result<std::vector<ArchiveValue>> attributes = parts(object.vector(Attributes, 4), extent);
  if (!attributes)
    return attributes.takeError();
  FlatVector names = type.vector(AttributeNames, 4);
  if (object.has(Attributes) && names.count != attributes->size())
    return malformed("expected " + std::to_string(names.count) + " attributes of " +
                     std::string(type.string(TypeName)) + ", got " +
                     std::to_string(attributes->size()));
  ArchiveObject &made = values.objects.emplace_back();
  made.className = textOf(type, TypeName);
  for (uint32_t i = 0; i < attributes->size(); ++i) {
    uint64_t place = names.place + 4 * uint64_t(i);
    place += buffer.read<uint32_t>(place);
    std::string_view attribute = buffer.text(place + 4, buffer.read<uint32_t>(place));
    spend(attribute.size() + sizeof(ArchiveValue));
    if (spent > members.budget())
      break;
    made.attributes.emplace_back(attribute, (*attributes)[i]);
  }
  if (!object.has(Attributes)) {
    Result<ArchiveValue> state = part(object.scalar<uint32_t>(ObjectState), extent);
    if (!state)
      return state.takeError();
    made.state = *state;
  }
  return ArchiveValue(&std::as_const(made));
}

Result<ArchiveValue> MobileModule::makeEnum(const FlatTable &member, Extent &extent) {
  Result<ArchiveValue> value = part(member.scalar<uint32_t>(EnumMember), extent);
  if (!value)
    return value.takeError();
  if (!value->asInt() && !value->asDouble() && !value->asString())
    return malformed("expected an enum's value as an integer, float or string, got a " +
                     std::string(value->kindName()));
  ArchiveEnum &made = values.enums.emplace_back();
  made.className = textOf(member, EnumName);
  made.value = *value;
  return ArchiveValue(&std::as_const(made));
}

} // namespace jit
