//===- OpenMemory.cpp - a call's memory of open sizes ---------------------===//
#include "OpenMemory.h"
#include "Buffers.h"
#include "Marshalling.h"

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
    bytes = size_t(jit_grown_bytes(int64_t(buffer->size()), int64_t(bytes)));
    buffer.reset();
  }
  Result<Buffer> taken = device.take(bytes);
  if (!taken)
    return taken.takeError();
  buffer = std::move(*taken);
  return {};
}

Result<DeviceAddress> OpenMemory::result(size_t number, const int64_t *openSizes) {
  const ValueType &type = entry.results[number].type;
  std::vector<int64_t> sizes(type.sizes.size());
  int64_t bytes = 0;
  jit_error error;
  if (jit_size_result(int32_t(type.scalar), int32_t(sizes.size()), type.sizes.data(), openSizes,
                      sizes.data(), &bytes, &error) != JIT_OK)
    return errorOf(error);
  if (auto done = enlarge(results[number].buffer, size_t(bytes), *device, queue); !done)
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
