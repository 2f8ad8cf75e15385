//===- Mask.cpp - builders for the rules of Mask.td -----------------------===//

#include "Rules/Mask.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Mask.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

static Tensor viewed(Tensor t, ArrayRef<int64_t> sizes) {
  return t.b->op<aten::ViewOp>(t, t.b->ints(sizes));
}

static Tensor row(Tensor t) { return viewed(t, {elementCount(t)}); }

static Type i64(GraphBuilder &build) { return build.builder.getI64Type(); }

//===----------------------------------------------------------------------===//
// Where
//===----------------------------------------------------------------------===//

Type placesOfNonzero(TypeRules &infer, TensorInfo self) {
  if (!self.hasRank())
    return infer.unranked(infer.i64());
  bool isEmpty = llvm::is_contained(self.sizes(), 0);
  return infer.tensor({isEmpty ? 0 : TensorType::kDynamic, self.rank()}, infer.i64());
}

SmallVector<Tensor> placesIn(Tensor mask) {
  GraphBuilder &build = *mask.b;
  Tensor rows = build.op<aten::NonzeroOp>(mask);
  SmallVector<Tensor> columns;
  for (int64_t dim = 0; dim < mask.info().rank(); ++dim)
    columns.push_back(build.op<aten::SelectIntOp>(rows, 1, dim));
  return columns;
}

Decomposition placesByDimension(Tensor self) {
  if (!self.info().hasRank())
    return self.b->notYet("the rank of self");
  return self.b->list(placesIn(self.info().rank() == 0 ? unsqueeze(self, 0) : self));
}

Tensor countUpTo(Tensor mask) {
  return mask.b->op<aten::CumsumOp>(converted(mask, i64(*mask.b)), 0, mask.b->none());
}

/// As many numbers as there are places, each modulo its dimension: [count, rank].
static Tensor unraveled(Tensor numbers, ArrayRef<int64_t> sizes) {
  GraphBuilder &build = *numbers.b;
  SmallVector<Tensor> columns;
  for (int64_t size : llvm::reverse(sizes)) {
    columns.insert(columns.begin(), build.op<aten::RemainderScalarOp>(numbers, size));
    numbers = build.op<aten::DivScalarModeOp>(numbers, size, build.str("floor"));
  }
  return build.op<aten::StackOp>(build.list(columns), 1);
}

Decomposition firstPlaces(Tensor self, Int size, Int fill) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !size.known() || *size.known() < 0 || !fill.known())
    return build.notYet("the sizes of self, and constants of 0 or more as size and fill_value");
  int64_t count = elementCount(self), rank = self.info().rank();
  Any none = build.none();
  if (count == 0 || rank == 0 || *size.known() == 0)
    return build.op<aten::FullOp>(build.ints({*size.known(), rank}), fill, none, none, none, none);
  // Places behind the last row go to one more, which is cut off.
  int64_t rows = *size.known();
  Tensor mask = row(self) != 0.0, rank1 = countUpTo(mask);
  Tensor isKept = mask && rank1 <= double(rows);
  Tensor target = build.op<aten::WhereScalarOtherOp>(isKept, rank1 - build.i(1), build.i(rows));
  Tensor blank = build.op<aten::FullOp>(build.ints({rows + 1}), -1, none, none, none, none);
  Tensor numbers = build.op<aten::ScatterSrcOp>(blank, 0, target, counting(build, count));
  numbers = slice(numbers, 0, 0, rows);
  Tensor places = unraveled(numbers, self.info().sizes());
  return build.op<aten::MaskedFillScalarOp>(places, unsqueeze(numbers, 1) < 0.0, fill);
}

/// Sums of sizes that a tensor may have, and of what may be added to them.
using Wide = __int128;

/// How many elements (i, j) there are with j < i + shift: the sum over i of that, at least 0 and at
/// most the number of columns.
static int64_t elementsBelow(int64_t rows, int64_t columns, Wide shift) {
  Wide first = std::clamp<Wide>(-shift, 0, rows),
       full = std::clamp<Wide>(columns - shift, first, rows);
  return (full - first) * (first + full - 1 + 2 * shift) / 2 + (rows - full) * columns;
}

