//===- BufferPool.cpp - memory of results that nobody holds ---------------===//
#include "jit/Runtime/BufferPool.h"
#include "Memory.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

using namespace jit;
using namespace jit::runtime;

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

static constexpr const char *variable = "JIT_KEPT_RESULT_BYTES";

/// Two results of half of it each are in use by a caller that holds one while it asks for the next.
static constexpr size_t usualBound = size_t(256) << 20;

static Result<size_t> boundOfEnvironment() {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return usualBound;
  char *end = nullptr;
  errno = 0;
  size_t bytes = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno)
    return Error{ErrorCode::InvalidArgument,
                 "expected a number of bytes in " + std::string(variable) + ", got '" + text + "'"};
  return bytes;
}

Result<void> BufferPool::checkEnvironment() {
  Result<size_t> bytes = boundOfEnvironment();
  if (!bytes)
    return bytes.takeError();
  return {};
}

BufferPool &BufferPool::process() {
  // Never destroyed: results may outlive everything else.
  static auto *pool = [] {
    Result<size_t> bytes = boundOfEnvironment();
    return new BufferPool(bytes ? *bytes : usualBound);
  }();
  return *pool;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// What is asked of the system for so many bytes: at most an eighth more, of which nobody touches a
/// page.
size_t BufferPool::capacityOf(size_t bytes) {
  if (bytes < leastKept || bytes > SIZE_MAX / 2)
    return bytes;
  size_t step = std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

size_t BufferPool::stackOf(size_t capacity) {
  auto width = static_cast<size_t>(std::bit_width(capacity));
  return (width - 1) * 8 + ((capacity >> (width - 4)) & 7);
}

//===----------------------------------------------------------------------===//
// Taking and giving
//===----------------------------------------------------------------------===//

/// Whoever holds the lock does so for a few instructions, unless the system stopped it.
std::unique_lock<std::mutex> BufferPool::tryLock(unsigned patience) {
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  for (unsigned i = 0; i < patience && !lock; ++i) {
    std::this_thread::yield();
    (void)lock.try_lock();
  }
  return lock;
}

void *BufferPool::take(size_t capacity) {
  std::unique_lock<std::mutex> lock = tryLock();
  Stack &stack = stacks[stackOf(capacity)];
  if (!lock || !stack.top)
    return nullptr;
  Kept *kept = stack.top;
  stack.top = kept->next;
  stack.lastUse = ++uses;
  keptBytes -= capacity;
  return kept;
}

/// The buffer of the size that was not used for longest goes.
void BufferPool::dropOldest(Kept *&dropped) {
  size_t oldest = stacks.size();
  for (size_t i = 0; i < stacks.size(); ++i)
    if (stacks[i].top && (oldest == stacks.size() || stacks[i].lastUse < stacks[oldest].lastUse))
      oldest = i;
  Kept *kept = stacks[oldest].top;
  stacks[oldest].top = kept->next;
  keptBytes -= stacks[oldest].capacity;
  kept->next = dropped;
  dropped = kept;
}

void BufferPool::give(void *memory, size_t capacity) noexcept {
  Kept *dropped = nullptr;
  auto *kept = static_cast<Kept *>(memory);
  if (std::unique_lock<std::mutex> lock = tryLock(); lock && users > 0) {
    while (keptBytes + capacity > bound)
      dropOldest(dropped);
    Stack &stack = stacks[stackOf(capacity)];
    kept->next = stack.top;
    stack = {kept, capacity, ++uses};
    keptBytes += capacity;
  } else {
    kept->next = nullptr;
    dropped = kept;
  }
  freeAll(dropped); // without the lock: unmapping takes long
}

void BufferPool::freeAll(Kept *buffers) {
  while (buffers)
    std::free(std::exchange(buffers, buffers->next));
}

std::shared_ptr<std::byte> BufferPool::allocate(size_t bytes) {
  size_t capacity = capacityOf(bytes);
  bool keeps = isKept(capacity);
  void *memory = keeps ? take(capacity) : nullptr;
  if (!memory)
    memory = jit_allocate(static_cast<int64_t>(capacity));
  if (!memory && trim() > 0)
    memory = jit_allocate(static_cast<int64_t>(capacity));
  auto *begin = static_cast<std::byte *>(memory);
  if (!keeps)
    return {begin, [](std::byte *p) { std::free(p); }};
  return {begin, [this, capacity](std::byte *p) {
            if (p)
              give(p, capacity);
          }};
}

size_t BufferPool::trim() {
  std::array<Stack, stackCount> dropped;
  size_t bytes = 0;
  if (std::unique_lock<std::mutex> lock = tryLock(/*patience=*/1000)) {
    bytes = std::exchange(keptBytes, 0);
    std::swap(dropped, stacks);
  }
  for (const Stack &stack : dropped)
    freeAll(stack.top);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

BufferPool::User::User(BufferPool &pool) : pool(pool) { ++pool.users; }

BufferPool::User::~User() {
  --pool.users;
  pool.trim();
}
