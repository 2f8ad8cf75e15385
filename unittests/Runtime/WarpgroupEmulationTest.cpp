//===- WarpgroupEmulationTest.cpp - copies of boxes, products of four warps ===//
#include "../../lib/Runtime/Gpu/BarrierEmulation.h"
#include "../../lib/Runtime/Gpu/ThreadEmulation.h"
#include "jit-c/Values.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

static DeviceKernel makeKernel(jit_thread_fn work, uint32_t threads) {
  return {.name = "test",
          .block = {threads, 1, 1},
          .emulated = work,
          .sharedBytes = 64 * 1024,
          .waits = true};
}

template <typename T> static T *pointer(uint64_t word) { return reinterpret_cast<T *>(word); }
template <typename T> static uint64_t word(T *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// The first place of shared memory where the pattern of pieces begins.
static std::byte *patterns(jit_thread *t) {
  auto address = reinterpret_cast<uintptr_t>(t->shared);
  return reinterpret_cast<std::byte *>((address + 1023) / 1024 * 1024);
}

/// Small numbers are exact in bf16.
static uint16_t half(float number) { return uint16_t(std::bit_cast<uint32_t>(number) >> 16); }

static std::vector<uint16_t> makeHalves(size_t count, size_t step) {
  std::vector<uint16_t> halves;
  for (size_t i = 0; i < count; ++i)
    halves.push_back(half(float(i * step % 31) - 15));
  return halves;
}

static float number(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

/// Brings a box of 64 by 16 elements, and gives what lies in memory.
static void copyBox(jit_thread *t, const uint64_t *args) {
  std::byte *box = patterns(t), *barrier = box + 8192;
  jit_rt_mbarrier_init(t, barrier, 1);
  jit_rt_tensor_copy(t, box, pointer<void>(args[0]), 32, -1, 0, barrier);
  jit_rt_mbarrier_arrive(t, barrier, 2048);
  jit_rt_mbarrier_wait(t, barrier, /*parity=*/1);
  jit_rt_mbarrier_wait(t, barrier, /*parity=*/0);
  std::copy_n(reinterpret_cast<uint16_t *>(box), 1024, pointer<uint16_t>(args[1]));
}

TEST(WarpgroupEmulation, BoxesAreExchangedByPiecesAndZeroOutside) {
  std::vector<uint16_t> from = makeHalves(72 * 10, 7), to(1024, 1);
  jit_tensor_map map = {0, JIT_BF16, {72, 10, 1}, {144, 1440}, {64, 16, 1}};
  EmulatedMap emulated = {reinterpret_cast<std::byte *>(from.data()), &map};
  uint64_t arguments[] = {word(&emulated), word(to.data())};
  auto done = emulateGrid(makeKernel(copyBox, 1), arguments);
  ASSERT_TRUE(done) << done.error().message;
  for (size_t row = 0; row < 16; ++row)
    for (size_t column = 0; column < 64; ++column) {
      bool isInside = row >= 1 && row < 11 && column < 40;
      size_t place = row * 64 + (column / 8 ^ row % 8) * 8 + column % 8;
      EXPECT_EQ(to[place], isInside ? from[(row - 1) * 72 + 32 + column] : 0) << row << column;
    }
}

/// Of rows of 128 bytes, exchanged by pieces.
static int64_t descriptor(std::byte *from) {
  return int64_t(1) << 62 | int64_t(1024 >> 4) << 32 |
         int64_t((reinterpret_cast<uintptr_t>(from) & 0x3ffff) >> 4);
}

/// Rows of 128 bytes: 64 of one factor, 64 summands of the other, whose rows lie side by side. What
/// is multiplied is the second quarter of the summands.
static void multiplyBoxes(jit_thread *t, const uint64_t *args) {
  std::byte *left = patterns(t), *right = left + 8192, *barrier = right + 8192;
  if (t->thread[0] == 0) {
    jit_rt_mbarrier_init(t, barrier, 1);
    jit_rt_tensor_copy(t, left, pointer<void>(args[0]), 0, 0, 0, barrier);
    jit_rt_tensor_copy(t, right, pointer<void>(args[1]), 0, 0, 0, barrier);
    jit_rt_mbarrier_arrive(t, barrier, 16384);
  }
  jit_rt_barrier(t);
  jit_rt_mbarrier_wait(t, barrier, /*parity=*/0);
  float sums[4] = {};
  jit_rt_warpgroup_multiply(t, descriptor(left + 32), descriptor(right + 2048), 8,
                            JIT_BRAIN | JIT_RIGHT_BY_COLUMNS, sums);
  jit_rt_warpgroup_commit(t);
  // A factor that is overwritten before the product is waited for.
  if (args[3] && t->thread[0] == 64)
    jit_rt_tensor_copy(t, left, pointer<void>(args[1]), 0, 0, 0, barrier);
  jit_rt_warpgroup_wait(t, 0);
  int64_t lane = t->thread[0] % 32, row = t->thread[0] / 32 * 16 + lane / 4;
  for (int64_t i = 0; i < 4; ++i)
    pointer<float>(args[2])[(row + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sums[i];
}

TEST(WarpgroupEmulation, DescriptorsSayWhereFactorsAre) {
  std::vector<uint16_t> left = makeHalves(64 * 64, 7), right = makeHalves(64 * 64, 5);
  jit_tensor_map map = {0, JIT_BF16, {64, 64, 1}, {128, 8192}, {64, 64, 1}};
  EmulatedMap first = {reinterpret_cast<std::byte *>(left.data()), &map};
  EmulatedMap second = {reinterpret_cast<std::byte *>(right.data()), &map};
  std::vector<float> product(64 * 8), expected(64 * 8);
  for (size_t i = 0; i < 64; ++i)
    for (size_t j = 0; j < 8; ++j)
      for (size_t k = 16; k < 32; ++k)
        expected[i * 8 + j] += number(left[i * 64 + k]) * number(right[k * 64 + j]);
  uint64_t arguments[] = {word(&first), word(&second), word(product.data()), 0};
  auto done = emulateGrid(makeKernel(multiplyBoxes, 128), arguments);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(product, expected);
  arguments[3] = 1;
  done = emulateGrid(makeKernel(multiplyBoxes, 128), arguments);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message,
            "kernel test: expected factors that stay until they are multiplied");
}

/// Rows of 32 floats: 64 of one factor, 8 of the other. What is multiplied is the second quarter of
/// the summands.
static void multiplyFloats(jit_thread *t, const uint64_t *args) {
  std::byte *left = patterns(t), *right = left + 8192;
  if (t->thread[0] == 0)
    for (size_t row = 0; row < 64; ++row)
      for (size_t k = 0; k < 32; ++k) {
        size_t place = row * 128 + (k / 4 ^ row % 8) * 16 + k % 4 * 4;
        std::memcpy(left + place, pointer<float>(args[0]) + row * 32 + k, sizeof(float));
        if (row < 8)
          std::memcpy(right + place, pointer<float>(args[1]) + row * 32 + k, sizeof(float));
      }
  jit_rt_barrier(t);
  float sums[4] = {};
  jit_rt_warpgroup_multiply(t, descriptor(left + 32), descriptor(right + 32), 8, int64_t(args[3]),
                            sums);
  jit_rt_warpgroup_commit(t);
  jit_rt_warpgroup_wait(t, 0);
  int64_t lane = t->thread[0] % 32, row = t->thread[0] / 32 * 16 + lane / 4;
  for (int64_t i = 0; i < 4; ++i)
    pointer<float>(args[2])[(row + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sums[i];
}

TEST(WarpgroupEmulation, TenBitsOfFloatsAreMultiplied) {
  std::vector<float> left(64 * 32), right(8 * 32), product(64 * 8), expected(64 * 8);
  for (size_t i = 0; i < left.size(); ++i)
    left[i] = float(i * 7 % 31) - 15;
  for (size_t i = 0; i < right.size(); ++i)
    right[i] = float(i * 5 % 23) - 11;
  for (size_t i = 0; i < 64; ++i)
    for (size_t j = 0; j < 8; ++j)
      for (size_t k = 8; k < 16; ++k)
        expected[i * 8 + j] += left[i * 32 + k] * right[j * 32 + k];
  // An eleventh bit.
  left[8] *= 1 + 0x1p-11f;
  uint64_t arguments[] = {word(left.data()), word(right.data()), word(product.data()), JIT_TF32};
  auto done = emulateGrid(makeKernel(multiplyFloats, 128), arguments);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(product, expected);
  // Floats have their summands side by side.
  arguments[3] = JIT_TF32 | JIT_RIGHT_BY_COLUMNS;
  done = emulateGrid(makeKernel(multiplyFloats, 128), arguments);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "kernel test: expected descriptors of rows of 128 bytes");
}

TEST(WarpgroupEmulation, RefusesWhatTheMachineWouldNotRead) {
  auto work = [](jit_thread *t, const uint64_t *args) {
    float sums[4] = {};
    jit_rt_warpgroup_multiply(t, int64_t(args[0]), int64_t(args[0]), 8, 0, sums);
  };
  uint64_t plain[] = {0};
  auto done = emulateGrid(makeKernel(work, 128), plain);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "kernel test: expected descriptors of rows of 128 bytes");
  auto copies = [](jit_thread *t, const uint64_t *args) {
    jit_rt_tensor_copy(t, static_cast<std::byte *>(t->shared) + 64 * 1024 - 16,
                       pointer<void>(args[0]), 0, 0, 0, t->shared);
  };
  jit_tensor_map map = {0, JIT_F16, {64, 1, 1}, {128, 128}, {64, 1, 1}};
  EmulatedMap emulated = {nullptr, &map};
  uint64_t arguments[] = {word(&emulated)};
  done = emulateGrid(makeKernel(copies, 1), arguments);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "kernel test: expected a box in shared memory");
}
