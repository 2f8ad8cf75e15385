//===- SharedArguments.cpp - arguments in one memory ----------------------===//

#include "SharedArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

namespace jit {
using namespace runtime;

void forEachTensor(Value &value, ArgumentPath &path,
                   llvm::function_ref<void(Tensor &, const ArgumentPath &)> visit) {
  std::vector<Value> *items = nullptr;
  if (auto *tensor = value.getIf<Tensor>())
    visit(*tensor, path);
  if (auto *list = value.getIf<List>())
    items = &list->items;
  if (auto *tuple = value.getIf<Tuple>())
    items = &tuple->items;
  for (size_t i = 0; items && i < items->size(); ++i) {
    path.push_back(int64_t(i));
    forEachTensor((*items)[i], path, visit);
    path.pop_back();
  }
}

namespace {
/// A tensor of the call and the bytes of the caller's memory between which its elements lie.
struct Leaf {
  Tensor *tensor;
  ArgumentPath path;
  const std::byte *begin, *end;

  bool overlaps(const Leaf &other) const { return begin < other.end && other.begin < end; }
  /// Whether there are as many elements as there are places.
  bool fillsMemory() const { return end - begin == int64_t(tensor->byteSize()); }
};
} // namespace

static std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

static std::vector<int64_t> stridesOf(const Tensor &tensor) {
  const CallerLayout *layout = tensor.callerLayout();
  return layout ? layout->strides : rowMajorStrides(tensor.sizes());
}

static Leaf leafOf(Tensor &tensor, const ArgumentPath &path) {
  const CallerLayout *layout = tensor.callerLayout();
  auto *begin = static_cast<const std::byte *>(layout ? layout->origin : tensor.data());
  const std::byte *end = begin;
  int64_t bytes = elementSize(tensor.type());
  for (auto [size, stride] : llvm::zip(tensor.sizes(), stridesOf(tensor)))
    (stride < 0 ? begin : end) += stride * bytes * (size - 1);
  return {&tensor, path, begin, end + bytes};
}

static std::vector<Leaf> leavesOf(std::span<Value> args) {
  std::vector<Leaf> leaves;
  for (size_t i = 0; i < args.size(); ++i) {
    ArgumentPath path = {int64_t(i)};
    forEachTensor(args[i], path, [&](Tensor &tensor, const ArgumentPath &path) {
      if (tensor.defined() && tensor.numElements() > 0)
        leaves.push_back(leafOf(tensor, path));
    });
  }
  return leaves;
}

/// Marks the leaves of one memory, in the order of the arguments, as group `number`.
static bool markGroup(std::vector<Leaf *> &group, uint32_t number) {
  const std::byte *begin = group.front()->begin, *end = group.front()->end;
  ScalarType type = group.front()->tensor->type();
  int64_t bytes = elementSize(type);
  for (Leaf *leaf : group) {
    begin = std::min(begin, leaf->begin);
    end = std::max(end, leaf->end);
  }
  for (Leaf *leaf : group)
    if (leaf->tensor->type() != type || leaf->tensor->requiresGrad() ||
        (leaf->begin - begin) % bytes != 0 ||
        llvm::any_of(stridesOf(*leaf->tensor), [](int64_t stride) { return stride < 0; }))
      return false;
  auto whole = Tensor::view(type, {(end - begin) / bytes}, begin, nullptr);
  if (!whole)
    return false;
  auto shared = std::make_shared<const Tensor>(*whole);
  for (Leaf *leaf : group)
    leaf->tensor->setCallerLayout({.strides = stridesOf(*leaf->tensor),
                                   .origin = leaf->begin,
                                   .whole = shared,
                                   .group = number,
                                   .offset = (leaf->begin - begin) / bytes});
  return true;
}

/// What an earlier call has marked says nothing about this one.
static void unmark(Tensor &tensor) {
  const CallerLayout *layout = tensor.callerLayout();
  if (!layout || !layout->whole)
    return;
  if (layout->strides == rowMajorStrides(tensor.sizes()))
    tensor.resetCallerLayout();
  else
    tensor.setCallerLayout({.strides = layout->strides, .origin = layout->origin});
}

void markSharedMemory(std::span<Value> args, bool readsGaps) {
  for (Leaf &leaf : leavesOf(args))
    unmark(*leaf.tensor);
  std::vector<Leaf> leaves = leavesOf(args);
  std::vector<Leaf *> sorted;
  for (Leaf &leaf : leaves)
    sorted.push_back(&leaf);
  llvm::sort(sorted, [](const Leaf *a, const Leaf *b) { return a->begin < b->begin; });
  std::vector<std::vector<Leaf *>> groups;
  const std::byte *end = nullptr;
  for (Leaf *leaf : sorted) {
    if (groups.empty() || leaf->begin >= end)
      groups.emplace_back();
    groups.back().push_back(leaf);
    end = groups.back().size() == 1 ? leaf->end : std::max(end, leaf->end);
  }
  llvm::erase_if(groups, [&](const std::vector<Leaf *> &group) {
    return group.size() == 1 && (!readsGaps || group.front()->fillsMemory());
  });
  // Specs are the same for calls of one kind: groups have the order of their first arguments.
  for (std::vector<Leaf *> &group : groups)
    llvm::sort(group);
  llvm::sort(groups, [](const auto &a, const auto &b) { return a.front() < b.front(); });
  uint32_t number = 0;
  for (std::vector<Leaf *> &group : groups)
    number += markGroup(group, number);
}

static std::string pathText(const ArgumentPath &path) {
  return llvm::join(llvm::map_range(path, [](int64_t i) { return std::to_string(i); }), ".");
}

static const Tensor *wholeOf(const Tensor &tensor) {
  const CallerLayout *layout = tensor.callerLayout();
  return layout ? layout->whole.get() : nullptr;
}

Result<void> checkWrittenArguments(std::span<Value> args, std::span<const ArgumentPath> written) {
  if (written.empty())
    return {};
  std::vector<Leaf> leaves = leavesOf(args);
  for (const ArgumentPath &path : written) {
    auto leaf = llvm::find_if(leaves, [&](const Leaf &leaf) { return leaf.path == path; });
    if (leaf == leaves.end())
      continue;
    for (const Leaf &other : leaves) {
      bool isSeen = wholeOf(*leaf->tensor) && wholeOf(*leaf->tensor) == wholeOf(*other.tensor);
      if (&other != &*leaf && leaf->overlaps(other) && !isSeen)
        return Error{ErrorCode::Unsupported,
                     "expected arguments of one element type, without gradients, where they share "
                     "memory and one is written, got arguments " +
                         pathText(path) + " and " + pathText(other.path) +
                         "; clone() one before the call"};
    }
  }
  return {};
}

/// Calls `visit` with the place in its memory of each element of `part`, row by row.
static void forEachPlace(const Tensor &part, llvm::function_ref<void(size_t place)> visit) {
  const CallerLayout &layout = *part.callerLayout();
  std::vector<int64_t> index(part.sizes().size(), 0);
  for (int64_t i = 0; i < part.numElements(); ++i) {
    int64_t place = layout.offset;
    for (size_t dim = 0; dim < index.size(); ++dim)
      place += index[dim] * layout.strides[dim];
    visit(size_t(place));
    for (size_t dim = index.size(); dim-- > 0;) {
      if (++index[dim] < part.sizes()[dim])
        break;
      index[dim] = 0;
    }
  }
}

/// The elements of `part` in `memory`, row by row.
static Result<Tensor> gathered(const Tensor &part, const Tensor &memory) {
  auto dense = Tensor::allocate(part.type(), part.sizes());
  if (!dense)
    return dense;
  size_t bytes = size_t(elementSize(part.type()));
  auto *from = static_cast<const std::byte *>(memory.data());
  auto *to = static_cast<std::byte *>(dense->mutableData());
  forEachPlace(part, [&](size_t place) {
    std::memcpy(to, from + place * bytes, bytes);
    to += bytes;
  });
  return dense;
}

/// Whether `after` has the elements of `before` wherever `isShown` is false.
static bool keepsRest(const std::vector<bool> &isShown, const Tensor &before, const Tensor &after) {
  size_t bytes = size_t(elementSize(before.type()));
  auto *old = static_cast<const std::byte *>(before.data());
  auto *now = static_cast<const std::byte *>(after.data());
  return llvm::all_of(llvm::seq<size_t>(0, isShown.size()), [&](size_t i) {
    return isShown[i] || std::memcmp(old + i * bytes, now + i * bytes, bytes) == 0;
  });
}

Result<void> gatherParts(std::span<Value> args, const ArgumentPath &path, const Tensor &memory,
                         ReplacedMemories &into) {
  std::vector<Leaf> leaves = leavesOf(args);
  auto first = llvm::find_if(leaves, [&](const Leaf &leaf) { return leaf.path == path; });
  const Tensor *whole = first == leaves.end() ? nullptr : wholeOf(*first->tensor);
  if (!whole)
    return Error{ErrorCode::Internal, "expected a part of a memory at argument " + pathText(path)};
  int64_t offset = first->tensor->callerLayout()->offset;
  std::vector<bool> isShown(size_t(whole->numElements()));
  for (Leaf &leaf : leaves) {
    if (wholeOf(*leaf.tensor) != whole)
      continue;
    forEachPlace(*leaf.tensor, [&](size_t place) { isShown[place] = true; });
    auto part = gathered(*leaf.tensor, memory);
    if (!part)
      return part.takeError();
    into.parts.push_back({leaf.tensor, {leaf.path, std::move(*part)}});
  }
  if (!keepsRest(isShown, *whole, memory))
    into.memories.push_back({path, memory, offset});
  return {};
}

} // namespace jit
