//===- HostExecutor.h - calls entries that are the host's code ---*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_HOSTEXECUTOR_H
#define JIT_LIB_RUNTIME_HOSTEXECUTOR_H

#include "jit/Runtime/Executor.h"

#include <mutex>

namespace jit {

class HostExecutor : public Executor {
public:
  static Result<std::unique_ptr<Executor>> create(std::shared_ptr<const Artifact> artifact,
                                                  const Entry *entry, const WeightSource &weights,
                                                  ThreadPool *pool);
  Result<std::vector<Value>> run(std::span<const Value> inputs) override;

private:
  HostExecutor(std::shared_ptr<const Artifact> artifact, const Entry *compiled, ThreadPool *pool)
      : Executor(std::move(artifact), compiled), pool(pool) {}

  Result<void> initialize();
  Result<std::shared_ptr<std::byte>> takeArena();
  void returnArena(std::shared_ptr<std::byte> arena);

  ThreadPool *pool;
  std::vector<std::shared_ptr<std::byte>> packed;
  std::mutex arenasMutex;
  std::vector<std::shared_ptr<std::byte>> idleArenas;
};

} // namespace jit

#endif // JIT_LIB_RUNTIME_HOSTEXECUTOR_H
