//===- Search.cpp - builders for the rules of Search.td: places and counts -===//

#include "Rules/Search.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Search.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Places in an order
//===----------------------------------------------------------------------===//

static bool isTensor(Any value) { return isa<TensorType>(value.v.getType()); }

static Type dtypeNamed(GraphBuilder &build, bool isInt32) {
  return IntegerType::get(build.builder.getContext(), isInt32 ? 32 : 64);
}

namespace {
/// What places are looked for in: a row, or rows of which each has wanted values of its own.
struct Order {
  Tensor sorted;
  Any wanted; // a tensor or a number
  bool isRight;

  int64_t size() const { return sorted.info().size(-1); }
  Tensor zeros() const;
  Tensor picked(Tensor at) const;
  Tensor comesBefore(Tensor value) const;
};
} // namespace

/// A place for each wanted value.
Tensor Order::zeros() const {
  GraphBuilder &build = *sorted.b;
  Any none = build.none();
  int64_t dtype = int64_t(ScalarType::Long);
  if (isTensor(wanted))
    return build.op<aten::ZerosLikeOp>(wanted, dtype, none, none, none, none);
  return build.op<aten::ZerosOp>(build.ints({}), dtype, none, none, none);
}

Tensor Order::picked(Tensor at) const {
  return sorted.info().rank() == 1 ? pickedFromFront(sorted, 0, at)
                                   : sorted.b->op<aten::GatherOp>(sorted, -1, at, false);
}

/// Neither comparison holds for NaN, which comes before everything and after it.
Tensor Order::comesBefore(Tensor value) const {
  if (!isTensor(wanted))
    return !(isRight ? value > wanted : value >= wanted);
  Tensor other(*sorted.b, wanted.v);
  return !(isRight ? value > other : value >= other);
}

/// By halves, as PyTorch does: what it gives for rows that are in no order, or hold NaN, depends on
/// the places that are looked at.
static Tensor bisected(const Order &order) {
  GraphBuilder &build = *order.sorted.b;
  Tensor start = order.zeros(), end = build.op<aten::AddScalarOp>(start, order.size(), 1);
  for (int64_t left = order.size(); left > 0; left /= 2) {
    Tensor middle = build.op<aten::BitwiseRightShiftTensorScalarOp>(start + end, 1);
    Tensor at = build.op<aten::ClampMaxOp>(middle, order.size() - 1);
    Tensor goesOn = start < end && order.comesBefore(order.picked(at));
    start = where(goesOn, Tensor(build.op<aten::AddScalarOp>(middle, 1, 1)), start);
    end = where(goesOn, end, middle);
  }
  return start;
}

/// Whether there is one row, or one for each row of wanted values.
static bool areRowsOf(Tensor sorted, Any wanted) {
  int64_t rank = sorted.info().rank();
  if (rank == 1)
    return true;
  if (!isTensor(wanted))
    return false;
  Tensor values(*sorted.b, wanted.v);
  if (!values.info().hasRank() || values.info().rank() != rank)
    return false;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    if (!haveEqualSize(sorted, dim, values, dim))
      return false;
  return true;
}

Decomposition placesInOrder(Tensor sorted, Any values, const Placing &placing) {
  GraphBuilder &build = *sorted.b;
  bool isSided = placing.side && !placing.side->isNone();
  if (!isStatic(sorted) || sorted.info().rank() == 0 || !placing.isInt32.known() ||
      !placing.isRight.known() || (isSided && !placing.side->known()) ||
      (placing.sorter && !placing.sorter->isSettled()))
    return build.notYet("the sizes of the sorted sequence, the values of out_int32, right and "
                        "side, and whether sorter is None");
  if (!areRowsOf(sorted, values))
    return build.notYet("one sorted row, or one for each row of values");
  if (placing.sorter && *placing.sorter)
    sorted = build.op<aten::GatherOp>(sorted, -1, **placing.sorter, false);
  bool isRight = isSided ? *placing.side->known() == "right" : *placing.isRight.known();
  Tensor places = bisected({sorted, values, isRight});
  return converted(places, dtypeNamed(build, *placing.isInt32.known()));
}

