//===- SlotKinds.cpp - the kinds that state takes on, ahead of time -------===//

#include "SlotKinds.h"
#include "SpecText.h"
#include "jit-c/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>
#include <cstring>

using jit::package::Pattern;

namespace jit {
using namespace runtime;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

Pattern patternOf(const ArgSpec &spec) {
  using Kind = ArgSpec::Kind;
  Pattern pattern;
  for (const ArgSpec &element : spec.elements)
    pattern.items.push_back(patternOf(element));
  switch (spec.kind) {
  case Kind::Tensor:
    pattern.kind = JIT_KIND_TENSOR;
    pattern.dtype = spec.dtype;
    for (int64_t size : spec.sizes)
      pattern.sizes.push_back(mlir::ShapedType::isDynamic(size) ? JIT_OPEN_SIZE : size);
    if (llvm::any_of(spec.sizeNames, [](const std::string &name) { return !name.empty(); }))
      pattern.sizeNames.assign(spec.sizeNames.begin(), spec.sizeNames.end());
    break;
  case Kind::Int:
  case Kind::AnyInt:
    pattern.kind = JIT_KIND_INT;
    pattern.word = spec.intValue;
    pattern.isOpen = spec.kind == Kind::AnyInt;
    break;
  case Kind::Bool:
  case Kind::AnyBool:
    pattern.kind = JIT_KIND_BOOL;
    pattern.word = spec.intValue;
    pattern.isOpen = spec.kind == Kind::AnyBool;
    break;
  case Kind::Float:
  case Kind::AnyFloat:
    pattern.kind = JIT_KIND_FLOAT;
    pattern.word = std::bit_cast<int64_t>(spec.floatValue);
    pattern.isOpen = spec.kind == Kind::AnyFloat;
    break;
  case Kind::Str:
    pattern.kind = JIT_KIND_STRING;
    pattern.text = spec.text;
    break;
  case Kind::Tuple:
    pattern.kind = JIT_KIND_TUPLE;
    break;
  case Kind::List:
    pattern.kind = JIT_KIND_LIST;
    break;
  default:
    pattern.kind = JIT_KIND_NONE;
  }
  return pattern;
}

std::string textOf(const Pattern &pattern) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  package::describe(stream, pattern);
  return text;
}

bool needsCell(const Pattern &leaf) { return leaf.kind == JIT_KIND_TENSOR || leaf.isOpen; }

const Pattern *follow(const Pattern &pattern, std::span<const int64_t> path) {
  const Pattern *found = &pattern;
  for (int64_t index : path) {
    if (index < 0 || index >= int64_t(found->items.size()))
      return nullptr;
    found = &found->items[index];
  }
  return found;
}

int32_t cellsIn(const Pattern &pattern) {
  int32_t count = needsCell(pattern);
  for (const Pattern &item : pattern.items)
    count += cellsIn(item);
  return count;
}

int32_t cellsBefore(const Pattern &pattern, std::span<const int64_t> path) {
  if (path.empty())
    return 0;
  int32_t count = 0;
  for (int64_t i = 0; i < path[0]; ++i)
    count += cellsIn(pattern.items[i]);
  return count + cellsBefore(pattern.items[path[0]], path.subspan(1));
}

static int64_t bytesOf(const Pattern &leaf) {
  if (leaf.kind != JIT_KIND_TENSOR)
    return 8;
  return ValueType{true, leaf.dtype, leaf.sizes}.byteSize();
}

