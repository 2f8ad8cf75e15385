//===- ReductionGrads.cpp - builders for the `grads` rules of Reduction.td -===//

#include "Rules/Reduction.h"
#include "Rules/Special.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

#include <cmath>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static Tensor part(Tensor t, Int dim, int64_t start, int64_t end) {
  return t.b->op<aten::SliceTensorOp>(t, dim, start, end, 1);
}

/// 1, and the elements from the first on: without the last.
static Tensor moved(Tensor t, Int dim) {
  Tensor parts[] = {onesLike(part(t, dim, 0, 1)), part(t, dim, 0, -1)};
  return t.b->op<aten::CatOp>(t.b->list(parts), dim);
}

/// The product of all others, of those before an element and those behind it.
static Tensor productOfOthers(Tensor x, Int dim) {
  GraphBuilder &build = *x.b;
  IntList dims = build.list(ArrayRef<Int>{dim});
  Tensor before = build.op<aten::CumprodOp>(moved(x, dim), dim, build.none());
  Tensor turned = build.op<aten::FlipOp>(x, dims);
  Tensor behind = build.op<aten::CumprodOp>(moved(turned, dim), dim, build.none());
  return before * Tensor(build.op<aten::FlipOp>(behind, dims));
}

static Tensor isAnywhere(Tensor condition) { return condition.b->op<aten::AnyOp>(condition); }

/// The product over the element, or, where 0 is anywhere in the tensor, the product of the others:
/// infinities and NaN show which of the two PyTorch takes.
Tensor prodGrad(const Reduced &op, Tensor grad) {
  GraphBuilder &build = *grad.b;
  if (op.self.info().hasRank() && op.self.info().rank() == 0)
    return grad;
  Tensor x = typeAs(op.self, grad), isZero = x == 0.0;
  bool isWhole = op.dims.isNone();
  Tensor row = isWhole ? Tensor(build.op<aten::ReshapeOp>(x, build.ints({-1}))) : x;
  Tensor others = productOfOthers(row, isWhole ? build.i(0) : Int(build, op.dims.v));
  if (isWhole) {
    // Of two zeros, PyTorch makes zeros of all, whatever the others are.
    Tensor isNone = sum(isZero) > 1.0 && isNan(others);
    others = viewAs(where(isNone, 0.0, others), x);
  }
  Tensor over = op.kept(op.result) / where(isZero, 1.0, x);
  return op.kept(grad) * where(isAnywhere(isZero), others, over);
}

/// Up to the first 0 the running products are divided by the element. At it they are made without
/// it, and behind it all of them are 0.
Gradient cumprodGrad(Tensor self, Tensor result, Int dim, Tensor grad) {
  GraphBuilder &build = *grad.b;
  auto along = dim.known();
  if (!self.info().hasRank() || !along)
    return failure();
  if (self.info().rank() == 0 || self.info().size(*along) == 1)
    return grad;
  Tensor x = typeAs(self, grad), weighted = grad * result;
  Tensor isZero = x == 0.0, divisor = where(isZero, 1.0, x);
  Tensor zeros = build.op<aten::CumsumOp>(isZero, dim, build.none());
  Tensor isFirst = isZero && zeros == 1.0, isBehind = zeros == 1.0 && !isZero;
  Tensor before = sumFromEnd(where(zeros == 0.0, weighted, 0.0), dim) / divisor;
  Tensor behind = build.op<aten::CumprodOp>(where(isBehind, x, 1.0), dim, build.none());
  Tensor at = sumAlong(behind * where(zeros == 1.0, grad, 0.0), dim) * moved(result, dim);
  Tensor without = sumFromEnd(weighted, dim) / divisor;
  Tensor some = where(zeros == 0.0, before, where(isFirst, at, 0.0));
  return where(isAnywhere(isZero), some, without);
}

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

Tensor extremeGrad(const Reduced &op, Tensor grad) {
  Tensor isExtreme = op.self == op.kept(op.result);
  return isExtreme * (op.kept(grad) / sumAlong(isExtreme, op.dims));
}

