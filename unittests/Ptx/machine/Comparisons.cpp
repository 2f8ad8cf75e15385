//===- Comparisons.cpp - setp, set and selections -------------------------===//
#include "LaneLoops.h"

#include <algorithm>
#include <array>

using namespace ptx;

namespace {
/// An order's outcomes for which a comparison holds.
enum Outcome { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };
/// How the outcome is combined with a third operand; of an instruction's `mode`, above the
/// outcomes.
enum Combination { Alone, And, Or, Xor };
constexpr int combinationShift = 4, outcomes = 15;

struct Comparison {
  std::string_view name;
  int holds;
};
} // namespace

static constexpr Comparison comparisons[] = {{"eq", Equal},
                                             {"ne", Less | Greater},
                                             {"lt", Less},
                                             {"le", Less | Equal},
                                             {"gt", Greater},
                                             {"ge", Greater | Equal},
                                             {"lo", Less},
                                             {"ls", Less | Equal},
                                             {"hi", Greater},
                                             {"hs", Greater | Equal},
                                             {"equ", Equal | Unordered},
                                             {"neu", Less | Greater | Unordered},
                                             {"ltu", Less | Unordered},
                                             {"leu", Less | Equal | Unordered},
                                             {"gtu", Greater | Unordered},
                                             {"geu", Greater | Equal | Unordered},
                                             {"num", Less | Equal | Greater},
                                             {"nan", Unordered}};

template <typename T> static int compare(T a, T b) {
  if constexpr (std::is_class_v<T>)
    return compare(double(a), double(b));
  else
    return a < b ? Less : a > b ? Greater : a == b ? Equal : Unordered;
}

static bool combine(int mode, bool holds, bool other) {
  switch (mode >> combinationShift) {
  case And:
    return holds && other;
  case Or:
    return holds || other;
  case Xor:
    return holds != other;
  default:
    return holds;
  }
}

template <typename T, bool isMask>
static void doCompare(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2);
  uint64_t *third = i.operands.size() > 3 ? warp.operand(i, 3) : nullptr;
  int other = i.operands[0].otherSlot;
  forLanes(lanes, [&](int l) {
    T x = valueOf<T>(a[l]), y = valueOf<T>(b[l]);
    if constexpr (std::is_same_v<T, float>)
      if (i.flag) {
        x = flushDenormal(x);
        y = flushDenormal(y);
      }
    bool holds = (compare(x, y) & i.mode & outcomes) != 0;
    bool given = third && (third[l] != 0) != i.operands[3].isNegated;
    if (other >= 0)
      warp.slot(other)[l] = combine(i.mode, !holds, given);
    uint64_t truth = isMask ? 0xffffffff : 1;
    to[l] = combine(i.mode, holds, given) ? truth : 0;
  });
}

template <bool isMask> static Handler comparisonOf(std::optional<Type> type) {
  switch (type.value_or(Type::Pred)) {
  case Type::B16:
    return doCompare<uint16_t, isMask>;
  case Type::B32:
    return doCompare<uint32_t, isMask>;
  case Type::B64:
    return doCompare<uint64_t, isMask>;
  case Type::F16:
    return doCompare<Half, isMask>;
  case Type::BF16:
    return doCompare<Brain, isMask>;
  case Type::F32:
    return doCompare<float, isMask>;
  case Type::F64:
    return doCompare<double, isMask>;
  default:
    return byInteger(type, []<typename T>() -> Handler { return doCompare<T, isMask>; });
  }
}

static Handler findComparison(Instruction &i, Words &words, bool isMask) {
  auto known = std::ranges::find(comparisons, words.word(), &Comparison::name);
  if (known == std::end(comparisons))
    return nullptr;
  words.skip();
  i.mode = known->holds;
  constexpr std::array<std::string_view, 3> combinations = {"and", "or", "xor"};
  for (int number = 0; number < 3; ++number)
    if (words.take(combinations[static_cast<size_t>(number)]))
      i.mode |= (number + 1) << combinationShift;
  i.flag = words.take("ftz");
  if (isMask && words.takeType() != Type::U32)
    return nullptr;
  std::optional<Type> type = words.takeType();
  return isMask ? comparisonOf<true>(type) : comparisonOf<false>(type);
}

template <typename T> static void select(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2),
           *by = warp.operand(i, 3);
  forLanes(lanes, [&](int l) { to[l] = static_cast<T>(by[l] ? a[l] : b[l]); });
}

static Handler findSelection(Words &words) {
  std::optional<Type> type = words.takeType();
  if (!type)
    return nullptr;
  return bytesOf(*type) == 2   ? select<uint16_t>
         : bytesOf(*type) == 4 ? select<uint32_t>
         : bytesOf(*type) == 8 ? select<uint64_t>
                               : Handler(nullptr);
}

template <typename T, bool isFinite>
static void test(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  forLanes(lanes, [&](int l) {
    T value = valueOf<T>(a[l]);
    to[l] = isFinite ? std::isfinite(value) : std::isinf(value);
  });
}

static Handler findTest(Words &words) {
  bool isFinite = words.take("finite");
  if (!isFinite && !words.take("infinite"))
    return nullptr;
  std::optional<Type> type = words.takeType();
  if (type == Type::F32)
    return isFinite ? test<float, true> : test<float, false>;
  if (type == Type::F64)
    return isFinite ? test<double, true> : test<double, false>;
  return nullptr;
}

Handler ptx::findComparisons(Instruction &i, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "setp" || name == "set")
    return findComparison(i, words, name == "set");
  if (name == "selp")
    return findSelection(words);
  if (name == "testp")
    return findTest(words);
  return nullptr;
}
