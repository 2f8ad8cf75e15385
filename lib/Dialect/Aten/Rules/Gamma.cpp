//===- Gamma.cpp - builders for the rules of Gamma.td ---------------------===//

#include "Rules/Gamma.h"
#include "jit/Dialect/Aten/Gamma.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace jit {

static const double infinity = std::numeric_limits<double>::infinity();
static const double notANumber = std::numeric_limits<double>::quiet_NaN();

static Element select(Element condition, Element a, double c) {
  return select(condition, a, constant(*a.b, c));
}
static Element select(Element condition, double a, Element c) {
  return select(condition, constant(*c.b, a), c);
}

/// What x is above the whole number below it, exactly.
static Element fraction(Element x) { return x - floor(x); }

/// What x is above or below the whole number next to it, with all digits of a small x.
static Element fromNearest(Element x) { return x - floor(x + 0.5); }

//===----------------------------------------------------------------------===//
// Gamma
//===----------------------------------------------------------------------===//

// Above this an asymptotic series of six terms has all digits of a double.
static constexpr int isAsymptotic = 8;

/// For x >= 0.5: Stirling's series, below isAsymptotic by the recurrence from there.
static Element logGammaAboveHalf(Element x) {
  Element isSmall = x < double(isAsymptotic), product = x;
  for (int i = 1; i < isAsymptotic; ++i)
    product = product * (x + double(i));
  Element z = select(isSmall, x + double(isAsymptotic), x), r = 1.0 / z;
  Element tail =
      r * polynomial(r * r, {1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360});
  Element stirling = (z - 0.5) * log(z) - z + 0.5 * std::log(2 * std::numbers::pi) + tail;
  return select(isSmall, stirling - log(product), stirling);
}

static Element wideLogGamma(Element x) {
  Element isLow = x < 0.5;
  Element above = logGammaAboveHalf(select(isLow, 1.0 - x, x));
  Element size = abs(x), sine = abs(sin(fromNearest(x) * std::numbers::pi)) / std::numbers::pi;
  // Of subnormal numbers pi times them has too few digits.
  Element reflected = -log(select(size < 1e-18, size, sine)) - above;
  // At a pole far from zero the other term is infinite, too.
  Element isPole = logicalAnd(isLow, sine == 0.0);
  return select(logicalOr(isInf(x), isPole), infinity, select(isLow, reflected, above));
}
Element logGamma(Element x) { return inDouble(wideLogGamma, x); }

static Element wideGamma(Element x) {
  Element size = exp(wideLogGamma(x)), isWhole = fraction(x) == 0.0;
  Element isOdd = fraction(x * 0.5) >= 0.5;
  Element below = select(isWhole, constant(*x.b, notANumber), select(isOdd, -size, size));
  Element atZero = copySign(constant(*x.b, infinity), x);
  Element all = select(x < 0.0, select(isInf(x), constant(*x.b, notANumber), below), size);
  return select(x == 0.0, atZero, all);
}
Element gammaOf(Element x) { return inDouble(wideGamma, x); }

static Element wideDigamma(Element x) {
  Element isLow = x <= 0.0, up = select(isLow, 1.0 - x, x);
  Element isSmall = up < double(isAsymptotic), sum = 1.0 / up;
  for (int i = 1; i < isAsymptotic; ++i)
    sum = sum + 1.0 / (up + double(i));
  Element z = select(isSmall, up + double(isAsymptotic), up), r = 1.0 / z, s = r * r;
  Element tail =
      s * polynomial(s, {1. / 12, -1. / 120, 1. / 252, -1. / 240, 1. / 132, -691. / 32760});
  Element series = log(z) - r * 0.5 - tail;
  Element above = select(isSmall, series - sum, series);
  Element reflected = above - std::numbers::pi / tan(fromNearest(x) * std::numbers::pi);
  Element isPole = logicalAnd(isLow, fraction(x) == 0.0);
  Element atPole = select(x == 0.0, -1.0 / x, notANumber);
  return select(isPole, atPole, select(isLow, reflected, above));
}
Element digamma(Element x) { return inDouble(wideDigamma, x); }

