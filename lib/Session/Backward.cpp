//===- Backward.cpp - the backward pass of a split variant ----------------===//

#include "Variant.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

#include <cstring>

using namespace mlir;

namespace jit {
using namespace runtime;

/// The flat results that make up a value, in the order in which it holds them, the keys of dicts
/// aside: those of a call that gave `flat`, or, where that is null, all that may.
static Result<void> flatten(const OutputTree &tree, const std::vector<Value> *flat,
                            std::vector<int64_t> &leaves) {
  using Kind = OutputTree::Kind;
  if (tree.kind == Kind::Unbind || tree.kind == Kind::Parts || tree.kind == Kind::Concat)
    return Error{ErrorCode::Unsupported,
                 "expected results in tuples and lists that are written out, where a backward pass "
                 "is to follow"};
  if (tree.kind == Kind::Leaf)
    leaves.push_back(tree.leaf);
  if (tree.kind == Kind::Either && flat)
    return flatten(chosen(tree, *flat), flat, leaves);
  bool isDict = tree.kind == Kind::Dict;
  // The condition is nobody's result, and of a dict's parts the first of two is the key.
  for (size_t i = isDict || tree.kind == Kind::Either; i < tree.parts.size(); i += isDict ? 2 : 1)
    if (auto done = flatten(tree.parts[i], flat, leaves); !done)
      return done;
  return {};
}

static const Output *resultOf(const Variant &variant) {
  for (const Output &output : variant.outputs)
    if (!output.slot && output.mutates.empty() && !output.grad && !output.residual)
      return &output;
  return nullptr;
}

Result<std::vector<int64_t>> returnedLeaves(const Variant &variant,
                                            const std::vector<Value> &flat) {
  std::vector<int64_t> leaves;
  if (const Output *result = resultOf(variant))
    if (auto done = flatten(result->value, &flat, leaves); !done)
      return done.takeError();
  return leaves;
}

Result<void> readBackward(func::FuncOp backward, Variant &variant) {
  variant.backward.emplace();
  std::vector<int64_t> leaves;
  if (const Output *result = resultOf(variant))
    if (auto done = flatten(result->value, nullptr, leaves); !done)
      return done;
  for (unsigned i = 0; i < backward.getNumArguments(); ++i) {
    if (auto number = backward.getArgAttrOfType<IntegerAttr>(i, residualAttr)) {
      variant.backward->sources.push_back({false, number.getInt()});
      continue;
    }
    auto of = backward.getArgAttrOfType<IntegerAttr>(i, gradOfAttr);
    int64_t count = of ? llvm::count(leaves, of.getInt()) : 0;
    if (count != 1)
      return Error{ErrorCode::Unsupported, "expected each result once where a backward pass is to "
                                           "follow, got one " +
                                               std::to_string(count) + " times"};
    variant.backward->sources.push_back({true, of.getInt()});
  }
  Variant outputs;
  if (auto done = readOutputs(backward, nullptr, outputs.outputs); !done)
    return done;
  variant.backward->outputs = std::move(outputs.outputs);
  return {};
}

/// A gradient that nobody gave, of a result of these sizes.
static Result<Value> zeros(const ValueType &type, const std::vector<int64_t> &sizes) {
  auto tensor = Tensor::allocate(type.scalar, sizes);
  if (!tensor)
    return tensor.takeError();
  std::memset(tensor->mutableData(), 0, tensor->byteSize());
  return Value(std::move(*tensor));
}

/// The gradient that was given of a flat result, or null.
static const Value *seedOf(int64_t leaf, const Kept &kept, std::span<const Value> seeds) {
  size_t at = llvm::find(kept.returned, leaf) - kept.returned.begin();
  return at < std::min(kept.returned.size(), seeds.size()) && !seeds[at].isNone() ? &seeds[at]
                                                                                  : nullptr;
}

std::vector<int64_t> absentSeeds(const Variant &variant, const Kept &kept,
                                 std::span<const Value> seeds) {
  std::vector<int64_t> absent;
  for (auto [isSeed, number] : variant.backward->sources)
    if (isSeed && !seedOf(number, kept, seeds))
      absent.push_back(number);
  return absent;
}

Result<std::vector<NamedGradient>> runBackward(Variant &variant, const Kept &kept,
                                               std::span<const Value> seeds) {
  Backward &backward = *variant.backward;
  std::vector<const ArgumentInfo *> infos;
  for (const ArgumentInfo &info : backward.executor->entry().arguments)
    if (info.kind != ArgumentKind::Weight)
      infos.push_back(&info);
  std::vector<Value> inputs;
  for (size_t i = 0; i < backward.sources.size(); ++i) {
    auto [isSeed, number] = backward.sources[i];
    if (!isSeed) {
      inputs.push_back(kept.residuals[number]);
    } else if (const Value *seed = seedOf(number, kept, seeds)) {
      inputs.push_back(*seed);
    } else {
      auto zero = zeros(infos[i]->type, kept.sizes[number]);
      if (!zero)
        return zero.takeError();
      inputs.push_back(std::move(*zero));
    }
  }
  auto flat = backward.executor->run(inputs);
  if (!flat)
    return flat.takeError();
  std::vector<NamedGradient> gradients;
  for (const Output &output : backward.outputs)
    if (auto *tensor = (*flat)[output.value.leaf].getIf<Tensor>(); tensor && output.grad)
      gradients.push_back({*output.grad, *tensor});
  return gradients;
}

} // namespace jit
