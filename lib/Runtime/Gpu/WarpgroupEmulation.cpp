//===- WarpgroupEmulation.cpp - products of four warps --------------------===//
//
// Descriptors and who has which element are as the manual of the machine's instructions says.
//
//===----------------------------------------------------------------------===//
#include "WarpgroupEmulation.h"
#include "BarrierEmulation.h"
#include "HalfNumbers.h"
#include "ThreadEmulation.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

using namespace jit;
using namespace jit::runtime;

static constexpr size_t warpgroupSize = 128, rows = 64, mostDepth = 16;
/// Addresses in a descriptor wrap around here.
static constexpr uintptr_t window = uintptr_t(1) << 18;

std::optional<WarpgroupFactor> WarpgroupFactor::decode(int64_t descriptor, Layout layout,
                                                       std::span<const std::byte> memory) {
  auto bits = uint64_t(descriptor);
  auto field = [&](unsigned first) { return size_t(bits >> first & 0x3fff) << 4; };
  // Rows of 128 bytes that begin with the pattern's first one.
  if (bits >> 62 != 1 || (bits >> 49 & 7) != 0 || (layout.isAcross && layout.elementBytes != 2))
    return std::nullopt;
  auto base = reinterpret_cast<uintptr_t>(memory.data());
  WarpgroupFactor factor;
  factor.memory = memory;
  factor.layout = layout;
  factor.start = base + ((field(0) - base) & (window - 1));
  factor.leading = field(16);
  factor.stride = field(32);
  return factor;
}

std::optional<uint32_t> WarpgroupFactor::element(size_t other, size_t at) const {
  constexpr size_t rowBytes = 128, group = 8;
  size_t bytes = layout.elementBytes, piece = rowBytes / bytes;
  size_t offset = layout.isAcross ? other / piece * leading + at / group * stride +
                                        at % group * rowBytes + other % piece * bytes
                                  : other / group * stride + other % group * rowBytes + at * bytes;
  uintptr_t place = swizzled(start + offset) - reinterpret_cast<uintptr_t>(memory.data());
  if (place + bytes > memory.size())
    return std::nullopt;
  uint32_t bits = 0;
  std::memcpy(&bits, memory.data() + place, bytes);
  return bits;
}

std::optional<uint64_t> WarpgroupProduct::sumUp() const {
  uint64_t sum = 0;
  const WarpgroupFactor *first = left ? &*left : nullptr;
  for (auto [factor, count] : {std::pair(first, rows), std::pair(&right, columns)})
    for (size_t i = 0; factor && i < count; ++i)
      for (size_t k = 0; k < factor->depth(); ++k) {
        std::optional<uint32_t> bits = factor->element(i, k);
        if (!bits)
          return std::nullopt;
        sum = sum * 31 + *bits;
      }
  return sum;
}

void WarpgroupReads::commit() { groups.push_back(std::exchange(open, {})); }

bool WarpgroupReads::finish(size_t pending) {
  bool isSame = true;
  for (; groups.size() > pending; groups.erase(groups.begin()))
    for (const WarpgroupProduct &product : groups.front())
      isSame &= product.sumUp() == product.checksum;
  return isSame;
}

static size_t memberOf(const jit_thread *thread) {
  return size_t(thread->thread[0]) % warpgroupSize;
}

/// The summands of one row or column.
using Line = std::array<float, mostDepth>;

static float toFloat(uint32_t bits, int64_t flags) {
  constexpr uint32_t dropped = 0x1fff;
  if ((flags & JIT_TF32) != 0)
    return std::bit_cast<float>(bits & ~dropped);
  return (flags & JIT_BRAIN) != 0 ? fromBrain(uint16_t(bits)) : fromHalf(uint16_t(bits));
}

static Line lineOf(const WarpgroupFactor &factor, size_t number, int64_t flags) {
  Line numbers = {};
  for (size_t k = 0; k < factor.depth(); ++k)
    numbers[k] = toFloat(factor.element(number, k).value_or(0), flags);
  return numbers;
}

