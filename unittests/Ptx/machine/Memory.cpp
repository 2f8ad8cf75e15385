//===- Memory.cpp - the device's memory -----------------------------------===//
#include "Memory.h"

#include <cstdlib>
#include <cstring>

using namespace ptx;

/// What the driver aligns memory to.
static constexpr size_t alignment = 256;

Allocation::Allocation(size_t bytes)
    : data(static_cast<uint8_t *>(
          std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment))),
      bytes(bytes) {
  // A NaN of each type of float, and a large integer.
  std::memset(data, 0x7f, bytes);
  for (size_t i = 0; i < bytes; i += 2)
    data[i] = 0xfb;
}

Allocation::~Allocation() { std::free(data); }

AccessLog &Allocation::log() {
  if (!accesses)
    accesses = std::make_unique<AccessLog>(bytes);
  return *accesses;
}

std::shared_ptr<const BlockTimes> &Allocation::published(size_t offset, uint32_t launch) {
  if (publishingLaunch != launch)
    publications.clear();
  publishingLaunch = launch;
  return publications[offset];
}

uint64_t DeviceMemory::allocate(size_t bytes, bool isZero) {
  auto made = std::make_unique<Allocation>(bytes);
  if (isZero)
    std::memset(made->data, 0, bytes);
  uint64_t address = made->address();
  allocations[address] = std::move(made);
  return address;
}

bool DeviceMemory::release(uint64_t address) {
  last = nullptr;
  return allocations.erase(address) != 0;
}

Allocation *DeviceMemory::find(uint64_t address, size_t bytes) {
  auto holds = [&](const Allocation &one) {
    return address >= one.address() && address - one.address() + bytes <= one.bytes;
  };
  if (last && holds(*last))
    return last;
  auto found = allocations.upper_bound(address);
  if (found == allocations.begin())
    return nullptr;
  --found;
  if (!holds(*found->second))
    return nullptr;
  return last = found->second.get();
}

void DeviceMemory::beginLaunch() {
  for (auto &[address, one] : allocations)
    one->kept = nullptr;
}

DeviceMemory::Written DeviceMemory::written() const {
  Written result;
  for (auto &[address, one] : allocations)
    if (one->kept)
      result[address].assign(one->data, one->data + one->bytes);
  return result;
}

void DeviceMemory::undo() {
  for (auto &[address, one] : allocations)
    if (one->kept)
      std::memcpy(one->data, one->kept->data(), one->bytes);
}

void DeviceMemory::restore(const Written &saved) {
  undo();
  for (auto &[address, bytes] : saved)
    std::memcpy(allocations.at(address)->data, bytes.data(), bytes.size());
}