Decomposition placesInTriangle(Int rows, Int columns, Int diagonal, Any dtype, bool isLower) {
  GraphBuilder &build = *rows.b;
  if (rows.known().value_or(0) < 0 || columns.known().value_or(0) < 0 || !diagonal.known())
    return build.notYet("numbers of 0 or more as row and col, and the value of offset");
  Any none = build.none();
  Tensor all = build.op<aten::OnesOp>(build.list({rows, columns}), none, none, none, none);
  if (build.failed)
    return failure();
  Tensor mask =
      isLower ? build.op<aten::TrilOp>(all, diagonal) : build.op<aten::TriuOp>(all, diagonal);
  Tensor places = mask;
  if (rows.known() && columns.known()) {
    int64_t below =
        elementsBelow(*rows.known(), *columns.known(), *diagonal.known() + Wide(isLower));
    int64_t count = isLower ? below : *rows.known() * *columns.known() - below;
    Decomposition first = firstPlaces(mask, build.i(count), build.i(0));
    if (failed(first.values))
      return failure();
    places = Tensor(build, first.values->front());
  } else {
    places = build.op<aten::NonzeroOp>(mask);
  }
  Tensor pairs = transpose(places, 0, 1);
  return build.op<aten::ToDTypeOp>(pairs, dtype.isNone() ? Any(build.i(4)) : dtype, false, false,
                                   none);
}

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

bool isMask(Value index) {
  auto type = dyn_cast<TensorType>(index.getType());
  return type && type.hasDtype() &&
         (type.getDtype().isInteger(1) || type.getDtype().isUnsignedInteger(8));
}

bool hasOneElement(TensorInfo tensor) {
  return tensor.hasRank() && llvm::all_of(tensor.sizes(), [](int64_t size) { return size == 1; });
}

std::optional<OnlyMask> onlyMask(ListInfo indices) {
  std::optional<OnlyMask> only;
  if (!indices.elements)
    return std::nullopt;
  for (auto [at, element] : llvm::enumerate(*indices.elements)) {
    Value index = withoutDerefine(element);
    if (isa<NoneType>(index.getType()))
      continue;
    if (only || !isMask(index))
      return std::nullopt;
    only = {index, int64_t(at)};
  }
  return only;
}

/// Both broadcast to one size; nullopt where that is not known.
static std::optional<std::pair<Tensor, Tensor>> broadcastTogether(Tensor a, Tensor c) {
  GraphBuilder &build = *a.b;
  if (!isStatic(a) || !isStatic(c))
    return std::nullopt;
  bool isFitting = true;
  TypeRules rules{build.builder.getContext(), build.loc};
  auto sizes = rules.broadcastSizes({a.v, c.v}, isFitting);
  if (!isFitting || !sizes)
    return std::nullopt;
  auto wide = [&](Tensor t) -> Tensor {
    return build.op<aten::ExpandOp>(t, build.ints(*sizes), false);
  };
  return std::pair(wide(a), wide(c));
}

Decomposition chosen(Tensor self, Tensor mask) {
  auto both = broadcastTogether(self, mask);
  if (!both)
    return self.b->notYet("sizes of self and mask that broadcast");
  auto flat = [&](Tensor t) -> Tensor {
    return self.b->op<aten::ReshapeOp>(t, self.b->ints({-1}));
  };
  Tensor places = placesIn(flat(both->second)).front();
  return self.b->op<aten::IndexTensorOp>(flat(both->first), optionals(*self.b, {places}));
}

/// Ends the call unless there are at most `most` elements for which the row holds.
static void guardCount(Tensor held, int64_t most) {
  GraphBuilder &build = *held.b;
  Tensor sum = build.op<aten::SumOp>(converted(held, i64(build)), build.none());
  Value count = build.op<aten::ItemOp>(sum).v;
  Value bound = build.i(most).v;
  Value isFitting =
      arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sle, count, bound);
  GuardOp::create(build.builder, build.loc, isFitting, "builtins.RuntimeError",
                  "expected at least {} elements to fill in, got {}", ValueRange{count, bound});
}

