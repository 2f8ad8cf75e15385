//===- Approximations.cpp - functions that the machine approximates -------===//
//
// Computed in f64 and rounded to f32: less wrong than a device, which by NVIDIA's manual is off by
// up to 2 ulp (ex2, div), 1 ulp (rcp, sqrt), 2^-22.9 for the bits behind the point (rsqrt 2^-22.9,
// lg2 2^-22), 2^-21 absolutely (sin, cos between -pi and pi) and 2^-11 (tanh).
//
//===----------------------------------------------------------------------===//
#include "LaneLoops.h"

using namespace ptx;

template <typename F> static void doApproximate(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  uint64_t *b = i.operands.size() > 2 ? warp.operand(i, 2) : a;
  auto argument = [&](uint64_t bits) {
    auto value = valueOf<float>(bits);
    return static_cast<double>(i.flag ? flushDenormal(value) : value);
  };
  forLanes(lanes, [&](int l) {
    auto value = static_cast<float>(F{}(argument(a[l]), argument(b[l])));
    to[l] = bitsOf<float>(i.flag ? flushDenormal(value) : value);
  });
}
template <typename F> static Handler approximate(F) { return doApproximate<F>; }

/// Of a f64 rcp and rsqrt give the upper word's precision, 20 bits, and flush denormals.
template <typename F> static void doRough(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  auto flush = [](double x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0, x) : x;
  };
  forLanes(lanes, [&](int l) {
    double value = flush(F{}(flush(valueOf<double>(a[l]))));
    to[l] = std::isnan(value) ? bitsOf(value) : bitsOf(value) & 0xffffffff00000000;
  });
}
template <typename F> static Handler rough(F) { return doRough<F>; }

Handler ptx::findApproximations(Instruction &i, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (!words.take("approx") && !(name == "div" && words.take("full")))
    return nullptr;
  i.flag = words.take("ftz");
  std::optional<Type> type = words.takeType();
  if (type == Type::F64 && i.flag && name == "rcp")
    return rough([](double x) { return 1 / x; });
  if (type == Type::F64 && name == "rsqrt")
    return rough([](double x) { return 1 / std::sqrt(x); });
  if (type != Type::F32)
    return nullptr;
  if (name == "div")
    return approximate([](double x, double y) { return x / y; });
  if (name == "rcp")
    return approximate([](double x, double) { return 1 / x; });
  if (name == "sqrt")
    return approximate([](double x, double) { return std::sqrt(x); });
  if (name == "rsqrt")
    return approximate([](double x, double) { return 1 / std::sqrt(x); });
  if (name == "ex2")
    return approximate([](double x, double) { return std::exp2(x); });
  if (name == "lg2")
    return approximate([](double x, double) { return std::log2(x); });
  if (name == "sin")
    return approximate([](double x, double) { return std::sin(x); });
  if (name == "cos")
    return approximate([](double x, double) { return std::cos(x); });
  if (name == "tanh")
    return approximate([](double x, double) { return std::tanh(x); });
  return nullptr;
}
