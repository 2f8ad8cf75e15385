//===- ThreadEmulation.cpp - the threads of a grid, one by one ------------===//
#include "ThreadEmulation.h"
#include "BarrierEmulation.h"
#include "WarpgroupEmulation.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>
#include <utility>
#include <vector>

using namespace jit;
using namespace jit::runtime;

/// Threads of a warp, and bytes of the stack of one thread: a kernel calls nothing.
static constexpr size_t warpSize = 32, stackBytes = 64 * 1024;

static std::byte *alignTo64(std::byte *pointer) {
  return pointer + (64 - reinterpret_cast<uintptr_t>(pointer) % 64) % 64;
}

namespace {
/// Where a fiber was left. Unlike swapcontext, going there takes no call of the kernel, and kernels
/// wait often.
using Place = void *[5];

enum class State { New, Ready, Barrier, Phase, Copies, Shuffle, Gather, Done };

/// A copy that is under way; what is not read is zero.
struct AsyncCopy {
  void *to;
  const void *from;
  size_t bytes, read;
};

/// A thread that can be left in the middle. After its work is done it waits for more.
struct Fiber {
  ucontext_t start;
  Place place;
  jit_thread thread;
  State state = State::New;
  bool isStarted = false;
  int32_t word, distance;
  /// What the threads of the warp give each other.
  const void *mine;
  size_t bytes;
  void *all;
  /// Copies that belong to no group yet, and the groups that are not waited for.
  std::vector<AsyncCopy> copies;
  std::vector<std::vector<AsyncCopy>> groups;
  /// The phase that it waits for, of a barrier in shared memory.
  const void *barrier;
  int32_t parity;
  WarpgroupReads reads;
};

/// The threads of one block. Each runs until it waits; when all wait, what they wait for happens.
class Block {
public:
  Block(const DeviceKernel &kernel, const uint64_t *arguments)
      : kernel(kernel), arguments(arguments),
        fibers(size_t(kernel.block[0]) * kernel.block[1] * kernel.block[2]),
        stacks(new std::byte[fibers.size() * stackBytes]),
        shared(new std::byte[size_t(kernel.sharedBytes) + 64]) {}

  Result<void> run(const int64_t (&place)[3]);
  /// Leaves the thread that is running.
  void wait(Fiber &fiber, State state);
  void fail(const char *expected) { failed = expected; }
  std::span<std::byte> memory() { return {alignTo64(shared.get()), size_t(kernel.sharedBytes)}; }

  BlockBarriers barriers;

private:
  void start(size_t number, const int64_t (&place)[3]);
  void resume(Fiber &fiber);
  Result<void> meet();
  Result<bool> shuffle(std::span<Fiber> warp);
  Result<bool> gather(std::span<Fiber> warp);
  /// Wakes threads whose phase is over; false where there are none.
  bool wakeWaiting();
  /// Does copies, which those in the state Copies wait for; false where nobody can go on by that.
  Result<bool> finishCopies();
  static void enter();

  const DeviceKernel &kernel;
  const uint64_t *arguments;
  std::vector<Fiber> fibers;
  std::unique_ptr<std::byte[]> stacks, shared;
  Place home;
  Fiber *running = nullptr;
  const char *failed = nullptr;
};
} // namespace

[[noreturn]] __attribute__((noinline, no_sanitize_address)) static void goTo(Place &place) {
  __builtin_longjmp(place, 1);
}

/// Comes back when somebody goes to `here`.
__attribute__((noinline, no_sanitize_address)) static void leave(Place &here, Place &there) {
  if (__builtin_setjmp(here) == 0)
    goTo(there);
}

/// The same, to a fiber that has not run yet.
__attribute__((noinline, no_sanitize_address)) static void leaveToNew(Place &here,
                                                                      ucontext_t &there) {
  if (__builtin_setjmp(here) == 0) {
    setcontext(&there);
    // Not reached, and it keeps the call above from taking over this function's frame.
    std::abort();
  }
}

/// The block whose fiber is entered: an entry function takes no pointer.
static thread_local Block *entered;

static Error diverged(const DeviceKernel &kernel, const char *what) {
  return Error{ErrorCode::Internal,
               "kernel " + kernel.name + ": expected all threads of a " + what};
}

void Block::enter() {
  Block *block = entered;
  Fiber *fiber = block->running;
  for (;;) {
    block->kernel.emulated(&fiber->thread, block->arguments);
    block->wait(*fiber, State::Done);
  }
}

void Block::start(size_t number, const int64_t (&place)[3]) {
  Fiber &fiber = fibers[number];
  int64_t x = kernel.block[0], y = kernel.block[1], at = int64_t(number);
  fiber.thread = {{at % x, at / x % y, at / (x * y)},
                  {place[0], place[1], place[2]},
                  alignTo64(shared.get()),
                  this};
  fiber.state = State::Ready;
  fiber.copies.clear();
  fiber.groups.clear();
  fiber.reads = {};
}

