//===- TensorCoreEmulation.cpp - what the threads of a warp do together ---===//
//
// Which thread has which elements of a matrix is as the manual of the machine's instructions says:
// "lane" is a thread's number in its warp, four lanes have a row.
//
//===----------------------------------------------------------------------===//
#include "HalfNumbers.h"
#include "ThreadEmulation.h"

#include <array>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

static constexpr size_t lanes = 32, lanesOfRow = 4, side = 8;

static size_t laneOf(const jit_thread *thread) { return size_t(thread->thread[0]) % lanes; }

extern "C" void jit_rt_load_matrices(jit_thread *thread, const void *row, int64_t count,
                                     int64_t transposed, void *to) {
  std::array<const uint16_t *, lanes> rows;
  gatherWarp(thread, static_cast<const void *>(&row), sizeof row, static_cast<void *>(rows.data()));
  size_t lane = laneOf(thread), first = lane / lanesOfRow, second = lane % lanesOfRow * 2;
  auto *out = static_cast<uint16_t *>(to);
  for (size_t matrix = 0; matrix < size_t(count); ++matrix)
    for (size_t i = 0; i < 2; ++i)
      *out++ = transposed ? rows[matrix * side + second + i][first]
                          : rows[matrix * side + first][second + i];
}

namespace {
/// What a thread has of the two matrices, whose elements it has `packed` side by side.
template <typename Element, size_t packed> struct Factors {
  using Elements = std::array<Element, packed>;
  std::array<Elements, 4> left;
  std::array<Elements, 2> right;
};
} // namespace

/// Adds the thread's four elements of the product to `sums`: of a matrix of 16 rows and one of 8
/// columns.
template <size_t packed, typename Element>
static void multiply(jit_thread *thread, const void *left, const void *right, float *sums,
                     float (*toFloat)(Element)) {
  Factors<Element, packed> own;
  std::memcpy(&own.left, left, sizeof own.left);
  std::memcpy(&own.right, right, sizeof own.right);
  std::array<Factors<Element, packed>, lanes> all;
  gatherWarp(thread, &own, sizeof own, all.data());
  size_t lane = laneOf(thread), row = lane / lanesOfRow, column = lane % lanesOfRow * 2;
  for (size_t i = 0; i < 4; ++i) {
    size_t lower = i / 2, across = column + i % 2;
    for (size_t k = 0; k < 2 * lanesOfRow * packed; ++k) {
      size_t part = k / packed % lanesOfRow, late = k / packed / lanesOfRow;
      float x = toFloat(all[row * lanesOfRow + part].left[lower + 2 * late][k % packed]);
      float y = toFloat(all[across * lanesOfRow + part].right[late][k % packed]);
      sums[i] += x * y;
    }
  }
}

extern "C" void jit_rt_multiply_f16(jit_thread *thread, const void *left, const void *right,
                                    float *sums) {
  multiply<2>(thread, left, right, sums, fromHalf);
}

extern "C" void jit_rt_multiply_bf16(jit_thread *thread, const void *left, const void *right,
                                     float *sums) {
  multiply<2>(thread, left, right, sums, fromBrain);
}

/// Without the bits that the machine does not look at.
static float toTf32(float value) {
  constexpr uint32_t dropped = 13;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = bits >> dropped << dropped;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

extern "C" void jit_rt_multiply_tf32(jit_thread *thread, const void *left, const void *right,
                                     float *sums) {
  multiply<1>(thread, left, right, sums, toTf32);
}