/// Euler's and Maclaurin's sum: the first terms, then the integral and the ends of the rest.
static Element wideZeta(Element s, Element q) {
  // Up to s + 10, as the ends need; of a large s nothing is left after fewer.
  Element above = max(q, 0.0), some = max(q, 1.0) * 80.0 / s + 2.0;
  Element count = max(ceil(min(s + 10.0 - above, some) - min(q, 0.0)), 0.0);
  Element first = iterated(count, {constant(*s.b, 0)}, [&](Element k, ArrayRef<Element> now) {
                    return SmallVector<Element>{now[0] + pow(q + k, -s)};
                  }).front();
  Element a = q + count, rest = pow(a, -s);
  Element sum = first + rest * a / (s - 1.0) + rest * 0.5;
  // B(2j) / (2j)!
  double coefficients[] = {1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160};
  Element term = rest * s / a;
  for (auto [j, coefficient] : llvm::enumerate(coefficients)) {
    sum = sum + term * coefficient;
    double next = 2 * double(j) + 1;
    term = term * (s + next) * (s + (next + 1)) / (a * a);
  }
  Element isEnough = logicalAnd(isFinite(q), abs(rest) <= abs(first) * 0x1p-60);
  sum = select(isEnough, first, sum);
  Element isBelow = q <= 0.0;
  Element below = select(q == floor(q), infinity, select(s == floor(s), sum, notANumber));
  Element result = select(isBelow, below, sum);
  result = select(logicalAnd(isInf(s), q > 1.0), notANumber, result);
  return select(s == 1.0, infinity, select(s < 1.0, notANumber, result));
}
Element zeta(Element s, Element q) { return inDouble(wideZeta, s, q); }

static Element widePolygamma(Element n, Element x) {
  Element isOdd = n - floor(n * 0.5) * 2.0 == 1.0;
  Element factorial = exp(wideLogGamma(n + 1.0)), sum = wideZeta(n + 1.0, x) * factorial;
  Element atEnd = select(x > 0.0, constant(*x.b, 0), constant(*x.b, notANumber));
  sum = select(logicalAnd(n == 1.0, isInf(x)), atEnd, sum);
  return select(n == 0.0, wideDigamma(x), select(isOdd, sum, -sum));
}
Element polygamma(Element order, Element x) {
  // The order reaches the rule as the int that it is.
  Element n(*x.b, order.v, order.v.getType());
  return inDouble(widePolygamma, n, x);
}

Decomposition multivariateLogGamma(Tensor self, Int p) {
  GraphBuilder &build = *self.b;
  if (!p.known())
    return build.notYet("the value of p");
  if (*p.known() < 1 || *p.known() > 1000)
    return build.notYet("a p from 1 to 1000");
  double dimension = double(*p.known());
  Tensor sum = build.op<aten::LgammaOp>(self);
  for (int64_t j = 1; j < *p.known(); ++j)
    sum = sum + build.op<aten::LgammaOp>(self + -double(j) / 2);
  return sum + dimension * (dimension - 1) / 4 * std::log(std::numbers::pi);
}

//===----------------------------------------------------------------------===//
// Incomplete gamma
//===----------------------------------------------------------------------===//

namespace {
struct Shares {
  Element below, above;
};
} // namespace

