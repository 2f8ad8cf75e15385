//===- ThreadPoolTest.cpp - every index once, from many callers -----------===//
#include "jit/Runtime/ThreadPool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace jit;
using namespace jit::runtime;

namespace {
struct Marks {
  std::vector<std::atomic<int>> seen;
  explicit Marks(size_t count) : seen(count) {}
};
struct Nested {
  ThreadPool *pool;
  std::atomic<int64_t> total{0};
};
} // namespace

static void mark(void *closure, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    static_cast<Marks *>(closure)->seen[static_cast<size_t>(i)]++;
}

static void addRange(void *closure, int64_t begin, int64_t end) {
  *static_cast<std::atomic<int64_t> *>(closure) += end - begin;
}

static void nest(void *closure, int64_t begin, int64_t end) {
  auto *nested = static_cast<Nested *>(closure);
  for (int64_t i = begin; i < end; ++i)
    nested->pool->parallelFor(addRange, &nested->total, 10);
}

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (int64_t count : {0, 1, 2, 7, 1000})
      for (int repeat = 0; repeat < 50; ++repeat) {
        Marks marks(static_cast<size_t>(count));
        pool.parallelFor(mark, &marks, count);
        for (auto &seen : marks.seen)
          ASSERT_EQ(seen.load(), 1);
      }
  }
}

/// What this process may run on, while it lives.
struct Affinity {
  cpu_set_t before;
  Affinity() { sched_getaffinity(0, sizeof before, &before); }
  ~Affinity() { sched_setaffinity(0, sizeof before, &before); }
};

TEST(ThreadPool, HasByDefaultAThreadForEachCpuThatTheProcessMayUse) {
  Affinity affinity;
  EXPECT_EQ(ThreadPool(0).size(), static_cast<unsigned>(CPU_COUNT(&affinity.before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(ThreadPool(0).size(), 1u);
}

TEST(ThreadPool, NestedLoopsRunSerially) {
  ThreadPool pool(3);
  Nested nested{&pool};
  pool.parallelFor(nest, &nested, 100);
  EXPECT_EQ(nested.total.load(), 1000);
}

TEST(ThreadPool, ServesSeveralCallers) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<bool> wrong{false};
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 500; ++repeat) {
        Marks marks(37);
        pool.parallelFor(mark, &marks, 37);
        for (auto &seen : marks.seen)
          if (seen.load() != 1)
            wrong = true;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_FALSE(wrong);
}

//===----------------------------------------------------------------------===//
// After fork()
//===----------------------------------------------------------------------===//

namespace {
/// Each of two chunks waits until the other has begun, or too long.
struct Meeting {
  std::atomic<int> begun{0};
  std::atomic<bool> failed{false};
  static void join(void *closure, int64_t, int64_t) {
    auto *meeting = static_cast<Meeting *>(closure);
    ++meeting->begun;
    int milliseconds = 0;
    while (meeting->begun < 2 && milliseconds++ < 3000)
      usleep(1000);
    if (meeting->begun < 2)
      meeting->failed = true;
  }
};
} // namespace

/// The exit code of a child that does `body`, which says whether all is well; -1 if it does not end
/// in time.
static int inChild(const std::function<bool()> &body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool coversAll(ThreadPool &pool) {
  Marks marks(1000);
  pool.parallelFor(mark, &marks, 1000);
  return std::ranges::all_of(marks.seen, [](auto &seen) { return seen.load() == 1; });
}

TEST(ThreadPool, HasThreadsOfItsOwnInAChild) {
  ThreadPool pool(3);
  EXPECT_TRUE(coversAll(pool));
  auto meets = [&] {
    Meeting meeting;
    pool.parallelFor(Meeting::join, &meeting, 2);
    return !meeting.failed && coversAll(pool);
  };
  EXPECT_EQ(inChild(meets), 0);
  // A child of a child too, and the parent goes on.
  EXPECT_EQ(inChild([&] { return coversAll(pool) && inChild(meets) == 0; }), 0);
  EXPECT_TRUE(meets());
}

TEST(ThreadPool, EndsInAChildThatHasNotUsedIt) {
  auto pool = std::make_unique<ThreadPool>(3);
  EXPECT_TRUE(coversAll(*pool));
  EXPECT_EQ(inChild([&] { return pool.reset(), true; }), 0);
  EXPECT_EQ(inChild([&] { return coversAll(*pool) && (pool.reset(), true); }), 0);
  EXPECT_TRUE(coversAll(*pool));
}

/// The parent forks while its threads are in the pool: the child has their locks and jobs as they
/// were.
TEST(ThreadPool, ServesSeveralThreadsOfAChildThatWasMadeAmidstAJob) {
  ThreadPool pool(3);
  std::atomic<bool> stops{false};
  std::thread busy([&] {
    while (!stops)
      coversAll(pool);
  });
  for (int round = 0; round < 20; ++round)
    EXPECT_EQ(inChild([&] {
                std::atomic<int> right{0};
                std::vector<std::thread> callers;
                for (int i = 0; i < 3; ++i)
                  callers.emplace_back([&] { right += coversAll(pool) && coversAll(pool); });
                for (std::thread &caller : callers)
                  caller.join();
                return right == 3;
              }),
              0);
  stops = true;
  busy.join();
}
