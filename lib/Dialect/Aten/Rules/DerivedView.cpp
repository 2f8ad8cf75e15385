//===- DerivedView.cpp - parts of a tensor, one and all of them -----------===//

#include "Rules/DerivedView.h"
#include "Rules/GraphBuilders.h"
#include "Rules/OpenNumbers.h"
#include "jit/Dialect/Aten/AffineInt.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// All parts
//===----------------------------------------------------------------------===//

/// The part from a place on that only the call knows: its elements are looked up, which checks that
/// they exist.
static Tensor lookedUp(Tensor self, int64_t dim, Int start, int64_t length) {
  GraphBuilder &build = *self.b;
  Tensor first = build.op<aten::AddScalarOp>(counting(build, 1), start, 1);
  Tensor fromEnd = build.op<aten::AddScalarOp>(first, self.info().size(dim), 1);
  first = build.op<aten::WhereSelfOp>(build.op<aten::LtScalarOp>(first, 0), fromEnd, first);
  return build.op<aten::IndexSelectOp>(self, dim, first + counting(build, length));
}

/// The dimension of `self`, from the front; none where it is not known yet or, with an error, where
/// there is none such.
static std::optional<int64_t> dimOf(Tensor self, Int dim) {
  if (!self.info().hasRank())
    return std::nullopt;
  auto known = wrapped(dim, self.info().rank());
  if (!known && dim.known())
    (void)self.b->error("expected a dimension of a tensor of " + Twine(self.info().rank()) +
                        " dimensions, got " + Twine(*dim.known()));
  return known;
}

Tensor withPart(Tensor self, Tensor written, Int dim, Int start, Int length) {
  if (auto known = dimOf(self, dim))
    start = fromFront(start, sizeOf(self, *known));
  return self.b->op<aten::SliceScatterOp>(self, written, dim, start, start + length, 1);
}

/// A part of what has a size that only the call or data tell: one that is not all there is refused.
static Tensor narrowedOpen(Tensor self, int64_t dim, Int start, Int length) {
  GraphBuilder &build = *self.b;
  Int size = sizeOf(self, dim), first = fromFront(start, size), end = first + length;
  Value isInside =
      arith::ConstantOp::create(build.builder, build.loc, build.builder.getBoolAttr(true));
  auto require = [&](Int less, Int more) {
    Value holds = compared(arith::CmpIPredicate::sle, less, more);
    isInside = arith::AndIOp::create(build.builder, build.loc, isInside, holds);
  };
  require(build.i(0), first);
  require(first, end);
  require(end, size);
  GuardOp::create(build.builder, build.loc, isInside, "builtins.RuntimeError",
                  "expected a part of a dimension of size {}, got {} elements from {} on",
                  ValueRange{size.v, length.v, start.v});
  Tensor part = build.op<aten::SliceTensorOp>(self, dim, first, end, 1);
  if (!length.known())
    return part;
  SmallVector<Int> sizes;
  for (int64_t i = 0; i < self.info().rank(); ++i)
    sizes.push_back(i == dim ? length : sizeOf(self, i));
  return build.op<aten::ViewOp>(part, build.list(sizes));
}

Decomposition narrowed(Tensor self, Int dim, Int start, Int length) {
  auto known = dimOf(self, dim);
  if (!known)
    return self.b->notYet("the rank of self and a dim that it has");
  if (!isSizeKnown(self, *known))
    return narrowedOpen(self, *known, start, length);
  int64_t size = self.info().size(*known);
  if (start.known().value_or(0) < 0)
    start = self.b->i(*start.known() + size);
  Int end = start + length;
  bool isOpen = sliceExtent(size, start.v, end.v, self.b->i(1).v).length == TensorType::kDynamic;
  if (isOpen && length.known().value_or(0) > 0)
    return lookedUp(self, *known, start, *length.known());
  return self.b->op<aten::SliceTensorOp>(self, dim, start, end, 1);
}

/// The list of self[at[i]:at[i+1]] along a dimension.
static Decomposition slices(Tensor self, int64_t dim, ArrayRef<int64_t> at) {
  SmallVector<Tensor> parts;
  for (size_t i = 0; i + 1 < at.size(); ++i)
    parts.push_back(slice(self, dim, at[i], at[i + 1]));
  return self.b->list(parts);
}

static Decomposition splitBy(Tensor self, int64_t each, int64_t dim) {
  int64_t size = self.info().size(dim);
  SmallVector<int64_t> at{0};
  do
    at.push_back(at.back() + std::min(each, size - at.back()));
  while (at.back() < size && each > 0);
  return slices(self, dim, at);
}

Decomposition chunked(Tensor self, Int chunks, Int dim) {
  if (chunks.known().value_or(1) <= 0)
    return self.b->error("expected chunks of 1 or more, got " + Twine(*chunks.known()));
  auto known = dimOf(self, dim);
  if (!known || !isSizeKnown(self, *known) || chunks.known().value_or(0) <= 0)
    return self.b->notYet("the size of self in a constant dim, and chunks of 1 or more");
  int64_t size = self.info().size(*known), count = *chunks.known();
  if (size == 0)
    return slices(self, *known, SmallVector<int64_t>(count + 1, 0));
  return splitBy(self, llvm::divideCeilSigned(size, count), *known);
}