Tensor nansumGrad(const Reduced &op, Tensor grad) {
  return op.kept(grad) * typeAs(!isNan(op.self), grad);
}

Tensor wholeExtremeGrad(Tensor self, Tensor result, Tensor grad) {
  Tensor isExtreme = self == result || (isNan(self) && isNan(result));
  return where(isExtreme, grad / sum(isExtreme), 0.0);
}

Gradient pickedGrad(const Reduced &op, Tensor grad) {
  GraphBuilder &build = *grad.b;
  auto dim = IntInfo(op.dims.v).known;
  if (!op.self.info().hasRank() || !dim)
    return failure();
  int64_t rank = op.self.info().rank();
  if (rank == 0)
    return grad;
  Any none = build.none();
  Tensor place = build.op<aten::ArangeOp>(sizeOf(op.self, *dim), none, none, none, none);
  for (int64_t behind = *dim < 0 ? -*dim - 1 : rank - 1 - *dim; behind > 0; --behind)
    place = unsqueeze(place, -1);
  return where(op.kept(op.result) == place, op.kept(grad), 0.0);
}

//===----------------------------------------------------------------------===//
// Spread
//===----------------------------------------------------------------------===//

Gradient spreadGrad(const Reduced &op, Any correction, Tensor grad, bool isRoot) {
  auto elements = reducedCount(op.self, op.dims);
  auto count = elements ? elements->known() : std::nullopt;
  auto less = correction.isNone() ? std::optional(1.0) : knownNumber(correction);
  if (!count || !less)
    return failure();
  grad = op.kept(inDouble(grad));
  if (Tensor root = op.kept(inDouble(op.result)); isRoot)
    grad = where(root == 0.0, 0.0, grad / (root * 2.0));
  double divisor = double(*count) - *less;
  Tensor x = inDouble(op.self), mean = sumAlong(x, op.dims) / double(*count);
  // Infinite for too few elements in all, but not along dimensions: so eager has it.
  if (divisor <= 0 && (op.dims.isNone() || op.self.info().rank() == 0))
    return grad * where(x == mean, NAN, zerosLike(x) + HUGE_VAL);
  return grad * (x - mean) * (2 / divisor);
}

Gradient spreadAndMeanGrad(const Reduced &op, Any correction, Tensor grad, Tensor gradMean,
                           bool isRoot) {
  Gradient ofSpread = spreadGrad(op, correction, grad, isRoot);
  if (failed(ofSpread.values))
    return failure();
  Tensor each = op.kept(gradMean) / double(*reducedCount(op.self, op.dims)->known());
  return Tensor(*grad.b, ofSpread.values->front()) + each;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

Tensor softmaxGrad(Tensor result, Int dim, Tensor grad) {
  return result * (grad - sumAlong(grad * result, dim));
}

Tensor logSoftmaxGrad(Tensor result, Int dim, Tensor grad) {
  return grad - exp(result) * sumAlong(grad, dim);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

Any orderOr2(OptScalar order) { return order.isNone() ? Any(order.b->i(2)) : Any(order); }

Gradient vectorNormGrad(const Reduced &op, Any order, Tensor grad) {
  auto p = knownNumber(order);
  if (!p)
    return failure();
  Tensor x = typeAs(op.self, grad), norm = op.kept(op.result);
  grad = op.kept(grad);
  if (*p == 0)
    return grad.b->none();
  if (*p == 1)
    return sign(x) * grad;
  if (*p == 2)
    return grad * where(norm == 0.0, 0.0, x / norm);
  if (std::isinf(*p)) {
    Tensor isExtreme = abs(x) == norm || isNan(x);
    return sign(x) * (grad / sumAlong(isExtreme, op.dims) * isExtreme);
  }
  Tensor share = *p < 2 ? sign(x) * pow(abs(x), *p - 1) : x * pow(abs(x), *p - 2);
  if (*p < 1)
    return where(x == 0.0, 0.0, share) * grad * pow(norm, 1 - *p);
  return share * where(norm == 0.0, 0.0, grad / pow(norm, *p - 1));
}

} // namespace jit