static void open(Pattern &pattern) {
  if (pattern.kind == JIT_KIND_INT || pattern.kind == JIT_KIND_BOOL)
    pattern.isOpen = true;
  for (Pattern &item : pattern.items)
    open(item);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

SlotKinds::SlotKinds(ModuleState &state, std::vector<unsigned> slots, std::set<unsigned> opened)
    : state(state), numbers(std::move(slots)), opened(std::move(opened)), kinds(numbers.size()) {}

int32_t SlotKinds::indexOf(unsigned slot) const {
  return int32_t(std::find(numbers.begin(), numbers.end(), slot) - numbers.begin());
}

static bool hasStrides(const ArgSpec &spec) {
  return !spec.strides.empty() || llvm::any_of(spec.elements, hasStrides);
}

Result<int32_t> SlotKinds::kindOf(int32_t index, const std::string &text) {
  auto specs = parseArgSpecs(text);
  if (!specs)
    return Error{ErrorCode::Unsupported,
                 "slot '" + state.path(numbers[index]) + "': " + llvm::toString(specs.takeError())};
  if (hasStrides(specs->at(0)))
    return Error{ErrorCode::Unsupported,
                 "slot '" + state.path(numbers[index]) +
                     "': expected row-major state in a program that writes in place, got strides"};
  Pattern pattern = patternOf(specs->at(0));
  if (opened.count(numbers[index]))
    open(pattern);
  std::string wanted = textOf(pattern);
  for (size_t kind = 0; kind < kinds[index].size(); ++kind)
    if (textOf(kinds[index][kind]) == wanted)
      return int32_t(kind);
  kinds[index].push_back(std::move(pattern));
  return int32_t(kinds[index].size() - 1);
}

Result<void> SlotKinds::addInitial() {
  for (size_t i = 0; i < numbers.size(); ++i) {
    auto value = state.initial(numbers[i]);
    if (!value)
      return value.takeError();
    unsigned names = 0;
    auto text = specText(*value, {.strides = true}, names);
    if (!text)
      return text.takeError();
    if (auto kind = kindOf(int32_t(i), *text); !kind)
      return kind.takeError();
  }
  return {};
}

/// The most cells that a kind of the slot has.
static int32_t cellCount(const std::vector<Pattern> &kinds) {
  int32_t count = 0;
  for (const Pattern &kind : kinds)
    count = std::max(count, cellsIn(kind));
  return count;
}

int32_t SlotKinds::firstCell(int32_t index) const {
  int32_t first = 0;
  for (int32_t i = 0; i < index; ++i)
    first += cellCount(kinds[i]);
  return first;
}

static void widenCells(const Pattern &pattern, std::vector<package::Cell> &cells, size_t &next) {
  if (needsCell(pattern)) {
    cells[next].bytes = std::max(cells[next].bytes, bytesOf(pattern));
    ++next;
  }
  for (const Pattern &item : pattern.items)
    widenCells(item, cells, next);
}

static int32_t addBytes(package::Blobs &blobs, const void *data, size_t bytes,
                        std::shared_ptr<const void> owner) {
  return blobs.add({static_cast<const std::byte *>(data), bytes}, std::move(owner));
}

Result<void> SlotKinds::addInitialBlobs(const Pattern &pattern, const Value &value,
                                        package::Package &package, int32_t &cell) const {
  if (auto *tensor = value.getIf<Tensor>()) {
    auto kept = std::make_shared<Tensor>(*tensor);
    package.cells[cell++].initial = addBytes(package.blobs, kept->data(), kept->byteSize(), kept);
  } else if (needsCell(pattern)) {
    auto word = std::make_shared<int64_t>(0);
    if (auto *number = value.getIf<double>())
      *word = std::bit_cast<int64_t>(*number);
    if (auto *number = value.getIf<int64_t>())
      *word = *number;
    if (auto *flag = value.getIf<bool>())
      *word = *flag;
    package.cells[cell++].initial = addBytes(package.blobs, word.get(), sizeof *word, word);
  }
  const std::vector<Value> *items = nullptr;
  if (auto *list = value.getIf<List>())
    items = &list->items;
  if (auto *tuple = value.getIf<Tuple>())
    items = &tuple->items;
  for (size_t i = 0; items && i < items->size(); ++i)
    if (auto done = addInitialBlobs(pattern.items[i], (*items)[i], package, cell); !done)
      return done;
  return {};
}

Result<void> SlotKinds::finish(package::Package &package) const {
  for (size_t i = 0; i < numbers.size(); ++i) {
    int32_t first = firstCell(int32_t(i));
    package.slots.push_back({state.path(numbers[i]), first, kinds[i]});
    package.cells.resize(size_t(first + cellCount(kinds[i])));
    for (const Pattern &kind : kinds[i]) {
      size_t next = size_t(first);
      widenCells(kind, package.cells, next);
    }
    auto value = state.initial(numbers[i]);
    if (!value)
      return value.takeError();
    if (auto done = addInitialBlobs(kinds[i][0], *value, package, first); !done)
      return done;
  }
  return {};
}

} // namespace jit
