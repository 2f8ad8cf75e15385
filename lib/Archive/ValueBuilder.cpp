//===- ValueBuilder.cpp - values from an inert pickle ---------------------===//

#include "ValueBuilder.h"

namespace jit {

Error ValueBuilder::unsupported(PickleRef ref, std::string message) const {
  return tree.error(ErrorCode::Unsupported, ref, std::move(message));
}

Error ValueBuilder::malformed(PickleRef ref, std::string message) const {
  return tree.error(ErrorCode::Malformed, ref, std::move(message));
}

Result<ArchiveValue> ValueBuilder::run() {
  Result<ArchiveValue> root = valueOf(tree.root());
  while (root && !pending.empty()) {
    Pending next = pending.back();
    pending.pop_back();
    if (Result<void> filled = fill(next); !filled)
      return filled.takeError();
  }
  return root;
}

/// One node is one value, however often it is referred to.
Result<ArchiveValue> ValueBuilder::valueOf(PickleRef ref) {
  if (built[ref])
    return *built[ref];
  Result<ArchiveValue> value = make(ref);
  if (value)
    built[ref] = *value;
  return value;
}

Result<ArchiveValue> ValueBuilder::make(PickleRef ref) {
  const PickleNode &node = tree[ref];
  switch (node.kind) {
  case PickleKind::None:
    return ArchiveValue();
  case PickleKind::Bool:
    return ArchiveValue(node.boolean);
  case PickleKind::Int:
    return ArchiveValue(node.integer);
  case PickleKind::Double:
    return ArchiveValue(node.number);
  case PickleKind::String:
    return ArchiveValue(&std::as_const(values.strings.emplace_back(std::string(node.text))));
  case PickleKind::List:
  case PickleKind::Tuple:
  case PickleKind::Dict:
    return makeContainer(ref, "");
  case PickleKind::Object:
    return makeObject(ref);
  case PickleKind::Reduce:
    return makeCall(ref);
  case PickleKind::Bytes:
  case PickleKind::Set:
  case PickleKind::Global:
  case PickleKind::PersistentId:
    return unsupported(ref, "a " + std::string(pickleKindName(node.kind)) +
                                " as a value is not handled");
  }
  return unsupported(ref, "value is not handled");
}

Result<ArchiveValue> ValueBuilder::makeContainer(PickleRef ref, std::string type) {
  switch (tree[ref].kind) {
  case PickleKind::List: {
    ArchiveList &list = values.lists.emplace_back();
    list.type = std::move(type);
    pending.push_back({.ref = ref, .list = &list});
    return ArchiveValue(&std::as_const(list));
  }
  case PickleKind::Dict: {
    ArchiveDict &dict = values.dicts.emplace_back();
    dict.type = std::move(type);
    pending.push_back({.ref = ref, .dict = &dict});
    return ArchiveValue(&std::as_const(dict));
  }
  default: {
    ArchiveTuple &tuple = values.tuples.emplace_back();
    pending.push_back({.ref = ref, .tuple = &tuple});
    return ArchiveValue(&std::as_const(tuple));
  }
  }
}

Result<ArchiveValue> ValueBuilder::makeObject(PickleRef ref) {
  const PickleNode &node = tree[ref];
  const PickleNode &args = tree[node.items[1]];
  std::string_view className = tree[node.items[0]].text;
  if (!className.starts_with("__torch__."))
    return unsupported(ref, "objects of class " + std::string(className) + " are not handled");
  if (args.kind != PickleKind::Tuple || !args.items.empty())
    return malformed(ref, "expected an object without arguments");
  ArchiveObject &object = values.objects.emplace_back();
  object.className = className;
  pending.push_back({.ref = ref, .object = &object});
  return ArchiveValue(&std::as_const(object));
}

Result<ArchiveValue> ValueBuilder::makeCall(PickleRef ref) {
  struct TypedList {
    std::string_view global, type;
  };
  static constexpr TypedList typedLists[] = {
      {"torch.jit._pickle.build_intlist", "List[int]"},
      {"torch.jit._pickle.build_doublelist", "List[float]"},
      {"torch.jit._pickle.build_boollist", "List[bool]"},
      {"torch.jit._pickle.build_tensorlist", "List[Tensor]"},
  };
  std::string_view callable = tree[tree[ref].items[0]].text;
  if (tree[ref].items.size() > 2)
    return unsupported(ref, "state of the result of " + std::string(callable) + " is not handled");
  for (const TypedList &candidate : typedLists)
    if (candidate.global == callable)
      return makeTypedList(ref, candidate.type);
  if (callable == "torch.jit._pickle.restore_type_tag")
    return makeTagged(ref);
  if (callable == "torch.device")
    return makeDevice(ref);
  if (callable == "builtins.complex")
    return makeComplex(ref);
  if (callable.starts_with("__torch__."))
    return makeEnum(ref);
  if (TensorStorage::isQuantizedRebuild(callable)) {
    Result<ArchiveQuantizedTensor> tensor = storage.rebuildQuantized(tree, ref);
    if (!tensor)
      return tensor.takeError();
    return ArchiveValue(&std::as_const(values.quantizedTensors.emplace_back(std::move(*tensor))));
  }
  if (!TensorStorage::isRebuild(callable))
    return unsupported(ref, "a call of " + std::string(callable) + " is not handled");
  Result<ArchiveTensor> tensor = storage.rebuild(tree, ref);
  if (!tensor)
    return tensor.takeError();
  return ArchiveValue(&std::as_const(values.tensors.emplace_back(std::move(*tensor))));
}

/// `build_intlist([...])`.
Result<ArchiveValue> ValueBuilder::makeTypedList(PickleRef ref, std::string_view type) {
  const PickleNode &args = tree[tree[ref].items[1]];
  if (args.kind != PickleKind::Tuple || args.items.size() != 1 ||
      tree[args.items[0]].kind != PickleKind::List)
    return malformed(ref, "expected a list to build a " + std::string(type) + " of");
  if (built[args.items[0]])
    return *built[args.items[0]];
  Result<ArchiveValue> list = makeContainer(args.items[0], std::string(type));
  built[args.items[0]] = *list;
  return list;
}

/// `restore_type_tag(value, "Dict[str, int]")`.
Result<ArchiveValue> ValueBuilder::makeTagged(PickleRef ref) {
  const PickleNode &args = tree[tree[ref].items[1]];
  if (args.kind != PickleKind::Tuple || args.items.size() != 2 ||
      tree[args.items[1]].kind != PickleKind::String)
    return malformed(ref, "expected a value and its type");
  PickleRef inner = args.items[0];
  bool container = tree[inner].kind == PickleKind::List || tree[inner].kind == PickleKind::Dict;
  if (!container || built[inner])
    return valueOf(inner);
  Result<ArchiveValue> value = makeContainer(inner, std::string(tree[args.items[1]].text));
  built[inner] = *value;
  return value;
}

/// `Color(2)`; TorchScript gives the value itself as the arguments, Python would give a tuple of
/// it.
Result<ArchiveValue> ValueBuilder::makeEnum(PickleRef ref) {
  PickleRef value = tree[ref].items[1];
  if (tree[value].kind == PickleKind::Tuple && tree[value].items.size() == 1)
    value = tree[value].items[0];
  PickleKind kind = tree[value].kind;
  if (kind != PickleKind::Int && kind != PickleKind::Double && kind != PickleKind::String)
    return malformed(ref, "expected an enum's value as an integer, float or string, got a " +
                              std::string(pickleKindName(kind)));
  Result<ArchiveValue> scalar = valueOf(value);
  if (!scalar)
    return scalar;
  ArchiveEnum &member = values.enums.emplace_back();
  member.className = tree[tree[ref].items[0]].text;
  member.value = *scalar;
  return ArchiveValue(&std::as_const(member));
}

Result<ArchiveValue> ValueBuilder::makeComplex(PickleRef ref) {
  const PickleNode &args = tree[tree[ref].items[1]];
  if (args.kind != PickleKind::Tuple || args.items.size() != 2 ||
      tree[args.items[0]].kind != PickleKind::Double ||
      tree[args.items[1]].kind != PickleKind::Double)
    return malformed(ref, "expected a complex number's two parts");
  return ArchiveValue(std::complex<double>(tree[args.items[0]].number, tree[args.items[1]].number));
}

Result<ArchiveValue> ValueBuilder::makeDevice(PickleRef ref) {
  const PickleNode &args = tree[tree[ref].items[1]];
  bool valid = args.kind == PickleKind::Tuple && !args.items.empty() && args.items.size() <= 2 &&
               tree[args.items[0]].kind == PickleKind::String &&
               (args.items.size() == 1 || tree[args.items[1]].kind == PickleKind::Int);
  if (!valid)
    return malformed(ref, "expected a device's type and index");
  std::string name(tree[args.items[0]].text);
  if (args.items.size() == 2)
    name += ":" + std::to_string(tree[args.items[1]].integer);
  return ArchiveValue(&std::as_const(values.devices.emplace_back(std::move(name))));
}

Result<void> ValueBuilder::fill(const Pending &next) {
  if (next.list)
    return fillItems(tree[next.ref].items, next.list->items);
  if (next.tuple)
    return fillItems(tree[next.ref].items, next.tuple->items);
  return next.dict ? fillDict(next.ref, *next.dict) : fillObject(next.ref, *next.object);
}

Result<void> ValueBuilder::fillItems(const std::vector<PickleRef> &refs,
                                     std::vector<ArchiveValue> &items) {
  items.reserve(refs.size());
  for (PickleRef ref : refs) {
    Result<ArchiveValue> item = valueOf(ref);
    if (!item)
      return item.takeError();
    items.push_back(*item);
  }
  return {};
}

Result<void> ValueBuilder::fillDict(PickleRef ref, ArchiveDict &dict) {
  std::vector<ArchiveValue> items;
  if (Result<void> filled = fillItems(tree[ref].items, items); !filled)
    return filled;
  for (size_t i = 0; i + 1 < items.size(); i += 2)
    dict.items.emplace_back(items[i], items[i + 1]);
  return {};
}

/// The state is the attributes by name, or whatever the class's own __getstate__ gave.
Result<void> ValueBuilder::fillObject(PickleRef ref, ArchiveObject &object) {
  if (tree[ref].items.size() < 3)
    return {};
  PickleRef stateRef = tree[ref].items[2];
  const PickleNode &state = tree[stateRef];
  bool named = state.kind == PickleKind::Dict;
  for (size_t i = 0; named && i < state.items.size(); i += 2)
    named = tree[state.items[i]].kind == PickleKind::String;
  if (!named) {
    Result<ArchiveValue> value = valueOf(stateRef);
    if (!value)
      return value.takeError();
    object.state = *value;
    return {};
  }
  for (size_t i = 0; i + 1 < state.items.size(); i += 2) {
    Result<ArchiveValue> value = valueOf(state.items[i + 1]);
    if (!value)
      return value.takeError();
    object.attributes.emplace_back(tree[state.items[i]].text, *value);
  }
  return {};
}

} // namespace jit
