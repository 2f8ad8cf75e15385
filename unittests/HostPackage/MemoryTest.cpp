//===- MemoryTest.cpp - whose memory a call takes, and how much -----------===//
#include "Program.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {
const std::vector<int64_t> four = {4}, none = {};

/// Calls `both` with its results where they are said to be.
struct Both {
  float memory[16] = {1, 2, 3, 4};
  Module module;

  jit_status call(float *y, float *z) {
    std::vector<jit_value> results = {tensorValue(y, four), tensorValue(z, four)};
    return module.call("both", {tensorValue(memory, four)}, results);
  }
};
} // namespace

TEST(PackageMemory, ResultsLieWhereTheCallerWants) {
  Both both;
  ASSERT_EQ(both.call(both.memory + 4, both.memory + 8), JIT_OK) << both.module.error.message;
  EXPECT_EQ(both.memory[7], 5);
  EXPECT_EQ(both.memory[8], 2);
}

TEST(PackageMemory, ResultsThatOverlapAreRefused) {
  Both both;
  for (int by : {0, 1, 3}) {
    EXPECT_EQ(both.call(both.memory + 4, both.memory + 4 + by), JIT_INVALID_ARGUMENT) << by;
    EXPECT_STREQ(both.module.error.message,
                 "result 1: expected memory of its own, got that of result 0");
    EXPECT_EQ(both.call(both.memory + 4 + by, both.memory + 4), JIT_INVALID_ARGUMENT) << by;
  }
  EXPECT_EQ(both.memory[4], 0) << "a call that is refused writes nothing";
}

TEST(PackageMemory, ResultsThatOverlapArgumentsAreRefused) {
  Both both;
  for (int by : {0, 3}) {
    EXPECT_EQ(both.call(both.memory + by, both.memory + 8), JIT_INVALID_ARGUMENT) << by;
    EXPECT_STREQ(both.module.error.message,
                 "result 0: expected memory of its own, got that of argument 0");
    EXPECT_EQ(both.call(both.memory + 8, both.memory + by), JIT_INVALID_ARGUMENT) << by;
  }
}

TEST(PackageMemory, ResultsThatOverlapTheStateAreRefused) {
  Module module;
  jit_value total = {};
  ASSERT_EQ(jit_artifact_state(module.handle, "total", &total, nullptr), JIT_OK);
  float x[4] = {1, 2, 3, 4};
  std::vector<jit_value> results = {tensorValue(static_cast<float *>(total.as.tensor.data), four)};
  EXPECT_EQ(module.call("add", {tensorValue(x, four)}, results), JIT_INVALID_ARGUMENT);
  EXPECT_STREQ(module.error.message,
               "result 0: expected memory of its own, got that of the module's state");
}

TEST(PackageMemory, ComplexNumbersLieWhereTheirPartsMay) {
  Module module;
  alignas(8) float memory[6] = {1, 2, 3, 4, 5, 6};
  float y = 0;
  std::vector<int64_t> two = {2};
  jit_value z = tensorValue(memory + 1, two);
  z.as.tensor.dtype = JIT_C64;
  std::vector<jit_value> results = {tensorValue(&y, none)};
  ASSERT_EQ(module.call("real", {z}, results), JIT_OK) << module.error.message;
  EXPECT_EQ(y, 2);
}

TEST(PackageMemory, AnArgumentOfMoreBytesThanCanBeCountedIsRefused) {
  Module module;
  float x[4] = {1, 2, 3, 4};
  std::vector<jit_value> results(1);
  for (std::vector<int64_t> sizes : {std::vector<int64_t>{int64_t(1) << 32, int64_t(1) << 32},
                                     {int64_t(1) << 31, int64_t(1) << 31}}) {
    results[0] = jit_value{};
    EXPECT_EQ(module.call("sum", {tensorValue(x, sizes)}, results), JIT_LIMIT_EXCEEDED);
    EXPECT_STREQ(module.error.message,
                 "argument 'x' of sum: expected f32[?,?] as sizes that fit in memory, got more "
                 "bytes than can be counted");
  }
}

TEST(PackageMemory, AnEmptyArgumentMayHaveLargeSizes) {
  Module module;
  float x[4] = {}, y = 1;
  std::vector<int64_t> sizes = {INT64_MAX, 0}, strides = {7, 3};
  std::vector<jit_value> results = {tensorValue(&y, none)};
  jit_value empty = tensorValue(x, sizes);
  empty.as.tensor.strides = strides.data();
  ASSERT_EQ(module.call("sum", {empty}, results), JIT_OK) << module.error.message;
  EXPECT_EQ(y, 0);
}

TEST(PackageMemory, AResultOfMoreBytesThanCanBeCountedIsRefused) {
  Module module;
  float memory[4] = {};
  std::vector<int64_t> sizes = {int64_t(1) << 40, int64_t(1) << 40};
  for (jit_value given : {jit_value{}, tensorValue(memory, sizes)}) {
    std::vector<jit_value> results = {given};
    EXPECT_EQ(module.call("square", {intValue(int64_t(1) << 40)}, results), JIT_LIMIT_EXCEEDED);
    EXPECT_STREQ(module.error.message,
                 "expected a result that fits in memory, got more bytes than can be counted");
  }
  std::vector<jit_value> results(1);
  ASSERT_EQ(module.call("square", {intValue(3)}, results), JIT_OK) << module.error.message;
  std::free(results[0].as.tensor.data);
}

TEST(PackageMemory, AResultOfSizesBelowZeroIsRefused) {
  Module module;
  std::vector<jit_value> results(1);
  EXPECT_EQ(module.call("square", {intValue(-3)}, results), JIT_INVALID_ARGUMENT);
  EXPECT_STREQ(module.error.message, "expected a result with sizes of at least 0, got -3");
}

TEST(PackageMemory, ScratchOfLessThanNoBytesIsRefused) {
  Module module;
  std::vector<jit_value> results(1);
  ASSERT_EQ(module.call("borrow", {intValue(100)}, results), JIT_OK) << module.error.message;
  // The old piece would be too small: what was counted has overflown.
  EXPECT_EQ(module.call("borrow", {intValue(-1)}, results), JIT_LIMIT_EXCEEDED);
  EXPECT_STREQ(module.error.message,
               "expected scratch that fits in memory, got more bytes than can be counted");
  EXPECT_EQ(module.call("borrow", {intValue(INT64_MAX)}, results), JIT_LIMIT_EXCEEDED);
  EXPECT_STREQ(module.error.message, "out of memory for scratch of 9223372036854775807 bytes");
  EXPECT_EQ(module.call("borrow", {intValue(50)}, results), JIT_OK) << module.error.message;
}
