//===- PointwiseGrads.cpp - words for the `grads` rules of Pointwise.td ---===//

#include "Rules/Pointwise.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Pointwise.h"

#include <cmath>

using namespace mlir;

namespace jit {

/// A number that is a constant.
static std::optional<double> knownNumber(Any number) {
  if (auto known = FloatInfo(number.v).known)
    return known;
  if (auto known = IntInfo(number.v).known)
    return double(*known);
  return std::nullopt;
}

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

} // namespace jit
