//===- Counter.h - what a kernel's instructions do, counted -----*- C++ -*-===//
//
// For a model of time: how often each instruction is issued, and what its accesses cost in the
// units that NVIDIA's guides count in: sectors of 32 bytes for device memory, wavefronts over 32
// banks of 4 bytes for shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_UNITTESTS_PTX_COUNTER_H
#define JIT_UNITTESTS_PTX_COUNTER_H

#include "Module.h"

#include <array>
#include <map>
#include <unordered_map>

namespace ptx {

constexpr uint64_t sectorBytes = 32, bankBytes = 4, banks = 32;

/// What the lanes of a warp touch at once: an address each, of so many bytes.
struct WarpAccess {
  Lanes lanes = 0;
  std::array<uint64_t, warpSize> addresses = {};
  uint64_t bytes = 0;
};

/// The sectors of device memory in which an access lies, and the least that its bytes would take.
struct Cost {
  uint64_t transactions = 0, least = 0;
};
Cost sectorsOf(const WarpAccess &access);
/// The turns that the banks of shared memory take for an access. Lanes of one address are one;
/// they take part in the order of their numbers, as many at a time as 128 bytes serve.
Cost wavefrontsOf(const WarpAccess &access);

/// Of one kind of access by one instruction.
struct Traffic {
  uint64_t requests = 0, transactions = 0, least = 0, bytes = 0;
  void add(const Cost &cost, uint64_t ofBytes);
};

/// Of one instruction, by warps: how often, and by how many lanes in all.
struct InstructionCounts {
  const Instruction *instruction = nullptr;
  uint64_t issues = 0, lanes = 0;
  Traffic loads, stores, shared;
};

/// A range of device memory that instructions touch, from one block to the others.
struct Footprint {
  uint64_t low = ~uint64_t(0), high = 0;
  bool isWritten = false;
  /// What is touched at all, and what by each block, added up.
  uint64_t bytes = 0, sectors = 0, bytesOfBlocks = 0, sectorsOfBlocks = 0;
};

class Counter {
public:
  explicit Counter(uint32_t mostBlocks) : mostBlocks(mostBlocks) {}

  /// The blocks of a grid that run: the first, the last, and some between.
  std::vector<uint32_t> sample(uint32_t blocks) const;

  /// Before each block that runs.
  void beginBlock() { ++ran; }
  void issue(Warp &warp, const Instruction &instruction, Lanes lanes);

  std::vector<InstructionCounts> instructions() const;
  std::vector<Footprint> footprints() const;
  /// Issues of the warp that has the most of a block, added up over blocks.
  uint64_t longestWarps() const;
  /// The same of the block where that is the most.
  uint64_t longestWarp() const;
  /// Issues of each block, by its number, of which there are `count`.
  std::vector<uint64_t> issuesOfBlocks(uint32_t count) const;
  uint32_t blocks() const { return ran; }

private:
  struct Sector {
    uint32_t mask = 0, blocks = 0;
    /// A bit for each block that has touched it.
    std::vector<bool> isOf;
  };
  using Sectors = std::unordered_map<uint64_t, Sector>;
  struct Entry : InstructionCounts {
    Footprint read, written;
  };

  void countMemory(Warp &warp, const Instruction &i, Lanes lanes, Entry &entry);
  void touch(Entry &entry, const WarpAccess &access, bool isWrite);
  void countGlobal(Entry &entry, const WarpAccess &access, bool isWrite);
  void countShared(Entry &entry, const WarpAccess &access);
  void countThreadCopies(Warp &warp, const Instruction &i, Lanes lanes, Entry &entry);
  void countBoxes(Warp &warp, const Instruction &i, Lanes lanes, Entry &entry);
  void countWarpgroupProduct(const Instruction &i, Entry &entry);

  uint32_t mostBlocks, ran = 0;
  std::map<const Instruction *, Entry> entries;
  /// Issues of each warp, by its block.
  std::map<uint32_t, std::map<uint32_t, uint64_t>> warps;
  /// The number of the block that issues among those that have.
  uint32_t current = 0;
  std::map<uint32_t, uint32_t> order;
  Sectors read, written;
};

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_COUNTER_H
