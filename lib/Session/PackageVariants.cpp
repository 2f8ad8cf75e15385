//===- PackageVariants.cpp - what compiled calls take and give ------------===//

#include "PackageBuilder.h"
#include "jit-c/Values.h"
#include "jit/QuotedText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using jit::package::CompiledEntry;
using jit::package::Site;

namespace jit {
using namespace runtime;

/// Until finish() `index` is the slot and `path` the cell's place in it.
Site PackageBuilder::cell(int32_t slot, int32_t offset) const {
  return {JIT_PLACE_CELL, slot, {offset}};
}

static int64_t bytesOf(const ValueType &type) {
  return type.isOpen() ? JIT_OPEN_SIZE : type.byteSize();
}

ValueSpec typeSpec(const ValueType &type) {
  if (type.isTensor)
    return {.kind = ValueSpec::Kind::Tensor, .dtype = type.scalar, .sizes = type.sizes};
  return {.kind = type.scalar == ScalarType::Long   ? ValueSpec::Kind::Int
                  : type.scalar == ScalarType::Bool ? ValueSpec::Kind::Bool
                                                    : ValueSpec::Kind::Float,
          .isOpen = true};
}

Result<void> PackageBuilder::describeOperands(package::Variant &variant,
                                              const std::vector<int32_t> &state,
                                              const Variant &signature,
                                              const CompiledEntry &compiled) {
  size_t nextSource = 0;
  for (auto [i, info] : llvm::enumerate(compiled.entry.arguments)) {
    package::Operand operand;
    operand.bytes = info.type.isTensor ? bytesOf(info.type) : 0;
    operand.number = info.type.isTensor ? JIT_KIND_NONE : package::kindOf(typeSpec(info.type));
    if (info.kind == ArgumentKind::Weight) {
      if (compiled.reads[i]) {
        auto tensor = session.state->weight(info.name);
        if (!tensor)
          return tensor.takeError();
        auto kept = std::make_shared<Tensor>(*tensor);
        auto *bytes = static_cast<const std::byte *>(kept->data());
        operand.from = {JIT_PLACE_BLOB, package.blobs.add({bytes, kept->byteSize()}, kept), {}};
      }
    } else if (const ArgumentSource &source = signature.sources[nextSource++]; source.slot) {
      int32_t slot = slots->indexOf(*source.slot);
      operand.from = cell(slot, cellsBefore(slots->pattern(slot, state[slot]), source.path));
    } else {
      operand.from = {JIT_PLACE_ARGUMENT, 0, {source.path.begin(), source.path.end()}};
    }
    variant.operands.push_back(std::move(operand));
  }
  for (auto [buffer, bytes] : llvm::zip(compiled.packed, compiled.entry.packedBytes))
    variant.packed.push_back(package.blobs.add({buffer.get(), size_t(bytes)}, buffer));
  return {};
}

/// What a call returns as text in which "%0" is its first flat result; numbers them.
static std::string structureOf(const OutputTree &tree, std::vector<package::Output> &outputs,
                               int32_t &count) {
  using Kind = OutputTree::Kind;
  if (tree.kind == Kind::None)
    return "None";
  if (tree.meaning == Value::Meaning::Device)
    return "device(" + quoted(tree.text) + ")";
  if (tree.kind == Kind::Text)
    return quoted(tree.text);
  if (tree.kind == Kind::Leaf) {
    Site &to = outputs[tree.leaf].to;
    if (to.place != JIT_PLACE_RESULT)
      to = {JIT_PLACE_RESULT, count++, {}};
    std::string name = "%" + std::to_string(to.index);
    return tree.meaning == Value::Meaning::Complex ? "complex(" + name + ")" : name;
  }
  std::vector<std::string> parts;
  for (const OutputTree &part : tree.parts)
    parts.push_back(structureOf(part, outputs, count));
  std::string inner = llvm::join(parts, ", ");
  switch (tree.kind) {
  case Kind::Tuple:
    return "(" + inner + (parts.size() == 1 ? ",)" : ")");
  case Kind::Concat:
    return "concat(" + inner + ")";
  case Kind::Unbind:
    return "unbind(" + inner + ")";
  case Kind::Parts:
    return "parts(" + inner + ")";
  case Kind::Either:
    return "either(" + inner + ")";
  case Kind::Dict:
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
      parts[i / 2] = parts[i] + ": " + parts[i + 1];
    parts.resize(parts.size() / 2);
    return "{" + llvm::join(parts, ", ") + "}";
  default:
    return "[" + inner + "]";
  }
}

void send(package::Variant &variant, int64_t leaf, Site to) {
  Site &first = variant.outputs[leaf].to;
  if (first.place == JIT_PLACE_SCRATCH && to.place == JIT_PLACE_CELL)
    first = std::move(to);
  else
    variant.copies.push_back({int32_t(leaf), std::move(to)});
}

/// The sizes of what compiled code takes for an argument: of a part all of the memory.
static std::vector<int64_t> takenSizes(const ValueSpec &pattern) {
  return pattern.part ? std::vector<int64_t>{pattern.part->extent} : pattern.sizes;
}

/// Whether a result may be what an argument is after a write. Sizes that only a call tells are
/// compared by it.
static bool mayReplace(const ValueSpec &argument, const ValueSpec &result) {
  if (result.kind != argument.kind || result.dtype != argument.dtype)
    return false;
  auto isKept = [](int64_t taken, int64_t given) {
    return given == taken || given == ValueSpec::openSize;
  };
  return llvm::equal(takenSizes(argument), result.sizes, isKept);
}

Result<void> PackageBuilder::describeMutation(package::Variant &variant, const Call &call,
                                              const Output &output) {
  // A list or dict that the program changes is its own: the caller's holds what it held.
  if (output.value.kind != OutputTree::Kind::Leaf)
    return {};
  std::span<const int64_t> path = output.mutates;
  const ValueSpec *argument = path[0] < int64_t(call.arguments.size())
                                  ? follow(call.arguments[path[0]], path.subspan(1))
                                  : nullptr;
  const ValueSpec &result = variant.outputs[output.value.leaf].type;
  if (!argument || !mayReplace(*argument, result))
    return Error{ErrorCode::Unsupported,
                 call.asked->method +
                     ": expected an argument that keeps its sizes where it is "
                     "written, got argument " +
                     std::to_string(path[0])};
  send(variant, output.value.leaf,
       {JIT_PLACE_ARGUMENT, 0, std::vector<int32_t>(path.begin(), path.end())});
  return {};
}

/// Of an argument whose sizes the program changes in place, what has to be known of it now.
static std::string changeOf(const Output &output, package::Variant &variant) {
  auto path = llvm::map_range(output.mutates, [](int64_t index) { return std::to_string(index); });
  auto numbers = [](llvm::ArrayRef<int64_t> values) {
    auto texts = llvm::map_range(values, [](int64_t value) { return std::to_string(value); });
    return "[" + llvm::join(texts, ", ") + "]";
  };
  std::string elements = structureOf(output.value, variant.outputs, variant.resultCount);
  return ", " + quoted(llvm::join(path, ".")) + ", " + numbers(*output.strides) + ", " +
         std::to_string(*output.offset) + ", " + elements;
}

Result<void> PackageBuilder::describeChange(package::Variant &variant, const Output &output,
                                            const CompiledEntry &compiled, ArrayRef<Known> known) {
  for (Choice &choice : choicesOf(output.value, known)) {
    if (choice.value.kind != OutputTree::Kind::Leaf)
      continue;
    ValueSpec now = typeSpec(compiled.entry.results[choice.value.leaf].type);
    now.strides = *output.strides;
    now.part = {.memory = 0, .offset = *output.offset, .extent = 0};
    if (llvm::is_contained(now.sizes, ValueSpec::openSize))
      return Error{ErrorCode::Unsupported,
                   "expected known sizes of an argument where they change in place, got " +
                       now.str()};
    variant.copies.push_back(
        {int32_t(choice.value.leaf),
         {JIT_PLACE_ARGUMENT, 0, {output.mutates.begin(), output.mutates.end()}},
         std::move(choice.tests),
         std::move(now)});
  }
  return {};
}

/// Numbers and what nobody keeps lie in the arena, behind what the entry uses itself.
static int64_t placeInArena(package::Variant &variant, int64_t arenaBytes) {
  int64_t end = int64_t(llvm::alignTo(arenaBytes, 64));
  for (package::Operand &operand : variant.operands) {
    operand.scratch = end;
    end += operand.bytes ? 0 : 8;
  }
  for (package::Output &output : variant.outputs) {
    bool isTensor = output.type.kind == ValueSpec::Kind::Tensor;
    if (isTensor)
      end = int64_t(llvm::alignTo(end, 64));
    output.scratch = end;
    bool isHere = output.to.place == JIT_PLACE_SCRATCH && output.bytes > 0 && output.inPlace < 0;
    end += !isTensor ? 8 : isHere ? output.bytes : 0;
  }
  return end;
}

/// Whether the code takes arguments of the sizes that calls are compared with.
static Result<void> checkSizes(const std::vector<ValueSpec> &arguments, const Variant &signature,
                               const CompiledEntry &compiled) {
  size_t nextSource = 0;
  for (const ArgumentInfo &info : compiled.entry.arguments) {
    if (info.kind == ArgumentKind::Weight)
      continue;
    const ArgumentSource &source = signature.sources[nextSource++];
    if (source.slot || !info.type.isTensor)
      continue;
    std::span<const int64_t> path = source.path;
    const ValueSpec *pattern = follow(arguments[path[0]], path.subspan(1));
    if (!pattern || takenSizes(*pattern) != info.type.sizes)
      return Error{ErrorCode::Unsupported, "expected a program that leaves argument " +
                                               std::to_string(path[0]) + " its sizes, got " +
                                               info.type.str()};
  }
  return {};
}

/// Whether state that is computed where the old value lies belongs there.
static bool isInItsPlace(const package::Variant &variant, const package::Output &output) {
  if (output.inPlace < 0)
    return true;
  const Site &from = variant.operands[output.inPlace].from;
  return from.place != JIT_PLACE_CELL ||
         (output.to.place == JIT_PLACE_CELL && output.to.index == from.index);
}

Result<bool> PackageBuilder::describe(package::Variant &variant, const Call &call,
                                      const std::vector<int32_t> &state, const Variant &signature,
                                      const CompiledEntry &compiled, ArrayRef<Known> known) {
  variant.devices = compiled.devices;
  if (auto done = checkSizes(call.arguments, signature, compiled); !done)
    return done.takeError();
  if (auto done = describeOperands(variant, state, signature, compiled); !done)
    return done.takeError();
  for (const ResultInfo &info : compiled.entry.results) {
    int32_t inPlace = info.inPlaceOf ? int32_t(*info.inPlaceOf) : -1;
    variant.outputs.push_back({typeSpec(info.type), bytesOf(info.type), {}, 0, inPlace});
  }
  std::vector<std::string> gradients;
  for (const Output &output : signature.outputs)
    if (output.grad)
      gradients.push_back(quoted(*output.grad) + ": " +
                          structureOf(output.value, variant.outputs, variant.resultCount));
    else if (!output.slot && output.mutates.empty())
      variant.structure = structureOf(output.value, variant.outputs, variant.resultCount);
  std::string changes;
  for (const Output &output : signature.outputs)
    if (output.offset)
      changes += changeOf(output, variant);
  if (!changes.empty())
    variant.structure = "changed(" + variant.structure + changes + ")";
  if (call.asked->gradients)
    variant.structure = "(" + variant.structure + ", {" + llvm::join(gradients, ", ") + "})";
  for (const Output &output : signature.outputs) {
    if (output.slot) {
      auto isKnown = describeState(variant, output, compiled, known);
      if (!isKnown || !*isKnown)
        return isKnown;
    } else if (!output.mutates.empty() && !output.offset) {
      if (auto done = describeMutation(variant, call, output); !done)
        return done.takeError();
    }
  }
  for (const Output &output : signature.outputs) // after what was written as it was before
    if (output.offset)
      if (auto done = describeChange(variant, output, compiled, known); !done)
        return done.takeError();
  if (!llvm::all_of(variant.outputs, [&](auto &output) { return isInItsPlace(variant, output); }))
    return Error{ErrorCode::Internal, "expected state that is written where it is read"};
  package.arenaBytes =
      std::max(package.arenaBytes, placeInArena(variant, compiled.entry.arenaBytes));
  return true;
}

} // namespace jit
