//===- CallPatterns.cpp - what a package compares calls with --------------===//

#include "CallPatterns.h"
#include "jit/Runtime/Package.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace jit {

using Kind = ValueSpec::Kind;

template <typename Fn> static ValueSpec mapLeaves(ValueSpec spec, Fn change) {
  change(spec);
  for (ValueSpec &element : spec.elements)
    element = mapLeaves(std::move(element), change);
  return spec;
}

ValueSpec patternOf(ValueSpec spec) {
  return mapLeaves(std::move(spec), [](ValueSpec &leaf) {
    leaf.requiresGrad = false;
    leaf.device = ValueSpec().device;
  });
}

ValueSpec withoutStrides(ValueSpec spec) {
  return mapLeaves(std::move(spec), [](ValueSpec &leaf) {
    leaf.strides.clear();
    leaf.part.reset();
  });
}

ValueSpec withAnyStrides(ValueSpec pattern) {
  return mapLeaves(std::move(pattern), [](ValueSpec &leaf) {
    llvm::fill(leaf.strides, ValueSpec::unknownStride);
    leaf.part.reset();
  });
}

const ValueSpec *follow(const ValueSpec &pattern, std::span<const int64_t> path) {
  const ValueSpec *found = &pattern;
  for (int64_t index : path) {
    if (index < 0 || index >= int64_t(found->elements.size()))
      return nullptr;
    found = &found->elements[index];
  }
  return found;
}

template <typename Fn> static void forEachLeaf(llvm::ArrayRef<ValueSpec> specs, Fn visit) {
  for (const ValueSpec &spec : specs) {
    visit(spec);
    forEachLeaf<Fn>(spec.elements, visit);
  }
}

bool sayStrides(llvm::ArrayRef<ValueSpec> patterns) {
  bool found = false;
  forEachLeaf(patterns,
              [&](const ValueSpec &leaf) { found |= !leaf.strides.empty() || leaf.part; });
  return found;
}

bool shareMemory(llvm::ArrayRef<ValueSpec> patterns) {
  bool found = false;
  forEachLeaf(patterns, [&](const ValueSpec &leaf) { found |= leaf.part.has_value(); });
  return found;
}

/// How many places there are from the first element to the last, of a tensor that has not one
/// element at each; nullopt for others, and where that is not known.
static std::optional<int64_t> placesOf(const ValueSpec &leaf) {
  if (leaf.strides.empty() || leaf.part || leaf.requiresGrad)
    return std::nullopt;
  int64_t places = 1, elements = 1, reach;
  for (auto [size, stride] : llvm::zip_equal(leaf.sizes, leaf.strides))
    if (size <= 0 || stride < 0 || llvm::MulOverflow(size - 1, stride, reach) ||
        llvm::AddOverflow(places, reach, places) || llvm::MulOverflow(elements, size, elements))
      return std::nullopt;
  return places == elements ? std::nullopt : std::optional(places);
}

void nameMemories(std::vector<ValueSpec> &patterns) {
  int64_t next = 0;
  forEachLeaf(patterns, [&](const ValueSpec &leaf) {
    if (leaf.part)
      next = std::max(next, leaf.part->memory + 1);
  });
  for (ValueSpec &pattern : patterns)
    pattern = mapLeaves(std::move(pattern), [&](ValueSpec &leaf) {
      if (auto places = placesOf(leaf); places && next < JIT_MAX_MEMORIES)
        leaf.part = {.memory = next++, .offset = 0, .extent = *places};
    });
}

std::set<std::string> openSizes(llvm::ArrayRef<ValueSpec> patterns) {
  std::set<std::string> names;
  forEachLeaf(patterns, [&](const ValueSpec &leaf) {
    for (size_t i = 0; i < leaf.sizes.size(); ++i)
      if (leaf.sizes[i] == ValueSpec::openSize)
        names.insert(leaf.sizeNames.empty() ? "" : leaf.sizeNames[i]);
  });
  return names;
}

/// Across C there is no undefined tensor, and a string ends at a zero.
static bool canBeGiven(const ValueSpec &leaf) {
  bool isString = leaf.kind == Kind::Str;
  return leaf.kind != Kind::Default && leaf.kind != Kind::Undefined &&
         !(isString && leaf.text.find('\0') != std::string::npos);
}

/// Whether elements of the parts lie between all of their memory's first and last: the rest of it
/// need not be there.
static bool coverTheirMemory(llvm::ArrayRef<ValueSpec> parts) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> ranges;
  for (const ValueSpec &part : parts) {
    int64_t end = part.part->offset + 1;
    for (auto [size, stride] : llvm::zip_equal(part.sizes, part.strides))
      end += (size - 1) * stride;
    ranges.push_back({part.part->offset, end});
  }
  llvm::sort(ranges);
  int64_t covered = 0;
  for (auto [begin, end] : ranges) {
    if (begin > covered)
      return false;
    covered = std::max(covered, end);
  }
  return covered == parts.front().part->extent;
}

static Error unsupported(const std::string &expected) {
  return {ErrorCode::Unsupported, "expected " + expected};
}

Result<void> checkPatterns(llvm::ArrayRef<ValueSpec> patterns) {
  bool areGiven = true;
  std::map<int64_t, std::vector<ValueSpec>> memories;
  forEachLeaf(patterns, [&](const ValueSpec &leaf) {
    areGiven &= canBeGiven(leaf);
    if (leaf.part)
      memories[leaf.part->memory].push_back(leaf);
  });
  if (!areGiven)
    return unsupported("arguments that a call gives");
  std::set<std::string> open = openSizes(patterns);
  if (open.count(""))
    return unsupported("a name for each size that stays open, as in f32[n,8]");
  if (open.size() > JIT_MAX_OPEN_SIZES)
    return unsupported("at most " + std::to_string(JIT_MAX_OPEN_SIZES) + " open sizes");
  for (const auto &[number, parts] : memories) {
    if (number >= JIT_MAX_MEMORIES)
      return unsupported("numbers of shared memory below " + std::to_string(JIT_MAX_MEMORIES));
    if (!coverTheirMemory(parts))
      return unsupported("parts that cover the memory that they share");
  }
  return {};
}

} // namespace jit
