//===- SlotKinds.cpp - the kinds that state takes on, ahead of time -------===//

#include "SlotKinds.h"
#include "jit/Runtime/Artifact.h"
#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <limits>

namespace jit {
using namespace runtime;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

using Kind = ValueSpec::Kind;

bool needsCell(const ValueSpec &leaf) { return leaf.kind == Kind::Tensor || leaf.isOpen; }

int32_t cellsIn(const ValueSpec &pattern) {
  int32_t count = needsCell(pattern);
  for (const ValueSpec &element : pattern.elements)
    count += cellsIn(element);
  return count;
}

int32_t cellsBefore(const ValueSpec &pattern, std::span<const int64_t> path) {
  if (path.empty())
    return 0;
  int32_t count = 0;
  for (int64_t i = 0; i < path[0]; ++i)
    count += cellsIn(pattern.elements[i]);
  return count + cellsBefore(pattern.elements[path[0]], path.subspan(1));
}

static int64_t bytesOf(const ValueSpec &leaf) {
  if (leaf.kind != Kind::Tensor)
    return 8;
  return ValueType{true, leaf.dtype, leaf.sizes}.byteSize();
}

static void open(ValueSpec &pattern) {
  if (pattern.kind == Kind::Int || pattern.kind == Kind::Bool)
    pattern.isOpen = true;
  for (ValueSpec &element : pattern.elements)
    open(element);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

SlotKinds::SlotKinds(ModuleState &state, std::vector<unsigned> slots, std::set<unsigned> opened)
    : state(state), numbers(std::move(slots)), opened(std::move(opened)), kinds(numbers.size()) {}

int32_t SlotKinds::indexOf(unsigned slot) const {
  return int32_t(std::find(numbers.begin(), numbers.end(), slot) - numbers.begin());
}

int32_t SlotKinds::mostVaried() const {
  auto byCount = [](const auto &a, const auto &b) { return a.size() < b.size(); };
  return int32_t(std::max_element(kinds.begin(), kinds.end(), byCount) - kinds.begin());
}

/// A state that has grown this much beyond what was saved, and to this many bytes, grows by each
/// call: every kind of it would be a variant, and the largest the memory that an opened package
/// takes.
static constexpr int64_t maxGrowth = 1024;
static constexpr int64_t maxGrownBytes = int64_t(64) << 20;

static int64_t bytesIn(const ValueSpec &pattern) {
  int64_t bytes = needsCell(pattern) ? bytesOf(pattern) : 0;
  for (const ValueSpec &element : pattern.elements)
    if (__builtin_add_overflow(bytes, bytesIn(element), &bytes))
      return std::numeric_limits<int64_t>::max();
  return bytes;
}

Result<int32_t> SlotKinds::kindOf(int32_t index, const ValueSpec &spec) {
  ValueSpec pattern = patternOf(spec);
  if (opened.count(numbers[index]))
    open(pattern);
  auto known = llvm::find(kinds[index], pattern);
  if (known != kinds[index].end())
    return int32_t(known - kinds[index].begin());
  int64_t bytes = bytesIn(pattern);
  if (!kinds[index].empty() && bytes > maxGrownBytes &&
      bytes / maxGrowth > bytesIn(kinds[index].front()))
    return Error{ErrorCode::Unsupported, "expected module state that stops to grow, got '" +
                                             state.path(numbers[index]) + "', which is " +
                                             pattern.str() + " by then"};
  kinds[index].push_back(std::move(pattern));
  return int32_t(kinds[index].size() - 1);
}

Result<void> SlotKinds::addInitial() {
  for (size_t i = 0; i < numbers.size(); ++i) {
    auto value = state.initial(numbers[i]);
    if (!value)
      return value.takeError();
    CallKey record;
    if (auto done = appendRecord(*value, ModuleState::keyPolicy, record); !done)
      return done;
    if (auto kind = kindOf(int32_t(i), readRecords(record.words()).front()); !kind)
      return kind.takeError();
  }
  return {};
}

/// The most cells that a kind of the slot has.
static int32_t cellCount(const std::vector<ValueSpec> &kinds) {
  int32_t count = 0;
  for (const ValueSpec &kind : kinds)
    count = std::max(count, cellsIn(kind));
  return count;
}

int32_t SlotKinds::firstCell(int32_t index) const {
  int32_t first = 0;
  for (int32_t i = 0; i < index; ++i)
    first += cellCount(kinds[i]);
  return first;
}

static void widenCells(const ValueSpec &pattern, std::vector<package::Cell> &cells, size_t &next) {
  if (needsCell(pattern)) {
    cells[next].bytes = std::max(cells[next].bytes, bytesOf(pattern));
    ++next;
  }
  for (const ValueSpec &element : pattern.elements)
    widenCells(element, cells, next);
}

static int32_t addBytes(package::Blobs &blobs, const void *data, size_t bytes,
                        std::shared_ptr<const void> owner) {
  return blobs.add({static_cast<const std::byte *>(data), bytes}, std::move(owner));
}

Result<void> SlotKinds::addInitialBlobs(const ValueSpec &pattern, const Value &value,
                                        package::Package &package, int32_t &cell) const {
  if (const auto *tensor = value.getIf<Tensor>(); tensor && needsCell(pattern)) {
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
    if (auto done = addInitialBlobs(pattern.elements[i], (*items)[i], package, cell); !done)
      return done;
  return {};
}

Result<void> SlotKinds::finish(package::Package &package) const {
  for (size_t i = 0; i < numbers.size(); ++i) {
    int32_t first = firstCell(int32_t(i));
    package.slots.push_back(
        {state.path(numbers[i]), state.otherPaths(numbers[i]), first, kinds[i]});
    package.cells.resize(size_t(first + cellCount(kinds[i])));
    for (const ValueSpec &kind : kinds[i]) {
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
