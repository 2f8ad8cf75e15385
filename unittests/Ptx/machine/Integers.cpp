//===- Integers.cpp - arithmetic of integers ------------------------------===//
#include "LaneLoops.h"

#include <algorithm>

using namespace ptx;

namespace {
template <typename T> struct Wider;
template <> struct Wider<int16_t> {
  using Type = int32_t;
};
template <> struct Wider<uint16_t> {
  using Type = uint32_t;
};
template <> struct Wider<int32_t> {
  using Type = int64_t;
};
template <> struct Wider<uint32_t> {
  using Type = uint64_t;
};
template <> struct Wider<int64_t> {
  using Type = __int128;
};
template <> struct Wider<uint64_t> {
  using Type = unsigned __int128;
};
template <typename T> using WiderOf = typename Wider<T>::Type;
template <typename T> using Unsigned = std::make_unsigned_t<T>;
} // namespace

template <typename T> static T highOf(T a, T b) {
  return static_cast<T>((static_cast<WiderOf<T>>(a) * b) >> (8 * sizeof(T)));
}
template <typename T> static T lowOf(T a, T b) {
  return static_cast<T>(static_cast<WiderOf<Unsigned<T>>>(static_cast<Unsigned<T>>(a)) *
                        static_cast<Unsigned<T>>(b));
}

static Handler findProducts(Words &words, bool isFused) {
  enum { Low, High, Wide } part = words.take("hi") ? High : words.take("wide") ? Wide : Low;
  if (part == Low && !words.take("lo"))
    return nullptr;
  std::optional<Type> type = words.takeType();
  if (part == Wide && (type == Type::S64 || type == Type::U64))
    return nullptr;
  return byInteger(type, [&]<typename T>() -> Handler {
    if (part == Low)
      return isFused ? ternary<T, T>([](T a, T b, T c) {
        return static_cast<T>(static_cast<Unsigned<T>>(lowOf(a, b)) + static_cast<Unsigned<T>>(c));
      })
                     : binary<T, T>([](T a, T b) { return lowOf(a, b); });
    if (part == High)
      return isFused ? ternary<T, T>([](T a, T b, T c) {
        return static_cast<T>(static_cast<Unsigned<T>>(highOf(a, b)) + static_cast<Unsigned<T>>(c));
      })
                     : binary<T, T>([](T a, T b) { return highOf(a, b); });
    if constexpr (sizeof(T) < 8) {
      using W = WiderOf<T>;
      return isFused ? ternary<W, T>([](T a, T b, W c) {
        return static_cast<W>(static_cast<Unsigned<W>>(static_cast<W>(a) * static_cast<W>(b)) +
                              static_cast<Unsigned<W>>(c));
      })
                     : binary<W, T>([](T a, T b) { return static_cast<W>(a) * static_cast<W>(b); });
    }
    return nullptr;
  });
}

/// By zero the machine gives all ones, and the dividend.
template <typename T> static T quotient(T a, T b) {
  if (b == 0)
    return static_cast<T>(~Unsigned<T>(0));
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return static_cast<T>(Unsigned<T>(0) - static_cast<Unsigned<T>>(a));
  return static_cast<T>(a / b);
}
template <typename T> static T remainder(T a, T b) {
  if (b == 0)
    return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return 0;
  return static_cast<T>(a % b);
}

Handler ptx::findIntegers(Instruction &, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "mul" || name == "mad")
    return findProducts(words, name == "mad");
  std::optional<Type> type = words.takeType();
  return byInteger(type, [&]<typename T>() -> Handler {
    using U = Unsigned<T>;
    if (name == "add")
      return binary<T, T>(
          [](T a, T b) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(b)); });
    if (name == "sub")
      return binary<T, T>(
          [](T a, T b) { return static_cast<T>(static_cast<U>(a) - static_cast<U>(b)); });
    if (name == "div")
      return binary<T, T>([](T a, T b) { return quotient(a, b); });
    if (name == "rem")
      return binary<T, T>([](T a, T b) { return remainder(a, b); });
    if (name == "min")
      return binary<T, T>([](T a, T b) { return std::min(a, b); });
    if (name == "max")
      return binary<T, T>([](T a, T b) { return std::max(a, b); });
    if (std::is_signed_v<T> && name == "neg")
      return unary<T, T>([](T a) { return static_cast<T>(U(0) - static_cast<U>(a)); });
    if (std::is_signed_v<T> && name == "abs")
      return unary<T, T>([](T a) { return a < 0 ? static_cast<T>(U(0) - static_cast<U>(a)) : a; });
    return nullptr;
  });
}