Decomposition splitEvery(Tensor self, Int size, Int dim) {
  if (size.known().value_or(0) < 0)
    return self.b->error("expected a split size of 0 or more, got " + Twine(*size.known()));
  auto known = dimOf(self, dim);
  if (!known || !isSizeKnown(self, *known) || size.known().value_or(0) <= 0)
    return self.b->notYet("the size of self in a constant dim, and a split size of 1 or more");
  return splitBy(self, *size.known(), *known);
}

/// Ends the call unless parts of `sum` elements are all of `size`.
static void guardSum(GraphBuilder &build, Int sum, Int size) {
  Value isAll = compared(arith::CmpIPredicate::eq, size, sum);
  GuardOp::create(build.builder, build.loc, isAll, "builtins.RuntimeError",
                  "expected split sizes that add up to {}, got {}", ValueRange{size.v, sum.v});
}

/// Into parts of sizes that only the call or data tell.
static Decomposition splitIntoParts(Tensor self, ArrayRef<Value> sizes, int64_t dim) {
  GraphBuilder &build = *self.b;
  SmallVector<Int> ends{build.i(0)};
  for (Value size : sizes) {
    Value isSize = compared(arith::CmpIPredicate::sge, Int(build, size), ends.front());
    GuardOp::create(build.builder, build.loc, isSize, "builtins.RuntimeError",
                    "expected split sizes of 0 or more, got {}", size);
    ends.push_back(ends.back() + Int(build, size));
  }
  guardSum(build, ends.back(), sizeOf(self, dim));
  SmallVector<Tensor> parts;
  for (size_t i = 0; i < sizes.size(); ++i)
    parts.push_back(build.op<aten::SliceTensorOp>(self, dim, ends[i], ends[i + 1], 1));
  return build.list(parts);
}

/// Of a size that only the call or data tell: the parts' sizes have to add up to it.
static Decomposition splitIntoOpen(Tensor self, ArrayRef<int64_t> sizes, int64_t dim) {
  GraphBuilder &build = *self.b;
  if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
    return build.notYet("split sizes of 0 or more");
  SmallVector<int64_t> at{0};
  for (int64_t size : sizes)
    at.push_back(at.back() + size);
  guardSum(build, build.i(at.back()), sizeOf(self, dim));
  SmallVector<Tensor> parts;
  for (auto [start, length] : llvm::zip(at, sizes))
    parts.push_back(narrowedOpen(self, dim, build.i(start), build.i(length)));
  return build.list(parts);
}

Decomposition splitInto(Tensor self, IntList list, Int dim) {
  auto sizes = list.known();
  auto elements = list.elements();
  auto known = dimOf(self, dim);
  if (!known || !elements)
    return self.b->notYet("the rank of self, a constant dim that it has, and the number of split "
                          "sizes");
  if (!sizes)
    return splitIntoParts(self, *elements, *known);
  if (!isSizeKnown(self, *known))
    return splitIntoOpen(self, *sizes, *known);
  SmallVector<int64_t> at{0};
  int64_t rest = self.info().size(*known);
  for (int64_t size : *sizes) {
    if (size < 0 || size > rest)
      return self.b->error("expected split sizes that add up to " +
                           Twine(self.info().size(*known)));
    rest -= size;
    at.push_back(at.back() + size);
  }
  if (rest != 0)
    return self.b->error("expected split sizes that add up to " + Twine(self.info().size(*known)) +
                         ", got " + Twine(rest) + " less");
  return slices(self, *known, at);
}

/// Of a size that only the call or data tell: the first parts, as many as remain, have one element
/// more.
static Decomposition splitEvenlyOpen(Tensor self, int64_t count, int64_t dim) {
  GraphBuilder &build = *self.b;
  OpBuilder &b = build.builder;
  Value size = sizeOf(self, dim).v, parts = build.i(count).v;
  Int each(build, arith::DivSIOp::create(b, build.loc, size, parts));
  Value rest = arith::RemSIOp::create(b, build.loc, size, parts);
  Int end = build.i(0);
  SmallVector<Tensor> slices;
  for (int64_t i = 1; i <= count; ++i) {
    Int start = end, number = build.i(i);
    end = each * number + Int(build, arith::MinSIOp::create(b, build.loc, number.v, rest));
    slices.push_back(build.op<aten::SliceTensorOp>(self, dim, start, end, 1));
  }
  return build.list(slices);
}

