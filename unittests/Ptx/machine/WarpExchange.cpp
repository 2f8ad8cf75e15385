//===- WarpExchange.cpp - shfl, vote, redux, activemask, elect ------------===//
#include "LaneLoops.h"

#include <algorithm>
#include <array>

using namespace ptx;

namespace {
enum { Up, Down, Butterfly, Index };
enum { All, Any, Uniform, Ballot };
} // namespace

/// shfl.sync d|p, a, b, c, mask: c holds the segment's mask and a clamp.
static void shuffle(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2),
           *c = warp.operand(i, 3);
  std::array<uint64_t, warpSize> values;
  std::copy_n(a, warpSize, values.begin());
  forLanes(lanes, [&](int l) {
    int by = b[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
    int most = (l & segment) | (clamp & ~segment), least = l & segment;
    int source = i.mode == Up          ? l - by
                 : i.mode == Down      ? l + by
                 : i.mode == Butterfly ? l ^ by
                                       : least | (by & ~segment);
    bool isInside = i.mode == Up ? source >= most : source <= most;
    source = isInside ? source : l;
    if (!(lanes >> source & 1))
      warp.fail(i, l, "expected a lane that takes part, got lane " + std::to_string(source));
    to[l] = static_cast<uint32_t>(values[static_cast<size_t>(source)]);
    if (i.operands[0].otherSlot >= 0)
      warp.slot(i.operands[0].otherSlot)[l] = isInside;
  });
}

static void vote(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  Lanes yes = 0;
  forLanes(lanes, [&](int l) { yes |= Lanes((a[l] != 0) != i.operands[1].isNegated) << l; });
  uint64_t result = i.mode == All       ? yes == lanes
                    : i.mode == Any     ? yes != 0
                    : i.mode == Uniform ? yes == lanes || yes == 0
                                        : yes;
  forLanes(lanes, [&](int l) { to[l] = result; });
}

static void activeMask(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0);
  forLanes(lanes, [&](int l) { to[l] = lanes; });
}

/// elect.sync d|p, mask: one of them, which the manual leaves open.
static void elect(Warp &warp, const Instruction &i, Lanes lanes) {
  int leader = std::countr_zero(lanes);
  forLanes(lanes, [&](int l) {
    warp.operand(i, 0)[l] = static_cast<uint64_t>(leader);
    if (i.operands[0].otherSlot >= 0)
      warp.slot(i.operands[0].otherSlot)[l] = l == leader;
  });
}

template <typename T, typename F>
static void reduce(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  T result = valueOf<T>(a[std::countr_zero(lanes)]);
  forLanes(lanes & (lanes - 1), [&](int l) { result = F{}(result, valueOf<T>(a[l])); });
  forLanes(lanes, [&](int l) { to[l] = bitsOf(result); });
}
template <typename T, typename F> static Handler reduction(F) { return reduce<T, F>; }

static Handler findReduction(Words &words) {
  std::string_view name = words.word();
  words.skip();
  return byInteger(words.takeType(), [&]<typename T>() -> Handler {
    if (name == "add")
      return reduction<T>([](T x, T y) { return static_cast<T>(x + y); });
    if (name == "min")
      return reduction<T>([](T x, T y) { return std::min(x, y); });
    if (name == "max")
      return reduction<T>([](T x, T y) { return std::max(x, y); });
    return nullptr;
  });
}

static int takeOneOf(Words &words, const std::array<std::string_view, 4> &names) {
  for (int number = 0; number < 4; ++number)
    if (words.take(names[static_cast<size_t>(number)]))
      return number;
  return -1;
}

Handler ptx::findWarpExchange(Instruction &i, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "activemask")
    return words.takeType() == Type::B32 ? activeMask : Handler(nullptr);
  if (!words.take("sync"))
    return nullptr;
  i.meeting = Instruction::Meeting::Mask;
  i.maskOperand = i.operands.empty() ? 0 : i.operands.size() - 1;
  if (name == "elect")
    return elect;
  if (name == "redux")
    return findReduction(words);
  if (name == "shfl") {
    i.mode = takeOneOf(words, {"up", "down", "bfly", "idx"});
    return i.mode >= 0 && words.takeType() == Type::B32 ? shuffle : Handler(nullptr);
  }
  i.mode = takeOneOf(words, {"all", "any", "uni", "ballot"});
  bool isKnown = name == "vote" && i.mode >= 0 &&
                 words.takeType() == (i.mode == Ballot ? Type::B32 : Type::Pred);
  return isKnown ? vote : Handler(nullptr);
}
