//===- Bessel.cpp - builders for the rules of Bessel.td -------------------===//

#include "Rules/Bessel.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace jit {

static const double infinity = std::numeric_limits<double>::infinity();
static const double notANumber = std::numeric_limits<double>::quiet_NaN();
static const double pi = std::numbers::pi;

//===----------------------------------------------------------------------===//
// Series
//===----------------------------------------------------------------------===//

/// The coefficients 1 / (k! (k + order)!), signed in turn where `sign` is -1, each times weight(k).
template <typename Weight>
static SmallVector<double> powerSeries(int order, int terms, double sign, Weight weight) {
  SmallVector<double> coefficients;
  double factor = 1; // order is 0 or 1
  for (int k = 0; k < terms; ++k) {
    coefficients.push_back(factor * weight(k));
    factor *= sign / ((k + 1.0) * (k + 1.0 + order));
  }
  return coefficients;
}

/// a(k) of the asymptotic series in 1 / x: the product of 4 order^2 - (2j - 1)^2 over k! 8^k.
static SmallVector<double> asymptoticSeries(double order, int terms) {
  SmallVector<double> coefficients{1};
  for (int k = 1; k < terms; ++k) {
    double odd = 2.0 * k - 1;
    coefficients.push_back(coefficients.back() * (4 * order * order - odd * odd) / (8.0 * k));
  }
  return coefficients;
}

/// Those of every second term from `first`, with signs in turn: the two halves of a wave.
static SmallVector<double> everySecond(ArrayRef<double> coefficients, size_t first) {
  SmallVector<double> chosen;
  for (size_t k = first; k < coefficients.size(); k += 2)
    chosen.push_back(coefficients[k] * (chosen.size() % 2 ? -1 : 1));
  return chosen;
}

//===----------------------------------------------------------------------===//
// First and second kind
//===----------------------------------------------------------------------===//

// Up to here the power series, which lose digits as they grow, beyond the asymptotic ones.
static const double isFar = 12;

namespace {
struct Wave {
  Element cosine, sine;
};
} // namespace

/// The asymptotic J and Y for x > isFar.
static Wave waveOf(int order, Element x) {
  SmallVector<double> all = asymptoticSeries(order, 16);
  Element r = 1.0 / x, s = r * r;
  Element even = polynomial(s, everySecond(all, 0)), odd = r * polynomial(s, everySecond(all, 1));
  Element angle = x - (2 * order + 1) * pi / 4, size = sqrt(2 / pi * r);
  return {size * (cos(angle) * even - sin(angle) * odd),
          size * (sin(angle) * even + cos(angle) * odd)};
}

static const int powerTerms = 36;

static Element nearJ(int order, Element x) {
  auto one = [](int) { return 1.0; };
  Element sum = polynomial(x * x * 0.25, powerSeries(order, powerTerms, -1, one));
  return order ? x * 0.5 * sum : sum;
}

Element besselJ(int order, Element x) {
  auto wide = [&](Element x) {
    Element size = abs(x), far = waveOf(order, size).cosine;
    return select(size <= isFar, nearJ(order, x), order ? far * sign(x) : far);
  };
  return inDouble(wide, x);
}

/// The sum of the digammas of k + 1 and k + order + 1.
static double digammas(int order, int k) {
  double sum = -2 * std::numbers::egamma;
  for (int j = 1; j <= k + order; ++j)
    sum += (j <= k ? 2.0 : 1.0) / j;
  return sum;
}

static Element nearY(int order, Element x) {
  auto weight = [&](int k) { return digammas(order, k); };
  Element sum = polynomial(x * x * 0.25, powerSeries(order, powerTerms, -1, weight));
  Element regular = log(x * 0.5) * nearJ(order, x) * (2 / pi);
  return order ? regular - 2 / pi / x - x * 0.5 * sum / pi : regular - sum / pi;
}

Element besselY(int order, Element x) {
  auto wide = [&](Element x) {
    Element positive = select(x <= isFar, nearY(order, x), waveOf(order, x).sine);
    Element other = select(x == 0.0, constant(*x.b, -infinity), constant(*x.b, notANumber));
    return select(x > 0.0, positive, other);
  };
  return inDouble(wide, x);
}

//===----------------------------------------------------------------------===//
// Modified
//===----------------------------------------------------------------------===//