Decomposition placesAmong(Tensor boundaries, Any values, const Placing &placing) {
  TensorInfo info = boundaries.info();
  if (info.hasRank() && info.rank() != 1)
    return boundaries.b->error("expected boundaries of one dimension, got " + Twine(info.rank()));
  return placesInOrder(boundaries, values, placing);
}

static Tensor inverted(Tensor t, bool isInverted) { return isInverted ? !t : t; }

Decomposition isAmong(Tensor elements, Tensor others, Bool invert) {
  GraphBuilder &build = *elements.b;
  if (!invert.known() || !elements.info().hasRank())
    return build.notYet("the value of invert and the rank of elements");
  Tensor row = build.op<aten::ReshapeOp>(others, build.ints({-1}));
  Tensor found = build.op<aten::AnyDimOp>(unsqueeze(elements, -1) == row, -1, false);
  return inverted(found, *invert.known());
}

Decomposition isNumber(Tensor elements, Any number, Bool invert) {
  if (!invert.known())
    return elements.b->notYet("the value of invert");
  return inverted(elements == number, *invert.known());
}

Decomposition isAnywhere(Tensor others, Any number, Bool invert) {
  GraphBuilder &build = *others.b;
  if (!invert.known())
    return build.notYet("the value of invert");
  return inverted(build.op<aten::AnyOp>(others == number), *invert.known());
}

//===----------------------------------------------------------------------===//
// Histograms
//===----------------------------------------------------------------------===//

namespace {
struct Range {
  Tensor low, high;
};
} // namespace

/// As tensors of rank 0: the numbers, or where these are equal the extremes of the data; a range of
/// one number gets `more` on each side.
static std::optional<Range> rangeOf(Tensor self, std::optional<double> min,
                                    std::optional<double> max, double more) {
  GraphBuilder &build = *self.b;
  if (!min || !max || !isStatic(self) || !isa<FloatType>(self.info().dtype()))
    return std::nullopt;
  Any none = build.none();
  int64_t dtype = int64_t(*typeToDtype(self.info().dtype()));
  auto number = [&](double value) -> Tensor {
    return build.op<aten::FullOp>(build.ints({}), value, dtype, none, none, none);
  };
  if (*min != *max)
    return Range{number(*min), number(*max)};
  if (elementCount(self) == 0)
    return Range{number(*min == 0 ? 0 : *min - 1), number(*min == 0 ? 1 : *max + 1)};
  Tensor low = build.op<aten::MinOp>(self), high = build.op<aten::MaxOp>(self);
  Tensor isOne = low == high;
  return Range{where(isOne, low - more, low), where(isOne, high + more, high)};
}

Decomposition histogram(Tensor self, Int bins, Any min, Any max) {
  GraphBuilder &build = *self.b;
  auto range = rangeOf(self, knownNumber(min), knownNumber(max), 1);
  if (!range || !bins.known() || *bins.known() < 1)
    return build.notYet("a constant range and 1 or more as bins");
  Tensor all = build.op<aten::ReshapeOp>(self, build.ints({-1}));
  double count = double(*bins.known());
  Tensor place = (all - range->low) * count / (range->high - range->low);
  place = build.op<aten::ClampMaxOp>(build.op<aten::FloorOp>(place), count - 1);
  Tensor isInside = all >= range->low && all <= range->high;
  Tensor row = unsqueeze(counting(build, *bins.known()), -1);
  return converted(sum(row == place && isInside, {-1}, false), self.info().dtype());
}

std::optional<Tensor> edgesOf(Tensor self, Int bins, OptIntList range) {
  GraphBuilder &build = *self.b;
  if (!bins.known() || *bins.known() < 1 || !range.isSettled())
    return std::nullopt;
  std::optional<double> min = 0, max = 0;
  if (range) {
    auto ends = (*range).elements();
    if (!ends || ends->size() != 2)
      return std::nullopt;
    min = FloatInfo((*ends)[0]).known, max = FloatInfo((*ends)[1]).known;
  }
  auto found = rangeOf(self, min, max, 0.5);
  if (!found)
    return std::nullopt;
  // From the nearer end, so that both ends are exact.
  double count = double(*bins.known());
  Tensor step = (found->high - found->low) / count;
  Tensor place = converted(counting(build, *bins.known() + 1), self.info().dtype());
  return where(place < (count + 1) / 2, found->low + step * place,
               found->high - step * (count - place));
}

