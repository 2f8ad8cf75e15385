//===- Moves.cpp - mov and cvta -------------------------------------------===//
#include "LaneLoops.h"

using namespace ptx;

/// Vectors are packed and unpacked: the first element is the lowest.
static void move(Warp &warp, const Instruction &i, Lanes lanes) {
  const auto &to = i.operands[0].slots, &from = i.operands[1].slots;
  size_t bits = i.type == Type::Pred ? 64 : 8 * bytesOf(i.type);
  size_t toBits = bits / to.size(), fromBits = bits / from.size();
  auto cut = [](uint64_t value, size_t width) {
    return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
  };
  forLanes(lanes, [&](int l) {
    uint64_t value = 0;
    for (size_t at = 0; at < from.size(); ++at)
      value |= cut(warp.slot(from[at])[l], fromBits) << (at * fromBits);
    for (size_t at = 0; at < to.size(); ++at)
      warp.slot(to[at])[l] = cut(value >> (at * toBits), toBits);
  });
}

static uint64_t windowOf(Space space) {
  return space == Space::Shared  ? sharedWindow
         : space == Space::Local ? localWindow
         : space == Space::Param ? paramWindow
                                 : 0;
}

/// `flag` is .to.
static void convertAddress(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), window = windowOf(i.space);
  forLanes(lanes, [&](int l) {
    if (i.flag && (a[l] & windowMask) != window)
      warp.fail(i, l, "expected an address of this space");
    to[l] = i.flag ? a[l] & ~windowMask : a[l] | window;
  });
}

Handler ptx::findMoves(Instruction &i, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "mov") {
    std::optional<Type> type = words.takeType();
    i.type = type.value_or(Type::B32);
    return type ? move : Handler(nullptr);
  }
  i.flag = words.take("to");
  if (words.take("shared"))
    i.space = Space::Shared;
  else if (words.take("local"))
    i.space = Space::Local;
  else if (words.take("param"))
    i.space = Space::Param;
  else if (words.take("global") || words.take("const"))
    i.space = Space::Global;
  else
    return nullptr;
  return words.takeType() == Type::U64 ? convertAddress : Handler(nullptr);
}
