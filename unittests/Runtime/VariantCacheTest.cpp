//===- VariantCacheTest.cpp - compiled once, kept, given up ---------------===//
#include "jit/Runtime/VariantCache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace jit;
using namespace jit::runtime;

namespace {

/// A key of one word: a cache compares words and does not read them.
struct Key {
  uint64_t word;

  explicit Key(uint64_t word) : word(word) {}
  CallKeyRef ref() const { return {{&word, 1}, word * 0x9e3779b97f4a7c15}; }
  CallKeyRef refWithHash(uint64_t hash) const { return {{&word, 1}, hash}; }
};

using Cache = VariantCache<uint64_t>;
using Handle = Cache::Handle;

/// The variant of a key is its word.
Result<Handle> get(Cache &cache, uint64_t word) {
  return cache.get(Key(word).ref(), [&] { return Result(std::make_shared<uint64_t>(word)); });
}

/// For calls whose effect on the cache is the point.
void touch(Cache &cache, uint64_t word) { EXPECT_TRUE(get(cache, word)); }

Result<Handle> fail() { return Error{ErrorCode::Unsupported, "expected something else"}; }

void runThreads(unsigned count, const std::function<void(unsigned)> &body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

void waitUntil(const std::function<bool()> &condition) {
  while (!condition())
    std::this_thread::yield();
}

} // namespace

TEST(VariantCache, AlternatingKeysCompileOnceEach) {
  Cache cache;
  for (int round = 0; round < 100; ++round)
    for (uint64_t word = 0; word < 8; ++word)
      EXPECT_EQ(**get(cache, word), word);
  CacheStatistics counts = cache.statistics();
  EXPECT_EQ(counts.compiles, 8u);
  EXPECT_EQ(counts.misses, 8u);
  EXPECT_EQ(counts.hits, 792u);
  EXPECT_EQ(counts.evictions, 0u);
}

TEST(VariantCache, EqualHashesAreToldApartByTheirWords) {
  Cache cache({.maxVariants = 4});
  for (uint64_t word : {1, 2, 3, 1, 2, 3, 4, 5, 3, 4, 5})
    EXPECT_EQ(**cache.get(Key(word).refWithHash(42),
                          [&] { return Result(std::make_shared<uint64_t>(word)); }),
              word);
  EXPECT_EQ(cache.statistics().compiles, 5u);
  EXPECT_EQ(cache.statistics().evictions, 1u);
}

TEST(VariantCache, TheOneUnusedForLongestGoes) {
  Cache cache({.maxVariants = 3});
  Handle first = *get(cache, 1);
  touch(cache, 2);
  touch(cache, 3);
  touch(cache, 1);
  touch(cache, 4); // 2 goes
  EXPECT_EQ(cache.statistics().evictions, 1u);
  for (uint64_t kept : {1, 3, 4})
    touch(cache, kept);
  EXPECT_EQ(cache.statistics().compiles, 4u);
  touch(cache, 2); // 1 goes
  EXPECT_EQ(cache.statistics().compiles, 5u);
  EXPECT_EQ(cache.statistics().evictions, 2u);
  EXPECT_EQ(first.use_count(), 1) << "in use, so alive though evicted";
  EXPECT_EQ(*first, 1u);
}

TEST(VariantCache, ThreadsCompileAKeyOnce) {
  constexpr unsigned count = 8;
  Cache cache;
  std::atomic<int> compiles{0};
  std::vector<Handle> handles(count);
  runThreads(count, [&](unsigned i) {
    handles[i] = *cache.get(Key(7).ref(), [&] {
      ++compiles;
      waitUntil([&] { return cache.statistics().waits == count - 1; });
      return Result(std::make_shared<uint64_t>(7));
    });
  });
  EXPECT_EQ(compiles, 1);
  for (const Handle &handle : handles)
    EXPECT_EQ(handle, handles[0]);
  EXPECT_EQ(cache.statistics().misses, 1u);
}

TEST(VariantCache, OtherKeysAreServedDuringACompilation) {
  Cache cache;
  touch(cache, 1);
  auto outer = cache.get(Key(2).ref(), [&] {
    EXPECT_EQ(**get(cache, 1), 1u);
    EXPECT_EQ(**get(cache, 3), 3u);
    return Result(std::make_shared<uint64_t>(2));
  });
  EXPECT_EQ(**outer, 2u);
  EXPECT_EQ(cache.statistics().compiles, 3u);
}

TEST(VariantCache, AnErrorReachesAllWhoWaitAndIsNotKept) {
  constexpr unsigned count = 4;
  Cache cache;
  std::atomic<unsigned> failed{0};
  runThreads(count, [&](unsigned) {
    auto variant = cache.get(Key(7).ref(), [&] {
      waitUntil([&] { return cache.statistics().waits == count - 1; });
      return fail();
    });
    if (!variant && variant.error().message == "expected something else")
      ++failed;
  });
  EXPECT_EQ(failed, count);
  EXPECT_EQ(cache.statistics().failures, 1u);
  EXPECT_EQ(**get(cache, 7), 7u);
}

TEST(VariantCache, AFullCacheCanFallBackToTheGenericVariant) {
  int generics = 0;
  Cache cache({.maxVariants = 2, .whenFull = CachePolicy::WhenFull::Generic}, [&] {
    ++generics;
    return generics == 1 ? fail() : Result(std::make_shared<uint64_t>(0));
  });
  EXPECT_EQ(**get(cache, 1), 1u);
  EXPECT_EQ(**get(cache, 2), 2u);
  EXPECT_FALSE(get(cache, 3)) << "the generic variant's own error";
  for (uint64_t word : {3, 4, 3})
    EXPECT_EQ(**get(cache, word), 0u);
  EXPECT_EQ(**get(cache, 1), 1u);
  EXPECT_EQ(**get(cache, 2), 2u);
  EXPECT_EQ(generics, 2);
  CacheStatistics counts = cache.statistics();
  EXPECT_EQ(counts.generic, 4u);
  EXPECT_EQ(counts.misses, 2u);
  EXPECT_EQ(counts.compiles, 3u);
  EXPECT_EQ(counts.evictions, 0u);
}

TEST(VariantCache, ThreadsOnMoreKeysThanFit) {
  constexpr unsigned count = 4;
  constexpr uint64_t rounds = 5000;
  Cache cache({.maxVariants = 5});
  std::atomic<uint64_t> wrong{0};
  runThreads(count, [&](unsigned i) {
    for (uint64_t round = 0; round < rounds; ++round) {
      uint64_t word = (round * (i + 1)) % 9;
      Handle handle = *get(cache, word);
      wrong += *handle != word;
    }
  });
  EXPECT_EQ(wrong, 0u);
  CacheStatistics counts = cache.statistics();
  EXPECT_EQ(counts.hits + counts.misses + counts.waits, count * rounds);
  EXPECT_EQ(counts.compiles, counts.misses);
  EXPECT_EQ(counts.compiles - counts.evictions, 5u);
}