Decomposition histogram(Tensor self, std::optional<Tensor> edges, OptTensor weight, Bool density) {
  GraphBuilder &build = *self.b;
  if (!edges || !isStatic(self) || !isStatic(*edges) || edges->info().rank() != 1 ||
      edges->info().size(0) < 2 || !weight.isSettled() || !density.known())
    return build.notYet("the sizes of self and of two or more edges, whether weight is None and "
                        "the value of density");
  int64_t bins = edges->info().size(0) - 1;
  Tensor all = build.op<aten::ReshapeOp>(self, build.ints({-1}));
  auto part = [&](int64_t from, int64_t to) { return unsqueeze(slice(*edges, 0, from, to), -1); };
  Tensor low = part(0, bins), high = part(1, bins + 1);
  // The last bin has its upper edge too.
  Tensor isLast = unsqueeze(counting(build, bins), -1) == double(bins - 1);
  Tensor isInside = all >= low && (all < high || (isLast && all == high));
  Tensor counts = converted(isInside, self.info().dtype());
  if (weight)
    counts = counts * Tensor(build.op<aten::ReshapeOp>(*weight, build.ints({-1})));
  Tensor total = sum(counts, {-1}, false);
  if (*density.known())
    total = total / sum(total) / squeeze(high - low, -1);
  return {total, *edges};
}

//===----------------------------------------------------------------------===//
// Elements close to others, of rows, of masks
//===----------------------------------------------------------------------===//

Decomposition isClose(Tensor self, Tensor other, Float rtol, Float atol, Bool equalNan) {
  GraphBuilder &build = *self.b;
  if (!equalNan.known() || !self.info().dtype() || !other.info().dtype())
    return build.notYet("the value of equal_nan, and the element types of self and other");
  bool isFloat = isa<FloatType>(self.info().dtype());
  Tensor isEqual = self == other;
  if (isFloat && *equalNan.known())
    isEqual = isEqual || (isNan(self) && isNan(other));
  Type wide = isFloat ? self.info().dtype() : Float32Type::get(build.builder.getContext());
  Tensor a = converted(self, wide), c = converted(other, wide);
  Tensor allowed = abs(c * Any(rtol)) + Any(atol), apart = abs(a - c);
  return isEqual || (isFinite(apart) && apart <= allowed);
}

Decomposition isReal(Tensor self) {
  GraphBuilder &build = *self.b;
  if (!self.info().dtype())
    return build.notYet("the element type of self");
  if (isa<ComplexType>(self.info().dtype()))
    return Tensor(build.op<aten::ImagOp>(self)) == 0.0;
  Any none = build.none();
  int64_t isBool = int64_t(*typeToDtype(IntegerType::get(build.builder.getContext(), 1)));
  return build.op<aten::OnesLikeOp>(self, isBool, none, none, none, none);
}

/// The indices with 0 where the mask does not hold.
static std::optional<AnyList> maskedIndices(Tensor mask, AnyList indices) {
  auto elements = indices.elements();
  if (!elements)
    return std::nullopt;
  SmallVector<Any> kept;
  for (Value element : *elements) {
    if (!isa<TensorType>(element.getType())) {
      kept.push_back(Any(*mask.b, element));
      continue;
    }
    kept.push_back(mask.b->op<aten::WhereScalarOtherOp>(mask, element, 0));
  }
  return optionals(*mask.b, kept);
}

Decomposition maskedIndex(Tensor self, Tensor mask, AnyList indices, Any fill) {
  auto kept = maskedIndices(mask, indices);
  if (!kept)
    return self.b->notYet("the elements of indices, and the sizes of the mask");
  Tensor picked = self.b->op<aten::IndexTensorOp>(self, *kept);
  return self.b->op<aten::MaskedFillScalarOp>(picked, !mask, fill);
}

Decomposition maskedPut(Tensor self, Tensor mask, AnyList indices, Tensor values) {
  auto kept = maskedIndices(mask, indices);
  if (!kept)
    return self.b->notYet("the elements of indices, and the sizes of the mask");
  Tensor added = self.b->op<aten::MaskedFillScalarOp>(values, !mask, 0);
  return self.b->op<aten::IndexPutOp>(self, *kept, added, true);
}

