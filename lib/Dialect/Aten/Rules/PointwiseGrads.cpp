//===- PointwiseGrads.cpp - builders for the `grads` rules of Pointwise.td -===//

#include "Rules/Pointwise.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Pointwise.h"

#include <cmath>

using namespace mlir;

namespace jit {

Tensor powerGrad(Tensor base, Any exponent, Tensor grad) {
  GraphBuilder &build = *grad.b;
  std::optional<double> known = knownNumber(exponent);
  if (!known) {
    build.failed = true;
    return grad;
  }
  if (*known == 0)
    return zerosLike(grad);
  if (*known == 1)
    return grad;
  // An int stays one: small powers are products.
  Any less =
      IntInfo(exponent.v).known ? Any(build.i(int64_t(*known) - 1)) : Any(build.f(*known - 1));
  Tensor power = *known == 2 ? base : build.op<aten::PowTensorScalarOp>(base, less);
  return grad * (power * *known);
}

Tensor powerGradOfExponent(Any base, Tensor exponent, Tensor result, Tensor grad) {
  GraphBuilder &build = *grad.b;
  std::optional<double> known = knownNumber(base);
  if (!known) {
    build.failed = true;
    return grad;
  }
  Tensor slope = grad * (result * std::log(*known));
  return *known == 0 ? where(exponent >= 0.0, 0.0, slope) : slope;
}

//===----------------------------------------------------------------------===//
// Division and selection
//===----------------------------------------------------------------------===//

Gradient unlessRounded(Str mode, Tensor gradient) {
  if (isa<OptionalType>(mode.v.getType()))
    return failure();
  return mode.isNone() ? Gradient(gradient) : Gradient(zerosLike(gradient));
}

Tensor quotient(Tensor a, Tensor c, StringRef mode) {
  return a.b->op<aten::DivTensorModeOp>(a, c, a.b->str(mode));
}

Tensor sharedByEquals(Tensor self, Tensor other, Tensor grad) {
  return where(self == other, grad * 0.5, grad);
}

template <typename Bound>
static Tensor clampGradBetween(Tensor self, Bound min, Bound max, Tensor grad) {
  if (!min.isSettled() || !max.isSettled())
    grad.b->failed = true;
  if (min && max)
    return where(self >= *min && self <= *max, grad, 0.0);
  if (min)
    return where(self >= *min, grad, 0.0);
  return max ? where(self <= *max, grad, 0.0) : grad;
}
Tensor clampGrad(Tensor self, OptScalar min, OptScalar max, Tensor grad) {
  return clampGradBetween(self, min, max, grad);
}
Tensor clampGrad(Tensor self, OptTensor min, OptTensor max, Tensor grad) {
  return clampGradBetween(self, min, max, grad);
}

Tensor clampGradOfMin(Tensor self, Tensor min, OptTensor max, Tensor grad) {
  if (!max.isSettled())
    grad.b->failed = true;
  return max ? where(self < min && min < *max, grad, 0.0) : where(self < min, grad, 0.0);
}
Tensor clampGradOfMax(Tensor self, OptTensor min, Tensor max, Tensor grad) {
  if (!min.isSettled())
    grad.b->failed = true;
  return min ? where(self > max || max < *min, grad, 0.0) : where(self > max, grad, 0.0);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Tensor turned(Tensor grad, Tensor part, Tensor self, Tensor other) {
  Tensor squares = self * self + other * other;
  return where(squares == 0.0, 0.0, grad * (part / squares));
}

Tensor sincGrad(Tensor self, Tensor grad) {
  Tensor angle = self * M_PI, area = angle * self;
  Tensor slope = (angle * cos(angle) - sin(angle)) / area;
  return where(area == 0.0, 0.0, grad * slope);
}

Tensor logitGrad(Tensor self, OptFloat eps, Tensor grad) {
  GraphBuilder &build = *grad.b;
  if (!eps.isSettled() || (eps && !(*eps).known())) {
    build.failed = true;
    return grad;
  }
  // A negative eps is none.
  bool isClamped = eps && *(*eps).known() >= 0;
  double low = isClamped ? *(*eps).known() : 0;
  double outside = isClamped ? 0 : std::nan("");
  return where(self >= low && self <= 1.0 - low, grad / (self * (1.0 - self)), outside);
}

Tensor mishGrad(Tensor self, Tensor grad) {
  Tensor gate = tanh(self.b->op<aten::SoftplusOp>(self, 1, 20));
  return grad * (gate + self * sigmoid(self) * (1.0 - gate * gate));
}

Gradient geluGrad(Tensor self, Str approximate, Tensor grad) {
  if (!approximate.known())
    return failure();
  Tensor half = self * 0.5;
  if (*approximate.known() != "tanh") {
    Tensor density = exp(-(half * self)) * (M_2_SQRTPI * M_SQRT1_2 * 0.5);
    Tensor share = self.b->op<aten::ErfOp>(self * M_SQRT1_2) * 0.5 + 0.5;
    return grad * (share + self * density);
  }
  const double scale = M_SQRT2 * M_2_SQRTPI * 0.5, cubic = 0.044715;
  Tensor area = self * self;
  Tensor bend = tanh(self * (area * (scale * cubic) + scale));
  Tensor slope = area * (3 * scale * cubic) + scale;
  return grad * (bend * 0.5 + 0.5 + half * (1.0 - bend * bend) * slope);
}

} // namespace jit
