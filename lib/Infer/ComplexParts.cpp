//===- ComplexParts.cpp - the words of rules for complex tensors ----------===//

#include "ComplexParts.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

Parts each(const Parts &a, function_ref<Tensor(Tensor)> map) {
  return {map(a.re), a.im ? std::optional(map(*a.im)) : std::nullopt};
}

Parts operator-(const Parts &a) {
  return each(a, [](Tensor t) { return -t; });
}

Parts full(const Parts &a) { return {a.re, imaginary(a)}; }

Parts scaled(const Parts &a, Any number) {
  Tensor re = a.re, im = imaginary(a);
  return {re * number - im * 0.0, im * number + re * 0.0};
}

Parts conj(const Parts &a) { return {a.re, a.im ? std::optional(-*a.im) : std::nullopt}; }

Parts operator+(const Parts &a, const Parts &b) {
  Parts sum{a.re + b.re, a.im ? a.im : b.im};
  if (a.im && b.im)
    sum.im = *a.im + *b.im;
  return sum;
}

Parts operator-(const Parts &a, const Parts &b) {
  Parts difference{a.re - b.re, a.im};
  if (b.im)
    difference.im = a.im ? *a.im - *b.im : -*b.im;
  return difference;
}

Parts bilinear(const Parts &a, const Parts &b, function_ref<Tensor(Tensor, Tensor)> product) {
  Parts result{product(a.re, b.re)};
  if (a.im && b.im)
    result.re = result.re - product(*a.im, *b.im);
  if (a.im)
    result.im = product(*a.im, b.re);
  if (b.im) {
    Tensor share = product(a.re, *b.im);
    result.im = result.im ? share + *result.im : share;
  }
  return result;
}

Parts operator*(const Parts &a, const Parts &b) {
  return bilinear(a, b, [](Tensor x, Tensor y) { return x * y; });
}

/// By the larger part of the divisor first, so that no square overflows.
Parts operator/(const Parts &a, const Parts &b) {
  if (!b.im)
    return each(a, [&](Tensor t) { return t / b.re; });
  Tensor isRealLarger = abs(b.re) >= abs(*b.im);
  Tensor large = where(isRealLarger, b.re, *b.im), small = where(isRealLarger, *b.im, b.re);
  // By 0 both parts are divided by 0.
  Tensor ratio = where(large == 0.0, 0.0, small / large);
  Tensor scale = 1.0 / (large + small * ratio);
  Tensor x = a.re, y = imaginary(a);
  Tensor re = where(isRealLarger, x + y * ratio, x * ratio + y);
  Tensor im = where(isRealLarger, y - x * ratio, y * ratio - x);
  return {re * scale, im * scale};
}

Tensor imaginary(const Parts &a) { return a.im ? *a.im : zerosLike(a.re); }

Tensor magnitude(const Parts &a) {
  if (!a.im)
    return abs(a.re);
  Tensor isZero = a.re == 0.0 && *a.im == 0.0;
  Tensor length = a.re.b->op<aten::HypotOp>(where(isZero, 1.0, a.re), *a.im);
  return where(isZero, 0.0, length);
}

Tensor phase(const Parts &a) {
  auto of = [](Tensor y, Tensor x) -> Tensor { return x.b->op<aten::Atan2Op>(y, x); };
  if (!a.im)
    return of(imaginary(a), a.re);
  Tensor isZero = a.re == 0.0 && *a.im == 0.0;
  // The zeros' signs say which of its values there: nothing flows back through them.
  Tensor there = a.re.b->op<aten::DetachOp>(of(*a.im, a.re));
  return where(isZero, there, of(*a.im, where(isZero, 1.0, a.re)));
}

} // namespace jit
