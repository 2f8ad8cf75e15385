//===- ArrayTest.cpp - arrays that C++ programs hand over -----------------===//
#include "jit-c/Artifact.hpp"
#include <gtest/gtest.h>
#include <limits>

using jit_c::Array;

static constexpr int64_t huge = std::numeric_limits<int64_t>::max();

TEST(ArrayTest, HasAsManyElementsAsItsSizesSay) {
  std::vector<float> data(6);
  EXPECT_NO_THROW(Array<float>(data, {2, 3}));
  EXPECT_NO_THROW(Array<float>(std::span<float>(data.data(), 1), {}));
  EXPECT_NO_THROW(Array<float>(std::span<float>(), {0, huge}));
  EXPECT_THROW(Array<float>(data, {2, 2}), std::length_error);
  EXPECT_THROW(Array<float>(data, {-2, -3}), std::length_error);
  // 2^64 elements are not none.
  EXPECT_THROW(Array<float>(std::span<float>(), {int64_t(1) << 32, int64_t(1) << 32}),
               std::length_error);
}

TEST(ArrayTest, HoldsWhatItsStridesReach) {
  std::vector<float> data(6);
  EXPECT_NO_THROW(Array<float>(data, {3, 2}, {1, 3}));
  EXPECT_NO_THROW(Array<float>(data, {4, 6}, {0, 1}));
  EXPECT_NO_THROW(Array<float>(data, {0, 5}, {100, 100}));
  EXPECT_THROW(Array<float>(data, {3, 3}, {1, 3}), std::length_error);
  EXPECT_THROW(Array<float>(data, {3}, {-1}), std::length_error);
  EXPECT_THROW(Array<float>(data, {3, 2}, {1}), std::length_error);
  EXPECT_THROW(Array<float>(data, {3, 2}, {}), std::length_error);
  EXPECT_THROW(Array<float>(data, {3}, {huge}), std::length_error);
}
