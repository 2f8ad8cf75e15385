//===- Statistics.cpp - builders for the rules of Statistics.td -----------===//

#include "Rules/Statistics.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Statistics.h"

#include <cmath>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Moments
//===----------------------------------------------------------------------===//

/// How much each observation counts; nullopt where all count the same.
static std::optional<Tensor> weightsOf(OptTensor counts, OptTensor trust, Type dtype) {
  if (counts && trust)
    return converted(*counts, dtype) * converted(*trust, dtype);
  if (counts || trust)
    return converted(counts ? *counts : *trust, dtype);
  return std::nullopt;
}

Decomposition covariance(Tensor self, Int correction, OptTensor counts, OptTensor trust) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || self.info().rank() > 2 || !counts.isSettled() || !trust.isSettled() ||
      !correction.known())
    return build.notYet("the sizes of self, of at most two dimensions, the value of correction, "
                        "and whether the weights are None");
  Type dtype = isa<FloatType>(self.info().dtype()) ? self.info().dtype()
                                                   : Float32Type::get(build.builder.getContext());
  int64_t rank = self.info().rank();
  int64_t rows = rank == 2 ? self.info().size(0) : 1;
  int64_t count = rank == 0 ? 1 : self.info().size(-1);
  Tensor x = build.op<aten::ReshapeOp>(converted(self, dtype), build.ints({rows, count}));
  auto rowSums = [&](Tensor t) { return sum(t, {1}, true); };
  auto weights = weightsOf(counts, trust, dtype);
  double less = double(*correction.known());
  auto result = [&]() -> Tensor {
    if (!weights) {
      Tensor apart = x - rowSums(x) / double(count);
      return matmul(apart, transpose(apart, 0, 1)) / std::max(0.0, double(count) - less);
    }
    Tensor total = sum(*weights);
    Tensor apart = x - rowSums(x * *weights) / total;
    Tensor lost =
        trust && less != 0 ? sum(*weights * *trust) / total * less : onesLike(total) * less;
    Tensor divisor = build.op<aten::ClampMinOp>(total - lost, 0);
    return matmul(apart * *weights, transpose(apart, 0, 1)) / divisor;
  }();
  return rows == 1 ? Tensor(build.op<aten::ViewOp>(result, build.ints({}))) : result;
}

Decomposition correlation(Tensor self) {
  GraphBuilder &build = *self.b;
  OptTensor none(build, build.none().v);
  Decomposition covariances = covariance(self, build.i(1), none, none);
  if (failed(covariances.values))
    return failure();
  Tensor c(build, covariances.values->front());
  if (c.info().rank() < 2)
    return c / c;
  Tensor deviation = sqrt(build.op<aten::DiagonalOp>(c, 0, 0, 1));
  c = c / unsqueeze(deviation, 1) / unsqueeze(deviation, 0);
  return build.op<aten::ClampOp>(c, -1, 1);
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

Decomposition orderStatistic(Tensor self, Int dim, Bool keepdim, Int rank) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !rank.known() || !keepdim.known() ||
      !wrapped(dim, std::max<int64_t>(1, self.info().rank())))
    return build.notYet("the sizes of self, a constant dim of it, and the values of k and keepdim");
  Operation *sorted = build.multi<aten::SortOp>(self, dim, false);
  if (self.info().rank() == 0)
    return bothResults(build, sorted);
  int64_t index = *rank.known() - 1;
  if (index < 0 || index >= self.info().size(*dim.known()))
    return build.notYet("a k from 1 to the size");
  auto picked = [&](unsigned result) {
    Tensor t = build.op<aten::SelectIntOp>(sorted->getResult(result), dim, index);
    return *keepdim.known() ? Tensor(build.op<aten::UnsqueezeOp>(t, dim)) : t;
  };
  return {picked(0), picked(1)};
}

MedianRank medianRank(Tensor self, Int dim) {
  if (!isStatic(self) || self.info().rank() == 0 || !wrapped(dim, self.info().rank()))
    return {self.b->i(1)};
  return {self.b->i((self.info().size(*dim.known()) + 1) / 2)};
}

