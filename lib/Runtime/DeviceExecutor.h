//===- DeviceExecutor.h - calls entries that run on a device -----*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_DEVICEEXECUTOR_H
#define JIT_LIB_RUNTIME_DEVICEEXECUTOR_H

#include "Device.h"
#include "jit/Runtime/Executor.h"

#include <mutex>

namespace jit {

/// Takes and gives values in the host's memory: inputs are copied to the device and results back.
class DeviceExecutor : public Executor {
public:
  static Result<std::unique_ptr<Executor>> create(std::shared_ptr<const Artifact> artifact,
                                                  const Entry *entry, const WeightSource &weights);
  Result<std::vector<Value>> run(std::span<const Value> inputs) override;

private:
  using Buffer = std::shared_ptr<DeviceBuffer>;

  /// What one call needs on the device; kept for the next one.
  struct Call {
    std::unique_ptr<DeviceQueue> queue;
    /// In the entry's order; null for a number, and for a weight.
    std::vector<Buffer> arguments;
    std::vector<Buffer> results;
    Buffer arena;
  };

  using Executor::Executor;
  Result<void> prepare();
  Result<void> initialize(DeviceQueue &queue);
  Result<std::unique_ptr<Call>> takeCall();
  Result<std::unique_ptr<Call>> createCall();
  Result<std::vector<uint64_t>> bringInputs(std::span<const Value> inputs, Call &call);
  Result<std::vector<Value>> fetchResults(Call &call);

  std::shared_ptr<Device> device;
  std::unique_ptr<LoadedKernels> kernels;
  /// On the device: the weights, and what was made of them.
  std::vector<Buffer> residents, packed;
  std::mutex callsMutex;
  std::vector<std::unique_ptr<Call>> idleCalls;
};

} // namespace jit

#endif // JIT_LIB_RUNTIME_DEVICEEXECUTOR_H
