//===- ComplexFunctions.cpp - functions of complex numbers ----------------===//

#include "ComplexParts.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace jit {

using Call = const ComplexCall &;
using Given = std::optional<Parts>;

static Parts scaledBy(const Parts &a, double factor) {
  return each(a, [&](Tensor t) { return t * factor; });
}

//===----------------------------------------------------------------------===//
// Exponentials, logarithms
//===----------------------------------------------------------------------===//

static Tensor isInfinite(Tensor a) { return a.b->op<aten::IsinfOp>(a); }

/// a * c, and infinite where `a` is, even if the angle is unknown of which `c` is the cosine.
static Tensor growing(Tensor a, Tensor c) {
  return where(isInfinite(a) && isNan(c), double(INFINITY), a * c);
}

/// `product` of `grown`, which goes as exp(x), and c. Where x is finite and `grown` is not, c may
/// still make a finite number of it.
static Tensor orBeyond(Tensor product, Tensor grown, Tensor x, Tensor c) {
  Tensor root = exp(x * 0.5);
  return where(isInfinite(grown) && isFinite(x), root * c * root, product);
}

/// No length makes NaN of a real number, nor does any angle of a length of 0.
static Parts exponential(const Parts &a) {
  Tensor length = exp(a.re), angle = where(a.re == -INFINITY, 0.0, imaginary(a));
  Tensor height = where(angle == 0.0 && !isFinite(length), 1.0, length);
  Tensor x = cos(angle), y = sin(angle);
  return {orBeyond(growing(length, x), length, a.re, x), orBeyond(height * y, length, a.re, y)};
}

static Parts logarithm(const Parts &a) { return {log(magnitude(a)), phase(a)}; }

static Parts reciprocal(const Parts &a) { return Parts{onesLike(a.re)} / a; }

/// exp(z) - 1, of which nothing cancels out where z is small: cos(y) - 1 is -2 sin(y / 2)^2.
static Parts exponentialLessOne(const Parts &a) {
  Tensor y = imaginary(a), half = sin(y * 0.5), grown = a.re.b->op<aten::Expm1Op>(a.re);
  return {grown * cos(y) - half * half * 2.0, exp(a.re) * sin(y)};
}

/// log(1 + z): where z is small |1 + z|^2 is taken less 1.
static Parts logarithmOfOnePlus(const Parts &a) {
  Tensor x = a.re, y = imaginary(a);
  Parts usual = logarithm({x + 1.0, y});
  Tensor square = x * (x + 2.0) + y * y, isSmall = abs(square) < 0.5;
  Tensor small = x.b->op<aten::Log1pOp>(where(isSmall, square, 0.0)) * 0.5;
  return {where(isSmall, small, usual.re), usual.im};
}