Decomposition filledInOrder(Tensor self, Tensor mask, Tensor source) {
  GraphBuilder &build = *self.b;
  auto both = broadcastTogether(self, mask);
  if (!both || !isStatic(source))
    return build.notYet("sizes of self and mask that broadcast, and the sizes of source");
  SmallVector<int64_t> sizes(both->first.info().sizes());
  int64_t count = elementCount(both->first), given = elementCount(source);
  if (count == 0)
    return both->first;
  Tensor held = build.op<aten::ReshapeOp>(both->second, build.ints({count}));
  guardCount(held, given);
  if (given == 0)
    return both->first;
  Tensor place = countUpTo(held) - build.i(1);
  place = build.op<aten::ClampOp>(place, 0, given - 1);
  Tensor elements = build.op<aten::IndexTensorOp>(row(source), optionals(build, {place}));
  Tensor here = build.op<aten::ReshapeOp>(both->first, build.ints({count}));
  return viewed(where(held, elements, here), sizes);
}

//===----------------------------------------------------------------------===//
// Masks among indices
//===----------------------------------------------------------------------===//

namespace {
/// A size of a tensor and that of a mask over it, of which one is open.
struct OpenSize {
  int64_t dim;
  Tensor mask;
  int64_t maskDim;
};
} // namespace

/// Adds the sizes that are to be compared in the call; false where a mask from dimension `dim` on
/// is certainly not of the sizes of what it chooses from, or too little is known.
static bool fits(Tensor self, int64_t dim, Tensor mask, SmallVectorImpl<OpenSize> &open) {
  int64_t rank = mask.info().hasRank() ? mask.info().rank() : 0;
  if (rank == 0 || !mask.info().dtype() || dim + rank > self.info().rank())
    return false;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = self.info().size(dim + i), other = mask.info().size(i);
    if (size == TensorType::kDynamic || other == TensorType::kDynamic)
      open.push_back({dim + i, mask, i});
    else if (size != other)
      return false;
  }
  return true;
}

/// The sizes to compare, if there are masks among the indices and each has those of what it chooses
/// from, as far as they are known.
static std::optional<SmallVector<OpenSize>> fittingMasks(Tensor self, const ListInfo &list) {
  if (!list.elements || !self.info().hasRank() || !self.info().dtype())
    return std::nullopt;
  SmallVector<OpenSize> open;
  bool hasMask = false;
  int64_t dim = 0;
  for (Value element : *list.elements) {
    Tensor index(*self.b, withoutDerefine(element));
    if (isMask(index.v) && !fits(self, dim, index, open))
      return std::nullopt;
    hasMask |= isMask(index.v);
    dim += isMask(index.v) ? index.info().rank() : 1;
  }
  return hasMask && dim <= self.info().rank() ? std::optional(open) : std::nullopt;
}

/// Ends the call unless the sizes are equal.
static void guardSizes(Tensor self, ArrayRef<OpenSize> open) {
  GraphBuilder &build = *self.b;
  for (const OpenSize &each : open) {
    Value size = build.intOp<aten::SizeIntOp>(self, each.dim).v;
    Value other = build.intOp<aten::SizeIntOp>(each.mask, each.maskDim).v;
    Value isEqual =
        arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::eq, size, other);
    GuardOp::create(build.builder, build.loc, isEqual, "builtins.IndexError",
                    "expected a mask of size {} in dimension " + std::to_string(each.dim) +
                        ", got {}",
                    ValueRange{size, other});
  }
}

/// The indices with each mask as the places where it holds, one for each of its dimensions.
static AnyList withoutMasks(GraphBuilder &build, const ListInfo &list) {
  SmallVector<Any> indices;
  for (Value element : *list.elements) {
    Value index = withoutDerefine(element);
    if (isMask(index))
      llvm::append_range(indices, placesIn(Tensor(build, index)));
    else
      indices.push_back(Any(build, element));
  }
  return optionals(build, indices);
}

static bool isOfRank(Tensor tensor, int64_t rank) {
  return tensor.info().hasRank() && tensor.info().rank() == rank;
}

/// Whether it is one number, whatever it is put into.
static bool isNumber(Tensor values) { return isOfRank(values, 0) && values.info().dtype(); }