Decomposition orderStatistic(Tensor self, Int dim, Bool keepdim, MedianRank median) {
  GraphBuilder &build = *self.b;
  Decomposition middle = orderStatistic(self, dim, keepdim, median.rank);
  if (failed(middle.values) || !isa<FloatType>(self.info().dtype()) || self.info().rank() == 0)
    return middle;
  // argmax gives the first NaN where there is one.
  Tensor place = build.op<aten::ArgmaxOp>(self, dim, true);
  Tensor last = build.op<aten::GatherOp>(self, dim, place, false);
  if (!*keepdim.known()) {
    place = squeeze(place, *dim.known());
    last = squeeze(last, *dim.known());
  }
  Tensor hasNan = build.op<aten::IsnanOp>(last);
  return {where(hasNan, last, Tensor(build, (*middle.values)[0])),
          where(hasNan, place, Tensor(build, (*middle.values)[1]))};
}

Decomposition wholeMedian(Tensor all) {
  GraphBuilder &build = *all.b;
  if (!isStatic(all))
    return build.notYet("the sizes of self");
  if (all.info().size(0) == 0) {
    if (!isa<FloatType>(all.info().dtype()))
      return build.notYet("elements of self");
    return sum(all, {0}, false) + double(NAN);
  }
  Operation *sorted = build.multi<aten::SortOp>(all, 0, false);
  Tensor values(build, sorted->getResult(0));
  Tensor middle = build.op<aten::SelectIntOp>(values, 0, (all.info().size(0) - 1) / 2);
  if (!isa<FloatType>(all.info().dtype()))
    return middle;
  // NaN is sorted to the end and is the median of whatever holds it.
  Tensor last = build.op<aten::SelectIntOp>(values, 0, all.info().size(0) - 1);
  return where(build.op<aten::IsnanOp>(last), last, middle);
}

/// What is between two neighbours, `share` of the way from the first to the second; nullopt for a
/// way that does not exist.
static std::optional<Tensor> between(Tensor low, Tensor high, double share, StringRef how) {
  if (how == "linear" || how == "midpoint")
    return low.b->op<aten::LerpScalarOp>(low, high,
                                         how == "linear" ? share
                                         : share > 0     ? 0.5
                                                         : 0.0);
  if (how == "lower")
    return low;
  if (how == "higher")
    return high;
  return how == "nearest" ? std::optional(low) : std::nullopt; // the position is rounded
}

Decomposition quantile(Tensor self, Float q, OptInt dim, Bool keepdim, Str interpolation) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !q.known() || !dim.isSettled() || !keepdim.known() ||
      !interpolation.known() || *q.known() < 0 || *q.known() > 1)
    return build.notYet("the sizes of self, a q from 0 to 1, whether dim is None, and the values "
                        "of keepdim and interpolation");
  bool isFlat = !dim || self.info().rank() == 0;
  Tensor all = isFlat ? Tensor(build.op<aten::ReshapeOp>(self, build.ints({-1}))) : self;
  auto place = wrapped(dim ? *dim : build.i(0), all.info().rank());
  if (!place || all.info().size(*place) == 0)
    return build.notYet("a constant dim of self that has elements");
  Tensor sorted(build, build.multi<aten::SortOp>(all, *place, false)->getResult(0));
  auto at = [&](double position) -> Tensor {
    return build.op<aten::SelectIntOp>(sorted, *place, int64_t(position));
  };
  double position = *q.known() * double(all.info().size(*place) - 1), low = std::floor(position);
  if (*interpolation.known() == "nearest")
    position = low = std::nearbyint(position);
  auto value = between(at(low), at(std::ceil(position)), position - low, *interpolation.known());
  if (!value)
    return build.notYet(
        "\"linear\", \"lower\", \"higher\", \"midpoint\" or \"nearest\" as interpolation");
  Tensor result = *value;
  Tensor last = at(double(all.info().size(*place) - 1));
  result = where(build.op<aten::IsnanOp>(last), last, result);
  if (!*keepdim.known())
    return result;
  SmallVector<int64_t> sizes(self.info().rank(), 1);
  if (!isFlat) {
    sizes.assign(self.info().sizes().begin(), self.info().sizes().end());
    sizes[*place] = 1;
  }
  return build.op<aten::ViewOp>(result, build.ints(sizes));
}

