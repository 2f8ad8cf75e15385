//===- SearchOrders.cpp - builders for the rules of Search.td: along rows -===//

#include "Rules/GraphBuilders.h"
#include "Rules/Pointwise.h"
#include "Rules/Search.h"
#include "Rules/Statistics.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Search.h"

using namespace mlir;

namespace jit {

std::optional<Str> combinationOf(Str reduce) {
  if (reduce.known() == "add")
    return reduce.b->str("sum");
  if (reduce.known() == "multiply")
    return reduce.b->str("prod");
  return std::nullopt;
}

Decomposition reducedAlong(Tensor self, Int dim, Tensor index, Tensor source, Str reduce,
                           Bool includeSelf) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !isStatic(index) || !isStatic(source))
    return build.notYet("the sizes of self, index and source");
  int64_t rank = std::max<int64_t>(1, self.info().rank());
  auto at = wrapped(dim, rank);
  if (!at)
    return build.notYet("a constant dim of self");
  Tensor base =
      self.info().rank() == 0 ? Tensor(build.op<aten::ViewOp>(self, build.ints({1}))) : self;
  SmallVector<int64_t> sizes(rank, 1), written(base.info().sizes());
  sizes[*at] = written[*at] = elementCount(index);
  Tensor places = build.op<aten::ViewOp>(index, build.ints(sizes));
  places = build.op<aten::ExpandOp>(places, build.ints(written), false);
  source = build.op<aten::ViewOp>(source, build.ints(written));
  Tensor result =
      build.op<aten::ScatterReduceTwoOp>(base, *at, places, source, reduce, includeSelf);
  return build.op<aten::ViewOp>(result, build.ints(self.info().sizes()));
}

//===----------------------------------------------------------------------===//
// What was so far
//===----------------------------------------------------------------------===//

namespace {
/// Each element of a row, [..., n, 1], against each, [..., 1, n], along a last dimension.
struct Pairs {
  Tensor self, other, isUpTo;
  int64_t dim;
};
} // namespace

/// nullopt where too little is known; rank 0 has no row.
static std::optional<Pairs> pairsAlong(Tensor self, Int dim) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || self.info().rank() == 0)
    return std::nullopt;
  auto at = wrapped(dim, self.info().rank());
  if (!at)
    return std::nullopt;
  Tensor rows = transpose(self, *at, -1);
  Tensor place = counting(build, self.info().size(*at));
  return Pairs{unsqueeze(rows, -1), unsqueeze(rows, -2), place <= unsqueeze(place, -1), *at};
}

Decomposition runningExtreme(Tensor self, Int dim, bool isMax) {
  GraphBuilder &build = *self.b;
  if (isStatic(self) && self.info().rank() == 0)
    return {self, converted(zerosLike(self), IntegerType::get(build.builder.getContext(), 64))};
  auto pairs = pairsAlong(self, dim);
  if (!pairs)
    return build.notYet("the sizes of self and a constant dim of it");
  int64_t size = self.info().size(pairs->dim);
  if (elementCount(self) == 0)
    return {self, converted(self, IntegerType::get(build.builder.getContext(), 64))};
  // An element is the extreme of those before it, or takes over where it is no worse; so does NaN.
  Tensor x = pairs->self, y = pairs->other;
  Tensor isWorse = isMax ? y > x : y < x;
  bool isFloat = isa<FloatType>(self.info().dtype());
  if (isFloat)
    isWorse = (isWorse || isNan(y)) && !isNan(x);
  Tensor takesOver = !Tensor(build.op<aten::AnyDimOp>(isWorse && pairs->isUpTo, -1, false));
  // The last place that took over.
  Tensor place = where(unsqueeze(takesOver, -2) && pairs->isUpTo, counting(build, size), -1.0);
  Tensor last = build.op<aten::AmaxOp>(place, build.ints({-1}), false);
  Tensor index =
      transpose(converted(last, IntegerType::get(build.builder.getContext(), 64)), pairs->dim, -1);
  return {build.op<aten::GatherOp>(self, pairs->dim, index, false), index};
}

Decomposition runningLogSumExp(Tensor self, Int dim) {
  if (isStatic(self) && self.info().rank() == 0)
    return self;
  auto pairs = pairsAlong(self, dim);
  if (!pairs)
    return self.b->notYet("the sizes of self and a constant dim of it");
  if (elementCount(self) == 0)
    return self;
  Tensor upTo = where(pairs->isUpTo, pairs->other, -std::numeric_limits<double>::infinity());
  Tensor result = self.b->op<aten::LogsumexpOp>(upTo, self.b->ints({-1}), false);
  return transpose(result, pairs->dim, -1);
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

Decomposition nanMedian(Tensor self, Int dim, Bool keepdim) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !keepdim.known())
    return build.notYet("the sizes of self and the value of keepdim");
  if (self.info().rank() == 0)
    return {self, converted(zerosLike(self), IntegerType::get(build.builder.getContext(), 64))};
  auto at = wrapped(dim, self.info().rank());
  if (!at || self.info().size(*at) == 0)
    return build.notYet("a constant dim of self that has elements");
  Operation *sorted = build.multi<aten::SortOp>(self, *at, false);
  // NaN comes last.
  Tensor numbers = sum(!isNan(self), {*at}, true);
  Tensor place =
      build.op<aten::ClampMinOp>(quotient(numbers + -1.0, onesLike(numbers) + 1.0, "floor"), 0);
  place = converted(place, IntegerType::get(build.builder.getContext(), 64));
  auto picked = [&](unsigned result) -> Tensor {
    Tensor t = build.op<aten::GatherOp>(sorted->getResult(result), *at, place, false);
    return *keepdim.known() ? t : squeeze(t, *at);
  };
  return {picked(0), picked(1)};
}

