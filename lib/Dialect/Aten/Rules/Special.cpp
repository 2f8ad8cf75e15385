//===- Special.cpp - words for the rules of Special.td --------------------===//

#include "Rules/Special.h"
#include "Rules/GraphWords.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

Element entropy(Element x) {
  Element below = constant(*x.b, -INFINITY);
  Element other = select(x == 0.0, constant(*x.b, 0), select(isNan(x), x, below));
  return select(x > 0.0, -x * log(x), other);
}

Element normalDistribution(Element x) { return erfc(x * -std::numbers::sqrt2 * 0.5) * 0.5; }

Element angle(Element x) {
  Element positive = select(isNan(x), x, constant(*x.b, 0));
  return select(x < 0.0, constant(*x.b, std::numbers::pi), positive);
}

Element xLog1pY(Element x, Element y) {
  Element product = select(x == 0.0, constant(*x.b, 0), x * log1p(y));
  return select(isNan(y), y, product);
}

Element logAddExp2(Element a, Element c) {
  Element larger = max(a, c);
  Element sum = larger + log2(1.0 + exp2(-abs(a - c)));
  // Two equal infinities have no difference.
  return select(logicalAnd(isInf(a), a == c), a, sum);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Tensor xLog1pGradOfSelf(Tensor self, Any other, Tensor grad) {
  auto y = knownNumber(other);
  if (!y) {
    self.b->failed = true;
    return grad;
  }
  Tensor flowing = grad * std::log1p(*y);
  return *y <= -1 ? where(self == 0.0, 0.0, flowing) : flowing;
}

Tensor inDouble(Tensor t) { return converted(t, Float64Type::get(t.b->builder.getContext())); }

Decomposition roundedTo(Tensor self, Int decimals) {
  GraphBuilder &build = *self.b;
  if (!decimals.known() || !self.info().dtype())
    return build.notYet();
  if (!isa<FloatType>(self.info().dtype()))
    return self;
  double ten = std::pow(10.0, double(std::abs(*decimals.known())));
  if (*decimals.known() < 0)
    return Tensor(build.op<aten::RoundOp>(self / ten)) * ten;
  return Tensor(build.op<aten::RoundOp>(self * ten)) / ten;
}

Decomposition safeSoftmax(Tensor self, Int dim, Any dtype) {
  GraphBuilder &build = *self.b;
  Tensor isOut = build.op<aten::AllDimOp>(self == -INFINITY, dim, true);
  // Something finite instead, through which no NaN comes back as a gradient.
  return where(isOut, 0.0, build.op<aten::SoftmaxIntOp>(where(isOut, 0.0, self), dim, dtype));
}

} // namespace jit
