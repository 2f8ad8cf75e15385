//===- EmulatedDevice.cpp - a device that is this CPU ---------------------===//
#include "BarrierEmulation.h"
#include "Device.h"
#include "LibraryEmulation.h"
#include "ThreadEmulation.h"

#include <cstdlib>
#include <cstring>
#include <vector>

using namespace jit;
using namespace jit::runtime;

static void *pointer(DeviceAddress address) { return reinterpret_cast<void *>(address); }

namespace {
class EmulatedKernels : public LoadedKernels {
public:
  explicit EmulatedKernels(std::shared_ptr<const DeviceCode> code) : code(std::move(code)) {}
  std::shared_ptr<const DeviceCode> code;
};

class EmulatedQueue : public DeviceQueue {
public:
  Result<void> copyIn(DeviceAddress to, const void *from, size_t bytes) override {
    std::memcpy(pointer(to), from, bytes);
    return {};
  }
  Result<void> copyOut(void *to, DeviceAddress from, size_t bytes) override {
    std::memcpy(to, pointer(from), bytes);
    return {};
  }
  Result<void> copy(DeviceAddress to, DeviceAddress from, size_t bytes) override {
    std::memmove(pointer(to), pointer(from), bytes);
    return {};
  }
  Result<void> launch(const LoadedKernels &kernels, uint32_t number,
                      std::span<const uint64_t> arguments,
                      std::span<const jit_tensor_map> maps) override {
    auto &loaded = static_cast<const EmulatedKernels &>(kernels);
    std::vector<EmulatedMap> described;
    described.reserve(maps.size());
    std::vector<uint64_t> words(arguments.begin(), arguments.end());
    for (const jit_tensor_map &map : maps) {
      described.push_back({static_cast<const std::byte *>(pointer(words[map.argument])), &map});
      words[map.argument] = reinterpret_cast<uint64_t>(&described.back());
    }
    return emulateGrid(loaded.code->kernels[number], words);
  }
  Result<void> multiply(const MatrixProduct &product, DeviceAddress left, DeviceAddress right,
                        DeviceAddress result) override {
    emulateProduct(product, pointer(left), pointer(right), pointer(result));
    return {};
  }
  Result<void> convolve(const PlanConvolution &convolution, DeviceAddress images,
                        DeviceAddress filters, DeviceAddress result) override {
    emulateConvolution(convolution, pointer(images), pointer(filters), pointer(result));
    return {};
  }
  Result<void> finish() override { return {}; }
};

class EmulatedDevice : public Device {
public:
  ~EmulatedDevice() override { releaseCache(); }

  Result<std::unique_ptr<LoadedKernels>> load(std::shared_ptr<const DeviceCode> code) override {
    return std::unique_ptr<LoadedKernels>(std::make_unique<EmulatedKernels>(std::move(code)));
  }
  Result<std::unique_ptr<DeviceQueue>> createQueue() override {
    return std::unique_ptr<DeviceQueue>(std::make_unique<EmulatedQueue>());
  }

protected:
  Result<DeviceAddress> allocate(size_t bytes, MemoryKind) override {
    constexpr size_t alignment = 256;
    void *memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory)
      return Error{ErrorCode::LimitExceeded,
                   "out of memory for " + std::to_string(bytes) + " bytes of the device"};
    return reinterpret_cast<DeviceAddress>(memory);
  }
  void release(DeviceAddress address, MemoryKind) override { std::free(pointer(address)); }
};
} // namespace

std::shared_ptr<Device> jit::runtime::openEmulatedDevice() {
  return std::make_shared<EmulatedDevice>();
}
