//===- Device.cpp - memory that devices keep for later --------------------===//
#include "Device.h"

using namespace jit;

/// Sizes are rounded up to this, so that buffers serve again.
static constexpr size_t granule = 512;

DeviceBuffer::~DeviceBuffer() { device->giveBack(start, bytes); }

static Error noRecording() {
  return {ErrorCode::Unsupported, "expected a device that records its work"};
}

Result<void> DeviceQueue::beginRecording() { return noRecording(); }
Result<std::unique_ptr<DeviceGraph>> DeviceQueue::endRecording() { return noRecording(); }
Result<void> DeviceQueue::replay(const DeviceGraph &) { return noRecording(); }

Result<std::shared_ptr<Device>> Device::open(const DeviceCode &code) {
  if (code.isEmulated)
    return openEmulatedDevice();
  return openCudaDevice();
}

Result<std::unique_ptr<DeviceQueue>> Device::joinQueue(void *) {
  return Error{ErrorCode::Unsupported, "expected a CUDA device for a stream of the caller's"};
}

Result<std::shared_ptr<DeviceBuffer>> Device::take(size_t bytes) {
  size_t rounded = (bytes + granule) / granule * granule;
  if (rounded < bytes)
    return Error{ErrorCode::LimitExceeded, "out of memory on the device"};
  {
    std::lock_guard<std::mutex> lock(mutex);
    // One of up to twice the size is good enough.
    auto found = idle.lower_bound(rounded);
    if (found != idle.end() && found->first / 2 <= rounded) {
      auto buffer = std::make_shared<DeviceBuffer>(shared_from_this(), found->second, found->first);
      idle.erase(found);
      return buffer;
    }
  }
  Result<DeviceAddress> address = allocate(rounded);
  if (!address && address.error().code == ErrorCode::LimitExceeded) {
    releaseCache();
    address = allocate(rounded);
  }
  if (!address)
    return address.takeError();
  return std::make_shared<DeviceBuffer>(shared_from_this(), *address, rounded);
}

Result<std::shared_ptr<DeviceBuffer>> Device::resident(const Tensor &tensor, DeviceQueue &queue) {
  std::pair<const void *, size_t> key(tensor.data(), tensor.byteSize());
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = residents.find(key); found != residents.end())
      if (std::shared_ptr<DeviceBuffer> buffer = found->second.lock())
        return buffer;
  }
  Result<std::shared_ptr<DeviceBuffer>> buffer = take(tensor.byteSize());
  if (!buffer)
    return buffer;
  if (tensor.byteSize() > 0)
    if (auto done = queue.copyIn((*buffer)->address(), tensor.data(), tensor.byteSize()); !done)
      return done.takeError();
  // Others may read it from queues of their own.
  if (auto done = queue.finish(); !done)
    return done.takeError();
  std::lock_guard<std::mutex> lock(mutex);
  residents[key] = *buffer;
  return buffer;
}

void Device::giveBack(DeviceAddress address, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  idle.emplace(bytes, address);
}

void Device::releaseCache() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [bytes, address] : idle)
    release(address);
  idle.clear();
}
