//===- BarrierEmulation.cpp - barriers that copies come to ----------------===//
#include "BarrierEmulation.h"
#include "Sizes.h"

#include <cstring>
#include <optional>

using namespace jit;
using namespace jit::runtime;

size_t BoxCopy::bytes() const {
  size_t count = size_t(jit_element_size(int32_t(from.map->dtype)));
  for (int64_t size : from.map->box)
    count *= size_t(size);
  return count;
}

/// Where element (x, y, z) of what the map describes is; nothing outside.
static std::optional<uint64_t> offsetOf(const jit_tensor_map &map,
                                        const std::array<uint64_t, 3> &at) {
  for (size_t i = 0; i < at.size(); ++i)
    if (at[i] >= uint64_t(map.sizes[i]))
      return std::nullopt;
  return at[0] * uint64_t(jit_element_size(int32_t(map.dtype))) + at[1] * uint64_t(map.strides[0]) +
         at[2] * uint64_t(map.strides[1]);
}

static void doCopy(const BoxCopy &copy) {
  const jit_tensor_map &map = *copy.from.map;
  size_t bytes = size_t(jit_element_size(int32_t(map.dtype)));
  auto to = reinterpret_cast<uintptr_t>(copy.to);
  for (int64_t z = 0; z < map.box[2]; ++z)
    for (int64_t y = 0; y < map.box[1]; ++y)
      for (int64_t x = 0; x < map.box[0]; ++x, to += bytes) {
        // Places in front of the first element are huge, and outside as well.
        std::optional<uint64_t> from = offsetOf(
            map, {uint64_t(copy.at[0] + x), uint64_t(copy.at[1] + y), uint64_t(copy.at[2] + z)});
        auto *element = reinterpret_cast<std::byte *>(swizzled(to));
        if (from)
          std::memcpy(element, copy.from.address + *from, bytes);
        else
          std::memset(element, 0, bytes);
      }
}

void BlockBarriers::Barrier::endPhase() {
  if (missing != 0 || bytes != 0)
    return;
  missing = count;
  ++phase;
}

void BlockBarriers::clear() {
  barriers.clear();
  copies.clear();
}

void BlockBarriers::init(const void *barrier, int32_t count) {
  barriers[barrier] = {.count = count, .missing = count};
}

bool BlockBarriers::arrive(const void *barrier, int32_t bytes) {
  auto found = barriers.find(barrier);
  if (found == barriers.end())
    return false;
  found->second.bytes += bytes;
  --found->second.missing;
  found->second.endPhase();
  return true;
}

bool BlockBarriers::isOver(const void *barrier, int32_t parity) const {
  auto found = barriers.find(barrier);
  return found != barriers.end() && found->second.phase % 2 != parity;
}

bool BlockBarriers::finishCopies() {
  bool known = true;
  for (const BoxCopy &copy : copies) {
    doCopy(copy);
    auto found = barriers.find(copy.barrier);
    known &= found != barriers.end();
    if (found == barriers.end())
      continue;
    found->second.bytes -= int64_t(copy.bytes());
    found->second.endPhase();
  }
  copies.clear();
  return known;
}
