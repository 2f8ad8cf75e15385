//===- ThreadPool.h - the threads of parallel loops -------------*- C++ -*-===//
//
// Compiled code forks and joins every few microseconds, so workers spin for a while before they
// sleep, and a worker that wakes late is not waited for: the caller does the work itself.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RUNTIME_THREADPOOL_H
#define JIT_RUNTIME_THREADPOOL_H

#include "jit/Runtime/Call.h"

#include <cstdint>

struct jit_pool;

namespace jit::runtime {

/// A fixed set of threads that share one parallel loop at a time. Any number of threads may call
/// parallelFor; a loop that finds the pool busy (nested, or another caller's) runs serially.
class ThreadPool {
public:
  /// `threads` counts the caller too: 1 starts no thread at all, 0 means one for each CPU
  /// that the process may use. The first loop starts them.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const;

  /// Runs fn over disjoint ranges covering [0, count); returns when all of them are done.
  void parallelFor(jit_range_fn fn, void *closure, int64_t count);

  /// What compiled code gets as jit_call::pool.
  jit_pool *handle() const { return pool; }

private:
  jit_pool *pool; // null where memory was exhausted: everything runs serially
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_THREADPOOL_H