/// Adds products of the thread's two rows of the first factor and the columns that it has.
static void addProduct(const std::array<Line, 2> &left, const WarpgroupProduct &product,
                       size_t member, int64_t flags, float *sums) {
  size_t column = member % 4 * 2;
  for (size_t i = 0; i < product.columns / 8; ++i)
    for (size_t j = 0; j < 2; ++j) {
      Line right = lineOf(product.right, i * 8 + column + j, flags);
      for (size_t lower = 0; lower < 2; ++lower)
        for (size_t k = 0; k < product.right.depth(); ++k)
          sums[i * 4 + lower * 2 + j] += left[lower][k] * right[k];
    }
}

/// One of the threads looks whether what they read stays as it is.
static void watch(jit_thread *thread, WarpgroupProduct &product) {
  if (memberOf(thread) != 0)
    return;
  std::optional<uint64_t> checksum = product.sumUp();
  if (!checksum)
    return failGrid(thread, "factors in shared memory");
  product.checksum = *checksum;
  readsOf(thread).add(product);
}

extern "C" void jit_rt_warpgroup_multiply(jit_thread *thread, int64_t left, int64_t right,
                                          int64_t columns, int64_t flags, float *sums) {
  std::span<const std::byte> memory = sharedMemory(thread);
  size_t bytes = (flags & JIT_TF32) != 0 ? sizeof(float) : sizeof(uint16_t);
  auto first = WarpgroupFactor::decode(left, {bytes, (flags & JIT_LEFT_BY_ROWS) != 0}, memory);
  auto second =
      WarpgroupFactor::decode(right, {bytes, (flags & JIT_RIGHT_BY_COLUMNS) != 0}, memory);
  if (!first || !second)
    return failGrid(thread, "descriptors of rows of 128 bytes");
  WarpgroupProduct product = {*first, *second, size_t(columns), 0};
  watch(thread, product);
  size_t member = memberOf(thread), row = member / 32 * 16 + member % 32 / 4;
  addProduct({lineOf(*first, row, flags), lineOf(*first, row + 8, flags)}, product, member, flags,
             sums);
}

extern "C" void jit_rt_warpgroup_multiply_registers(jit_thread *thread, const void *left,
                                                    int64_t right, int64_t columns, int64_t flags,
                                                    float *sums) {
  auto second = WarpgroupFactor::decode(right, {.isAcross = (flags & JIT_RIGHT_BY_COLUMNS) != 0},
                                        sharedMemory(thread));
  if (!second)
    return failGrid(thread, "descriptors of rows of 128 bytes");
  WarpgroupProduct product = {std::nullopt, *second, size_t(columns), 0};
  watch(thread, product);
  // Four threads have the elements of a row: pairs of it, then pairs of the row 8 below, of the
  // first 8 summands and then of the others.
  constexpr size_t threadsOfRow = 4, warpSize = 32;
  using Registers = std::array<std::array<uint16_t, 2>, 4>;
  std::array<Registers, warpSize> all;
  gatherWarp(thread, left, sizeof(Registers), all.data());
  size_t member = memberOf(thread), first = member % warpSize / threadsOfRow * threadsOfRow;
  std::array<Line, 2> lines;
  for (size_t lower = 0; lower < 2; ++lower)
    for (size_t k = 0; k < mostDepth; ++k)
      lines[lower][k] = toFloat(all[first + k % 8 / 2][lower + k / 8 * 2][k % 2], flags);
  addProduct(lines, product, member, flags, sums);
}

extern "C" void jit_rt_warpgroup_commit(jit_thread *thread) { readsOf(thread).commit(); }

extern "C" void jit_rt_warpgroup_wait(jit_thread *thread, int64_t pending) {
  // What copies may overwrite by now, they do.
  waitForCopies(thread);
  if (!readsOf(thread).finish(size_t(pending)))
    failGrid(thread, "factors that stay until they are multiplied");
}
