//===- ThreadPoolTest.cpp - every index once, from many callers -----------===//
#include "jit/Runtime/ThreadPool.h"

#include <gtest/gtest.h>

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
