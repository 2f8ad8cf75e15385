//===- DeviceExecutor.h - calls entries that run on a device -----*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_DEVICEEXECUTOR_H
#define JIT_LIB_RUNTIME_GPU_DEVICEEXECUTOR_H

#include "Device.h"
#include "OpenMemory.h"
#include "jit/OutOfMemory.h"
#include "jit/Runtime/Executor.h"

#include <mutex>

namespace jit::runtime {

/// Takes and gives values in the host's memory: inputs are copied to the device and results back.
class DeviceExecutor : public Executor {
public:
  static Result<std::unique_ptr<Executor>> create(std::shared_ptr<const Artifact> artifact,
                                                  const Entry *entry, const WeightSource &weights,
                                                  int number);
  Result<std::vector<Value>> run(std::span<const Value> inputs) override {
    return orOutOfMemory([&] { return call(inputs); });
  }

private:
  using Buffer = std::shared_ptr<DeviceBuffer>;

  /// Results that callers have given back, by their numbers: for calls in the same stream, whose
  /// work comes behind all that still reads them.
  struct Returned {
    explicit Returned(std::shared_ptr<Device> device, size_t results)
        : device(std::move(device)), buffers(results), away(results) {}
    ~Returned();
    Returned(const Returned &) = delete;
    Returned &operator=(const Returned &) = delete;

    std::shared_ptr<Device> device;
    std::mutex mutex;
    std::vector<std::vector<Buffer>> buffers;
    /// How many callers have; there is room for them, so that giving back needs no memory.
    std::vector<size_t> away;
  };

  /// What one call needs on the device; kept for the next one.
  struct Call {
    explicit Call(std::shared_ptr<Device> device) : device(std::move(device)) {}
    /// Waits: what the call has started may still use its memory, which others get next.
    ~Call();
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    std::shared_ptr<Device> device;
    std::unique_ptr<DeviceQueue> queue;
    /// The caller's, if it is one of his.
    bool isJoined = false;
    void *stream = nullptr;
    std::shared_ptr<Returned> returned;
    /// In the entry's order; null for a number, and for a weight.
    std::vector<Buffer> arguments;
    std::vector<Buffer> results;
    /// Memory of the host from which small arguments are copied; null before the first time.
    std::vector<Buffer> staged;
    Buffer arena;
    /// Results of open sizes, and scratch for what has such.
    std::optional<OpenMemory> open;
    /// What the plan did with the words of the last call, once it has come with them twice.
    std::vector<uint64_t> lastWords;
    /// Launches and copies of that call.
    size_t started = 0;
    std::unique_ptr<DeviceGraph> graph;
  };

  using Executor::Executor;
  Result<std::vector<Value>> call(std::span<const Value> inputs);
  Result<void> prepare(int number);
  Result<void> initialize(DeviceQueue &queue);
  /// Does the plan, or what it did before with the same words: numbers and addresses are all that a
  /// plan without reads goes by.
  Result<void> runSteps(Call &call, std::vector<uint64_t> words);
  Result<void> record(Call &call, const std::vector<uint64_t> &words);
  Result<std::unique_ptr<Call>> takeCall();
  Result<std::unique_ptr<Call>> createCall();
  Result<std::unique_ptr<DeviceQueue>> openQueue(Call &call);
  /// Memory for the results that the last call gave to its caller.
  Result<void> replaceResults(Call &call);
  /// Where the elements of an argument are on the device; brings them there where they are not.
  Result<DeviceAddress> place(const void *data, size_t bytes, size_t number, Call &call);
  Result<void> copyIn(const void *data, size_t bytes, size_t number, Call &call);
  /// Memory on the device for an argument of open sizes.
  Result<void> makeRoom(size_t bytes, size_t number, Call &call);
  /// Where a result is, and its sizes.
  Buffer resultBuffer(const Call &call, size_t number) const;
  const std::vector<int64_t> &resultSizes(const Call &call, size_t number) const;
  /// The result as a tensor on the device.
  Result<Value> giveResult(Call &call, size_t number);
  Result<std::vector<uint64_t>> bringInputs(std::span<const Value> inputs, Call &call);
  Result<std::vector<Value>> fetchResults(Call &call);
  /// Starts to copy a result to the host.
  Result<Value> fetchTensor(Call &call, size_t number);

  std::shared_ptr<Device> device;
  std::unique_ptr<LoadedKernels> kernels;
  PlanProgram plan;
  /// On the device: the weights, and what was made of them.
  std::vector<Buffer> residents, packed;
  /// Whether calls are worth recording.
  bool isRecorded = false;
  std::mutex callsMutex;
  std::vector<std::unique_ptr<Call>> idleCalls;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_DEVICEEXECUTOR_H
