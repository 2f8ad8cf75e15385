//===- Loss.cpp - builders for the rules of Loss.td -----------------------===//

#include "Rules/Loss.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Loss.h"
#include "jit/Dialect/Aten/View.h"

#include <numbers>

using namespace mlir;

namespace jit {

Decomposition reducedLoss(Tensor each, Int reduction) {
  GraphBuilder &build = *each.b;
  if (!reduction.known() || !each.info().hasRank() || !each.info().dtype())
    return failure();
  if (*reduction.known() == 0)
    return each;
  return *reduction.known() == 1 ? build.op<aten::MeanOp>(each, build.none()) : sum(each);
}

Tensor smoothDistance(Tensor difference, Float limit, bool isHuber) {
  GraphBuilder &build = *difference.b;
  Tensor distance = abs(difference), isFar = distance >= limit;
  // What is far, infinite even, has no part in the gradient of the square; NaN is near.
  Tensor near = square(where(isFar, 0.0, difference)) * 0.5;
  Tensor far = build.op<aten::SubScalarOp>(distance, limit, 0.5); // distance - 0.5 * limit
  if (isHuber)
    far = far * limit;
  else if (limit.known() == 0.0)
    return distance;
  else
    near = near / limit;
  return where(isFar, far, near);
}

Tensor huberDistance(Tensor self, Tensor target, Float delta) {
  Tensor distance = smoothDistance(self - target, delta, /*isHuber=*/true);
  Type dtype = self.info().dtype();
  if (!dtype)
    self.b->failed = true;
  return dtype ? converted(distance, dtype) : distance;
}

Tensor positivePart(Tensor t) { return t.b->op<aten::ClampMinOp>(t, 0); }

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// The dimension of the classes.
static int64_t classDim(Tensor self) { return self.info().rank() == 1 ? 0 : 1; }

namespace {

/// What a loss over classes reads of its targets.
struct Classes {
  GraphBuilder &build;
  ClassTargets given;
  int64_t dim, count; // of the classes
  Type dtype;
  Tensor isIgnored, target; // a class for each example, 0 where it does not count

  Classes(Tensor self, ClassTargets given)
      : build(*self.b), given(given), dim(classDim(self)), count(self.info().size(dim)),
        dtype(self.info().dtype()), isIgnored(given.target == Any(given.ignored)),
        target(build.op<aten::WhereScalarSelfOp>(
            isIgnored, 0, converted(given.target, IntegerType::get(dtype.getContext(), 64)))) {}

  /// Zero for the examples that do not count.
  Tensor counted(Tensor each) const { return where(isIgnored, 0.0, each); }

  /// The weight of each class, along their dimension.
  std::optional<Tensor> weights(int64_t rank) const {
    if (!given.weight)
      return std::nullopt;
    SmallVector<int64_t> sizes(rank, 1);
    sizes[dim] = count;
    return build.op<aten::ViewOp>(build.op<aten::DetachOp>(*given.weight), build.ints(sizes));
  }

  /// The weight of each example's class; 1 without weights.
  Tensor weightOfEach() const {
    if (!given.weight)
      return converted(!isIgnored, dtype);
    Tensor weight = build.op<aten::DetachOp>(*given.weight);
    return counted(build.op<aten::IndexTensorOp>(weight, optionals(build, {target})));
  }

