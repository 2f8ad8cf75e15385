//===- ThreadEmulationTest.cpp - threads that wait for each other ---------===//
#include "../../lib/Runtime/Gpu/ThreadEmulation.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

using namespace jit;
using namespace jit::runtime;

/// A kernel of `threads` threads in each of `blocks` blocks.
static DeviceKernel makeKernel(jit_thread_fn work, uint32_t blocks, uint32_t threads,
                               int64_t sharedBytes = 0) {
  return {.name = "test",
          .grid = {blocks, 1, 1},
          .block = {threads, 1, 1},
          .emulated = work,
          .sharedBytes = sharedBytes,
          .waits = true};
}

template <typename T> static T *pointer(uint64_t word) { return reinterpret_cast<T *>(word); }
template <typename T> static uint64_t word(T *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

TEST(ThreadEmulation, EveryThreadRunsOnceAtItsPlace) {
  DeviceKernel kernel = makeKernel(nullptr, 2, 3);
  kernel.grid = {2, 3, 2};
  kernel.block = {3, 2, 2};
  kernel.emulated = [](jit_thread *t, const uint64_t *args) {
    int64_t block = t->block[0] + 2 * (t->block[1] + 3 * t->block[2]);
    int64_t thread = t->thread[0] + 3 * (t->thread[1] + 2 * t->thread[2]);
    ++pointer<int>(args[0])[block * 12 + thread];
  };
  for (bool waits : {false, true}) {
    kernel.waits = waits;
    std::vector<int> runs(144, 0);
    uint64_t arguments[] = {word(runs.data())};
    ASSERT_TRUE(emulateGrid(kernel, arguments));
    EXPECT_EQ(runs, std::vector<int>(144, 1));
  }
}

/// Reverses each block's 64 numbers by way of shared memory.
static void reverse(jit_thread *t, const uint64_t *args) {
  auto *shared = static_cast<int64_t *>(t->shared);
  int64_t first = t->block[0] * 64, i = t->thread[0];
  shared[i] = pointer<int64_t>(args[0])[first + i];
  jit_rt_barrier(t);
  pointer<int64_t>(args[1])[first + i] = shared[63 - i];
}

TEST(ThreadEmulation, BarriersOrderSharedMemory) {
  std::vector<int64_t> from(192), to(192), expected;
  std::iota(from.begin(), from.end(), 0);
  for (int64_t block = 0; block < 3; ++block)
    for (int64_t i = 63; i >= 0; --i)
      expected.push_back(block * 64 + i);
  uint64_t arguments[] = {word(from.data()), word(to.data())};
  ASSERT_TRUE(emulateGrid(makeKernel(reverse, 3, 64, 64 * sizeof(int64_t)), arguments));
  EXPECT_EQ(to, expected);
}

/// Sums the numbers of each warp, in every lane.
static void sumWarp(jit_thread *t, const uint64_t *args) {
  int32_t sum = pointer<int32_t>(args[0])[t->thread[0]];
  for (int32_t distance : {16, 8, 4, 2, 1})
    sum += jit_rt_shuffle(t, sum, distance);
  pointer<int32_t>(args[1])[t->thread[0]] = sum;
}

TEST(ThreadEmulation, ShufflesStayWithinTheWarp) {
  std::vector<int32_t> from(64), to(64);
  std::iota(from.begin(), from.end(), 0);
  uint64_t arguments[] = {word(from.data()), word(to.data())};
  ASSERT_TRUE(emulateGrid(makeKernel(sumWarp, 1, 64), arguments));
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(to[i], i < 32 ? 31 * 16 : 31 * 16 + 32 * 32);
}

TEST(ThreadEmulation, DivergenceIsAnError) {
  auto halfWaits = [](jit_thread *t, const uint64_t *) {
    if (t->thread[0] < 32)
      jit_rt_barrier(t);
  };
  auto done = emulateGrid(makeKernel(halfWaits, 1, 64), {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Internal);
  EXPECT_EQ(done.error().message, "kernel test: expected all threads of a block at one barrier");
  auto halfShuffles = [](jit_thread *t, const uint64_t *) {
    if (t->thread[0] % 2 == 0)
      jit_rt_shuffle(t, 1, 2);
  };
  done = emulateGrid(makeKernel(halfShuffles, 1, 32), {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "kernel test: expected all threads of a warp at one shuffle");
}

struct Matrices {
  std::vector<float> left, right, product;
};

/// Small integers, 16 by `depth` and `depth` by 8, and their product.
static Matrices smallMatrices(size_t depth) {
  Matrices made{std::vector<float>(16 * depth), std::vector<float>(depth * 8),
                std::vector<float>(128)};
  for (size_t i = 0; i < made.left.size(); ++i)
    made.left[i] = float(i * 7 % 31) - 15;
  for (size_t i = 0; i < made.right.size(); ++i)
    made.right[i] = float(i * 5 % 23) - 11;
  for (size_t i = 0; i < 16; ++i)
    for (size_t j = 0; j < 8; ++j)
      for (size_t k = 0; k < depth; ++k)
        made.product[i * 8 + j] += made.left[i * depth + k] * made.right[k * 8 + j];
  return made;
}

/// The 16 by 8 product of a 16 by 16 and a 16 by 8 matrix, by one warp as its instructions do it.
static void multiplyMatrices(jit_thread *t, const uint64_t *args) {
  auto *left = pointer<uint16_t>(args[0]), *right = pointer<uint16_t>(args[1]);
  int64_t lane = t->thread[0], matrix = lane / 8, row = lane % 8;
  uint16_t ownLeft[8], ownRight[4];
  float sums[4] = {};
  const uint16_t *leftRow = left + (matrix % 2 * 8 + row) * 16 + matrix / 2 * 8;
  jit_rt_load_matrices(t, leftRow, 4, /*transposed=*/0, ownLeft);
  jit_rt_load_matrices(t, right + (matrix % 2 * 8 + row) * 8, 2, /*transposed=*/1, ownRight);
  jit_rt_multiply_bf16(t, ownLeft, ownRight, sums);
  for (int64_t i = 0; i < 4; ++i)
    pointer<float>(args[2])[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sums[i];
}

TEST(ThreadEmulation, WarpsMultiplyMatrices) {
  auto [left, right, expected] = smallMatrices(16);
  std::vector<float> product(expected.size());
  // Small numbers are exact in half the bits.
  auto halves = [](const std::vector<float> &numbers) {
    std::vector<uint16_t> result;
    for (float number : numbers)
      result.push_back(uint16_t(std::bit_cast<uint32_t>(number) >> 16));
    return result;
  };
  std::vector<uint16_t> leftHalves = halves(left), rightHalves = halves(right);
  uint64_t arguments[] = {word(leftHalves.data()), word(rightHalves.data()), word(product.data())};
  ASSERT_TRUE(emulateGrid(makeKernel(multiplyMatrices, 1, 32), arguments));
  EXPECT_EQ(product, expected);
}

/// The 16 by 8 product of a 16 by 8 and an 8 by 8 matrix of floats: lanes have what the manual
/// says.
static void multiplyFloats(jit_thread *t, const uint64_t *args) {
  auto *left = pointer<float>(args[0]), *right = pointer<float>(args[1]);
  int64_t lane = t->thread[0], row = lane / 4, summand = lane % 4;
  float ownLeft[4], ownRight[2], sums[4] = {};
  for (int64_t i = 0; i < 4; ++i)
    ownLeft[i] = left[(row + i % 2 * 8) * 8 + summand + i / 2 * 4];
  for (int64_t i = 0; i < 2; ++i)
    ownRight[i] = right[(summand + i * 4) * 8 + row];
  jit_rt_multiply_tf32(t, ownLeft, ownRight, sums);
  for (int64_t i = 0; i < 4; ++i)
    pointer<float>(args[2])[(row + i / 2 * 8) * 8 + summand * 2 + i % 2] = sums[i];
}

TEST(ThreadEmulation, WarpsLookAtTenBitsOfFloats) {
  auto [left, right, expected] = smallMatrices(8);
  std::vector<float> product(expected.size());
  // The tenth bit counts, what is behind it does not.
  left[0] *= 1 + 0x1p-12f;
  left[5] = 2 + 0x1p-9f + 0x1p-10f;
  for (size_t j = 0; j < 8; ++j)
    expected[j] += (2 + 0x1p-9f - (float(5 * 7 % 31) - 15)) * right[5 * 8 + j];
  uint64_t arguments[] = {word(left.data()), word(right.data()), word(product.data())};
  ASSERT_TRUE(emulateGrid(makeKernel(multiplyFloats, 1, 32), arguments));
  EXPECT_EQ(product, expected);
}

TEST(ThreadEmulation, CopiesArriveWhenTheirGroupIsWaitedFor) {
  auto work = [](jit_thread *t, const uint64_t *args) {
    auto *from = pointer<int32_t>(args[0]), *to = pointer<int32_t>(args[1]);
    jit_rt_async_copy(t, to, from, 16, 16);
    jit_rt_async_group(t);
    jit_rt_async_copy(t, to + 4, from, 16, 8);
    jit_rt_async_group(t);
    to[8] = to[0];
    jit_rt_async_wait(t, 1);
    to[9] = to[0];
    to[10] = to[4];
    jit_rt_async_wait(t, 0);
  };
  std::vector<int32_t> from = {1, 2, 3, 4}, to(11, -1);
  uint64_t arguments[] = {word(from.data()), word(to.data())};
  ASSERT_TRUE(emulateGrid(makeKernel(work, 1, 1), arguments));
  EXPECT_EQ(to, (std::vector<int32_t>{1, 2, 3, 4, 1, 2, 0, 0, -1, 1, -1}));
}
