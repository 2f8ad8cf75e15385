//===- ComplexArithmetic.cpp - sums, products and quotients of complex numbers -===//

#include "ComplexParts.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace jit {

using Call = const ComplexCall &;
using Given = std::optional<Parts>;

static Parts fullLike(const Parts &a, Any number) {
  return {jit::fullLike(a.re, number), zerosLike(a.re)};
}

/// alpha, which may be complex, times an operand.
static Parts timesAlpha(Call call, unsigned i) {
  return call[2].im ? full(call[i]) * call[2] : scaled(call[i], call.value(2));
}
static Given sum(Call call) { return full(call[0]) + timesAlpha(call, 1); }
static Given difference(Call call) { return full(call[0]) - timesAlpha(call, 1); }
static Given reversedDifference(Call call) { return full(call[1]) - timesAlpha(call, 0); }

/// alpha * other, for a number.
static Parts shift(Call call) { return scaled(fullLike(call[0], call.value(1)), call.value(2)); }
static Given sumWithNumber(Call call) { return full(call[0]) + shift(call); }
static Given differenceWithNumber(Call call) { return full(call[0]) - shift(call); }
static Given reversedDifferenceWithNumber(Call call) {
  return fullLike(call[0], call.value(1)) - scaled(call[0], call.value(2));
}

static Given product(Call call) { return full(call[0]) * full(call[1]); }
static Given productWithNumber(Call call) { return scaled(call[0], call.value(1)); }
static Given quotient(Call call) {
  return call[1].im ? call[0] / call[1] : divided(call[0], call[1].re);
}
static Given quotientWithNumber(Call call) { return divided(call[0], call.value(1)); }
static Given reciprocal(Call call) { return Parts{onesLike(call[0].re)} / call[0]; }
static Given weightedProduct(Call call) {
  return full(call[0]) + scaled(call[1], call.value(3)) * full(call[2]);
}

/// From the nearer end, by the weight's absolute value.
static Parts between(const Parts &start, const Parts &end, const Parts &weight) {
  Parts way = full(end) - full(start),
        rest = Parts{onesLike(weight.re), zerosLike(weight.re)} - weight;
  Parts fromStart = full(start) + way * weight, fromEnd = full(end) - way * rest;
  Tensor isNear = magnitude(weight) < 0.5;
  return {where(isNear, fromStart.re, fromEnd.re), where(isNear, *fromStart.im, *fromEnd.im)};
}
static Given between(Call call) { return between(call[0], call[1], full(call[2])); }
static Given betweenByNumber(Call call) {
  return between(call[0], call[1], call[2].im ? call[2] : fullLike(call[0], call.value(2)));
}
static Given weightedQuotient(Call call) {
  return full(call[0]) + scaled(call[1], call.value(3)) / full(call[2]);
}

ComplexRule arithmeticRule(StringRef name) {
  static const llvm::StringMap<ComplexRule> rules = {{"add.Tensor", sum},
                                                     {"add.Scalar", sumWithNumber},
                                                     {"sub.Tensor", difference},
                                                     {"sub.Scalar", differenceWithNumber},
                                                     {"subtract.Tensor", difference},
                                                     {"subtract.Scalar", differenceWithNumber},
                                                     {"rsub.Tensor", reversedDifference},
                                                     {"rsub.Scalar", reversedDifferenceWithNumber},
                                                     {"mul.Tensor", product},
                                                     {"mul.Scalar", productWithNumber},
                                                     {"multiply.Tensor", product},
                                                     {"multiply.Scalar", productWithNumber},
                                                     {"div.Tensor", quotient},
                                                     {"div.Scalar", quotientWithNumber},
                                                     {"divide.Tensor", quotient},
                                                     {"divide.Scalar", quotientWithNumber},
                                                     {"true_divide.Tensor", quotient},
                                                     {"true_divide.Scalar", quotientWithNumber},
                                                     {"reciprocal", reciprocal},
                                                     {"addcmul", weightedProduct},
                                                     {"addcdiv", weightedQuotient},
                                                     {"lerp.Tensor", between},
                                                     {"lerp.Scalar", betweenByNumber}};
  return rules.lookup(name);
}

} // namespace jit