/// `values`, which broadcast, where the mask holds.
static Tensor putInPlaces(Tensor self, Tensor mask, Tensor values, bool accumulate) {
  Tensor put = converted(values, self.info().dtype());
  Tensor isHeld = mask.info().dtype().isInteger(1) ? mask : mask != 0.0;
  return where(isHeld, accumulate ? self + put : put, self);
}

/// Values that say nothing about how many places there are go by a choice between two tensors of
/// known sizes: the mask as one over all of self, and the values broadcast to it.
static std::optional<Tensor> putWhereHeld(Tensor self, ListInfo list, Tensor values,
                                          bool accumulate) {
  GraphBuilder &build = *self.b;
  auto only = onlyMask(list);
  if (!only)
    return std::nullopt;
  int64_t dim = only->dim;
  Tensor mask(build, only->mask);
  if (isNumber(values) && self.info().hasRank() && isOfRank(mask, self.info().rank())) {
    auto open = fittingMasks(self, list);
    if (!open)
      return std::nullopt;
    guardSizes(self, *open);
    return putInPlaces(self, mask, values, accumulate);
  }
  if (!isStatic(self) || !isStatic(values) || !isStatic(mask) || mask.info().rank() == 0 ||
      dim + mask.info().rank() > self.info().rank())
    return std::nullopt;
  int64_t behind = self.info().rank() - dim - mask.info().rank(), rank = values.info().rank();
  auto place = self.info().sizes().slice(dim, mask.info().rank());
  if (place != mask.info().sizes() || rank > behind + 1 + dim ||
      (rank > behind && values.info().size(rank - 1 - behind) != 1))
    return std::nullopt;
  SmallVector<int64_t> maskSizes(mask.info().sizes()), valueSizes(values.info().sizes());
  maskSizes.append(behind, 1);
  if (rank > behind)
    valueSizes.insert(valueSizes.begin() + (rank - 1 - behind), mask.info().rank() - 1, 1);
  return putInPlaces(self, viewed(mask, maskSizes), viewed(values, valueSizes), accumulate);
}

namespace aten {

LogicalResult IndexTensorOp::canonicalize(IndexTensorOp op, PatternRewriter &rewriter) {
  GraphBuilder build{rewriter, op.getLoc()};
  ListInfo list(op.getIndices());
  Tensor self(build, op.getSelf());
  auto open = fittingMasks(self, list);
  if (!open)
    return rewriter.notifyMatchFailure(op, "expected masks of the sizes of what they choose from");
  guardSizes(self, *open);
  Value indices = withoutMasks(build, list).v;
  rewriter.modifyOpInPlace(op, [&] { op.getIndicesMutable().assign(indices); });
  return success();
}

LogicalResult IndexPutOp::canonicalize(IndexPutOp op, PatternRewriter &rewriter) {
  GraphBuilder build{rewriter, op.getLoc()};
  Tensor self(build, op.getSelf());
  ListInfo list(op.getIndices());
  auto accumulate = BoolInfo(op.getAccumulate()).known;
  if (!accumulate)
    return rewriter.notifyMatchFailure(op, "expected it to be known whether values are added");
  Tensor values(build, op.getValues());
  if (!*accumulate && !isOfRank(values, 0) && hasOneElement(values.info()) && onlyMask(list)) {
    // PyTorch fills by a single mask with one element, whatever rank that has.
    Value number = viewed(values, {}).v;
    rewriter.modifyOpInPlace(op, [&] { op.getValuesMutable().assign(number); });
    return success();
  }
  if (auto put = putWhereHeld(self, list, values, *accumulate)) {
    rewriter.replaceOp(op, put->v);
    return success();
  }
  auto open = fittingMasks(self, list);
  if (!open)
    return rewriter.notifyMatchFailure(op, "expected masks of the sizes of what they choose from");
  guardSizes(self, *open);
  Value indices = withoutMasks(build, list).v;
  rewriter.modifyOpInPlace(op, [&] { op.getIndicesMutable().assign(indices); });
  return success();
}

} // namespace aten
} // namespace jit
