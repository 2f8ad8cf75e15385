//===- HostExecutor.h - calls entries that are the host's code ---*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_HOSTEXECUTOR_H
#define JIT_LIB_RUNTIME_HOSTEXECUTOR_H

#include "CallBuffers.h"
#include "Marshalling.h"
#include "jit/OutOfMemory.h"
#include "jit/Runtime/Executor.h"

#include <map>
#include <mutex>

namespace jit::runtime {

class HostExecutor : public Executor {
public:
  static Result<std::unique_ptr<Executor>> create(std::shared_ptr<const Artifact> artifact,
                                                  const Entry *entry, const WeightSource &weights,
                                                  ThreadPool *pool);
  Result<std::vector<Value>> run(std::span<const Value> inputs) override {
    return orOutOfMemory([&] { return call(inputs); });
  }

private:
  /// What a call hands to the entry.
  struct Pointers {
    std::vector<void *> pointers;
    std::vector<ScalarCell> cells;
    std::vector<int64_t> openSizes;
    /// Copies of misaligned inputs: not even aligned to their elements' size.
    std::vector<Tensor> aligned;
    /// By the numbers of arguments: what becomes a result.
    std::map<size_t, Tensor> overwritten;
  };

  HostExecutor(std::shared_ptr<const Artifact> artifact, const Entry *compiled, ThreadPool *pool);

  Result<std::vector<Value>> call(std::span<const Value> inputs);
  Result<void> initialize();
  Result<void> addArguments(std::span<const Value> inputs, Pointers &to) const;
  Result<const void *> overwritten(size_t argument, const Tensor &input, Pointers &to) const;
  Result<void> addResults(std::vector<Value> &results, Pointers &to) const;
  Result<Scratch> takeScratch();
  void returnScratch(Scratch scratch);

  ThreadPool *pool;
  std::vector<bool> isOverwritten; // of each argument: a result is computed in its memory
  std::vector<std::shared_ptr<std::byte>> packed;
  std::mutex idleMutex;
  std::vector<Scratch> idle;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_HOSTEXECUTOR_H
