//===- Device.cpp - memory that devices keep for later --------------------===//
#include "Device.h"

using namespace jit;
using namespace jit::runtime;

/// Sizes are rounded up to this, so that buffers serve again.
static constexpr size_t granule = 512;
/// Memory of the host that is taken at most, so that the system keeps enough that it can page out.
static constexpr size_t mostHostBytes = size_t(256) << 20;

DeviceBuffer::~DeviceBuffer() { device->giveBack(start, bytes, kind); }

static Error noRecording() {
  return {ErrorCode::Unsupported, "expected a device that records its work"};
}

Result<void> DeviceQueue::multiply(const MatrixProduct &, DeviceAddress, DeviceAddress,
                                   DeviceAddress) {
  return Error{ErrorCode::Unsupported, "expected a device with a library for products"};
}

Result<void> DeviceQueue::convolve(const PlanConvolution &, DeviceAddress, DeviceAddress,
                                   DeviceAddress) {
  return Error{ErrorCode::Unsupported, "expected a device with a library for convolutions"};
}

Result<void> DeviceQueue::beginRecording() { return noRecording(); }
Result<std::unique_ptr<DeviceGraph>> DeviceQueue::endRecording() { return noRecording(); }
Result<void> DeviceQueue::replay(const DeviceGraph &) { return noRecording(); }

Result<std::shared_ptr<Device>> Device::open(const DeviceCode &code, int number) {
  if (code.isEmulated)
    return openEmulatedDevice();
  return openCudaDevice(number);
}

Result<std::unique_ptr<DeviceQueue>> Device::joinQueue(void *) {
  return Error{ErrorCode::Unsupported, "expected a CUDA device for a stream of the caller's"};
}

std::shared_ptr<DeviceBuffer> Device::takeIdle(size_t bytes, MemoryKind kind) {
  std::lock_guard<std::mutex> lock(mutex);
  // One of up to twice the size is good enough.
  auto found = idleOf(kind).lower_bound(bytes);
  if (found == idleOf(kind).end() || found->first / 2 > bytes)
    return nullptr;
  auto buffer =
      std::make_shared<DeviceBuffer>(shared_from_this(), kind, found->second, found->first);
  idleOf(kind).erase(found);
  return buffer;
}

Result<DeviceAddress> Device::allocateCounted(size_t bytes, MemoryKind kind) {
  if (kind == MemoryKind::Device)
    return allocate(bytes, kind);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (bytes > mostHostBytes - hostBytes)
      return Error{ErrorCode::LimitExceeded, "out of memory that the device copies by itself"};
    hostBytes += bytes;
  }
  Result<DeviceAddress> address = allocate(bytes, kind);
  std::lock_guard<std::mutex> lock(mutex);
  hostBytes -= address ? 0 : bytes;
  return address;
}

Result<std::shared_ptr<DeviceBuffer>> Device::take(size_t bytes, MemoryKind kind) {
  size_t rounded = (bytes + granule) / granule * granule;
  if (rounded < bytes)
    return Error{ErrorCode::LimitExceeded, "out of memory on the device"};
  if (std::shared_ptr<DeviceBuffer> buffer = takeIdle(rounded, kind))
    return buffer;
  Result<DeviceAddress> address = allocateCounted(rounded, kind);
  if (!address && address.error().code == ErrorCode::LimitExceeded) {
    releaseCache();
    address = allocateCounted(rounded, kind);
  }
  if (!address)
    return address.takeError();
  try {
    return std::make_shared<DeviceBuffer>(shared_from_this(), kind, *address, rounded);
  } catch (const std::bad_alloc &) {
    discard(*address, rounded, kind);
    throw;
  }
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

void Device::giveBack(DeviceAddress address, size_t bytes, MemoryKind kind) {
  try {
    std::lock_guard<std::mutex> lock(mutex);
    idleOf(kind).emplace(bytes, address);
  } catch (const std::bad_alloc &) {
    discard(address, bytes, kind);
  }
}

void Device::discard(DeviceAddress address, size_t bytes, MemoryKind kind) {
  std::lock_guard<std::mutex> lock(mutex);
  release(address, kind);
  hostBytes -= kind == MemoryKind::Host ? bytes : 0;
}

void Device::releaseCache() {
  std::lock_guard<std::mutex> lock(mutex);
  for (MemoryKind kind : {MemoryKind::Device, MemoryKind::Host}) {
    for (auto [bytes, address] : idleOf(kind)) {
      release(address, kind);
      hostBytes -= kind == MemoryKind::Host ? bytes : 0;
    }
    idleOf(kind).clear();
  }
}
