//===- BufferPool.h - memory of results that nobody holds -------*- C++ -*-===//
//
// A result is new memory at each call, and new memory of the system is a fault for each of its
// pages. So what callers let go of is kept, up to a bound, and given again. Any number of threads
// may use a pool; none waits for another one, nor does a child of fork() for a thread that it has
// not: where the lock is held, memory comes from the system and goes back there.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_RUNTIME_BUFFERPOOL_H
#define JIT_RUNTIME_BUFFERPOOL_H

#include "jit/Result.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace jit::runtime {

class BufferPool {
public:
  /// Smaller buffers are malloc's matter, which keeps them by itself.
  static constexpr size_t leastKept = size_t(128) << 10;

  /// Keeps at most `bound` bytes. It has to outlive the buffers.
  explicit BufferPool(size_t bound) : bound(bound) {}
  BufferPool(const BufferPool &) = delete;
  BufferPool &operator=(const BufferPool &) = delete;
  ~BufferPool() { trim(); }

  /// That of the process; its bound is the environment's JIT_KEPT_RESULT_BYTES, if that is there.
  static BufferPool &process();
  /// An error where the environment's bound is no number.
  static Result<void> checkEnvironment();

  /// At least `bytes` bytes, aligned to bufferAlignment. Null only where memory is exhausted, with
  /// nothing kept any more.
  std::shared_ptr<std::byte> allocate(size_t bytes);

  /// Gives what is kept back to the system; says how much it was.
  size_t trim();

  /// While there is one, what comes back is kept.
  class User {
  public:
    explicit User(BufferPool &pool);
    ~User();
    User(const User &) = delete;
    User &operator=(const User &) = delete;

  private:
    BufferPool &pool;
  };

private:
  /// Lies in the memory that is kept itself: keeping needs no other.
  struct Kept {
    Kept *next;
  };
  /// Buffers of one size, that given back last on top.
  struct Stack {
    Kept *top = nullptr;
    size_t capacity = 0;
    uint64_t lastUse = 0;
  };

  /// Eight sizes between a power of two and the next.
  static constexpr size_t stackCount = size_t(64) * 8;

  static size_t capacityOf(size_t bytes);
  static size_t stackOf(size_t capacity);
  static void freeAll(Kept *buffers);
  bool isKept(size_t capacity) const { return capacity >= leastKept && capacity <= bound / 2; }
  std::unique_lock<std::mutex> tryLock(unsigned patience = 10);
  void *take(size_t capacity);
  void give(void *memory, size_t capacity) noexcept;
  void dropOldest(Kept *&dropped);

  const size_t bound;
  std::mutex mutex;
  std::atomic<unsigned> users = 0;
  size_t keptBytes = 0;
  uint64_t uses = 0;
  std::array<Stack, stackCount> stacks;
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_BUFFERPOOL_H