void Block::resume(Fiber &fiber) {
  running = &fiber;
  if (fiber.isStarted)
    return leave(home, fiber.place);
  fiber.isStarted = true;
  entered = this;
  getcontext(&fiber.start);
  fiber.start.uc_stack.ss_sp = stacks.get() + (&fiber - fibers.data()) * stackBytes;
  fiber.start.uc_stack.ss_size = stackBytes;
  fiber.start.uc_link = nullptr;
  makecontext(&fiber.start, &Block::enter, 0);
  leaveToNew(home, fiber.start);
}

void Block::wait(Fiber &fiber, State state) {
  fiber.state = state;
  leave(fiber.place, home);
}

/// Exchanges words within a warp; false where none of its threads waits for that.
Result<bool> Block::shuffle(std::span<Fiber> warp) {
  size_t waiting = 0;
  for (Fiber &fiber : warp)
    waiting += fiber.state == State::Shuffle;
  if (waiting == 0)
    return false;
  std::vector<int32_t> words;
  for (Fiber &fiber : warp) {
    size_t partner = words.size() ^ size_t(fiber.distance);
    if (waiting != warp.size() || fiber.distance != warp[0].distance || partner >= warp.size())
      return diverged(kernel, "warp at one shuffle");
    words.push_back(warp[partner].word);
  }
  for (size_t i = 0; i < warp.size(); ++i) {
    warp[i].word = words[i];
    warp[i].state = State::Ready;
  }
  return true;
}

/// Gives each thread of a warp what all have; false where none of them waits for that.
Result<bool> Block::gather(std::span<Fiber> warp) {
  size_t waiting = 0;
  for (Fiber &fiber : warp)
    waiting += fiber.state == State::Gather;
  if (waiting == 0)
    return false;
  if (waiting != warp.size() || warp.size() != warpSize)
    return diverged(kernel, "warp at one exchange");
  for (Fiber &fiber : warp) {
    auto *to = static_cast<std::byte *>(fiber.all);
    for (Fiber &other : warp)
      std::memcpy(std::exchange(to, to + fiber.bytes), other.mine, fiber.bytes);
    fiber.state = State::Ready;
  }
  return true;
}

bool Block::wakeWaiting() {
  bool isAny = false;
  for (Fiber &fiber : fibers)
    if (fiber.state == State::Phase && barriers.isOver(fiber.barrier, fiber.parity)) {
      fiber.state = State::Ready;
      isAny = true;
    }
  return isAny;
}

/// As late as the machine might do it for those who wait for a phase, and as early for those who
/// wait for products.
Result<bool> Block::finishCopies() {
  if (!barriers.finishCopies())
    return diverged(kernel, "copy at one barrier");
  bool isAny = false;
  for (Fiber &fiber : fibers)
    if (fiber.state == State::Copies) {
      fiber.state = State::Ready;
      isAny = true;
    }
  return wakeWaiting() || isAny;
}

/// What happens when no thread can go on.
Result<void> Block::meet() {
  bool shuffled = false;
  for (size_t first = 0; first < fibers.size(); first += warpSize) {
    auto warp = std::span(fibers).subspan(first, std::min(warpSize, fibers.size() - first));
    for (auto exchange : {&Block::shuffle, &Block::gather}) {
      Result<bool> done = (this->*exchange)(warp);
      if (!done)
        return done.takeError();
      shuffled |= *done;
    }
  }
  if (shuffled || wakeWaiting())
    return {};
  Result<bool> copied = finishCopies();
  if (!copied)
    return copied.takeError();
  if (*copied)
    return {};
  for (Fiber &fiber : fibers) {
    if (fiber.state != State::Barrier)
      return diverged(kernel, "block at one barrier");
    fiber.state = State::Ready;
  }
  return {};
}

Result<void> Block::run(const int64_t (&place)[3]) {
  for (size_t i = 0; i < fibers.size(); ++i)
    start(i, place);
  barriers.clear();
  for (;;) {
    size_t done = 0;
    for (Fiber &fiber : fibers) {
      if (fiber.state == State::Ready)
        resume(fiber);
      done += fiber.state == State::Done;
    }
    if (failed)
      return Error{ErrorCode::Internal, "kernel " + kernel.name + ": expected " + failed};
    if (done == fibers.size())
      return {};
    if (auto met = meet(); !met)
      return met;
  }
}

static Fiber *fiberOf(jit_thread *thread) {
  return reinterpret_cast<Fiber *>(reinterpret_cast<std::byte *>(thread) - offsetof(Fiber, thread));
}

static void wait(jit_thread *thread, State state) {
  static_cast<Block *>(thread->scheduler)->wait(*fiberOf(thread), state);
}

extern "C" void jit_rt_barrier(jit_thread *thread) { wait(thread, State::Barrier); }

