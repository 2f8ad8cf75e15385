//===- OpenMemory.h - a call's memory of open sizes --------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_OPENMEMORY_H
#define JIT_LIB_RUNTIME_GPU_OPENMEMORY_H

#include "PlanRunner.h"
#include "jit/Runtime/Artifact.h"

namespace jit::runtime {

/// What the plan of one call asks for while it runs, kept for the next one. Memory that has become
/// too small is given back once the queue is done with it.
class OpenMemory : public PlanMemory {
public:
  using Buffer = std::shared_ptr<DeviceBuffer>;

  OpenMemory(std::shared_ptr<Device> device, DeviceQueue &queue, const Entry &entry);

  Result<DeviceAddress> result(size_t number, const int64_t *openSizes) override;
  Result<DeviceAddress> scratch(size_t piece, size_t bytes) override;

  const Buffer &buffer(size_t number) const { return results[number].buffer; }
  const std::vector<int64_t> &sizes(size_t number) const { return results[number].sizes; }
  /// Leaves the memory of a result to its caller; the next call gets other memory, or what the
  /// caller has put back.
  Buffer takeAway(size_t number) { return std::move(results[number].buffer); }
  void putBack(size_t number, Buffer buffer) { results[number].buffer = std::move(buffer); }

  /// Makes `buffer` have `bytes` bytes at least, and some more where it has grown.
  static Result<void> enlarge(Buffer &buffer, size_t bytes, Device &device, DeviceQueue &queue);

private:
  struct Open {
    Buffer buffer;
    std::vector<int64_t> sizes;
  };

  std::shared_ptr<Device> device;
  DeviceQueue &queue;
  const Entry &entry;
  std::vector<Open> results;
  std::vector<Buffer> pieces;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_OPENMEMORY_H
