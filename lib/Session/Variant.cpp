//===- Variant.cpp - one method compiled for one kind of call -------------===//

#include "Variant.h"
#include "SharedArguments.h"
#include "jit/Specialize/Passes.h"

#include "llvm/ADT/StringExtras.h"

#include <memory>

using namespace mlir;

namespace jit {
using namespace runtime;

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

static std::optional<OutputTree> readTree(Attribute attr) {
  using Kind = OutputTree::Kind;
  if (isa<UnitAttr>(attr))
    return OutputTree{};
  if (auto leaf = dyn_cast<IntegerAttr>(attr))
    return OutputTree{.kind = Kind::Leaf, .leaf = leaf.getInt()};
  if (auto text = dyn_cast<StringAttr>(attr))
    return OutputTree{.kind = Kind::Text, .text = text.str()};
  auto parts = dyn_cast<ArrayAttr>(attr);
  auto tag = parts && !parts.empty() ? dyn_cast<StringAttr>(parts[0]) : StringAttr();
  if (!tag)
    return std::nullopt;
  using Meaning = Value::Meaning;
  if (tag.getValue() == "complex" || tag.getValue() == "device") {
    auto inner = parts.size() == 2 ? readTree(parts[1]) : std::nullopt;
    if (inner)
      inner->meaning = tag.getValue() == "device" ? Meaning::Device : Meaning::Complex;
    return inner;
  }
  static const std::pair<StringRef, Kind> kinds[] = {
      {"tuple", Kind::Tuple},   {"list", Kind::List},   {"concat", Kind::Concat},
      {"unbind", Kind::Unbind}, {"parts", Kind::Parts}, {"dict", Kind::Dict},
      {"either", Kind::Either}};
  const auto *kind = llvm::find_if(kinds, [&](auto &k) { return k.first == tag.getValue(); });
  if (kind == std::end(kinds))
    return std::nullopt;
  OutputTree tree{.kind = kind->second};
  for (Attribute part : parts.getValue().drop_front()) {
    auto child = readTree(part);
    if (!child)
      return std::nullopt;
    tree.parts.push_back(std::move(*child));
  }
  return tree;
}

/// The path of a slot, or of an argument: "1", "1.0" for the first element of the second.
static std::string gradientName(Attribute name) {
  if (auto slot = dyn_cast<StringAttr>(name))
    return slot.str();
  auto path = llvm::map_range(cast<DenseI64ArrayAttr>(name).asArrayRef(),
                              [](int64_t index) { return std::to_string(index); });
  return llvm::join(path, ".");
}

Result<void> readOutputs(func::FuncOp entry, const ModuleState *state, std::vector<Output> &into) {
  auto outputs = entry->getAttrOfType<ArrayAttr>(outputsAttr);
  if (!outputs)
    return Error{ErrorCode::Internal,
                 "expected a specialised entry to say what its results make up"};
  for (auto output : outputs.getAsRange<DictionaryAttr>()) {
    auto tree = readTree(output.get("value"));
    if (!tree)
      return Error{ErrorCode::Internal, "expected an output made of leaves and containers"};
    Output result{.value = std::move(*tree)};
    if (auto path = output.getAs<StringAttr>("slot")) {
      auto slot = state->find(path.str());
      if (!slot)
        return slot.takeError();
      result.slot = *slot;
    }
    if (auto strides = output.getAs<DenseI64ArrayAttr>("strides"))
      result.strides = strides.asArrayRef().vec();
    if (auto whole = output.getAs<StringAttr>("whole")) {
      auto slot = state->find(whole.str());
      if (!slot)
        return slot.takeError();
      auto place = output.getAs<DenseI64ArrayAttr>("place").asArrayRef();
      result.part = {.memory = *slot, .offset = place[0], .extent = place[1]};
    }
    if (auto path = output.getAs<DenseI64ArrayAttr>("mutates"))
      result.mutates = path.asArrayRef().vec();
    result.isMemory = bool(output.get("memory"));
    if (auto offset = output.getAs<IntegerAttr>("offset"))
      result.offset = offset.getInt();
    result.isOutgrown = bool(output.get("outgrown"));
    if (Attribute name = output.get("grad"))
      result.grad = gradientName(name);
    if (auto number = output.getAs<IntegerAttr>("residual"))
      result.residual = number.getInt();
    into.push_back(std::move(result));
  }
  return {};
}

Result<void> readSignature(func::FuncOp entry, const ModuleState &state, Variant &variant) {
  auto internal = [](const char *what) { return Error{ErrorCode::Internal, what}; };
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    ArgumentSource source;
    if (auto path = entry.getArgAttrOfType<StringAttr>(i, slotAttr)) {
      auto slot = state.find(path.str());
      if (!slot)
        return slot.takeError();
      source.slot = *slot;
    }
    if (auto path = entry.getArgAttrOfType<DenseI64ArrayAttr>(i, argPathAttr))
      source.path = path.asArrayRef().vec();
    source.isMemory = bool(entry.getArgAttr(i, memoryAttr));
    if (!source.slot && source.path.empty())
      return internal("expected every argument of a specialised entry to say where it comes from");
    variant.sources.push_back(std::move(source));
  }
  return readOutputs(entry, &state, variant.outputs);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The element of `value` at a path through lists and tuples; null where there is none.
static const Value *follow(const Value *value, std::span<const int64_t> path) {
  for (int64_t index : path) {
    const std::vector<Value> *items = nullptr;
    if (auto *list = value->getIf<List>())
      items = &list->items;
    if (auto *tuple = value->getIf<Tuple>())
      items = &tuple->items;
    if (!items || index < 0 || index >= int64_t(items->size()))
      return nullptr;
    value = &(*items)[index];
  }
  return value;
}

Result<std::vector<Value>> gatherInputs(const Variant &variant, std::span<const Value> args,
                                        ModuleState &state) {
  std::vector<Value> inputs;
  inputs.reserve(variant.sources.size());
  for (const ArgumentSource &source : variant.sources) {
    const Value *value = nullptr;
    Value slot;
    std::span<const int64_t> path = source.path;
    if (source.slot) {
      auto present = state.get(*source.slot);
      if (!present)
        return present.takeError();
      slot = std::move(*present);
      value = follow(&slot, path);
    } else if (path[0] < int64_t(args.size())) {
      value = follow(&args[path[0]], path.subspan(1));
    }
    if (!value)
      return Error{ErrorCode::Internal,
                   "expected a call of the kind that the variant was made for"};
    const auto *part = source.isMemory ? value->getIf<Tensor>() : nullptr;
    inputs.push_back(part && part->callerLayout() ? Value(*part->callerLayout()->whole) : *value);
  }
  return inputs;
}

const OutputTree &chosen(const OutputTree &either, const std::vector<Value> &flat) {
  return either.parts[*flat[either.parts[0].leaf].getIf<bool>() ? 1 : 2];
}

static Result<Value> buildOutput(const OutputTree &tree, const std::vector<Value> &flat);

static Result<std::vector<Value>> buildParts(const OutputTree &tree,
                                             const std::vector<Value> &flat) {
  std::vector<Value> items;
  for (const OutputTree &part : tree.parts) {
    auto item = buildOutput(part, flat);
    if (!item)
      return item.takeError();
    items.push_back(std::move(*item));
  }
  return items;
}

/// The slices of a tensor along its first dimension.
static Result<std::vector<Value>> unbind(const Tensor &tensor) {
  std::vector<Value> slices;
  std::vector<int64_t> sizes(tensor.sizes().begin() + 1, tensor.sizes().end());
  auto whole = std::make_shared<const Tensor>(tensor);
  auto *data = static_cast<const std::byte *>(tensor.data());
  for (int64_t i = 0; i < tensor.sizes()[0]; ++i) {
    auto slice = Tensor::view(tensor.type(), sizes, data, whole);
    if (!slice)
      return slice.takeError();
    data += slice->byteSize();
    slices.push_back(Value(*slice));
  }
  return slices;
}

/// The rows of a tensor from each of these places to the next.
static Result<std::vector<Value>> splitRows(const Tensor &rows, const Tensor &places) {
  std::vector<Value> parts;
  std::vector<int64_t> sizes = rows.sizes();
  auto whole = std::make_shared<const Tensor>(rows);
  auto *data = static_cast<const std::byte *>(rows.data());
  for (int64_t i = 0; i + 1 < places.numElements(); ++i) {
    sizes[0] = places.as<int64_t>()[i + 1] - places.as<int64_t>()[i];
    auto part = Tensor::view(rows.type(), sizes, data, whole);
    if (!part)
      return part.takeError();
    data += part->byteSize();
    parts.push_back(Value(*part));
  }
  return parts;
}

static Result<Value> buildOutput(const OutputTree &tree, const std::vector<Value> &flat) {
  using Kind = OutputTree::Kind;
  if (tree.kind == Kind::None)
    return Value();
  if (tree.kind == Kind::Text)
    return Value(tree.text).as(tree.meaning);
  if (tree.kind == Kind::Leaf)
    return Value(flat[tree.leaf]).as(tree.meaning);
  if (tree.kind == Kind::Either)
    return buildOutput(chosen(tree, flat), flat);
  auto parts = buildParts(tree, flat);
  if (!parts)
    return parts.takeError();
  if (tree.kind == Kind::Tuple)
    return Value(Tuple{std::move(*parts)});
  if (tree.kind == Kind::Unbind || tree.kind == Kind::Parts) {
    const Tensor &all = *(*parts)[0].getIf<Tensor>();
    auto slices =
        tree.kind == Kind::Unbind ? unbind(all) : splitRows(all, *(*parts)[1].getIf<Tensor>());
    return slices ? Result<Value>(Value(List{std::move(*slices)}))
                  : Result<Value>(slices.takeError());
  }
  List list;
  if (tree.kind == Kind::Concat) {
    for (Value &part : *parts)
      llvm::append_range(list.items, part.getIf<List>()->items);
  } else if (tree.kind == Kind::Dict) {
    // A dict is given as its (key, value) pairs, in order.
    for (size_t i = 0; i + 1 < parts->size(); i += 2)
      list.items.push_back(Value(Tuple{{(*parts)[i], (*parts)[i + 1]}}));
    return Value(std::move(list)).as(Value::Meaning::Dict);
  } else {
    list.items = std::move(*parts);
  }
  return Value(std::move(list));
}

/// Puts what a call wrote in the place of the argument, or of the element of one, at `path`. A list
/// that is another one now holds its elements as they are already.
static void replaceArgument(const Variant &variant, std::span<Value> args,
                            std::span<const int64_t> path, Value value) {
  bool isInNewList = path.size() > 1 && llvm::any_of(variant.outputs, [&](const Output &output) {
                       return output.mutates.size() == 1 && output.mutates[0] == path[0];
                     });
  if (isInNewList)
    return;
  Value *place = &args[path[0]];
  for (int64_t index : path.subspan(1)) {
    auto *list = place->getIf<List>();
    place = &(list ? list->items : place->getIf<Tuple>()->items)[index];
  }
  *place = std::move(value);
}

/// Notes how PyTorch would have a slot's new value in memory: later calls may depend on it.
static void markStrides(Value &value, const std::vector<int64_t> &strides) {
  ArgumentPath path;
  forEachTensor(value, path, [&](Tensor &tensor, const ArgumentPath &) {
    bool fits = strides.size() == tensor.sizes().size();
    std::vector<int64_t> unknown(tensor.sizes().size(), CallerLayout::unknownStride);
    tensor.setCallerLayout({.strides = fits ? strides : unknown, .origin = tensor.data()});
  });
}

/// The same of one that is a part of a memory.
static Result<void> markPart(Value &value, const ValueSpec::Part &part) {
  auto *tensor = value.getIf<Tensor>();
  const CallerLayout *layout = tensor ? tensor->callerLayout() : nullptr;
  if (!layout)
    return Error{ErrorCode::Internal, "expected a tensor as the state that shares memory"};
  return markPart(*tensor, std::vector(layout->strides), part);
}

namespace {
/// What an output of a call has become, on its way to where it belongs.
struct Delivery {
  Value value;
  bool changesKind = false; // of its slot
};
} // namespace

static Result<std::vector<Delivery>>
buildOutputs(const Variant &variant, const std::vector<Value> &flat, ModuleState &state) {
  std::vector<Delivery> made;
  for (const Output &output : variant.outputs) {
    auto value = buildOutput(output.value, flat);
    if (!value)
      return value.takeError();
    made.push_back({std::move(*value)});
    if (!output.slot)
      continue;
    if (output.strides)
      markStrides(made.back().value, *output.strides);
    if (output.part)
      if (auto marked = markPart(made.back().value, *output.part); !marked)
        return marked.takeError();
    auto changes = state.changesKind(*output.slot, made.back().value);
    if (!changes)
      return changes.takeError();
    made.back().changesKind = *changes;
  }
  return made;
}

/// For each input of the variant: whether it is a tensor whose elements nobody else has. The call
/// puts the new value in the place of an argument or of state that it writes.
static std::vector<bool> findOwn(const Variant &variant, std::span<const Value> args,
                                 const ModuleState &state) {
  std::vector<bool> isOwn;
  for (const ArgumentSource &source : variant.sources) {
    std::span<const int64_t> path = source.path;
    const Value *argument = source.slot || path[0] >= int64_t(args.size())
                                ? nullptr
                                : follow(&args[path[0]], path.subspan(1));
    const auto *tensor = argument ? argument->getIf<Tensor>() : nullptr;
    isOwn.push_back(source.slot ? path.empty() && state.isSoleOwner(*source.slot)
                                : tensor && tensor->isSoleOwner());
  }
  return isOwn;
}

Result<GradientResult> runVariant(Variant &variant, std::span<Value> args, ModuleState &state,
                                  Kept *kept) {
  std::vector<ArgumentPath> written;
  for (const Output &output : variant.outputs)
    if (!output.mutates.empty() && !output.offset)
      written.push_back(output.mutates);
  if (auto checked = checkWrittenArguments(args, written); !checked)
    return checked.takeError();
  std::vector<bool> isOwn = findOwn(variant, args, state); // before there are copies
  auto inputs = gatherInputs(variant, args, state);
  if (!inputs)
    return inputs.takeError();
  for (auto [input, may] : llvm::zip(*inputs, isOwn))
    if (may)
      input.getIf<Tensor>()->setMayBeOverwritten(true);
  auto flat = variant.executor->run(*inputs);
  if (!flat)
    return flat.takeError();
  auto made = buildOutputs(variant, *flat, state);
  if (!made)
    return made.takeError();
  if (kept) {
    auto returned = returnedLeaves(variant, *flat);
    if (!returned)
      return returned.takeError();
    kept->returned = std::move(*returned);
    for (const Value &value : *flat) {
      auto *tensor = value.getIf<Tensor>();
      kept->sizes.push_back(tensor ? tensor->sizes() : std::vector<int64_t>());
    }
  }
  GradientResult result;
  ReplacedMemories replaced;
  for (auto [output, delivery] : llvm::zip(variant.outputs, *made)) {
    Value &value = delivery.value;
    if (output.grad) {
      result.gradients.push_back({*output.grad, *value.getIf<Tensor>()});
    } else if (output.residual) {
      kept->residuals.push_back(std::move(value));
    } else if (output.isMemory) {
      if (auto done = gatherParts(args, output.mutates, *value.getIf<Tensor>(), replaced); !done)
        return done.takeError();
    } else if (output.offset) {
      if (auto *now = value.getIf<Tensor>()) // data may choose that nothing changes
        result.changed.reshaped.push_back({output.mutates, now->sizes(), *output.strides,
                                           *output.offset,
                                           output.isOutgrown ? std::optional(*now) : std::nullopt});
    } else if (!output.mutates.empty()) {
      if (auto *tensor = value.getIf<Tensor>())
        result.changed.written.push_back({output.mutates, *tensor});
    } else if (!output.slot) {
      result.value = std::move(value);
    }
  }
  for (const ReplacedPart &part : replaced.parts)
    result.changed.written.push_back(part.written);
  result.changed.memories = std::move(replaced.memories);
  // From here on nothing can fail: state and arguments change all together or not at all.
  for (ReplacedPart &part : replaced.parts)
    *part.place = std::move(part.written.value);
  for (auto [output, delivery] : llvm::zip(variant.outputs, *made)) {
    if (output.slot)
      state.set(*output.slot, std::move(delivery.value), delivery.changesKind);
    else if (!output.mutates.empty() && !output.isMemory && !output.offset)
      replaceArgument(variant, args, output.mutates, std::move(delivery.value));
  }
  for (auto [output, delivery] : llvm::zip(variant.outputs, *made))
    if (output.offset)
      replaceArgument(variant, args, output.mutates, std::move(delivery.value));
  return result;
}

} // namespace jit
