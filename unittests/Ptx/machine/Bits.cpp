//===- Bits.cpp - logic, shifts, fields -----------------------------------===//
#include "LaneLoops.h"

#include <algorithm>

using namespace ptx;

/// Predicates are slots of 0 and 1, so that `not` has to leave the other bits.
static Handler findLogic(std::string_view name, std::optional<Type> type) {
  if (name == "not" && type == Type::Pred)
    return unary<uint16_t, uint16_t>([](uint16_t a) -> uint16_t { return a == 0; });
  return byBits(type, [&]<typename T>() -> Handler {
    if (name == "and")
      return binary<T, T>([](T a, T b) { return static_cast<T>(a & b); });
    if (name == "or")
      return binary<T, T>([](T a, T b) { return static_cast<T>(a | b); });
    if (name == "xor")
      return binary<T, T>([](T a, T b) { return static_cast<T>(a ^ b); });
    if (name == "not")
      return unary<T, T>([](T a) { return static_cast<T>(~a); });
    return nullptr;
  });
}

/// Shifts by more than there are bits leave none, or the sign.
template <typename T, bool isLeft>
static void shift(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2);
  constexpr uint32_t bits = 8 * sizeof(T);
  forLanes(lanes, [&](int l) {
    auto count = static_cast<uint32_t>(b[l]);
    T value = valueOf<T>(a[l]);
    if (isLeft)
      to[l] = bitsOf<T>(count >= bits ? T(0) : static_cast<T>(value << count));
    else
      to[l] = bitsOf<T>(count >= bits ? static_cast<T>(value < 0 ? -1 : 0)
                                      : static_cast<T>(value >> count));
  });
}

/// shf: the two words are one of 64 bits.
template <bool isLeft, bool wraps>
static void funnel(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *low = warp.operand(i, 1), *high = warp.operand(i, 2),
           *by = warp.operand(i, 3);
  forLanes(lanes, [&](int l) {
    uint64_t both = high[l] << 32 | (low[l] & 0xffffffff);
    auto count = static_cast<uint32_t>(by[l]);
    count = wraps ? count & 31 : std::min(count, uint32_t(32));
    to[l] = static_cast<uint32_t>(isLeft ? both << count >> 32 : both >> count);
  });
}

static void permute(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2),
           *by = warp.operand(i, 3);
  forLanes(lanes, [&](int l) {
    uint64_t both = b[l] << 32 | (a[l] & 0xffffffff);
    uint32_t result = 0;
    for (int byte = 0; byte < 4; ++byte) {
      uint64_t selector = by[l] >> (4 * byte);
      auto value = static_cast<uint8_t>(both >> (8 * (selector & 7)));
      if (selector & 8)
        value = value & 0x80 ? 0xff : 0;
      result |= uint32_t(value) << (8 * byte);
    }
    to[l] = result;
  });
}

template <typename T> static void extractField(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *at = warp.operand(i, 2),
           *count = warp.operand(i, 3);
  constexpr int bits = 8 * sizeof(T);
  forLanes(lanes, [&](int l) {
    int start = at[l] & 0xff, length = count[l] & 0xff;
    using U = std::make_unsigned_t<T>;
    T value = valueOf<T>(a[l]);
    // What lies behind the end is the sign.
    T shifted = start >= bits ? static_cast<T>(value < 0 ? -1 : 0) : static_cast<T>(value >> start);
    if (length == 0)
      shifted = 0;
    else if (length < bits)
      shifted = static_cast<T>(static_cast<T>(static_cast<U>(shifted) << (bits - length)) >>
                               (bits - length));
    to[l] = bitsOf<T>(shifted);
  });
}

template <typename T> static void insertField(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2),
           *at = warp.operand(i, 3), *count = warp.operand(i, 4);
  constexpr uint32_t bits = 8 * sizeof(T);
  forLanes(lanes, [&](int l) {
    uint32_t start = at[l] & 0xff, length = count[l] & 0xff;
    T mask = length >= bits ? ~T(0) : static_cast<T>((T(1) << length) - 1);
    mask = start >= bits ? T(0) : static_cast<T>(mask << start);
    T value = start >= bits ? T(0) : static_cast<T>(valueOf<T>(a[l]) << start);
    to[l] = bitsOf<T>(static_cast<T>((value & mask) | (valueOf<T>(b[l]) & ~mask)));
  });
}

template <typename T> static uint32_t reversed(T value) {
  T result = 0;
  for (size_t bit = 0; bit < 8 * sizeof(T); ++bit)
    result |= static_cast<T>((value >> bit & 1) << (8 * sizeof(T) - 1 - bit));
  return static_cast<uint32_t>(result);
}

static Handler findCounts(std::string_view name, std::optional<Type> type) {
  bool isWide = type == Type::B64;
  if (type != Type::B32 && !isWide)
    return nullptr;
  if (name == "popc")
    return isWide
               ? unary<uint32_t, uint64_t>([](uint64_t a) { return uint32_t(std::popcount(a)); })
               : unary<uint32_t, uint32_t>([](uint32_t a) { return uint32_t(std::popcount(a)); });
  if (name == "clz")
    return isWide
               ? unary<uint32_t, uint64_t>([](uint64_t a) { return uint32_t(std::countl_zero(a)); })
               : unary<uint32_t, uint32_t>(
                     [](uint32_t a) { return uint32_t(std::countl_zero(a)); });
  if (name == "brev" && !isWide)
    return unary<uint32_t, uint32_t>([](uint32_t a) { return reversed(a); });
  return nullptr;
}

static Handler findFunnel(Words &words) {
  bool isLeft = words.take("l");
  if (!isLeft && !words.take("r"))
    return nullptr;
  bool wraps = words.take("wrap");
  if ((!wraps && !words.take("clamp")) || words.takeType() != Type::B32)
    return nullptr;
  return isLeft ? (wraps ? funnel<true, true> : funnel<true, false>)
                : (wraps ? funnel<false, true> : funnel<false, false>);
}

static Handler findShifts(std::string_view name, std::optional<Type> type) {
  bool isLeft = name == "shl";
  switch (type.value_or(Type::Pred)) {
  case Type::B16:
    return isLeft ? shift<uint16_t, true> : shift<uint16_t, false>;
  case Type::B32:
    return isLeft ? shift<uint32_t, true> : shift<uint32_t, false>;
  case Type::B64:
    return isLeft ? shift<uint64_t, true> : shift<uint64_t, false>;
  default:
    if (isLeft)
      return nullptr;
    return byInteger(type, []<typename T>() -> Handler { return shift<T, false>; });
  }
}

Handler ptx::findBits(Instruction &, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "shf")
    return findFunnel(words);
  std::optional<Type> type = words.takeType();
  if (name == "shl" || name == "shr")
    return findShifts(name, type);
  if (name == "prmt")
    return type == Type::B32 ? permute : nullptr;
  if (name == "bfe")
    return byInteger(type, []<typename T>() -> Handler { return extractField<T>; });
  if (name == "bfi")
    return byBits(type, []<typename T>() -> Handler { return insertField<T>; });
  if (Handler found = findCounts(name, type))
    return found;
  return findLogic(name, type);
}
