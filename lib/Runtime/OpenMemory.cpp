//===- OpenMemory.cpp - a call's memory of open sizes ---------------------===//
#include "OpenMemory.h"

using namespace jit;
using namespace jit::runtime;

OpenMemory::OpenMemory(std::shared_ptr<Device> device, DeviceQueue &queue, const Entry &entry)
    : device(std::move(device)), queue(queue), entry(entry), results(entry.results.size()) {}

Result<void> OpenMemory::enlarge(Buffer &buffer, size_t bytes, Device &device, DeviceQueue &queue) {
  if (buffer && buffer->size() >= bytes)
    return {};
  if (buffer) {
    // Kernels of this queue may still use it, and those of others would get it next.
    if (auto done = queue.finish(); !done)
      return done;
    // Sizes that grow from call to call ask for memory now and then only.
    bytes += bytes < SIZE_MAX / 2 ? bytes / 2 : 0;
    buffer.reset();
  }
  Result<Buffer> taken = device.take(bytes);
  if (!taken)
    return taken.takeError();
  buffer = std::move(*taken);
  return {};
}

Result<DeviceAddress> OpenMemory::result(size_t number, std::span<const int64_t> openSizes) {
  const ValueType &type = entry.results[number].type;
  std::vector<int64_t> sizes = type.sizes;
  size_t next = 0;
  for (int64_t &size : sizes)
    if (size == ValueType::openSize)
      size = openSizes[next++];
  Result<int64_t> count = elementCount(sizes, type.scalar);
  if (!count)
    return count.takeError();
  auto bytes = size_t(*count * elementSize(type.scalar));
  if (auto done = enlarge(results[number].buffer, bytes, *device, queue); !done)
    return done.takeError();
  results[number].sizes = std::move(sizes);
  return results[number].buffer->address();
}

Result<DeviceAddress> OpenMemory::scratch(size_t piece, size_t bytes) {
  if (pieces.size() <= piece)
    pieces.resize(piece + 1);
  if (auto done = enlarge(pieces[piece], bytes, *device, queue); !done)
    return done.takeError();
  return pieces[piece]->address();
}
