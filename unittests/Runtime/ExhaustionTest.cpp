//===- ExhaustionTest.cpp - exhausted memory beyond one thread ------------===//
#include "jit/Runtime/Exhaustion.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

using namespace jit::runtime;

TEST(Exhaustion, WorkThatCompletes) {
  bool isDone = false;
  EXPECT_TRUE(completes([&] { isDone = true; }));
  EXPECT_TRUE(isDone);
}

TEST(Exhaustion, WorkOnAThreadThatDoesNot) {
  bool first = true, second = true, third = true;
  std::thread([&] {
    first = completes([] { failForMemory(); });
    second = completes([] { std::vector<char>().reserve(size_t(-1)); });
    third = completes([] {
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    });
  }).join();
  EXPECT_FALSE(first);
  EXPECT_FALSE(second);
  EXPECT_FALSE(third);
}
