//===- LaterWork.cpp - a thread that makes code beside calls --------------===//

#include "LaterWork.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace jit {

//===----------------------------------------------------------------------===//
// Copies of the process, and its end
//===----------------------------------------------------------------------===//

/// Held for each step. fork() waits for it, so that a copy finds no lock taken by a thread that it
/// does not have; and so does exit(), which stops the step, and after which there are none.
static std::mutex stepMutex;
/// Held while work is added, by any thread; taken after the other one, by the work's own.
static std::mutex addMutex;
static std::atomic<bool> isEnding = false;

static void watchProcess() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto lock = [] { std::lock(stepMutex, addMutex); };
    auto unlock = [] { addMutex.unlock(), stepMutex.unlock(); };
    pthread_atfork(lock, unlock, unlock);
    std::atexit([] {
      isEnding = true;
      std::lock_guard lock(stepMutex);
    });
  });
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

struct LaterWork::State {
  pid_t process = getpid();
  std::mutex mutex;
  std::deque<Item> items;
  bool isRunning = false;
  std::atomic<bool> isClosed = false;
  std::thread thread;

  void run();
  std::optional<Item> next();
  bool isStopped() const { return isClosed || isEnding; }
  void optimise(Item &item);
  void doOnce(const Once &once);
};

/// The next piece of work; without one the thread ends.
std::optional<LaterWork::Item> LaterWork::State::next() {
  std::lock_guard lock(mutex);
  isRunning = !items.empty() && !isClosed;
  if (!isRunning)
    return std::nullopt;
  Item item = std::move(items.front());
  items.pop_front();
  return item;
}

/// What came of it: nothing while there is more to do, an empty text at the end, or why it failed.
using Outcome = std::optional<std::string>;

/// Exhausted memory is told by a text that needs none of its own: an llvm::Error would.
static Outcome step(codegen::OptimiseLater &code, llvm::function_ref<bool()> isStopped) {
  try {
    llvm::Expected<bool> more = code.step(isStopped);
    if (more && *more)
      return std::nullopt;
    return llvm::toString(more.takeError());
  } catch (const std::bad_alloc &) {
    return "out of memory";
  }
}

/// Without memory to tell with, nobody is told.
static bool tell(const LaterWork::Done &done, codegen::OptimiseLater &code,
                 const std::string &failure, double seconds) {
  try {
    return done(code, failure, seconds);
  } catch (const std::bad_alloc &) {
    return true;
  }
}

void LaterWork::State::optimise(Item &item) {
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> spent{};
  Outcome failure;
  while (!isClosed) {
    std::unique_lock lock(stepMutex);
    if (!isEnding && !failure) {
      auto began = Clock::now();
      failure = step(*item.code, [this] { return isStopped(); });
      spent += Clock::now() - began;
    } else if (!isEnding && tell(item.done, *item.code, *failure, spent.count())) {
      return;
    } else {
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

/// Without memory for it, it is left undone.
static bool isDone(const LaterWork::Once &once) {
  try {
    return once();
  } catch (const std::bad_alloc &) {
    return true;
  }
}

void LaterWork::State::doOnce(const Once &once) {
  while (!isClosed) {
    std::unique_lock lock(stepMutex);
    if (!isEnding && isDone(once))
      return;
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void LaterWork::State::run() {
  // Calls come first. Where the system refuses, it is as any other thread.
  setpriority(PRIO_PROCESS, id_t(gettid()), 10);
  while (std::optional<Item> item = next())
    item->once ? doOnce(item->once) : optimise(*item);
}

//===----------------------------------------------------------------------===//
// LaterWork
//===----------------------------------------------------------------------===//

LaterWork::LaterWork() = default;

LaterWork::~LaterWork() {
  leaveToParent();
  if (!state)
    return;
  state->isClosed = true;
  if (state->thread.joinable())
    state->thread.join();
}

/// In a copy of the process the thread, and maybe its lock, are another's: nothing can be freed.
void LaterWork::leaveToParent() {
  if (state && state->process != getpid()) [[maybe_unused]]
    State *parents = state.release();
}

void LaterWork::add(std::unique_ptr<codegen::OptimiseLater> code, Done done) {
  add(Item{{}, std::move(code), std::move(done)});
}

void LaterWork::add(Once once) { add(Item{std::move(once), {}, {}}); }

void LaterWork::add(Item item) {
  watchProcess();
  std::lock_guard adding(addMutex);
  leaveToParent();
  if (!state)
    state = std::make_unique<State>();
  std::unique_lock lock(state->mutex);
  state->items.push_back(std::move(item));
  if (std::exchange(state->isRunning, true))
    return;
  if (state->thread.joinable())
    state->thread.join(); // it has seen that there is no more work
  try {
    state->thread = std::thread([state = state.get()] { state->run(); });
  } catch (const std::system_error &) { // no more threads: what calls run stays
    state->isRunning = false;
    state->items.clear();
  }
}

} // namespace jit
