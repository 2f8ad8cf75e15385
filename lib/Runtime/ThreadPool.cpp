//===- ThreadPool.cpp - fork, claim chunks, join --------------------------===//
#include "jit/Runtime/ThreadPool.h"

#include <algorithm>

using namespace jit;

/// How often a waiting thread looks before it sleeps: some tens of microseconds.
static constexpr int spinLimit = 8000;

static void pauseCpu() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < threads; ++i)
    workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  stopping.store(true, std::memory_order_release);
  epoch.fetch_add(1, std::memory_order_release);
  epoch.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

bool ThreadPool::runChunk() {
  uint64_t seen = ticket.load(std::memory_order_acquire);
  while (true) {
    uint64_t chunk = seen & closedMark;
    if (chunk == closedMark)
      return false;
    jit_range_fn jobFn = fn.load(std::memory_order_relaxed);
    void *jobClosure = closure.load(std::memory_order_relaxed);
    int64_t jobCount = count.load(std::memory_order_relaxed);
    int64_t jobChunks = chunks.load(std::memory_order_relaxed);
    // Order the reads above before the claim that vouches for them.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (static_cast<int64_t>(chunk) >= jobChunks) {
      uint64_t again = ticket.load(std::memory_order_acquire);
      if (again == seen)
        return false;
      seen = again;
      continue;
    }
    if (!ticket.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel,
                                      std::memory_order_acquire))
      continue;
    auto split = [&](int64_t i) {
      return jobCount / jobChunks * i + std::min<int64_t>(i, jobCount % jobChunks);
    };
    int64_t i = static_cast<int64_t>(chunk);
    jobFn(jobClosure, split(i), split(i + 1));
    if (finished.fetch_add(1, std::memory_order_acq_rel) + 1 == jobChunks)
      finished.notify_all();
    return true;
  }
}

void ThreadPool::drain() {
  while (runChunk()) {
  }
}

void ThreadPool::work() {
  uint32_t seen = 0;
  while (true) {
    int spins = 0;
    uint32_t now;
    while ((now = epoch.load(std::memory_order_acquire)) == seen) {
      if (++spins < spinLimit)
        pauseCpu();
      else
        epoch.wait(seen, std::memory_order_acquire);
    }
    seen = now;
    if (stopping.load(std::memory_order_acquire))
      return;
    drain();
  }
}

void ThreadPool::parallelFor(jit_range_fn jobFn, void *jobClosure, int64_t jobCount) {
  if (jobCount <= 0)
    return;
  bool idle = false;
  if (workers.empty() || jobCount == 1 ||
      !busy.compare_exchange_strong(idle, true, std::memory_order_acquire)) {
    jobFn(jobClosure, 0, jobCount);
    return;
  }
  // A few chunks per thread even out uneven threads.
  uint32_t jobChunks = static_cast<uint32_t>(std::min<int64_t>(jobCount, int64_t(size()) * 4));
  fn.store(jobFn, std::memory_order_relaxed);
  closure.store(jobClosure, std::memory_order_relaxed);
  count.store(jobCount, std::memory_order_relaxed);
  chunks.store(jobChunks, std::memory_order_relaxed);
  finished.store(0, std::memory_order_relaxed);
  uint64_t job = (ticket.load(std::memory_order_relaxed) >> 32) + 1;
  ticket.store(job << 32, std::memory_order_release);
  epoch.fetch_add(1, std::memory_order_release);
  epoch.notify_all();

  drain();
  uint32_t done;
  int spins = 0;
  while ((done = finished.load(std::memory_order_acquire)) != jobChunks) {
    if (++spins < spinLimit)
      pauseCpu();
    else
      finished.wait(done, std::memory_order_acquire);
  }
  // Closed before the fields can change, so that no late worker mixes two jobs.
  ticket.store((job << 32) | closedMark, std::memory_order_seq_cst);
  busy.store(false, std::memory_order_release);
}
