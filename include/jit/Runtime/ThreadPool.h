//===- ThreadPool.h - the threads of parallel loops -------------*- C++ -*-===//
//
// Compiled code forks and joins every few microseconds, so workers spin for a while before they
// sleep, and a worker that wakes late is not waited for: the caller does the work itself.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RUNTIME_THREADPOOL_H
#define JIT_RUNTIME_THREADPOOL_H

#include "jit/Runtime/Call.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace jit {

/// A fixed set of threads that share one parallel loop at a time. Any number of threads may call
/// parallelFor; a loop that finds the pool busy (nested, or another caller's) runs serially.
class ThreadPool {
public:
  /// `threads` counts the caller too: 1 starts no thread at all, 0 means one per hardware thread.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Runs fn over disjoint ranges covering [0, count); returns when all of them are done.
  void parallelFor(jit_range_fn fn, void *closure, int64_t count);

private:
  void work();
  /// Runs chunks of the open job until none is left.
  void drain();
  /// Runs one chunk; false when no job is open or all of its chunks are taken.
  bool runChunk();

  std::vector<std::thread> workers;
  std::atomic<bool> busy{false};
  std::atomic<bool> stopping{false};
  /// Bumped for every job; sleeping workers wait on it.
  std::atomic<uint32_t> epoch{0};
  /// The job's number in the high half, its next free chunk in the low half; a low half of all ones
  /// means closed. A claim is one compare-and-swap of both, so the job's fields below, read before
  /// it, belong to the chunk that it claims.
  std::atomic<uint64_t> ticket{closedMark};
  std::atomic<uint32_t> finished{0};
  std::atomic<jit_range_fn> fn{nullptr};
  std::atomic<void *> closure{nullptr};
  std::atomic<int64_t> count{0};
  std::atomic<uint32_t> chunks{0};

  static constexpr uint64_t closedMark = 0xffffffffu;
};

} // namespace jit

#endif // JIT_RUNTIME_THREADPOOL_H
