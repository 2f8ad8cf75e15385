//===- Device.h - memory and kernels of a GPU, or of its emulation -*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_DEVICE_H
#define JIT_LIB_RUNTIME_GPU_DEVICE_H

#include "jit/Result.h"
#include "jit/Runtime/DevicePlan.h"
#include "jit/Runtime/Package.h"
#include "jit/Runtime/Tensor.h"

#include <array>
#include <map>
#include <mutex>
#include <span>

namespace jit::runtime {

/// An address in a device's memory.
using DeviceAddress = uint64_t;

class Device;

/// Whose memory it is: the device's, or the host's where the device copies from and to by itself.
enum class MemoryKind { Device, Host };

/// Memory that a device has taken, given back to its cache at the end.
class DeviceBuffer {
public:
  DeviceBuffer(std::shared_ptr<Device> device, MemoryKind kind, DeviceAddress address, size_t bytes)
      : device(std::move(device)), kind(kind), start(address), bytes(bytes) {}
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  DeviceAddress address() const { return start; }
  size_t size() const { return bytes; }
  /// Of memory of the host.
  void *data() const { return reinterpret_cast<void *>(start); }

private:
  std::shared_ptr<Device> device;
  MemoryKind kind;
  DeviceAddress start;
  size_t bytes;
};

/// Kernels that a device has taken; by their numbers.
class LoadedKernels {
public:
  virtual ~LoadedKernels() = default;
};

/// Work that was recorded, to be done again with the same memory.
class DeviceGraph {
public:
  virtual ~DeviceGraph() = default;
};

/// Work that a device does in order. One thread at a time.
class DeviceQueue {
public:
  virtual ~DeviceQueue() = default;
  /// The host's memory may be changed only after finish().
  virtual Result<void> copyIn(DeviceAddress to, const void *from, size_t bytes) = 0;
  virtual Result<void> copyOut(void *to, DeviceAddress from, size_t bytes) = 0;
  virtual Result<void> copy(DeviceAddress to, DeviceAddress from, size_t bytes) = 0;
  /// `maps` say which of the arguments are addresses of what a map describes.
  virtual Result<void> launch(const LoadedKernels &kernels, uint32_t number,
                              std::span<const uint64_t> arguments,
                              std::span<const jit_tensor_map> maps) = 0;
  /// By a library. Unsupported where there is none.
  virtual Result<void> multiply(const MatrixProduct &product, DeviceAddress left,
                                DeviceAddress right, DeviceAddress result);
  virtual Result<void> convolve(const PlanConvolution &convolution, DeviceAddress images,
                                DeviceAddress filters, DeviceAddress result);
  /// Waits until all of it is done.
  virtual Result<void> finish() = 0;

  /// From here on copies on the device and launches are kept instead of done, until endRecording.
  /// Unsupported where a device starts work as fast one by one.
  virtual Result<void> beginRecording();
  virtual Result<std::unique_ptr<DeviceGraph>> endRecording();
  virtual Result<void> replay(const DeviceGraph &graph);
};

/// Any number of threads may use one device.
class Device : public std::enable_shared_from_this<Device> {
public:
  virtual ~Device() = default;

  /// The device that this code runs on: the CUDA device of this number, or the emulation in this
  /// process.
  static Result<std::shared_ptr<Device>> open(const DeviceCode &code, int number);

  virtual Result<std::unique_ptr<LoadedKernels>> load(std::shared_ptr<const DeviceCode> code) = 0;
  virtual Result<std::unique_ptr<DeviceQueue>> createQueue() = 0;
  /// The queue that a caller has made. Unsupported where there are no such queues, InvalidArgument
  /// for one of another device.
  virtual Result<std::unique_ptr<DeviceQueue>> joinQueue(void *stream);
  /// True for an address in this device's memory, false for one of the host's. InvalidArgument for
  /// another device's: what is in flight there this one's queues do not wait for.
  virtual Result<bool> holds(const void *) { return false; }
  /// Waits until all is done that anybody has this device do.
  virtual void finishAll() {}

  /// At least `bytes` bytes (never none), aligned to 256; contents undefined. Memory of the host,
  /// which the system cannot page out, is bounded: LimitExceeded where much of it is taken.
  Result<std::shared_ptr<DeviceBuffer>> take(size_t bytes, MemoryKind kind = MemoryKind::Device);
  /// The elements of `tensor` on this device: brought there once, for as long as somebody has them.
  /// They must not change meanwhile.
  Result<std::shared_ptr<DeviceBuffer>> resident(const Tensor &tensor, DeviceQueue &queue);

protected:
  virtual Result<DeviceAddress> allocate(size_t bytes, MemoryKind kind) = 0;
  virtual void release(DeviceAddress address, MemoryKind kind) = 0;
  /// To be called by the destructor of what implements release().
  void releaseCache();

private:
  friend class DeviceBuffer;
  using Idle = std::multimap<size_t, DeviceAddress>;
  Idle &idleOf(MemoryKind kind) { return idle[size_t(kind)]; }
  void giveBack(DeviceAddress address, size_t bytes, MemoryKind kind);
  void discard(DeviceAddress address, size_t bytes, MemoryKind kind);
  std::shared_ptr<DeviceBuffer> takeIdle(size_t bytes, MemoryKind kind);
  Result<DeviceAddress> allocateCounted(size_t bytes, MemoryKind kind);

  std::mutex mutex;
  /// Memory of each kind that nobody has, by its size; how much of the host's there is.
  std::array<Idle, 2> idle;
  size_t hostBytes = 0;
  std::map<std::pair<const void *, size_t>, std::weak_ptr<DeviceBuffer>> residents;
};

/// The CUDA driver's device of this number, found when first asked for; an error where there is
/// none.
Result<std::shared_ptr<Device>> openCudaDevice(int number);
/// The device that runs kernels on this CPU.
std::shared_ptr<Device> openEmulatedDevice();

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_DEVICE_H
