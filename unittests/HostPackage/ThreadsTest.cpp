//===- ThreadsTest.cpp - packages from many threads -----------------------===//
//
// For the thread sanitizer above all (preset tsan). JIT_THREAD_ROUNDS makes it longer.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <thread>

namespace {
const std::vector<int64_t> four = {4};

int rounds() {
  const char *wanted = std::getenv("JIT_THREAD_ROUNDS");
  return wanted ? std::atoi(wanted) : 100;
}

void runThreads(int count, const std::function<void(int)> &body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

jit_status call(jit_module *module, const char *method, jit_value argument,
                std::vector<jit_value> &results) {
  return jit_artifact_call(module, method, &argument, 1, results.data(), results.size(), nullptr);
}

/// One call of each kind, by turns.
bool callOne(jit_module *module, int number) {
  float x[4] = {1, 1, 1, 1}, y[4] = {}, z[4] = {};
  std::vector<jit_value> results(1);
  switch (number % 6) {
  case 0:
    results = {tensorValue(y, four), tensorValue(z, four)};
    return call(module, "both", tensorValue(x, four), results) == JIT_OK && y[3] == 2 && z[3] == 2;
  case 1:
    results[0] = tensorValue(y, four);
    return call(module, "add", tensorValue(x, four), results) == JIT_OK && y[0] == y[3];
  case 2:
    return call(module, "share", intValue(100), results) == JIT_OK && results[0].as.integer == 100;
  case 3:
    return call(module, "borrow", intValue(number * 16), results) == JIT_OK;
  case 4: {
    bool isRight = call(module, "square", intValue(3), results) == JIT_OK &&
                   static_cast<float *>(results[0].as.tensor.data)[8] == 3;
    std::free(results[0].as.tensor.data);
    return isRight;
  }
  default:
    return call(module, "square", intValue(int64_t(1) << 40), results) == JIT_LIMIT_EXCEEDED;
  }
}
} // namespace

TEST(PackageThreads, CallOneModule) {
  Module module(3);
  std::atomic<int> wrong{0};
  runThreads(4, [&](int thread) {
    for (int round = 0; round < rounds(); ++round) {
      wrong += !callOne(module.handle, thread + round);
      if (round % 25 == 24)
        jit_artifact_reset(module.handle);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(PackageThreads, WriteStateOneAfterAnother) {
  Module module;
  std::atomic<int> wrong{0};
  runThreads(4, [&](int) {
    float x[4] = {1, 1, 1, 1}, y[4] = {};
    std::vector<jit_value> results = {tensorValue(y, four)};
    for (int round = 0; round < rounds(); ++round)
      wrong += call(module.handle, "add", tensorValue(x, four), results) != JIT_OK;
  });
  EXPECT_EQ(wrong, 0);
  jit_value total = {};
  ASSERT_EQ(jit_artifact_state(module.handle, "total", &total, nullptr), JIT_OK);
  EXPECT_EQ(static_cast<float *>(total.as.tensor.data)[0], float(4 * rounds()));
}

TEST(PackageThreads, OpenAndCloseModulesOfTheirOwn) {
  std::atomic<int> wrong{0};
  runThreads(4, [&](int thread) {
    for (int round = 0; round < rounds() / 10; ++round) {
      Module module(1 + round % 3);
      for (int number = 0; number < 6; ++number)
        wrong += !callOne(module.handle, thread + number);
    }
  });
  EXPECT_EQ(wrong, 0);
}