/// A series where x is below a, a continued fraction above: both need rounds as the square root of
/// the larger. Where that is too many, a cube root that is nearly normal.
static Shares gammaShares(Element a, Element x) {
  Element larger = max(a, x), one = constant(*a.b, 1), zero = constant(*a.b, 0);
  Element isHuge = larger > 1e6, count = select(isHuge, zero, sqrt(larger) * 9.0 + 80.0);
  Element power = exp(a * log(x) - x - wideLogGamma(a));
  Element series = iterated(count, {1.0 / a, 1.0 / a}, [&](Element k, ArrayRef<Element> now) {
    Element term = now[0] * x / (a + (k + 1.0));
    return SmallVector<Element>{term, now[1] + term};
  })[1];
  Element whole = floor(count), start = x + whole * 2.0 + 1.0 - a;
  Element divisor = iterated(count, {start}, [&](Element k, ArrayRef<Element> now) {
                      Element j = whole - k;
                      return SmallVector<Element>{x + j * 2.0 - 1.0 - a - j * (j - a) / now[0]};
                    }).front();
  Element isSeries = x < a + 1.0;
  Element low = power * series, high = power / divisor;
  Element z = (exp(log(x / a) * (1. / 3)) - 1.0 + 1.0 / (a * 9.0)) * sqrt(a) * 3.0;
  Element normal = erfc(z * -std::numbers::sqrt2 * 0.5) * 0.5;
  Element rest = erfc(z * std::numbers::sqrt2 * 0.5) * 0.5;
  Element below = select(isHuge, normal, select(isSeries, low, one - high));
  Element above = select(isHuge, rest, select(isSeries, one - low, high));
  Element isNone = logicalOr(x == 0.0, logicalAnd(isInf(a), isFinite(x)));
  Element isAll = logicalOr(a == 0.0, logicalAnd(isInf(x), isFinite(a)));
  below = select(isNone, zero, select(isAll, one, below));
  above = select(isNone, one, select(isAll, zero, above));
  Element isUndefined =
      logicalOr(logicalOr(a < 0.0, x < 0.0),
                logicalOr(logicalAnd(a == 0.0, x == 0.0), logicalAnd(isInf(a), isInf(x))));
  isUndefined = logicalOr(isUndefined, isNan(a + x));
  return {select(isUndefined, notANumber, below), select(isUndefined, notANumber, above)};
}

Element lowerGamma(Element a, Element x) {
  return inDouble([](Element a, Element x) { return gammaShares(a, x).below; }, a, x);
}
Element upperGamma(Element a, Element x) {
  return inDouble([](Element a, Element x) { return gammaShares(a, x).above; }, a, x);
}

//===----------------------------------------------------------------------===//
// The error function
//===----------------------------------------------------------------------===//

/// x >= 0 with erfc(x) = q, for 0 <= q <= 1: an estimate, then Halley's steps.
static Element inverseErfc(Element q) {
  const double a = 0.147;
  Element l = log(q * (2.0 - q)), t = l * 0.5 + 2 / (std::numbers::pi * a);
  Element x = sqrt(sqrt(t * t - l / a) - t);
  for (int step = 0; step < 3; ++step) {
    Element error = (q - erfc(x)) * (std::sqrt(std::numbers::pi) / 2) * exp(x * x);
    x = x - error / (1.0 + x * error);
  }
  return select(q == 0.0, infinity, x);
}

static Element wideInverseErf(Element y) {
  Element size = abs(y), s = y * y;
  const double pi = std::numbers::pi;
  Element small = y * std::sqrt(pi) * 0.5 * polynomial(s, {1, pi / 12, 7 * pi * pi / 480});
  Element large = copySign(inverseErfc(1.0 - size), y);
  return select(size > 1.0, notANumber, select(size < 1e-3, small, large));
}
Element inverseErf(Element y) { return inDouble(wideInverseErf, y); }

static Element wideInverseNormal(Element p) {
  Element isLow = p < 0.5;
  Element size = inverseErfc(select(isLow, p, 1.0 - p) * 2.0) * std::numbers::sqrt2;
  Element isOut = logicalOr(p < 0.0, p > 1.0);
  return select(isOut, notANumber, select(isLow, -size, size));
}
Element inverseNormal(Element p) { return inDouble(wideInverseNormal, p); }

static Element wideScaledErfc(Element x) {
  Element size = abs(x), r = 1.0 / (x * x);
  Element product = exp(x * x) * erfc(size);
  Element series =
      polynomial(r, {1, -0.5, 0.75, -1.875, 6.5625}) / (size * std::sqrt(std::numbers::pi));
  Element above = select(size > 20.0, series, product);
  return select(x < 0.0, exp(x * x) * 2.0 - above, above);
}
Element scaledErfc(Element x) { return inDouble(wideScaledErfc, x); }

static Element wideLogNormal(Element x) {
  const double half = std::numbers::sqrt2 / 2;
  Element low = log(wideScaledErfc(x * -half) * 0.5) - x * x * 0.5;
  Element high = log1p(erfc(x * half) * -0.5);
  return select(x < -1.0, low, high);
}
Element logNormal(Element x) { return inDouble(wideLogNormal, x); }

} // namespace jit