Decomposition inDtype(Tensor t, Any dtype) {
  return t.b->op<aten::ToDTypeOp>(t, dtype, false, false, t.b->none());
}

/// A bound without its fraction; null where its type is not known yet.
static std::optional<Any> wholeBound(Any bound) {
  GraphBuilder &build = *bound.b;
  if (std::optional<double> number = knownNumber(bound))
    return build.f(std::trunc(*number));
  if (bound.v.getType().isF64())
    return Any(build, arith::FPToSIOp::create(build.builder, build.loc, build.builder.getI64Type(),
                                              bound.v));
  return bound.v.getType().isInteger(64) ? std::optional(bound) : std::nullopt;
}

Decomposition powersBetween(Any start, Any end, Int steps, Float base, Any dtype) {
  GraphBuilder &build = *start.b;
  if (isa<OptionalType>(dtype.v.getType()))
    return build.notYet("whether dtype is None");
  Any none = build.none();
  bool isDefault = dtype.isNone();
  auto number = isDefault ? std::nullopt : IntInfo(dtype.v).known;
  auto isFloat = [](int64_t dtype) {
    return llvm::is_contained(
        {ScalarType::Half, ScalarType::Float, ScalarType::Double, ScalarType::BFloat16},
        ScalarType(dtype));
  };
  if (!isDefault && !number)
    return build.notYet("the value of dtype");
  // Whole numbers come of whole bounds, cut off from what double precision gives.
  if (!isDefault && !isFloat(*number)) {
    std::optional<Any> first = wholeBound(start), last = wholeBound(end);
    if (!first || !last)
      return build.notYet("whole numbers as bounds");
    start = *first, end = *last;
  }
  int64_t computed = isDefault ? 6 : isFloat(*number) ? *number : 7;
  Tensor exponents = build.op<aten::LinspaceOp>(start, end, steps, computed, none, none, none);
  Tensor powers = build.op<aten::PowScalarOp>(base, exponents);
  return isDefault ? Decomposition(powers) : inDtype(powers, dtype);
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

Decomposition holdForAll(Tensor test) {
  GraphBuilder &build = *test.b;
  return build.op<aten::ItemOp>(build.op<aten::AllOp>(test));
}

Decomposition isLeftAligned(Tensor sequences, Tensor mask) {
  GraphBuilder &build = *mask.b;
  TensorInfo rows = mask.info(), all = sequences.info();
  bool isKnown = rows.hasRank() && rows.dtype() && all.hasRank();
  if (!isKnown || rows.rank() != 2 || !rows.dtype().isInteger(1) || all.rank() != 3)
    return build.notYet("a mask of bools for each row of a batch of sequences");
  Int end = build.i(std::numeric_limits<int64_t>::max());
  Tensor before = build.op<aten::SliceTensorOp>(mask, 1, 0, -1, 1);
  Tensor after = build.op<aten::SliceTensorOp>(mask, 1, 1, end, 1);
  return holdForAll(before || !after);
}

/// Nullopt where sizes are not known.
static std::optional<bool> sameSizes(TensorInfo left, TensorInfo right) {
  if (!left.hasRank() || !right.hasRank())
    return std::nullopt;
  if (left.rank() != right.rank())
    return false;
  bool isKnown = left.tensor.hasStaticSizes() && right.tensor.hasStaticSizes();
  return isKnown ? std::optional(left.sizes() == right.sizes()) : std::nullopt;
}

Decomposition haveSameSizes(Tensor a, Tensor c) {
  auto same = sameSizes(a.info(), c.info());
  return same ? Decomposition(a.b->flag(*same)) : a.b->notYet("the sizes of both tensors");
}

Decomposition areEqual(Tensor a, Tensor c) {
  auto same = sameSizes(a.info(), c.info());
  if (!same || !a.info().dtype() || !c.info().dtype())
    return a.b->notYet("the sizes and the element types of both tensors");
  return *same ? holdForAll(a == c) : Decomposition(a.b->flag(false));
}

} // namespace jit
