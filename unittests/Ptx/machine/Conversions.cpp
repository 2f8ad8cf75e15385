//===- Conversions.cpp - cvt ----------------------------------------------===//
#include "LaneLoops.h"

#include <cfenv>
#include <limits>

using namespace ptx;

namespace {
/// Of an instruction's `mode`.
enum { ToNearest, TowardZero, Down, Up, Away, roundings = 7, Saturates = 8, Clips = 16 };
} // namespace

static bool isFloat(Type type) { return type >= Type::F16; }

static double floatOf(Type type, uint64_t bits) {
  switch (type) {
  case Type::F16:
    return double(valueOf<Half>(bits));
  case Type::BF16:
    return double(valueOf<Brain>(bits));
  case Type::F32:
    return valueOf<float>(bits);
  default:
    return valueOf<double>(bits);
  }
}

static double roundToWhole(double value, int mode) {
  switch (mode & roundings) {
  case TowardZero:
    return std::trunc(value);
  case Down:
    return std::floor(value);
  case Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// Under the host's rounding `mode`.
template <typename T, typename F> static T roundTo(F value, int mode) {
  static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(modes[mode & 3]);
  volatile F source = value;
  volatile T result = static_cast<T>(source);
  std::fesetround(FE_TONEAREST);
  return result;
}

/// The 10 bits behind the point of a TF32, halves away from zero.
static uint32_t roundToTf32(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  if (!std::isfinite(value))
    return std::isnan(value) ? 0x7fffffff : bits;
  return (bits + 0x1000) & ~uint32_t(0x1fff);
}

static uint64_t encodeFloat(const Instruction &i, double value) {
  if (i.mode & Saturates)
    value = value > 0 ? std::fmin(value, 1) : 0;
  if (i.mode & Clips)
    value = std::isnan(value) || value > 0 ? value : 0;
  bool towardZero = (i.mode & roundings) == TowardZero;
  switch (i.type) {
  case Type::F16:
  case Type::F16x2:
    return Half::round(value, towardZero);
  case Type::BF16:
  case Type::BF16x2:
    return Brain::round(value, towardZero);
  case Type::TF32:
    return roundToTf32(static_cast<float>(value));
  case Type::F32: {
    auto result = roundTo<float>(value, i.mode);
    return bitsOf(i.flag ? flushDenormal(result) : result);
  }
  default:
    return bitsOf(value);
  }
}

static void floatToFloat(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  bool isWhole = i.type == i.fromType;
  forLanes(lanes, [&](int l) {
    double value = floatOf(i.fromType, a[l]);
    if (i.flag && i.fromType == Type::F32)
      value = flushDenormal(static_cast<float>(value));
    to[l] = encodeFloat(i, isWhole ? roundToWhole(value, i.mode) : value);
  });
}

/// cvt.f16x2.f32 d, a, b: a is the upper half.
static void floatsToPair(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2);
  forLanes(lanes, [&](int l) {
    to[l] =
        encodeFloat(i, floatOf(Type::F32, a[l])) << 16 | encodeFloat(i, floatOf(Type::F32, b[l]));
  });
}

template <typename T> static uint64_t wholeOf(double value) {
  if (std::isnan(value))
    return 0;
  // The first number that is too large is one that a double holds.
  double limit = std::ldexp(1.0, static_cast<int>(std::numeric_limits<T>::digits));
  if (value >= limit)
    return bitsOf(std::numeric_limits<T>::max());
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return bitsOf(std::numeric_limits<T>::min());
  return bitsOf(static_cast<T>(value));
}

template <typename T> static void floatToInteger(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  forLanes(lanes, [&](int l) {
    double value = floatOf(i.fromType, a[l]);
    if (i.flag && i.fromType == Type::F32)
      value = flushDenormal(static_cast<float>(value));
    to[l] = wholeOf<T>(roundToWhole(value, i.mode));
  });
}

template <typename T> static void integerToFloat(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  forLanes(lanes, [&](int l) {
    auto value = valueOf<T>(a[l]);
    to[l] = i.type == Type::F32   ? bitsOf(roundTo<float>(value, i.mode))
            : i.type == Type::F64 ? bitsOf(roundTo<double>(value, i.mode))
                                  : encodeFloat(i, static_cast<double>(value));
  });
}

/// Widened by its own sign, cut to what the destination holds.
template <typename T> static void integerToInteger(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  size_t bits = 8 * bytesOf(i.type);
  // A register may be wider than its type: the sign goes on.
  forLanes(lanes, [&](int l) {
    auto wide = static_cast<uint64_t>(static_cast<int64_t>(valueOf<T>(a[l])));
    if (bits < 64)
      wide = isSigned(i.type)
                 ? static_cast<uint64_t>(static_cast<int64_t>(wide << (64 - bits)) >> (64 - bits))
                 : wide & ((uint64_t(1) << bits) - 1);
    to[l] = wide;
  });
}

template <typename F> static Handler byAnyInteger(Type type, F make) {
  if (type == Type::S8)
    return make.template operator()<int8_t>();
  if (type == Type::U8)
    return make.template operator()<uint8_t>();
  return byInteger(type, make);
}

/// "rn" and the like, and of whole numbers "rni".
static bool takeRounding(Instruction &i, Words &words, bool &isWhole) {
  static constexpr std::string_view names[] = {"rn", "rz", "rm", "rp", "rna"};
  static constexpr std::string_view wholes[] = {"rni", "rzi", "rmi", "rpi"};
  for (int mode = 0; mode < 5; ++mode) {
    isWhole = mode < 4 && words.take(wholes[mode]);
    if (isWhole || words.take(names[mode])) {
      i.mode = mode;
      return true;
    }
  }
  return false;
}

Handler ptx::findConversions(Instruction &i, Words &words) {
  words.skip();
  bool isWhole = false, isRounded = takeRounding(i, words, isWhole);
  i.flag = words.take("ftz");
  i.mode |= words.take("relu") ? Clips : 0;
  i.mode |= words.take("sat") ? Saturates : 0;
  std::optional<Type> to = words.takeType(), from = words.takeType();
  if (!to || !from)
    return nullptr;
  i.type = *to;
  i.fromType = *from;
  if (to == Type::F16x2 || to == Type::BF16x2)
    return from == Type::F32 && isRounded ? floatsToPair : Handler(nullptr);
  if ((i.mode & roundings) == Away && to != Type::TF32)
    return nullptr;
  if (isFloat(*to) && isFloat(*from)) {
    // What gets narrower says how.
    bool isNarrower = bytesOf(*to) < bytesOf(*from) || to == Type::TF32;
    return isNarrower != isRounded && !isWhole ? nullptr : floatToFloat;
  }
  if (isFloat(*from))
    return isWhole ? byAnyInteger(*to, []<typename T>() -> Handler { return floatToInteger<T>; })
                   : nullptr;
  if (isFloat(*to))
    return isRounded
               ? byAnyInteger(*from, []<typename T>() -> Handler { return integerToFloat<T>; })
               : nullptr;
  if (i.mode || isRounded)
    return nullptr;
  return byAnyInteger(*from, []<typename T>() -> Handler { return integerToInteger<T>; });
}