/// Of sorted rows [..., n] what is at the positions [..., k] between their elements.
static std::optional<Tensor> elementsAt(Tensor sorted, Tensor position, StringRef how) {
  GraphBuilder &build = *sorted.b;
  Tensor low = build.op<aten::FloorOp>(position), high = build.op<aten::CeilOp>(position);
  auto at = [&](Tensor place) -> Tensor {
    Tensor index = converted(place, build.builder.getI64Type());
    index = build.op<aten::ClampOp>(index, 0, sorted.info().size(-1) - 1);
    return build.op<aten::GatherOp>(sorted, -1, index, false);
  };
  if (how == "lower")
    return at(low);
  if (how == "higher")
    return at(high);
  if (how == "nearest")
    return at(build.op<aten::RoundOp>(position));
  if (how != "linear" && how != "midpoint")
    return std::nullopt;
  Tensor share = how == "linear" ? position - low : onesLike(low) * 0.5;
  return Tensor(build.op<aten::LerpTensorOp>(at(low), at(high), share));
}

Decomposition quantiles(Tensor self, Any q, OptInt dim, Bool keepdim, QuantileOptions options) {
  GraphBuilder &build = *self.b;
  Any none = build.none();
  bool isNumber = !isa<TensorType>(q.v.getType());
  if (!isStatic(self) || !isa<FloatType>(self.info().dtype()) || !dim.isSettled() ||
      !keepdim.known() || !options.interpolation.known())
    return build.notYet("the sizes of self, of floats, whether dim is None, and the values of "
                        "keepdim and interpolation");
  int64_t dtype = int64_t(*typeToDtype(self.info().dtype()));
  Tensor wanted = isNumber ? build.op<aten::FullOp>(build.ints({}), q, dtype, none, none, none)
                           : Tensor(build, q.v);
  bool isFlat = !dim || self.info().rank() == 0;
  Tensor all = isFlat ? Tensor(build.op<aten::ReshapeOp>(self, build.ints({-1}))) : self;
  auto place = wrapped(dim ? *dim : build.i(0), all.info().rank());
  if (!isStatic(wanted) || wanted.info().rank() > 1 || !place || all.info().size(*place) == 0)
    return build.notYet(
        "the sizes of q, of at most one dimension, and a constant dim of self that has elements");
  Tensor rows = transpose(all, *place, -1);
  Tensor sorted(build, build.multi<aten::SortOp>(rows, -1, false)->getResult(0));
  Tensor numbers = sum(!isNan(sorted), {-1}, true);
  Tensor count = options.skipsNan ? numbers : onesLike(numbers) * double(rows.info().size(-1));
  Tensor last = build.op<aten::ClampMinOp>(typeAs(count, self) - 1.0, 0);
  Tensor position = last * Tensor(build.op<aten::ReshapeOp>(wanted, build.ints({-1})));
  // NaN is sorted to the end, and is what a row that holds it gives, with the gradient.
  if (!options.skipsNan)
    position = where(numbers == double(rows.info().size(-1)), position, last);
  auto found = elementsAt(sorted, position, *options.interpolation.known());
  if (!found)
    return build.notYet(
        "\"linear\", \"lower\", \"higher\", \"midpoint\" or \"nearest\" as interpolation");
  Tensor result = *found;
  // [k, sizes...] without the dimension, or with 1 in its place.
  SmallVector<int64_t> sizes(self.info().rank(), 1);
  if (!isFlat)
    sizes.assign(self.info().sizes().begin(), self.info().sizes().end());
  if (isFlat && !*keepdim.known())
    sizes.clear();
  if (!isFlat)
    *keepdim.known() ? (void)(sizes[*place] = 1) : (void)sizes.erase(sizes.begin() + *place);
  result = unsqueeze(transpose(result, *place, -1), 0);
  result = transpose(result, 0, *place + 1);
  if (wanted.info().rank() == 1)
    sizes.insert(sizes.begin(), wanted.info().size(0));
  return build.op<aten::ReshapeOp>(result, build.ints(sizes));
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

Decomposition differences(Tensor self, Int order, Int dim, OptTensor before, OptTensor after) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !order.known() || !before.isSettled() || !after.isSettled())
    return build.notYet(
        "the sizes of self, the value of order, and whether before and after are None");
  auto place = wrapped(dim, self.info().rank());
  if (!place)
    return build.notYet("a constant dim of self");
  if (*order.known() == 0)
    return self;
  SmallVector<Tensor> parts;
  if (before)
    parts.push_back(*before);
  parts.push_back(self);
  if (after)
    parts.push_back(*after);
  Tensor result =
      parts.size() == 1 ? self : Tensor(build.op<aten::CatOp>(build.list(parts), *place));
  if (!isStatic(result))
    return build.notYet("the sizes of result");
  for (int64_t i = 0; i < *order.known(); ++i) {
    int64_t size = result.info().size(*place);
    if (size == 0)
      break;
    Tensor next = slice(result, *place, 1, size), own = slice(result, *place, 0, size - 1);
    bool isBool = self.info().dtype().isInteger(1);
    result = isBool ? Tensor(build.op<aten::LogicalXorOp>(next, own)) : next - own;
  }
  return result;
}