void jit::runtime::gatherWarp(jit_thread *thread, const void *mine, size_t bytes, void *all) {
  Fiber *fiber = fiberOf(thread);
  fiber->mine = mine;
  fiber->bytes = bytes;
  fiber->all = all;
  wait(thread, State::Gather);
}

static Block &blockOf(jit_thread *thread) { return *static_cast<Block *>(thread->scheduler); }

std::span<std::byte> jit::runtime::sharedMemory(jit_thread *thread) {
  return blockOf(thread).memory();
}

WarpgroupReads &jit::runtime::readsOf(jit_thread *thread) { return fiberOf(thread)->reads; }

void jit::runtime::waitForCopies(jit_thread *thread) { wait(thread, State::Copies); }

void jit::runtime::failGrid(jit_thread *thread, const char *expected) {
  blockOf(thread).fail(expected);
}

extern "C" void jit_rt_mbarrier_init(jit_thread *thread, void *barrier, int32_t count) {
  blockOf(thread).barriers.init(barrier, count);
}

extern "C" void jit_rt_mbarrier_arrive(jit_thread *thread, void *barrier, int32_t bytes) {
  if (!blockOf(thread).barriers.arrive(barrier, bytes))
    failGrid(thread, "a barrier to arrive at");
}

extern "C" void jit_rt_mbarrier_wait(jit_thread *thread, void *barrier, int32_t parity) {
  if (blockOf(thread).barriers.isOver(barrier, parity))
    return;
  fiberOf(thread)->barrier = barrier;
  fiberOf(thread)->parity = parity;
  wait(thread, State::Phase);
}

extern "C" void jit_rt_tensor_copy(jit_thread *thread, void *to, const void *map, int32_t x,
                                   int32_t y, int32_t z, void *barrier) {
  BoxCopy copy = {
      static_cast<std::byte *>(to), *static_cast<const EmulatedMap *>(map), {x, y, z}, barrier};
  std::span<std::byte> memory = sharedMemory(thread);
  if (copy.to < memory.data() || copy.to + copy.bytes() > memory.data() + memory.size())
    return failGrid(thread, "a box in shared memory");
  blockOf(thread).barriers.start(copy);
}

extern "C" void jit_rt_async_copy(jit_thread *thread, void *to, const void *from, int64_t bytes,
                                  int64_t read) {
  fiberOf(thread)->copies.push_back({to, from, size_t(bytes), size_t(read)});
}

extern "C" void jit_rt_async_group(jit_thread *thread) {
  Fiber *fiber = fiberOf(thread);
  fiber->groups.push_back(std::exchange(fiber->copies, {}));
}

/// As late as the machine might do it, so that waiting for too little is seen.
extern "C" void jit_rt_async_wait(jit_thread *thread, int64_t pending) {
  std::vector<std::vector<AsyncCopy>> &groups = fiberOf(thread)->groups;
  for (; groups.size() > size_t(pending); groups.erase(groups.begin()))
    for (const AsyncCopy &copy : groups.front()) {
      std::memcpy(copy.to, copy.from, copy.read);
      std::memset(static_cast<std::byte *>(copy.to) + copy.read, 0, copy.bytes - copy.read);
    }
}

extern "C" int32_t jit_rt_shuffle(jit_thread *thread, int32_t word, int32_t distance) {
  Fiber *fiber = fiberOf(thread);
  fiber->word = word;
  fiber->distance = distance;
  wait(thread, State::Shuffle);
  return fiber->word;
}

/// Threads that wait for nothing run one after another.
static void runBlock(const DeviceKernel &kernel, const uint64_t *arguments,
                     const int64_t (&place)[3]) {
  jit_thread thread = {{0, 0, 0}, {place[0], place[1], place[2]}, nullptr, nullptr};
  for (thread.thread[2] = 0; thread.thread[2] < kernel.block[2]; ++thread.thread[2])
    for (thread.thread[1] = 0; thread.thread[1] < kernel.block[1]; ++thread.thread[1])
      for (thread.thread[0] = 0; thread.thread[0] < kernel.block[0]; ++thread.thread[0])
        kernel.emulated(&thread, arguments);
}

Result<void> jit::runtime::emulateGrid(const DeviceKernel &kernel,
                                       std::span<const uint64_t> arguments) {
  std::unique_ptr<Block> block;
  if (kernel.waits)
    block = std::make_unique<Block>(kernel, arguments.data());
  int64_t place[3];
  for (place[2] = 0; place[2] < kernel.grid[2]; ++place[2])
    for (place[1] = 0; place[1] < kernel.grid[1]; ++place[1])
      for (place[0] = 0; place[0] < kernel.grid[0]; ++place[0]) {
        if (!block) {
          runBlock(kernel, arguments.data(), place);
        } else if (auto done = block->run(place); !done) {
          return done;
        }
      }
  return {};
}
