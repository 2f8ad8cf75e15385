//===- Uniques.cpp - builders for the rules of Mask.td: each once ---------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/Mask.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

static Tensor viewed(Tensor t, ArrayRef<int64_t> sizes) {
  return t.b->op<aten::ViewOp>(t, t.b->ints(sizes));
}

/// All elements of `t`, whose sizes are known or which is a row.
static Tensor row(Tensor t) { return isStatic(t) ? viewed(t, {elementCount(t)}) : t; }

static Tensor likeSelf(Tensor row, Tensor self) {
  return isStatic(self) ? viewed(row, self.info().sizes()) : row;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// A row, or slices along the first dimension, in which what is equal stands side by side.
struct Runs {
  Tensor elements, isFirst, number;
};
} // namespace

/// Whether `self` is a row of which data may tell the size.
static bool isRow(Tensor self) {
  return self.info().hasRank() && self.info().rank() == 1 && self.info().tensor.hasDtype();
}

/// Of a row of open size each element is compared with the one that stands before it, by its place.
static Runs runsOfOpenRow(Tensor elements) {
  GraphBuilder &build = *elements.b;
  Tensor place = countUpTo(zerosLike(elements) == 0.0) - build.i(1);
  Tensor before = build.op<aten::IndexTensorOp>(
      elements,
      optionals(build, {build.op<aten::ClampOp>(place - build.i(1), build.i(0), build.none())}));
  Tensor isFirst = place == 0.0 || !(elements == before);
  return {elements, isFirst, countUpTo(isFirst) - build.i(1)};
}

/// NaN is no other's equal, nor its own.
static Runs runsOf(Tensor elements) {
  if (!isStatic(elements))
    return runsOfOpenRow(elements);
  GraphBuilder &build = *elements.b;
  int64_t count = elements.info().size(0);
  Tensor before = slice(elements, 0, 0, count - 1), after = slice(elements, 0, 1, count);
  Any none = build.none();
  Tensor first =
      build.op<aten::OnesOp>(build.ints({1}), int64_t(ScalarType::Bool), none, none, none);
  Tensor isOther = !(before == after);
  if (elements.info().rank() > 1)
    isOther = build.op<aten::AnyDimOp>(
        build.op<aten::ReshapeOp>(isOther, build.ints({count - 1, elementCount(elements) / count})),
        1, false);
  Tensor isFirst = build.op<aten::CatOp>(build.list({first, isOther}), 0);
  return {elements, isFirst, countUpTo(isFirst) - build.i(1)};
}

static Tensor nothing(GraphBuilder &build) {
  Any none = build.none();
  return build.op<aten::ZerosOp>(build.ints({0}), int64_t(ScalarType::Long), none, none, none);
}

/// Of each element of a row, how many stand in its run.
static Tensor lengthsOf(const Runs &runs) {
  Tensor isSame = unsqueeze(runs.number, 0) == unsqueeze(runs.number, 1);
  return sum(isSame, {1}, false);
}

static Tensor picked(Tensor t, Tensor places) {
  return t.b->op<aten::IndexTensorOp>(t, optionals(*t.b, {places}));
}

static Tensor firsts(const Runs &runs, Tensor t) {
  return picked(t, placesIn(runs.isFirst).front());
}

/// What there is of no elements.
static Decomposition uniquesOfNone(Tensor self, bool wantsInverse) {
  Tensor none = nothing(*self.b);
  return {row(self), wantsInverse ? viewed(none, self.info().sizes()) : none, none};
}

/// [size of the dimension, the other sizes].
static Tensor slicesAlong(Tensor self, int64_t dim) {
  SmallVector<int64_t> order = {dim};
  for (int64_t other = 0; other < self.info().rank(); ++other)
    if (other != dim)
      order.push_back(other);
  return permute(self, order);
}

static Tensor backAlong(Tensor slices, int64_t dim) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(1, slices.info().rank()));
  order.insert(order.begin() + dim, 0);
  return permute(slices, order);
}

static Decomposition slicesOnce(const Runs &runs, int64_t dim, Tensor inverse) {
  return {backAlong(firsts(runs, runs.elements), dim), inverse, firsts(runs, lengthsOf(runs))};
}

static Decomposition uniqueRunsOfSlices(Tensor self, Int dim) {
  auto at = wrapped(dim, self.info().rank());
  if (at && self.info().size(*at) == 0)
    return {self, nothing(*self.b), nothing(*self.b)};
  if (!at || elementCount(self) == 0)
    return self.b->notYet("a constant dim of self, with elements");
  Runs runs = runsOf(slicesAlong(self, *at));
  return slicesOnce(runs, *at, runs.number);
}