/// All but the last and all but the first along a dimension.
static std::pair<Tensor, Tensor> neighbours(Tensor t, int64_t dim) {
  GraphBuilder &build = *t.b;
  return {build.op<aten::SliceTensorOp>(t, dim, 0, -1, 1),
          build.op<aten::SliceTensorOp>(t, dim, 1, build.none(), 1)};
}

/// The places `x` of what is integrated, of as many dimensions as `y`; nullopt where these do not
/// go together.
static std::optional<Tensor> placesLike(Tensor y, Tensor x, int64_t dim) {
  GraphBuilder &build = *y.b;
  if (!x.info().hasRank() || x.info().rank() == 0)
    return std::nullopt;
  if (x.info().rank() == 1 && y.info().rank() > 1) {
    if (!haveEqualSize(x, 0, y, dim))
      return std::nullopt;
    SmallVector<int64_t> sizes(y.info().rank(), 1);
    sizes[dim] = -1;
    return build.op<aten::ReshapeOp>(x, build.ints(sizes));
  }
  bool isKnown = isStatic(x) && isStatic(y);
  if (x.info().rank() != y.info().rank() || (!isKnown && !haveEqualSizes(x, y)))
    return std::nullopt;
  return x;
}

/// The areas between neighbours, [..., count - 1]; nullopt where too little is known.
static std::optional<Tensor> trapezoids(Tensor y, Any step, Int dim) {
  if (!y.info().hasRank() || !y.info().dtype())
    return std::nullopt;
  auto place = wrapped(dim, y.info().rank());
  if (!place || y.info().size(*place) == 0)
    return std::nullopt;
  auto [own, next] = neighbours(y, *place);
  if (!isa<TensorType>(step.v.getType()))
    return (own + next) * step / 2.0;
  auto x = placesLike(y, Tensor(*y.b, step.v), *place);
  if (!x)
    return std::nullopt;
  auto [from, to] = neighbours(*x, *place);
  return (to - from) * (own + next) / 2.0;
}

Decomposition areaOfTrapezoids(Tensor y, Any step, Int dim) {
  auto areas = trapezoids(y, step, dim);
  if (areas && !isa<TensorType>(step.v.getType())) {
    // As PyTorch adds where all are of one width: without the halves at the ends, of which an
    // infinite one leaves NaN.
    GraphBuilder &build = *y.b;
    int64_t place = *wrapped(dim, y.info().rank());
    Tensor first = build.op<aten::SliceTensorOp>(y, place, 0, 1, 1);
    Tensor last = build.op<aten::SliceTensorOp>(y, place, -1, build.none(), 1);
    Tensor ends = sum(first + last, {place}, false);
    return (sum(y, {place}, false) - ends / 2.0) * step;
  }
  return areas ? Decomposition(sum(*areas, {*dim.known()}, false))
               : y.b->notYet("the sizes of y and x and a constant dim of y");
}

Decomposition runningAreaOfTrapezoids(Tensor y, Any step, Int dim) {
  auto areas = trapezoids(y, step, dim);
  if (!areas)
    return y.b->notYet("the sizes of y and x and a constant dim of y");
  return y.b->op<aten::CumsumOp>(*areas, dim, y.b->none());
}

} // namespace jit
