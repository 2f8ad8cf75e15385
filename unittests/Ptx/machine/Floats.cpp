//===- Floats.cpp - arithmetic of f32 and f64, rounded as IEEE 754 says ---===//
#include "LaneLoops.h"

#include <cfenv>

using namespace ptx;

namespace {
/// Of an instruction's `mode`.
enum { ToNearest, TowardZero, Down, Up, roundings = 3, Saturates = 4 };

/// Rounds as an instruction says. The file is compiled with -frounding-math.
class Rounding {
public:
  explicit Rounding(int mode) : isOther((mode & roundings) != 0) {
    static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    if (isOther)
      std::fesetround(modes[mode & roundings]);
  }
  ~Rounding() {
    if (isOther)
      std::fesetround(FE_TONEAREST);
  }

private:
  bool isOther;
};
} // namespace

/// `flag` is .ftz.
template <typename T> static T argument(const Instruction &i, uint64_t bits) {
  T value = valueOf<T>(bits);
  if constexpr (std::is_same_v<T, float>)
    return i.flag ? flushDenormal(value) : value;
  return value;
}
template <typename T> static uint64_t result(const Instruction &i, T value) {
  if constexpr (std::is_same_v<T, float>)
    value = i.flag ? flushDenormal(value) : value;
  if (i.mode & Saturates)
    value = value > 0 ? std::fmin(value, T(1)) : T(0);
  return bitsOf<T>(value);
}

template <typename T, typename F>
static void doFloats(Warp &warp, const Instruction &i, Lanes lanes) {
  Rounding rounding(i.mode);
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  uint64_t *b = i.operands.size() > 2 ? warp.operand(i, 2) : a;
  uint64_t *c = i.operands.size() > 3 ? warp.operand(i, 3) : a;
  forLanes(lanes, [&](int l) {
    to[l] = result<T>(i, F{}(argument<T>(i, a[l]), argument<T>(i, b[l]), argument<T>(i, c[l])));
  });
}

template <typename F> static Handler ofType(std::optional<Type> type, F) {
  return type == Type::F32   ? doFloats<float, F>
         : type == Type::F64 ? doFloats<double, F>
                             : Handler(nullptr);
}

static bool takeRounding(Instruction &i, Words &words) {
  static constexpr std::string_view names[] = {"rn", "rz", "rm", "rp"};
  for (int mode = 0; mode < 4; ++mode)
    if (words.take(names[mode])) {
      i.mode |= mode;
      return true;
    }
  return false;
}

/// -0 is less than 0; a number wins over a NaN.
template <typename T> static T smaller(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}

static Handler findMinimum(std::string_view name, Instruction &i, Words &words) {
  i.flag = words.take("ftz");
  bool keepsNan = words.take("NaN");
  std::optional<Type> type = words.takeType();
  if (name == "min")
    return keepsNan ? ofType(type,
                             [](auto a, auto b, auto) {
                               return std::isnan(a) || std::isnan(b) ? a + b : smaller(a, b);
                             })
                    : ofType(type, [](auto a, auto b, auto) { return smaller(a, b); });
  return keepsNan ? ofType(type,
                           [](auto a, auto b, auto) {
                             return std::isnan(a) || std::isnan(b) ? a + b : -smaller(-a, -b);
                           })
                  : ofType(type, [](auto a, auto b, auto) { return -smaller(-a, -b); });
}

/// The sign alone changes, of a NaN too.
template <typename T, bool clears>
static void changeSign(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  constexpr T sign = T(1) << (8 * sizeof(T) - 1);
  forLanes(lanes, [&](int l) {
    auto bits = static_cast<T>(a[l]);
    if constexpr (sizeof(T) == 4)
      bits = i.flag ? std::bit_cast<T>(flushDenormal(std::bit_cast<float>(bits))) : bits;
    to[l] = clears ? bits & ~sign : bits ^ sign;
  });
}

static Handler findSign(std::string_view name, Instruction &i, Words &words) {
  i.flag = words.take("ftz");
  std::optional<Type> type = words.takeType();
  bool clears = name == "abs";
  if (type == Type::F32)
    return clears ? changeSign<uint32_t, true> : changeSign<uint32_t, false>;
  if (type == Type::F64)
    return clears ? changeSign<uint64_t, true> : changeSign<uint64_t, false>;
  return nullptr;
}

/// copysign d, a, b: the sign of a with the size of b.
static Handler findCopySign(Words &words) {
  return ofType(words.takeType(), [](auto a, auto b, auto) { return std::copysign(b, a); });
}

Handler ptx::findFloats(Instruction &i, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "min" || name == "max")
    return findMinimum(name, i, words);
  if (name == "neg" || name == "abs")
    return findSign(name, i, words);
  if (name == "copysign")
    return findCopySign(words);
  bool isRounded = takeRounding(i, words);
  i.flag = words.take("ftz");
  i.mode |= words.take("sat") ? Saturates : 0;
  std::optional<Type> type = words.takeType();
  if (name == "add")
    return ofType(type, [](auto a, auto b, auto) { return a + b; });
  if (name == "sub")
    return ofType(type, [](auto a, auto b, auto) { return a - b; });
  if (name == "mul")
    return ofType(type, [](auto a, auto b, auto) { return a * b; });
  // The others have approximations that go by other names.
  if (!isRounded)
    return nullptr;
  if (name == "fma")
    return ofType(type, [](auto a, auto b, auto c) { return std::fma(a, b, c); });
  if (name == "div")
    return ofType(type, [](auto a, auto b, auto) { return a / b; });
  if (name == "rcp")
    return ofType(type, [](auto a, auto, auto) { return decltype(a)(1) / a; });
  if (name == "sqrt")
    return ofType(type, [](auto a, auto, auto) { return std::sqrt(a); });
  return nullptr;
}