/// 1 / (1 + exp(-z)).
static Parts logistic(const Parts &a) {
  Parts grown = exponential(-a);
  return reciprocal({grown.re + 1.0, grown.im});
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// The root whose real part is not negative. Absolute values are choices, for its derivative is not
/// 0 where a part is.
static Parts root(const Parts &a) {
  GraphBuilder &build = *a.re.b;
  Tensor isRight = a.re >= 0.0, y = imaginary(a);
  Tensor half = sqrt((where(isRight, a.re, -a.re) + magnitude(a)) * 0.5);
  Tensor isZero = half == 0.0, other = where(isZero, 0.0, y / (where(isZero, 1.0, half) * 2.0));
  Tensor size = where(build.op<aten::SignbitOp>(y), -other, other);
  Tensor signedHalf = build.op<aten::CopysignTensorOp>(half, y), isHigh = isInfinite(y);
  return {where(isHigh, abs(y), where(isRight, half, size)),
          where(isHigh, y, where(isRight, other, signedHalf))};
}

/// A whole power by products, as long as they are few.
static Given smallPower(const Parts &a, double exponent) {
  if (exponent != std::floor(exponent) || exponent < 1 || exponent > 8)
    return std::nullopt;
  Parts power = a;
  for (int i = 1; i < int(exponent); ++i)
    power = power * a;
  return power;
}

static Given power(Call call) {
  auto exponent = knownNumber(call.value(1));
  if (!exponent)
    return std::nullopt;
  if (*exponent == 0)
    return Parts{onesLike(call[0].re)};
  if (*exponent == 0.5)
    return root(call[0]);
  if (auto small = smallPower(call[0], *exponent))
    return small;
  if (auto small = smallPower(call[0], -*exponent))
    return reciprocal(*small);
  return exponential(scaledBy(logarithm(call[0]), *exponent));
}

/// exp(w log z); 0 has only powers whose real part is positive.
static Given powerOfTensor(Call call) {
  Parts z = inResultDtype(call, 0), w = call[1];
  Tensor isZero = z.re == 0.0 && imaginary(z) == 0.0;
  Parts usual = exponential(w * logarithm({where(isZero, 1.0, z.re), imaginary(z)}));
  Tensor ofZero = where(w.re > 0.0, 0.0, zerosLike(usual.re) + double(NAN));
  return each(usual, [&](Tensor t) { return where(isZero, ofZero, t); });
}

static Given powerOfNumber(Call call) {
  auto base = knownNumber(call.value(0));
  if (!base || *base == 0)
    return std::nullopt;
  const Parts &w = call[1];
  double length = std::log(std::abs(*base)), angle = *base < 0 ? std::numbers::pi : 0;
  Tensor y = imaginary(w);
  return exponential({w.re * length - y * angle, w.re * angle + y * length});
}

//===----------------------------------------------------------------------===//
// Sines
//===----------------------------------------------------------------------===//

/// a * c for a sine `a` or `c` of the other kind: 0 where one of the two is, even if the other is
/// infinite or NaN.
static Tensor keepingZeros(Tensor a, Tensor c) {
  Tensor isFirst = a == 0.0 && !isFinite(c), isSecond = c == 0.0 && !isFinite(a);
  return where(isFirst, a, where(isSecond, c, growing(a, c)));
}

/// `product` of sinh(x) and c, also where sinh(x) alone is too large.
static Tensor withSinh(Tensor x, Tensor c, Tensor product) {
  return orBeyond(product, sinh(x), abs(x), c * sign(x) * 0.5);
}
static Tensor withCosh(Tensor x, Tensor c, Tensor product) {
  return orBeyond(product, cosh(x), abs(x), c * 0.5);
}

static Parts hyperbolicSine(const Parts &a) {
  Tensor x = a.re, y = imaginary(a), c = cos(y), s = sin(y);
  return {withSinh(x, c, keepingZeros(sinh(x), c)), withCosh(x, s, keepingZeros(s, cosh(x)))};
}
static Parts hyperbolicCosine(const Parts &a) {
  Tensor x = a.re, y = imaginary(a), c = cos(y), s = sin(y);
  return {withCosh(x, c, keepingZeros(cosh(x), c)), withSinh(x, s, keepingZeros(s, sinh(x)))};
}
static Parts sine(const Parts &a) {
  Tensor x = a.re, y = imaginary(a), c = cos(x), s = sin(x);
  return {withCosh(y, s, keepingZeros(s, cosh(y))), withSinh(y, c, keepingZeros(sinh(y), c))};
}
static Parts cosine(const Parts &a) {
  Tensor x = a.re, y = imaginary(a), c = cos(x), s = sin(x);
  return {withCosh(y, c, keepingZeros(cosh(y), c)), -withSinh(y, s, keepingZeros(s, sinh(y)))};
}

/// sin(pi z) / (pi z).
static Given sineByArgument(Call call) {
  Tensor isZero = call[0].re == 0.0 && imaginary(call[0]) == 0.0;
  Parts angle = scaledBy(call[0], std::numbers::pi);
  angle.re = where(isZero, 1.0, angle.re);
  Parts quotient = sine(angle) / angle;
  return Parts{where(isZero, 1.0, quotient.re), where(isZero, 0.0, imaginary(quotient))};
}
/// `value`, of a function that is 0 where `a` is, which it is beside NaN, too. Its gradient is
/// that of the function elsewhere.
static Tensor zeroBesideNan(Tensor a, Tensor other, Tensor value) {
  return where(a == 0.0 && isNan(other), a, value);
}

/// Beyond 20 it is 1 or -1 in every digit, whatever the angle, and squares might overflow.
static Parts hyperbolicTangent(const Parts &a) {
  Tensor x = a.re.b->op<aten::ClampOp>(a.re, -20.0, 20.0), y = imaginary(a);
  Tensor s = sinh(x), c = cos(y), divisor = c * c + s * s;
  Tensor isFar = isInfinite(a.re) && !isFinite(y), isOnAxis = a.re == 0.0 && !isFinite(y);
  Tensor re = where(isFar, sign(a.re), where(isOnAxis, a.re, s * cosh(x) / divisor));
  Tensor im = zeroBesideNan(y, a.re, sin(y) * c / divisor);
  return {re, where(isFar, 0.0, im)};
}
/// -i tanh(i z).
static Parts tangent(const Parts &a) {
  Parts turned = hyperbolicTangent({-imaginary(a), a.re});
  return {imaginary(turned), -turned.re};
}

//===----------------------------------------------------------------------===//
// Inverses of sines
//===----------------------------------------------------------------------===//

// By roots of 1 - z and 1 + z, as z itself may cancel out, and with the signs of zeros on their
// cuts.
static Parts onePlus(const Parts &a) { return {a.re + 1.0, a.im}; }
static Parts oneMinus(const Parts &a) { return {1.0 - a.re, -imaginary(a)}; }
static Tensor angleOf(Tensor y, Tensor x) { return x.b->op<aten::Atan2Op>(y, x); }
/// asinh of Im(conj(a) c).
static Tensor areaBetween(const Parts &a, const Parts &c) {
  return a.re.b->op<aten::AsinhOp>(imaginary(conj(a) * c));
}

/// `usual`, and where a part of `a` is infinite what the function goes to there.
static Parts orAtInfinity(const Parts &a, const Parts &there, const Parts &usual) {
  Tensor isThere = isInfinite(a.re) || isInfinite(imaginary(a));
  return {where(isThere, there.re, usual.re), where(isThere, imaginary(there), imaginary(usual))};
}
/// `length` with the sign of `a`.
static Tensor signedAs(double length, Tensor a) {
  return a.b->op<aten::CopysignTensorOp>(fullLike(a, a.b->f(length)), a);
}

static Parts arcSine(const Parts &a) {
  Parts less = root(oneMinus(a)), more = root(onePlus(a));
  Tensor y = imaginary(a), real = zeroBesideNan(a.re, y, angleOf(a.re, (less * more).re));
  return orAtInfinity(a, {angleOf(a.re, abs(y)), signedAs(INFINITY, y)},
                      {real, areaBetween(less, more)});
}

/// An angle that is a right one wherever the real part is 0, even beside NaN.
static Tensor rightOnAxis(const Parts &a, Tensor angle) {
  return where(a.re == 0.0 && isNan(imaginary(a)), std::numbers::pi / 2, angle);
}

static Parts arcCosine(const Parts &a) {
  Parts less = root(oneMinus(a)), more = root(onePlus(a));
  Tensor y = imaginary(a), real = rightOnAxis(a, angleOf(less.re, more.re) * 2.0);
  return orAtInfinity(a, {angleOf(abs(y), a.re), -signedAs(INFINITY, y)},
                      {real, areaBetween(more, less)});
}
static Parts areaCosine(const Parts &a) {
  Parts less = root({a.re - 1.0, a.im}), more = root(onePlus(a));
  Tensor real = a.re.b->op<aten::AsinhOp>((conj(less) * more).re), y = imaginary(a);
  return orAtInfinity(a, {fullLike(y, y.b->f(INFINITY)), angleOf(y, a.re)},
                      {real, rightOnAxis(a, angleOf(imaginary(less), more.re) * 2.0)});
}
static Parts areaTangent(const Parts &a) {
  Tensor x = a.re, y = imaginary(a), less = 1.0 - x, square = y * y;
  Tensor ratio = x * 4.0 / (less * less + square);
  Tensor real = zeroBesideNan(x, y, Tensor(x.b->op<aten::Log1pOp>(ratio)) * 0.25);
  Tensor right = where(isNan(y), y, signedAs(std::numbers::pi / 2, y));
  return orAtInfinity(a, {signedAs(0, x), right},
                      {real, angleOf(y * 2.0, less * (x + 1.0) - square) * 0.5});
}
/// -i f(i z).
template <Parts (*function)(const Parts &)> static Given turned(Call call) {
  Parts value = function({-imaginary(call[0]), call[0].re});
  return Parts{imaginary(value), -value.re};
}

//===----------------------------------------------------------------------===//
// Lengths, directions
//===----------------------------------------------------------------------===//

/// z / |z|; 0 for 0, where its gradient is 0, too.
static Given direction(Call call) {
  Tensor length = magnitude(call[0]), isZero = length == 0.0;
  Tensor divisor = where(isZero, 1.0, length);
  return each(divided(call[0], divisor), [&](Tensor t) { return where(isZero, 0.0, t); });
}

template <Parts (*function)(const Parts &)> static Given ofOne(Call call) {
  return function(call[0]);
}

ComplexRule functionOfNumbers(StringRef name) {
  static const llvm::StringMap<ComplexRule> rules = {
      {"abs", [](Call call) -> Given { return Parts{magnitude(call[0])}; }},
      {"absolute", [](Call call) -> Given { return Parts{magnitude(call[0])}; }},
      {"angle", [](Call call) -> Given { return Parts{phase(call[0])}; }},
      {"sgn", direction},
      {"exp", ofOne<exponential>},
      {"exp2",
       [](Call call) -> Given { return exponential(scaledBy(call[0], std::numbers::ln2)); }},
      {"expm1", ofOne<exponentialLessOne>},
      {"log", ofOne<logarithm>},
      {"log1p", ofOne<logarithmOfOnePlus>},
      {"log2",
       [](Call call) -> Given { return scaledBy(logarithm(call[0]), std::numbers::log2e); }},
      {"log10",
       [](Call call) -> Given { return scaledBy(logarithm(call[0]), std::numbers::log10e); }},
      {"sigmoid", ofOne<logistic>},
      {"silu", [](Call call) -> Given { return call[0] * logistic(call[0]); }},
      {"sqrt", ofOne<root>},
      {"rsqrt", [](Call call) -> Given { return reciprocal(root(call[0])); }},
      {"pow.Tensor_Scalar", power},
      {"pow.Tensor_Tensor", powerOfTensor},
      {"pow.Scalar", powerOfNumber},
      {"sin", ofOne<sine>},
      {"sinc", sineByArgument},
      {"cos", ofOne<cosine>},
      {"tan", ofOne<tangent>},
      {"asin", ofOne<arcSine>},
      {"acos", ofOne<arcCosine>},
      {"atan", turned<areaTangent>},
      {"asinh", turned<arcSine>},
      {"acosh", ofOne<areaCosine>},
      {"atanh", ofOne<areaTangent>},
      {"sinh", ofOne<hyperbolicSine>},
      {"cosh", ofOne<hyperbolicCosine>},
      {"tanh", ofOne<hyperbolicTangent>}};
  return rules.lookup(name);
}

} // namespace jit