Decomposition uniqueRuns(Tensor self, Bool wantsInverse, Bool wantsCounts, OptInt dim) {
  GraphBuilder &build = *self.b;
  if (!(isStatic(self) || isRow(self)) || !wantsInverse.known() || !wantsCounts.known() ||
      !dim.isSettled())
    return build.notYet("the sizes of self, the values of return_inverse and return_counts, and "
                        "whether dim is None");
  if (dim && self.info().rank() > 1)
    return uniqueRunsOfSlices(self, *dim);
  if (isStatic(self) && elementCount(self) == 0)
    return uniquesOfNone(self, *wantsInverse.known());
  Runs runs = runsOf(row(self));
  Tensor inverse = nothing(build), counts = nothing(build);
  if (*wantsInverse.known())
    inverse = likeSelf(runs.number, self);
  if (*wantsCounts.known())
    counts = firsts(runs, lengthsOf(runs));
  return {firsts(runs, runs.elements), inverse, counts};
}

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

Decomposition uniqueElements(Tensor self, Bool wantsInverse, Bool wantsCounts) {
  GraphBuilder &build = *self.b;
  if (!(isStatic(self) || isRow(self)) || !wantsInverse.known() || !wantsCounts.known())
    return build.notYet("the sizes of self, and the values of return_inverse and return_counts");
  if (isStatic(self) && elementCount(self) == 0)
    return uniquesOfNone(self, *wantsInverse.known());
  Operation *sorted = build.multi<aten::SortOp>(row(self), 0, false);
  Runs runs = runsOf(Tensor(build, sorted->getResult(0)));
  Tensor inverse = nothing(build), counts = nothing(build);
  if (*wantsInverse.known()) {
    Tensor back = build.op<aten::ScatterSrcOp>(zerosLike(runs.number), 0,
                                               Tensor(build, sorted->getResult(1)), runs.number);
    inverse = likeSelf(back, self);
  }
  if (*wantsCounts.known())
    counts = firsts(runs, lengthsOf(runs));
  return {firsts(runs, runs.elements), inverse, counts};
}

/// [rows, rows]: of each pair of rows whether the first comes before the second, NaN behind all
/// numbers.
static Tensor comesBefore(Tensor rows) {
  GraphBuilder &build = *rows.b;
  int64_t length = rows.info().size(1);
  bool hasNan = isa<FloatType>(rows.info().dtype());
  Tensor left = unsqueeze(rows, 1), right = unsqueeze(rows, 0), isSame = left == right;
  if (hasNan)
    isSame = isSame || (isNan(left) && isNan(right));
  Tensor end = zerosLike(counting(build, length)) + build.i(length - 1);
  Tensor first =
      build.op<aten::AminOp>(where(isSame, end, counting(build, length)), build.ints({-1}), false);
  Tensor here = build.op<aten::GatherOp>(rows, 1, first, false), there = transpose(here, 0, 1);
  Tensor isLess = here < there;
  return hasNan ? isLess || (isNan(there) && !isNan(here)) : isLess;
}

Decomposition uniqueSlices(Tensor self, Int dim) {
  GraphBuilder &build = *self.b;
  auto at = isStatic(self) ? wrapped(dim, self.info().rank()) : std::nullopt;
  if (!at)
    return build.notYet("the sizes of self and a constant dim of it");
  int64_t count = self.info().size(*at);
  if (count == 0)
    return {self, nothing(build), nothing(build)};
  if (elementCount(self) == 0)
    return build.notYet("elements beside an empty dimension");
  Tensor slices = slicesAlong(self, *at);
  Tensor isBefore = comesBefore(build.op<aten::ReshapeOp>(slices, build.ints({count, -1})));
  // Of those that are no different the first one comes first.
  Tensor number = counting(build, count);
  Tensor isEarlier = unsqueeze(number, 1) < unsqueeze(number, 0);
  Tensor isAhead = isBefore || (!transpose(isBefore, 0, 1) && isEarlier);
  Tensor place = sum(isAhead, {0}, false);
  Tensor order = build.op<aten::ScatterSrcOp>(zerosLike(place), 0, place, number);
  Runs runs = runsOf(picked(slices, order));
  return slicesOnce(runs, *at, picked(runs.number, place));
}

} // namespace jit