Decomposition wholeNanMedian(Tensor all) {
  if (isStatic(all) && all.info().size(0) == 0)
    return wholeMedian(all);
  Decomposition both = nanMedian(all, all.b->i(0), all.b->flag(false));
  if (failed(both.values))
    return both;
  return Tensor(*all.b, both.values->front());
}

/// The next choice of places below `count`, in order; false after the last.
static bool advance(SmallVectorImpl<int64_t> &choice, int64_t count, bool withReplacement) {
  int64_t size = choice.size();
  for (int64_t i = size - 1; i >= 0; --i) {
    int64_t last = withReplacement ? count - 1 : count - size + i;
    if (choice[i] >= last)
      continue;
    ++choice[i];
    for (int64_t j = i + 1; j < size; ++j)
      choice[j] = withReplacement ? choice[i] : choice[j - 1] + 1;
    return true;
  }
  return false;
}

Decomposition mostFrequent(Tensor self, Int dim, Bool keepdim) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !keepdim.known())
    return build.notYet("the sizes of self and the value of keepdim");
  if (self.info().rank() == 0)
    return {self, converted(zerosLike(self), build.builder.getI64Type())};
  auto at = wrapped(dim, self.info().rank());
  if (!at || self.info().size(*at) == 0)
    return build.notYet("a constant dim of self that has elements");
  Tensor rows = transpose(self, *at, -1);
  Tensor sorted(build, build.multi<aten::SortOp>(rows, -1, false)->getResult(0));
  Tensor counts = sum(unsqueeze(sorted, -1) == unsqueeze(sorted, -2), {-1}, false);
  Tensor best = build.op<aten::ArgmaxOp>(counts, -1, true);
  Tensor common = build.op<aten::GatherOp>(sorted, -1, best, false);
  // All NaN: the first.
  Tensor place = where(rows == common, counting(build, self.info().size(*at)), 0.0);
  Tensor last = build.op<aten::AmaxOp>(place, build.ints({-1}), true);
  last = converted(last, build.builder.getI64Type());
  // The gradient goes to that place.
  Tensor value = build.op<aten::GatherOp>(rows, -1, last, false);
  auto placed = [&](Tensor t) {
    return *keepdim.known() ? transpose(t, *at, -1) : squeeze(transpose(t, *at, -1), *at);
  };
  return {placed(value), placed(last)};
}

Decomposition combinations(Tensor self, Int count, Bool withReplacement) {
  GraphBuilder &build = *self.b;
  int64_t size = count.known().value_or(0);
  if (!isStatic(self) || self.info().rank() != 1 || size < 1 || !withReplacement.known())
    return build.notYet(
        "the size of one dimension, an r of 1 or more and the value of with_replacement");
  int64_t n = self.info().size(0);
  SmallVector<int64_t> choice(size, 0), places;
  if (!*withReplacement.known())
    choice = llvm::to_vector(llvm::seq<int64_t>(size));
  const size_t mostPlaces = 100000;
  if (n > 0 && choice.back() < n)
    do
      llvm::append_range(places, choice);
    while (advance(choice, n, *withReplacement.known()) && places.size() < mostPlaces);
  if (places.size() >= mostPlaces)
    return build.notYet("fewer combinations");
  if (places.empty())
    return build.op<aten::NewZerosOp>(self, build.ints({0, size}), build.none(), build.none(),
                                      build.none(), build.none());
  Any none = build.none();
  Tensor index = build.op<aten::TensorOp>(build.ints(places), none, none, false);
  Tensor picked = build.op<aten::IndexTensorOp>(self, optionals(build, {index}));
  return build.op<aten::ViewOp>(picked, build.ints({-1, size}));
}

Decomposition powersOf(Tensor x, OptInt count) {
  GraphBuilder &build = *x.b;
  if (!isStatic(x) || !count.isSettled() || (count && !(*count).known()))
    return build.notYet("the sizes of x, whether count is None, and the value of count");
  if (x.info().rank() == 0)
    x = unsqueeze(x, 0);
  int64_t powers = count ? *(*count).known() : x.info().size(-1);
  if (powers < 0)
    return build.notYet("an N of 0 or more");
  if (x.info().dtype().isInteger() && !x.info().dtype().isInteger(64))
    x = converted(x, IntegerType::get(build.builder.getContext(), 64));
  Tensor exponents = counting(build, powers);
  return build.op<aten::PowTensorTensorOp>(unsqueeze(x, -1), exponents);
}

Decomposition powersOf(Tensor x, OptInt count, Bool increasing) {
  GraphBuilder &build = *x.b;
  if (!increasing.known() || !x.info().hasRank() || x.info().rank() != 1)
    return build.notYet("a row x, and the value of increasing");
  Decomposition rising = powersOf(x, count);
  if (failed(rising.values) || *increasing.known())
    return rising;
  return build.op<aten::FlipOp>(Tensor(build, rising.values->front()), build.ints({1}));
}

} // namespace jit
