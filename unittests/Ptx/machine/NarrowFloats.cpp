//===- NarrowFloats.cpp - arithmetic of f16 and bf16, and pairs of them ---===//
#include "LaneLoops.h"

using namespace ptx;

/// Each 16 bits of an operand by themselves. Numbers go to f64, where sums and products of two are
/// exact or lose what rounding to 16 bits does not see.
template <typename T, int parts, typename F>
static void doNarrow(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  uint64_t *b = i.operands.size() > 2 ? warp.operand(i, 2) : a;
  uint64_t *c = i.operands.size() > 3 ? warp.operand(i, 3) : a;
  forLanes(lanes, [&](int l) {
    uint64_t result = 0;
    for (int part = 0; part < parts; ++part) {
      auto value = [&](uint64_t *x) { return double(valueOf<T>(x[l] >> (16 * part))); };
      double made = F{}(value(a), value(b), value(c));
      if (i.mode)
        made = std::isnan(made) || made > 0 ? made : 0;
      result |= bitsOf<T>(T(made)) << (16 * part);
    }
    to[l] = result;
  });
}

template <typename F> static Handler ofType(std::optional<Type> type, F) {
  switch (type.value_or(Type::B8)) {
  case Type::F16:
    return doNarrow<Half, 1, F>;
  case Type::F16x2:
    return doNarrow<Half, 2, F>;
  case Type::BF16:
    return doNarrow<Brain, 1, F>;
  case Type::BF16x2:
    return doNarrow<Brain, 2, F>;
  default:
    return nullptr;
  }
}

static double smaller(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
}

static Handler findOrder(std::string_view name, Words &words) {
  bool keepsNan = words.take("NaN");
  std::optional<Type> type = words.takeType();
  if (name == "min")
    return keepsNan ? ofType(type,
                             [](double a, double b, double) {
                               return std::isnan(a) || std::isnan(b) ? NAN : smaller(a, b);
                             })
                    : ofType(type, [](double a, double b, double) { return smaller(a, b); });
  return keepsNan ? ofType(type,
                           [](double a, double b, double) {
                             return std::isnan(a) || std::isnan(b) ? NAN : -smaller(-a, -b);
                           })
                  : ofType(type, [](double a, double b, double) { return -smaller(-a, -b); });
}

/// `mode` is .relu.
Handler ptx::findNarrowFloats(Instruction &i, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "min" || name == "max")
    return findOrder(name, words);
  words.take("rn");
  i.mode = words.take("relu");
  std::optional<Type> type = words.takeType();
  if (name == "add")
    return ofType(type, [](double a, double b, double) { return a + b; });
  if (name == "sub")
    return ofType(type, [](double a, double b, double) { return a - b; });
  if (name == "mul")
    return ofType(type, [](double a, double b, double) { return a * b; });
  if (name == "fma")
    return ofType(type, [](double a, double b, double c) { return fuseForNarrow(a, b, c); });
  if (name == "neg")
    return ofType(type, [](double a, double, double) { return -a; });
  if (name == "abs")
    return ofType(type, [](double a, double, double) { return std::fabs(a); });
  return nullptr;
}
