//===- Matrices.cpp - ldmatrix and mma.sync -------------------------------===//
#include "LaneLoops.h"

#include <array>
#include <cstring>

using namespace ptx;

/// ldmatrix: lanes 8n to 8n + 7 point to the rows of matrix n, 8 elements of 16 bits each. `flag`
/// is .trans.
static void loadMatrices(Warp &warp, const Instruction &i, Lanes) {
  const auto &to = i.operands[0].slots;
  for (size_t matrix = 0; matrix < to.size(); ++matrix) {
    std::array<std::array<uint16_t, 8>, 8> rows;
    for (size_t row = 0; row < 8; ++row) {
      int lane = static_cast<int>(8 * matrix + row);
      const uint8_t *data =
          warp.reach(i, lane, Space::Shared, warp.address(i, 1, lane), 16, Access::Read);
      if (!data)
        return;
      std::memcpy(rows[row].data(), data, 16);
    }
    for (size_t lane = 0; lane < warpSize; ++lane) {
      size_t major = lane / 4, minor = lane % 4 * 2;
      uint32_t low = i.flag ? rows[minor][major] : rows[major][minor];
      uint32_t high = i.flag ? rows[minor + 1][major] : rows[major][minor + 1];
      warp.slot(to[matrix])[lane] = high << 16 | low;
    }
  }
}

namespace {
/// What a register of 32 bits holds of a factor: pairs of 16 bits, or one TF32.
template <Type type> struct Element {
  static constexpr int perRegister = type == Type::TF32 ? 1 : 2;

  static double get(uint64_t bits, int part) {
    if constexpr (type == Type::F16)
      return double(valueOf<Half>(bits >> (16 * part)));
    else if constexpr (type == Type::BF16)
      return double(valueOf<Brain>(bits >> (16 * part)));
    else
      // The 13 lowest bits are not looked at.
      return valueOf<float>(bits & 0xffffe000);
  }
};
} // namespace

/// Rows of 16, columns of 8. A register holds `per` elements side by side along the depth; four
/// lanes have a row of the first factor, and a column of the second.
template <Type type, int depth> static void multiply(Warp &warp, const Instruction &i, Lanes) {
  constexpr int per = Element<type>::perRegister, step = 4 * per;
  const auto &to = i.operands[0].slots, &a = i.operands[1].slots, &b = i.operands[2].slots,
             &c = i.operands[3].slots;
  double left[16][depth], right[8][depth];
  for (int lane = 0; lane < warpSize; ++lane)
    for (int part = 0; part < per; ++part) {
      int group = lane / 4, at = lane % 4 * per + part;
      for (size_t r = 0; r < a.size(); ++r)
        left[group + 8 * (r % 2)][at + step * static_cast<int>(r / 2)] =
            Element<type>::get(warp.slot(a[r])[lane], part);
      for (size_t r = 0; r < b.size(); ++r)
        right[group][at + step * static_cast<int>(r)] =
            Element<type>::get(warp.slot(b[r])[lane], part);
    }
  for (int lane = 0; lane < warpSize; ++lane)
    for (int r = 0; r < 4; ++r) {
      int row = lane / 4 + 8 * (r / 2), column = lane % 4 * 2 + r % 2;
      double sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += left[row][k] * right[column][k];
      double added = sum + valueOf<float>(warp.slot(c[static_cast<size_t>(r)])[lane]);
      warp.slot(to[static_cast<size_t>(r)])[lane] = bitsOf(static_cast<float>(added));
    }
}

static Handler findLoad(Instruction &i, Words &words) {
  if (!words.take("sync") || !words.take("aligned") || !words.take("m8n8"))
    return nullptr;
  size_t count = words.take("x1") ? 1 : words.take("x2") ? 2 : words.take("x4") ? 4 : 0;
  i.flag = words.take("trans");
  bool isShared = words.take("shared") || words.take("shared::cta");
  bool isKnown = isShared && words.takeType() == Type::B16 && i.operands.size() == 2 &&
                 i.operands[0].slots.size() == count;
  return isKnown ? loadMatrices : Handler(nullptr);
}

static Handler findProduct(Instruction &i, Words &words) {
  if (!words.take("sync") || !words.take("aligned"))
    return nullptr;
  int depth = words.take("m16n8k16")  ? 16
              : words.take("m16n8k8") ? 8
              : words.take("m16n8k4") ? 4
                                      : 0;
  if (!words.take("row") || !words.take("col") || words.takeType() != Type::F32)
    return nullptr;
  std::optional<Type> type = words.takeType();
  if (words.takeType() != type || words.takeType() != Type::F32 || i.operands.size() != 4)
    return nullptr;
  size_t perRegister = type == Type::TF32 ? 1 : 2,
         parts = static_cast<size_t>(depth) / 4 / perRegister;
  if (i.operands[0].slots.size() != 4 || i.operands[1].slots.size() != 2 * parts ||
      i.operands[2].slots.size() != parts || i.operands[3].slots.size() != 4)
    return nullptr;
  if (type == Type::F16)
    return depth == 16 ? multiply<Type::F16, 16> : depth == 8 ? multiply<Type::F16, 8> : nullptr;
  if (type == Type::BF16)
    return depth == 16 ? multiply<Type::BF16, 16> : depth == 8 ? multiply<Type::BF16, 8> : nullptr;
  if (type == Type::TF32)
    return depth == 8 ? multiply<Type::TF32, 8> : depth == 4 ? multiply<Type::TF32, 4> : nullptr;
  return nullptr;
}

Handler ptx::findMatrices(Instruction &i, Words &words) {
  i.meeting = Instruction::Meeting::All;
  bool isLoad = words.word() == "ldmatrix";
  words.skip();
  return isLoad ? findLoad(i, words) : findProduct(i, words);
}