Element besselI(int order, Element x, bool isScaled) {
  auto wide = [&](Element x) {
    Element size = abs(x), r = 1.0 / size;
    auto one = [](int) { return 1.0; };
    const double isFarModified = 20; // all terms have one sign, so that no digits are lost
    Element near = polynomial(x * x * 0.25, powerSeries(order, 56, 1, one));
    near = order ? size * 0.5 * near : near;
    Element far = sqrt(r / (2 * pi)) * polynomial(-r, asymptoticSeries(order, 16));
    Element growth = exp(isScaled ? -size : size);
    // The square root's factor first: the exponential alone overflows earlier.
    near = isScaled ? near * growth : near;
    far = isScaled ? far : far * exp(size * 0.5) * exp(size * 0.5);
    Element value = select(size <= isFarModified, near, far);
    return order ? select(x < 0.0, -value, value) : value;
  };
  return inDouble(wide, x);
}

/// The integral of exp(x - x cosh t) cosh(order t) over t >= 0 by the trapezoidal rule, of which
/// the error falls exponentially.
static Element scaledIntegral(double order, Element x) {
  const double steps = 64;
  Element u = 40.0 / x + 1.0, last = log(u + sqrt(u * u - 1.0)), h = last / steps;
  Element half = constant(*x.b, 0.5);
  Element sum = iterated(constant(*x.b, steps), {half}, [&](Element k, ArrayRef<Element> now) {
                  Element t = (k + 1.0) * h, e = exp(t * 0.5) - exp(t * -0.5);
                  Element weight =
                      order ? (exp(t * order) + exp(t * -order)) * 0.5 : constant(*x.b, 1);
                  return SmallVector<Element>{now[0] + exp(-x * e * e * 0.5) * weight};
                }).front();
  return sum * h;
}

Element besselK(int order, Element x, bool isScaled) {
  auto wide = [&](Element x) {
    // Below this the first terms of the series near 0 are all there is.
    const double isTiny = 1e-3;
    Element logarithm = log(x * 0.5) + std::numbers::egamma;
    Element tiny = order ? 1.0 / x + x * 0.5 * (logarithm - 0.5) : -logarithm;
    Element scaled = scaledIntegral(order, max(x, isTiny));
    Element positive = isScaled ? select(x < isTiny, tiny * exp(x), scaled)
                                : select(x < isTiny, tiny, scaled * exp(-x));
    Element other = select(x == 0.0, constant(*x.b, infinity), constant(*x.b, notANumber));
    return select(x > 0.0, positive, other);
  };
  return inDouble(wide, x);
}

Element sphericalBessel(Element x) {
  auto wide = [](Element x) {
    Element ratio = select(isInf(x), constant(*x.b, 0), sin(x) / x);
    return select(abs(x) < 1e-4, 1.0 - x * x * (1.0 / 6), ratio);
  };
  return inDouble(wide, x);
}

//===----------------------------------------------------------------------===//
// Airy
//===----------------------------------------------------------------------===//

/// The solution of y'' = x y that starts as 1 (first = 0) or as x (first = 1).
static Element airySolution(Element x, int first) {
  SmallVector<double> coefficients{1};
  for (int k = 1; k < 40; ++k)
    coefficients.push_back(coefficients.back() / ((3.0 * k + first) * (3.0 * k + first - 1)));
  Element sum = polynomial(x * x * x, coefficients);
  return first ? x * sum : sum;
}

Element airy(Element x) {
  auto wide = [](Element x) {
    // Values of the function and of its derivative at 0.
    Element near =
        airySolution(x, 0) * 0.355028053887817239 - airySolution(x, 1) * 0.258819403792806798;
    Element size = abs(x), root = sqrt(size), z = size * root * (2. / 3), r = 1.0 / z;
    // Those of K with order 1/3, up to signs.
    SmallVector<double> all = asymptoticSeries(1. / 3, 14), turned(all);
    Element decay = exp(-z) / (sqrt(root) * (2 * std::sqrt(pi))) * polynomial(r, all);
    for (size_t k = 1; k < turned.size(); k += 2)
      turned[k] = -turned[k];
    Element s = r * r, angle = z - pi / 4;
    Element wave = cos(angle) * polynomial(s, everySecond(turned, 0)) +
                   sin(angle) * r * polynomial(s, everySecond(turned, 1));
    wave = wave / (sqrt(root) * std::sqrt(pi));
    Element far = select(x > 0.0, decay, wave);
    far = select(isInf(x), constant(*x.b, 0), far);
    return select(size <= 6.0, near, far);
  };
  return inDouble(wide, x);
}

} // namespace jit