  /// `each` reduced; the mean is over the weight of the examples that count.
  Decomposition reduced(Tensor each, Int reduction) const {
    if (*reduction.known() == 0)
      return each;
    return *reduction.known() == 2 ? sum(each) : sum(each) / sum(weightOfEach());
  }
};

} // namespace

/// Whether there is a target for each example, or for each class of each example; what types leave
/// open a call compares.
static bool haveFittingSizes(Tensor self, Tensor target) {
  if (isa<FloatType>(target.info().dtype()))
    return haveEqualSizes(self, target);
  if (target.info().rank() != self.info().rank() - 1)
    return false;
  for (int64_t dim = 0; dim < target.info().rank(); ++dim)
    if (!haveEqualSize(self, dim < classDim(self) ? dim : dim + 1, target, dim))
      return false;
  return true;
}

/// The number of classes is known, and of what else there may be any number.
static bool isReady(Tensor self, ClassTargets targets, Int reduction) {
  TensorInfo of = self.info(), target = targets.target.info();
  return of.hasRank() && of.rank() >= 1 && isa_and_present<FloatType>(of.dtype()) &&
         of.size(classDim(self)) != TensorType::kDynamic && target.hasRank() && target.dtype() &&
         targets.weight.isSettled() && reduction.known() && haveFittingSizes(self, targets.target);
}

static Tensor nllOfEach(Tensor self, const Classes &classes) {
  GraphBuilder &build = classes.build;
  Tensor at = unsqueeze(classes.target, classes.dim);
  Tensor each = -squeeze(build.op<aten::GatherOp>(self, classes.dim, at, false), classes.dim);
  if (classes.given.weight)
    each = each * classes.weightOfEach();
  return classes.counted(each);
}

Decomposition nllLoss(Tensor self, ClassTargets targets, Int reduction) {
  if (!isReady(self, targets, reduction))
    return failure();
  Classes classes(self, targets);
  return classes.reduced(nllOfEach(self, classes), reduction);
}

/// Every class has a probability of its own.
static Decomposition crossEntropyOfProbabilities(Tensor logs, ClassTargets targets, Int reduction,
                                                 double smoothing) {
  int64_t rank = logs.info().rank(), dim = classDim(logs), classes = logs.info().size(dim);
  Tensor target = targets.target;
  if (smoothing > 0)
    target = target * (1 - smoothing) + smoothing / classes;
  Tensor each = logs * target;
  if (targets.weight) {
    SmallVector<int64_t> sizes(rank, 1);
    sizes[dim] = classes;
    each = each * Tensor(logs.b->op<aten::ViewOp>(*targets.weight, logs.b->ints(sizes)));
  }
  each = -sum(each, {dim}, false);
  if (*reduction.known() != 1)
    return reducedLoss(each, reduction);
  Int count = each.b->i(1);
  for (int64_t i = 0; i < each.info().rank(); ++i)
    count = count * sizeOf(each, i);
  return each.b->op<aten::DivScalarOp>(sum(each), count);
}

Decomposition crossEntropy(Tensor self, ClassTargets targets, Int reduction, Float smoothing) {
  if (!isReady(self, targets, reduction) || !smoothing.known())
    return failure();
  GraphBuilder &build = *self.b;
  double smooth = *smoothing.known();
  int64_t dim = classDim(self);
  Tensor logs = build.op<aten::LogSoftmaxIntOp>(self, dim, build.none());
  if (isa<FloatType>(targets.target.info().dtype()))
    return crossEntropyOfProbabilities(logs, targets, reduction, smooth);
  Classes classes(logs, targets);
  Decomposition nll = classes.reduced(nllOfEach(logs, classes), reduction);
  if (smooth == 0)
    return nll;
  auto weights = classes.weights(logs.info().rank());
  Tensor all = -sum(weights ? logs * *weights : logs, {dim}, false);
  Decomposition even = classes.reduced(classes.counted(all), reduction);
  return Tensor(build, nll.values->front()) * (1 - smooth) +
         Tensor(build, even.values->front()) * (smooth / classes.count);
}

//===----------------------------------------------------------------------===//
// Other probabilities
//===----------------------------------------------------------------------===//

static Decomposition weighted(Tensor each, OptTensor weight, Int reduction) {
  if (!weight.isSettled())
    return failure();
  return reducedLoss(weight ? each * *weight : each, reduction);
}

Decomposition binaryCrossEntropy(Tensor self, Tensor target, OptTensor weight, Int reduction) {
  GraphBuilder &build = *self.b;
  // A probability of 0 costs 100 and not infinity.
  auto bounded = [&](Tensor logarithm) { return build.op<aten::ClampMinOp>(logarithm, -100); };
  Tensor right = bounded(log(self)), wrong = bounded(build.op<aten::Log1pOp>(-self));
  return weighted((target - 1.0) * wrong - target * right, weight, reduction);
}

Decomposition binaryCrossEntropyOfLogits(Tensor self, Tensor target, OptTensor weight,
                                         OptTensor positiveWeight, Int reduction) {
  if (!positiveWeight.isSettled())
    return failure();
  Tensor logarithm = self.b->op<aten::LogSigmoidOp>(self);
  if (positiveWeight)
    logarithm = logarithm * ((*positiveWeight - 1.0) * target + 1.0);
  // PyTorch computes in the memory of 1 - target.
  Tensor other = 1.0 - target, each = typeAs(other * self, other);
  return weighted(typeAs(each - logarithm, other), weight, reduction);
}

Decomposition divergence(Tensor self, Tensor target, Int reduction, Bool isLogTarget) {
  if (!isLogTarget.known())
    return failure();
  if (*isLogTarget.known())
    return reducedLoss(exp(target) * (target - self), reduction);
  return reducedLoss(self.b->op<aten::XlogyTensorOp>(target, target) - target * self, reduction);
}

Decomposition poissonLoss(Tensor input, Tensor target, PoissonKind kind, Float eps, Int reduction) {
  if (!kind.isLogInput.known() || !kind.isFull.known())
    return failure();
  Tensor each = *kind.isLogInput.known() ? exp(input) - target * input
                                         : input - target * log(input + Any(eps));
  if (*kind.isFull.known()) {
    Tensor stirling = target * log(target) - target + log(target * (2 * std::numbers::pi)) * 0.5;
    each = typeAs(each + where(target <= 1.0, 0.0, stirling), each);
  }
  return reducedLoss(each, reduction);
}

//===----------------------------------------------------------------------===//
// Margins
//===----------------------------------------------------------------------===//

Tensor softMargin(Tensor self, Tensor target) {
  // PyTorch computes in memory of the type of self.
  return self.b->op<aten::Log1pOp>(exp(typeAs(-target, self) * self));
}

Tensor hinged(Tensor self, Tensor target, Float margin) {
  Tensor apart = positivePart(self.b->op<aten::RsubScalarOp>(self, margin, 1));
  return where(target == 1.0, 0.0, apart) + where(target == -1.0, 0.0, self);
}

Tensor cosineEmbedding(Tensor a, Tensor c, Tensor target, Float margin) {
  constexpr double tiny = 1e-12; // of squared lengths
  auto dot = [](Tensor x, Tensor y) { return sum(x * y, {-1}, false); };
  Tensor cosine = dot(a, c) / sqrt((dot(a, a) + tiny) * (dot(c, c) + tiny));
  Tensor apart = positivePart(cosine - Any(margin));
  return where(target == 1.0, 1.0 - cosine, 0.0) + where(target == -1.0, apart, 0.0);
}

/// Whether the number of classes is known, the last dimension of `self`, and how many dimensions
/// the targets have.
static bool areClassesKnown(Tensor self, Tensor target) {
  return self.info().hasRank() && self.info().dtype() && target.info().hasRank() &&
         target.info().dtype() && areLastKnown(self, std::min<int64_t>(self.info().rank(), 1));
}

/// [examples, columns], with as many examples as `self` has.
static Tensor rowsOf(Tensor t, Tensor self, int64_t columns) {
  GraphBuilder &build = *t.b;
  Int batch = self.info().rank() == 2 ? sizeOf(self, 0) : build.i(1);
  return build.op<aten::ViewOp>(t, build.list({batch, build.i(columns)}));
}

/// positivePart(), and 0 where the margin is NaN: these losses add only what is greater than 0.
static Tensor exceeding(Tensor margin) { return where(margin > 0.0, margin, 0.0); }

Decomposition multiMargin(Tensor self, Tensor target, OptTensor weight, PowerAndMargin how,
                          Int reduction) {
  GraphBuilder &build = *self.b;
  auto power = IntInfo(how.power.v).known;
  if (!areClassesKnown(self, target) || !weight.isSettled() || !power || *power < 1 || *power > 2)
    return build.notYet("the classes of self and target, whether weight is None, and 1 or 2 as p");
  int64_t classes = self.info().rank() == 0 ? 1 : self.info().size(-1);
  Tensor rows = rowsOf(self, self, classes), at = rowsOf(target, self, 1);
  Tensor each = exceeding(rows - build.op<aten::GatherOp>(rows, 1, at, false) + how.margin);
  if (*power == 2)
    each = each * each;
  if (weight)
    each = each *
           build.op<aten::IndexTensorOp>(build.op<aten::DetachOp>(*weight), optionals(build, {at}));
  Tensor others = sum(where(at == counting(build, classes), 0.0, each), {1}, false);
  Tensor mean = others / double(classes);
  return reducedLoss(self.info().rank() == 2 ? mean : squeeze(mean, 0), reduction);
}

Decomposition multilabelMargin(Tensor self, Tensor target, Int reduction) {
  GraphBuilder &build = *self.b;
  if (!areClassesKnown(self, target))
    return build.notYet("the classes of self and target");
  int64_t classes = self.info().rank() == 0 ? 1 : self.info().size(-1);
  Tensor rows = rowsOf(self, self, classes), at = rowsOf(target, self, classes);
  guardWithin(at, -1, build.i(classes - 1));
  // The labels end before the first negative one.
  Tensor isLabel =
      build.op<aten::CumprodOp>(converted(at >= 0.0, at.info().dtype()), 1, build.none()) == 1.0;
  at = build.op<aten::WhereScalarOtherOp>(isLabel, at, 0);
  Tensor label = unsqueeze(isLabel, 2); // [batch, label, 1]
  Tensor hits = label && (unsqueeze(at, 2) == counting(build, classes));
  Tensor isTarget = build.op<aten::AnyDimOp>(hits, 1, true); // [batch, 1, class]
  Tensor right = unsqueeze(build.op<aten::GatherOp>(rows, 1, at, false), 2);
  Tensor each = exceeding(1.0 - (right - unsqueeze(rows, 1)));
  each = where(label && !isTarget, each, 0.0);
  Tensor mean = sum(each, {1, 2}, false) / double(classes);
  return reducedLoss(self.info().rank() == 2 ? mean : squeeze(mean, 0), reduction);
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

Tensor distance(Tensor a, Tensor c, Float p, Float eps, Any keepdim) {
  GraphBuilder &build = *a.b;
  return build.op<aten::LinalgVectorNormOp>(a - c + eps, p, build.ints({-1}), keepdim,
                                            build.none());
}

Decomposition tripletMargin(Triplet of, Float margin, Float p, Float eps, Bool swap,
                            Int reduction) {
  if (!swap.known())
    return failure();
  auto apart = [&](Tensor a, Tensor c) { return distance(a, c, p, eps, a.b->flag(false)); };
  Tensor far = apart(of.anchor, of.negative);
  if (*swap.known())
    far = far.b->op<aten::MinimumOp>(far, apart(of.positive, of.negative));
  return reducedLoss(positivePart(apart(of.anchor, of.positive) - far + margin), reduction);
}

/// The norms of points' differences along the last dimension. Each coordinate of the largest
/// distance gets the whole gradient, where those of a norm share it.
static Tensor normApart(Tensor difference, Float p) {
  GraphBuilder &build = *difference.b;
  // Points without coordinates are no distance apart, by the largest of them too.
  if (difference.info().hasRank() && difference.info().size(-1) == 0)
    return sum(difference, {-1}, false);
  Tensor norm =
      build.op<aten::LinalgVectorNormOp>(difference, p, build.ints({-1}), false, build.none());
  if (p.known() != std::numeric_limits<double>::infinity())
    return norm;
  Tensor fixed = build.op<aten::DetachOp>(norm);
  Tensor shares = sum(abs(difference) == unsqueeze(fixed, -1), {-1}, false);
  // Zero, with the norm's gradient.
  Tensor zero = where(build.op<aten::IsfiniteOp>(fixed), norm - fixed, 0.0);
  return norm + zero * (typeAs(shares, norm) - 1.0);
}

Decomposition crossDistances(Tensor a, Tensor c, Float p) {
  Tensor difference = unsqueeze(a, -2) - unsqueeze(c, -3);
  // No NaN is the largest, in PyTorch's cdist alone.
  if (p.known() == std::numeric_limits<double>::infinity())
    difference = where(isNan(difference), 0.0, difference);
  return normApart(difference, p);
}

Decomposition pairDistances(Tensor self, Float p) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || self.info().rank() != 2)
    return build.notYet("the sizes of a matrix");
  Any none = build.none();
  if (self.info().size(0) < 2)
    return build.op<aten::NewZerosOp>(self, build.ints({0}), none, none, none, none);
  // Each row beside those after it.
  SmallVector<Tensor> parts;
  for (int64_t i = 0, rows = self.info().size(0); i + 1 < rows; ++i) {
    Tensor difference = slice(self, 0, i, i + 1) - slice(self, 0, i + 1, rows);
    parts.push_back(normApart(difference, p));
  }
  return build.op<aten::CatOp>(build.list(parts), 0);
}

} // namespace jit