Decomposition splitEqually(Tensor self, Int sections, Int dim) {
  auto known = dimOf(self, dim);
  int64_t count = sections.known().value_or(1);
  if (!known || count <= 0)
    return splitEvenly(self, sections, dim);
  if (isSizeKnown(self, *known) && self.info().size(*known) % count != 0)
    return self.b->error("expected a dimension that " + Twine(count) + " divides, got size " +
                         Twine(self.info().size(*known)));
  if (!isSizeKnown(self, *known)) {
    Int size = sizeOf(self, *known), parts = self.b->i(count);
    OpBuilder &b = self.b->builder;
    Int rest(*self.b, arith::RemSIOp::create(b, self.b->loc, size.v, parts.v));
    GuardOp::create(b, self.b->loc, compared(arith::CmpIPredicate::eq, rest, self.b->i(0)),
                    "builtins.RuntimeError", "expected a dimension that {} divides, got size {}",
                    ValueRange{parts.v, size.v});
  }
  return splitEvenly(self, sections, dim);
}

Decomposition splitEvenly(Tensor self, Int sections, Int dim) {
  if (sections.known().value_or(1) <= 0)
    return self.b->error("expected sections of 1 or more, got " + Twine(*sections.known()));
  auto known = dimOf(self, dim);
  if (!known || sections.known().value_or(0) <= 0)
    return self.b->notYet(
        "the rank of self, a constant dim that it has, and sections of 1 or more");
  if (!isSizeKnown(self, *known))
    return splitEvenlyOpen(self, *sections.known(), *known);
  int64_t size = self.info().size(*known), count = *sections.known();
  SmallVector<int64_t> at{0};
  for (int64_t i = 0; i < count; ++i)
    at.push_back(at.back() + size / count + (i < size % count));
  return slices(self, *known, at);
}

Decomposition splitAt(Tensor self, IntList indices, Int dim) {
  auto at = indices.known();
  auto known = dimOf(self, dim);
  if (!known || !at)
    return self.b->notYet(
        "the rank of self, a constant dim that it has, and the values of indices");
  at->insert(at->begin(), 0);
  at->push_back(INT64_MAX);
  return slices(self, *known, *at);
}

Decomposition splitByTensor(Tensor self, Tensor numbers, Int dim) {
  GraphBuilder &build = *self.b;
  TensorInfo info = numbers.info();
  if (!info.hasRank() || info.rank() > 1 ||
      (info.rank() == 1 && info.size(0) == TensorType::kDynamic))
    return build.notYet("indices of a known number, or one number of sections");
  if (info.rank() == 0)
    return build.op<aten::TensorSplitSectionsOp>(self, build.intOp<aten::IntTensorOp>(numbers),
                                                 dim);
  Int start = build.i(0);
  SmallVector<Tensor> parts;
  for (int64_t i = 0; i < info.size(0); ++i) {
    Int end = build.intOp<aten::IntTensorOp>(build.op<aten::SelectIntOp>(numbers, 0, i));
    parts.push_back(build.op<aten::SliceTensorOp>(self, dim, start, end, 1));
    start = end;
  }
  parts.push_back(build.op<aten::SliceTensorOp>(self, dim, start, build.none(), 1));
  return build.list(parts);
}

Decomposition unbound(Tensor self, Int dim) {
  if (!dim.known() || !isSizeKnown(self, *dim.known()))
    return self.b->notYet("the value of dim and the size in that dimension of self");
  SmallVector<Tensor> parts;
  for (int64_t i = 0; i < self.info().size(*dim.known()); ++i)
    parts.push_back(self.b->op<aten::SelectIntOp>(self, dim, i));
  return self.b->list(parts);
}

//===----------------------------------------------------------------------===//
// The part at a place
//===----------------------------------------------------------------------===//

/// Whether a place is certainly not negative.
static bool isFromFront(Int at) {
  if (at.known())
    return *at.known() >= 0;
  auto argument = dyn_cast<BlockArgument>(at.v);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && at.v == loop.getInductionVar() && matchPattern(loop.getLowerBound(), m_Zero());
}

static Tensor none(Tensor self) { return Tensor(*self.b, Value()); }

static Tensor between(Tensor self, Int dim, Value start, Value size) {
  OpBuilder &b = self.b->builder;
  Value end = arith::AddIOp::create(b, self.b->loc, start, size);
  return self.b->op<aten::SliceTensorOp>(self, dim, Int(*self.b, start), Int(*self.b, end), 1);
}

Tensor partOfEvery(Tensor self, Int size, Int dim, Int at) {
  if (!isFromFront(at))
    return none(self);
  Value start = arith::MulIOp::create(self.b->builder, self.b->loc, at.v, size.v);
  return between(self, dim, start, size.v);
}

Tensor partOfChunks(Tensor self, Int chunks, Int dim, Int at) {
  if (!isFromFront(at))
    return none(self);
  return partOfEvery(self, ceilDivided(self.b->intOp<aten::SizeIntOp>(self, dim), chunks), dim, at);
}

Tensor partOfSizes(Tensor self, IntList sizes, Int dim, Int at) {
  auto list = sizes.v.getDefiningOp<ListOp>();
  int64_t place = at.known().value_or(-1);
  if (!list || place < 0 || place >= int64_t(list.getElements().size()))
    return none(self);
  Value start = self.b->i(0).v;
  for (Value size : list.getElements().take_front(place))
    start = arith::AddIOp::create(self.b->builder, self.b->loc, start, size);
  return between(self, dim, start, list.getElements()[place]);
}

} // namespace jit
