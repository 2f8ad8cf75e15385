//===- Counter.cpp - what a kernel's instructions do, counted -------------===//
#include "Counter.h"
#include "Opcode.h"
#include "TensorMap.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <ranges>
#include <set>

using namespace ptx;

std::vector<uint32_t> Counter::sample(uint32_t blocks) const {
  if (blocks <= mostBlocks) {
    std::vector<uint32_t> all(blocks);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  // Equal distances would find the same place of each row of blocks, whose number is a power of two
  // more often than not; multiples of the golden ratio are spread evenly over any.
  constexpr double goldenRatio = 0.6180339887498949;
  std::set<uint32_t> some;
  if (mostBlocks > 0)
    some.insert(0);
  if (mostBlocks > 1)
    some.insert(blocks - 1);
  for (uint32_t at = 1; some.size() < mostBlocks; ++at)
    some.insert(static_cast<uint32_t>(std::fmod(at * goldenRatio, 1) * blocks));
  return {some.begin(), some.end()};
}

uint64_t Counter::longestWarps() const {
  uint64_t longest = 0;
  for (auto &[block, issues] : warps)
    longest += std::ranges::max(issues | std::views::values);
  return longest;
}

uint64_t Counter::longestWarp() const {
  uint64_t longest = 0;
  for (auto &[block, issues] : warps)
    longest = std::max(longest, std::ranges::max(issues | std::views::values));
  return longest;
}

std::vector<uint64_t> Counter::issuesOfBlocks(uint32_t count) const {
  std::vector<uint64_t> result(count);
  for (auto &[block, issues] : warps)
    for (uint64_t ofWarp : issues | std::views::values)
      result[block] += ofWarp;
  return result;
}

/// Not of what an assembler does without an instruction: registers get other names, parameters are
/// operands in constant memory, and device memory has the same addresses among generic ones.
static bool takesSlot(const Instruction &i) {
  return !i.opcode.starts_with("mov.") && !i.opcode.starts_with("cvta.") &&
         !i.opcode.starts_with("ld.param.");
}

void Counter::issue(Warp &warp, const Instruction &i, Lanes lanes) {
  if (!takesSlot(i))
    return;
  Entry &entry = entries[&i];
  entry.instruction = &i;
  ++entry.issues;
  entry.lanes += static_cast<uint64_t>(std::popcount(lanes));
  ++warps[warp.block.number][warp.number];
  current = order.try_emplace(warp.block.number, static_cast<uint32_t>(order.size())).first->second;
  countMemory(warp, i, lanes, entry);
}

/// What the lanes touch through operand `number`.
static WarpAccess accessOf(Warp &warp, const Instruction &i, Lanes lanes, size_t number,
                           uint64_t bytes) {
  WarpAccess access{lanes, {}, bytes};
  forLanes(lanes, [&](int lane) {
    access.addresses[static_cast<size_t>(lane)] = warp.address(i, number, lane);
  });
  return access;
}

/// Generic addresses of shared memory have a window of their own.
static bool isShared(const Instruction &i, const WarpAccess &access) {
  if (i.space != Space::Generic)
    return i.space == Space::Shared;
  uint64_t first = access.addresses[static_cast<size_t>(std::countr_zero(access.lanes))];
  return (first & windowMask) == sharedWindow;
}

void Counter::countMemory(Warp &warp, const Instruction &i, Lanes lanes, Entry &entry) {
  std::string_view opcode = i.opcode;
  if (opcode.starts_with("ldmatrix")) {
    // Of each matrix of 8 rows, lanes of their own say where they are.
    auto rows = static_cast<int>(8 * i.operands[0].slots.size());
    Lanes asked = rows == warpSize ? ~Lanes(0) : (Lanes(1) << rows) - 1;
    return countShared(entry, accessOf(warp, i, asked, 1, 16));
  }
  if (opcode.starts_with("cp.async.bulk.tensor"))
    return countBoxes(warp, i, lanes, entry);
  if (opcode.starts_with("cp.async.ca") || opcode.starts_with("cp.async.cg"))
    return countThreadCopies(warp, i, lanes, entry);
  if (opcode.starts_with("wgmma.mma_async"))
    return countWarpgroupProduct(i, entry);
  bool isLoad = opcode.starts_with("ld."), isStore = opcode.starts_with("st."),
       isAtomic = opcode.starts_with("atom."), isReduction = opcode.starts_with("red.");
  if (!isLoad && !isStore && !isAtomic && !isReduction)
    return;
  // Atomics have no type here but in their handlers, and are of 4 or 8 bytes.
  size_t at = isLoad || isAtomic ? 1 : 0;
  uint64_t bytes = isAtomic || isReduction ? (opcode.ends_with("64") ? 8 : 4)
                                           : bytesOf(i.type) * i.operands[1 - at].slots.size();
  WarpAccess access = accessOf(warp, i, lanes, at, bytes);
  if (isShared(i, access))
    return countShared(entry, access);
  if (i.space == Space::Global || i.space == Space::Generic || i.space == Space::Const)
    countGlobal(entry, access, !isLoad);
}

void Counter::countShared(Entry &entry, const WarpAccess &access) {
  entry.shared.add(wavefrontsOf(access),
                   access.bytes * static_cast<uint64_t>(std::popcount(access.lanes)));
}

void Counter::countGlobal(Entry &entry, const WarpAccess &access, bool isWrite) {
  Traffic &traffic = isWrite ? entry.stores : entry.loads;
  traffic.add(sectorsOf(access), access.bytes * static_cast<uint64_t>(std::popcount(access.lanes)));
  touch(entry, access, isWrite);
}

void Counter::touch(Entry &entry, const WarpAccess &access, bool isWrite) {
  Footprint &range = isWrite ? entry.written : entry.read;
  forLanes(access.lanes, [&](int lane) {
    uint64_t address = access.addresses[static_cast<size_t>(lane)], end = address + access.bytes;
    range.low = std::min(range.low, address);
    range.high = std::max(range.high, end);
    while (address < end) {
      uint64_t in = address % sectorBytes, count = std::min(end - address, sectorBytes - in);
      Sector &sector = (isWrite ? written : read)[address / sectorBytes];
      sector.mask |= static_cast<uint32_t>(((uint64_t(1) << count) - 1) << in);
      if (sector.isOf.size() <= current)
        sector.isOf.resize(current + 1);
      sector.blocks += sector.isOf[current] ? 0 : 1;
      sector.isOf[current] = true;
      address += count;
    }
  });
}

/// cp.async: a read of device memory and a write of shared memory in one.
void Counter::countThreadCopies(Warp &warp, const Instruction &i, Lanes lanes, Entry &entry) {
  auto bytes = warp.operand(i, 2)[std::countr_zero(lanes)];
  countShared(entry, accessOf(warp, i, lanes, 0, bytes));
  Lanes reading = lanes;
  // With no bytes of a source it is left alone, and zeros are written.
  if (i.operands.size() > 3)
    forLanes(lanes, [&](int lane) {
      if (static_cast<uint32_t>(warp.operand(i, 3)[lane]) == 0)
        reading &= ~(Lanes(1) << lane);
    });
  if (reading)
    countGlobal(entry, accessOf(warp, i, reading, 1, bytes), false);
}

/// Boxes of rows that are copied by the device: each row by itself, of what lies inside.
void Counter::countBoxes(Warp &warp, const Instruction &i, Lanes lanes, Entry &entry) {
  forLanes(lanes, [&](int lane) {
    TensorMap map;
    uint64_t from = warp.address(i, 1, lane);
    const uint8_t *data = warp.reach(i, lane, Space::Generic, from, sizeof map / 2, Access::Read);
    if (!data ||
        !warp.reach(i, lane, Space::Generic, from + sizeof map / 2, sizeof map / 2, Access::Read))
      return;
    std::memcpy(&map, data, sizeof map);
    int64_t at[3];
    for (size_t dim = 0; dim < 3; ++dim)
      at[dim] = static_cast<int32_t>(warp.slot(i.operands[1].coordinates[dim])[lane]);
    constexpr int64_t elementBytes = 2;
    auto end = [&](int dim) {
      return std::min<int64_t>(at[dim] + int64_t(map.dims[dim].box), int64_t(map.dims[dim].size));
    };
    int64_t first = std::max<int64_t>(at[0], 0);
    for (int64_t z = std::max<int64_t>(at[2], 0); z < end(2); ++z)
      for (int64_t y = std::max<int64_t>(at[1], 0); y < end(1) && first < end(0); ++y) {
        WarpAccess row{1, {}, static_cast<uint64_t>((end(0) - first) * elementBytes)};
        row.addresses[0] = map.address + static_cast<uint64_t>(first * elementBytes) +
                           static_cast<uint64_t>(y) * map.dims[0].stride +
                           static_cast<uint64_t>(z) * map.dims[1].stride;
        entry.loads.add(sectorsOf(row), row.bytes);
        touch(entry, row, false);
      }
    uint64_t rows = map.dims[1].box * map.dims[2].box;
    // A row is as wide as the banks together.
    entry.shared.add({rows, rows}, rows * banks * bankBytes);
  });
}

/// wgmma reads each factor that lies in shared memory at least once for the four warps of a group;
/// a warp's part is a fourth.
void Counter::countWarpgroupProduct(const Instruction &i, Entry &entry) {
  constexpr uint64_t depthBytes = 32, rows = 64, warpsOfGroup = 4;
  bool isFirstInRegisters = i.operands[1].slots.size() == 4;
  uint64_t columns = 2 * i.operands[0].slots.size();
  uint64_t bytes = (columns + (isFirstInRegisters ? 0 : rows)) * depthBytes / warpsOfGroup;
  uint64_t turns = bytes / (banks * bankBytes);
  entry.shared.add({turns, turns}, bytes);
}

std::vector<InstructionCounts> Counter::instructions() const {
  std::vector<InstructionCounts> result;
  for (auto &[instruction, entry] : entries)
    result.push_back(entry);
  return result;
}

/// Instructions whose ranges overlap touch one buffer.
static std::vector<Footprint> merged(std::vector<Footprint> ranges) {
  std::ranges::sort(ranges, {}, &Footprint::low);
  std::vector<Footprint> result;
  for (const Footprint &range : ranges) {
    if (result.empty() || range.low >= result.back().high)
      result.push_back(range);
    result.back().high = std::max(result.back().high, range.high);
  }
  return result;
}

std::vector<Footprint> Counter::footprints() const {
  std::vector<Footprint> result;
  for (bool isWrite : {false, true}) {
    std::vector<Footprint> ranges;
    for (auto &[instruction, entry] : entries)
      if (const Footprint &one = isWrite ? entry.written : entry.read; one.high > 0)
        ranges.push_back(one);
    ranges = merged(std::move(ranges));
    for (auto &[number, sector] : isWrite ? written : read) {
      uint64_t address =
          number * sectorBytes + static_cast<uint64_t>(std::countr_zero(sector.mask));
      auto of = std::ranges::upper_bound(ranges, address, {}, &Footprint::low) - 1;
      auto bytes = static_cast<uint64_t>(std::popcount(sector.mask));
      of->isWritten = isWrite;
      of->bytes += bytes;
      of->sectors += 1;
      of->bytesOfBlocks += bytes * sector.blocks;
      of->sectorsOfBlocks += sector.blocks;
    }
    result.insert(result.end(), ranges.begin(), ranges.end());
  }
  return result;
}
