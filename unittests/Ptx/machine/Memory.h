//===- Memory.h - the device's memory ---------------------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_MEMORY_H
#define JIT_UNITTESTS_PTX_MEMORY_H

#include "Races.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace ptx {

/// Where spaces lie among generic addresses. Device memory is the host's, at its own addresses.
constexpr uint64_t sharedWindow = uint64_t(1) << 56, localWindow = uint64_t(2) << 56,
                   paramWindow = uint64_t(3) << 56, windowMask = uint64_t(0xff) << 56;

class Allocation {
public:
  /// Bytes that nobody has written are not zero.
  explicit Allocation(size_t bytes);
  ~Allocation();
  Allocation(const Allocation &) = delete;

  uint64_t address() const { return reinterpret_cast<uint64_t>(data); }
  /// Made once a kernel is there.
  AccessLog &log();
  /// What blocks let others know by atomic writes to an address, by their offset, in one launch.
  std::shared_ptr<const BlockTimes> &published(size_t offset, uint32_t launch);

  /// Remembers what is there, before it is written for the first time in a launch.
  void keep() {
    if (!kept)
      kept = std::make_unique<std::vector<uint8_t>>(data, data + bytes);
  }

  uint8_t *data;
  size_t bytes;
  std::unique_ptr<std::vector<uint8_t>> kept;

private:
  std::unique_ptr<AccessLog> accesses;
  std::unordered_map<size_t, std::shared_ptr<const BlockTimes>> publications;
  uint32_t publishingLaunch = 0;
};

class DeviceMemory {
public:
  /// With zeros where asked for: they are an index of whatever they are taken for.
  uint64_t allocate(size_t bytes, bool isZero = false);
  /// False where nothing begins there.
  bool release(uint64_t address);
  /// What holds all of these bytes, or null.
  Allocation *find(uint64_t address, size_t bytes);
  size_t count() const { return allocations.size(); }
  /// What is written from now on.
  void beginLaunch();
  /// The bytes of what has been written since, by addresses.
  using Written = std::map<uint64_t, std::vector<uint8_t>>;
  Written written() const;
  /// What was there before.
  void undo();
  void restore(const Written &saved);

private:
  std::map<uint64_t, std::unique_ptr<Allocation>> allocations;
  Allocation *last = nullptr;
};

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_MEMORY_H
