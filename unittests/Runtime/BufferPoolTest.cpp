//===- BufferPoolTest.cpp - memory that is given again --------------------===//
#include "jit/Runtime/BufferPool.h"
#include "FailingAllocation.h"
#include "jit/Runtime/Tensor.h"

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

using namespace jit;
using namespace jit::runtime;
using namespace jit::test;

static constexpr size_t mega = size_t(1) << 20;

TEST(BufferPool, GivesAgainWhatCameBack) {
  BufferPool pool(64 * mega);
  BufferPool::User user(pool);
  std::byte *first = pool.allocate(mega).get();
  EXPECT_EQ(pool.allocate(mega).get(), first);
  // Up to an eighth less is as good; what is held is nobody else's.
  auto held = pool.allocate(mega - 100);
  EXPECT_EQ(held.get(), first);
  EXPECT_NE(pool.allocate(mega).get(), first);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(held.get()) % bufferAlignment, 0u);
}

TEST(BufferPool, HoldsEverySizeItIsAskedFor) {
  BufferPool pool(1024 * mega);
  BufferPool::User user(pool);
  for (size_t bytes : {size_t(0), size_t(1), BufferPool::leastKept - 1, BufferPool::leastKept,
                       BufferPool::leastKept + 1, mega - 1, mega, mega + 1, 3 * mega + 7})
    for (int repeat = 0; repeat < 2; ++repeat) {
      auto buffer = pool.allocate(bytes);
      ASSERT_TRUE(buffer);
      std::memset(buffer.get(), 1, bytes);
    }
}

TEST(BufferPool, KeepsNoMoreThanItsBound) {
  BufferPool pool(4 * mega);
  BufferPool::User user(pool);
  std::vector<std::shared_ptr<std::byte>> held;
  for (int i = 0; i < 8; ++i)
    held.push_back(pool.allocate(mega));
  held.clear();
  EXPECT_EQ(pool.trim(), 4 * mega);
  EXPECT_EQ(pool.trim(), 0u);
  // Beyond half of the bound nothing is kept, below some size neither.
  pool.allocate(2 * mega + 1);
  pool.allocate(BufferPool::leastKept - 1);
  EXPECT_EQ(pool.trim(), 0u);
  pool.allocate(2 * mega);
  EXPECT_EQ(pool.trim(), 2 * mega);
}

TEST(BufferPool, DropsTheSizeThatWasUnusedForLongest) {
  BufferPool pool(4 * mega);
  BufferPool::User user(pool);
  pool.allocate(mega);
  std::byte *later = pool.allocate(2 * mega).get();
  pool.allocate(mega + mega / 2); // one of 1 MB goes
  EXPECT_EQ(pool.allocate(2 * mega).get(), later);
  EXPECT_EQ(pool.trim(), 3 * mega + mega / 2);
}

TEST(BufferPool, KeepsNothingWithoutAUser) {
  BufferPool pool(64 * mega);
  std::shared_ptr<std::byte> late;
  {
    BufferPool::User user(pool);
    pool.allocate(mega);
    late = pool.allocate(2 * mega);
  }
  late.reset();
  EXPECT_EQ(pool.trim(), 0u);
}

TEST(BufferPool, ServesThreads) {
  BufferPool pool(16 * mega);
  BufferPool::User user(pool);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&pool, number] {
      for (size_t i = 0; i < 500; ++i) {
        size_t bytes = BufferPool::leastKept * (1 + i % 5);
        auto buffer = pool.allocate(bytes);
        std::memset(buffer.get(), number, 64);
        std::this_thread::yield();
        EXPECT_EQ(buffer.get()[63], std::byte(number));
        if (i % 100 == 0)
          pool.trim();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LE(pool.trim(), 16 * mega);
}

TEST(BufferPool, GivesWhatItKeepsBeforeMemoryIsExhausted) {
  BufferPool pool(64 * mega);
  BufferPool::User user(pool);
  pool.allocate(mega);
  std::shared_ptr<std::byte> buffer;
  {
    FailingAllocation failing(1);
    buffer = pool.allocate(2 * mega);
    EXPECT_TRUE(FailingAllocation::hasFailed());
  }
  EXPECT_TRUE(buffer);
  EXPECT_EQ(pool.trim(), 0u);
}

TEST(BufferPool, RefusesABoundThatIsNoNumber) {
  ASSERT_TRUE(BufferPool::checkEnvironment());
  for (const char *text : {"64M", "-1", " 1", "99999999999999999999"}) {
    setenv("JIT_KEPT_RESULT_BYTES", text, 1);
    auto checked = BufferPool::checkEnvironment();
    ASSERT_FALSE(checked) << text;
    EXPECT_EQ(checked.error().message,
              std::string("expected a number of bytes in JIT_KEPT_RESULT_BYTES, got '") + text +
                  "'");
  }
  for (const char *text : {"0", "1048576", ""}) {
    setenv("JIT_KEPT_RESULT_BYTES", text, 1);
    EXPECT_TRUE(BufferPool::checkEnvironment()) << text;
  }
  unsetenv("JIT_KEPT_RESULT_BYTES");
}
