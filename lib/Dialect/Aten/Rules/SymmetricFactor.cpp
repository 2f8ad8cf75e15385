//===- SymmetricFactor.cpp - builders for the rules of Factor.td: LDL -----===//
//
// Bunch and Kaufman's factors of symmetric matrices, a = L D L', with blocks of one or two rows in
// D. As in LAPACK (dsytf2, dsytrs) columns of L stay in the order that they had when they were
// made: what solves goes through the exchanges again.
//
//===----------------------------------------------------------------------===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Parts at a place that differs from matrix to matrix, [..., 1, 1]
//===----------------------------------------------------------------------===//

static Tensor columnAt(Tensor t, Tensor place) {
  return sum(where(columnNumbers(t) == place, t, 0.0), {-1}, true);
}
static Tensor rowAt(Tensor t, Tensor place) {
  return sum(where(rowNumbers(t) == place, t, 0.0), {-2}, true);
}

/// `a` with rows `one` and `other` in each other's place.
static Tensor exchanged(Tensor a, Tensor one, Tensor other) {
  Tensor row = rowNumbers(a);
  return where(row == one, rowAt(a, other), where(row == other, rowAt(a, one), a));
}

static Tensor flat(Tensor t) { return squeeze(squeeze(t, -1), -1); }

/// `number` for each matrix, [..., 1, 1].
static Tensor placeLike(Tensor t, Int number) {
  Tensor zero = zerosLike(sum(t, {-1, -2}, true));
  Type index = IntegerType::get(t.b->builder.getContext(), 64);
  return converted(zero, index) + Any(number);
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

namespace {
/// What trips make: below the diagonal the columns that are done, and all of what is left, which is
/// symmetric; the pivots [..., n] and infos [...] of LAPACK.
struct Ldl {
  Tensor matrix, pivots, info;
  Tensor isSecond; ///< the trip before has done a block of two rows, [..., 1, 1]
};

/// Which row a trip exchanges with the first of its block, or with the second of two.
struct Pivot {
  Tensor row, last; ///< and that one, [..., 1, 1]
  Tensor isPair, isZero;
};
} // namespace

static Tensor largestOf(Tensor t) {
  Tensor all = t.b->op<aten::AmaxOp>(t, t.b->ints({-2}), true);
  return where(all < 0.0, zerosLike(all), all);
}

/// The choice that bounds the growth of what is left: a row on the diagonal, or a block of two.
static Pivot pivotOf(Int i, const Ldl &now) {
  GraphBuilder &build = *i.b;
  const double alpha = (1 + std::sqrt(17.0)) / 8;
  Tensor rows = rowNumbers(now.matrix), own = placeLike(now.matrix, i);
  Tensor below = where(rows > Any(i), abs(columnOf(now.matrix, i)), -1.0);
  Tensor found = build.op<aten::ArgmaxOp>(below, -2, true);
  Tensor other = columnAt(now.matrix, found);
  Tensor beside = where(rows >= Any(i) && !(rows == found), abs(other), -1.0);
  Tensor diagonal = abs(diagonalOf(now.matrix, i)), otherDiagonal = abs(rowAt(other, found));
  Tensor inColumn = largestOf(below), inRow = largestOf(beside);
  Tensor isZero = (diagonal == 0.0 && inColumn == 0.0) || isNan(diagonal);
  Tensor keeps =
      isZero || diagonal >= inColumn * alpha || diagonal >= inColumn * alpha * (inColumn / inRow);
  Tensor isPair = !(keeps || otherDiagonal >= inRow * alpha || now.isSecond);
  Tensor last = where(isPair, own + Any(build.i(1)), own);
  return {where(keeps || now.isSecond, own, found), last, isPair, isZero};
}

/// What is left after a block of one row, or of two, and its columns of L.
static Tensor eliminated(Int i, Tensor m, const Pivot &pivot) {
  Tensor rows = rowNumbers(m), columns = columnNumbers(m);
  Tensor a = columnOf(m, i), b = columnAt(m, pivot.last), own = diagonalOf(m, i);
  Tensor single = a * (1.0 / own);
  Tensor beside = rowAt(a, pivot.last), first = rowAt(b, pivot.last) / beside,
         second = own / beside;
  Tensor scale = 1.0 / (first * second + -1.0) / beside;
  Tensor one = scale * (first * a - b), other = scale * (second * b - a);
  Tensor lost =
      where(pivot.isPair, a * transposed(one) + b * transposed(other), a * transposed(single));
  Tensor isBelow = rows > pivot.last;
  Tensor next = where(isBelow && columns > pivot.last, m - lost, m);
  next = where(isBelow && columns == Any(i), where(pivot.isPair, one, single), next);
  next = where(isBelow && pivot.isPair && columns == pivot.last, other, next);
  return where(rows >= columns, next, transposed(next));
}

static SmallVector<Tensor> factored(Int i, const Ldl &now) {
  GraphBuilder &build = *i.b;
  Pivot pivot = pivotOf(i, now);
  Tensor rows = rowNumbers(now.matrix), columns = columnNumbers(now.matrix);
  Tensor turned = exchanged(now.matrix, pivot.last, pivot.row);
  turned = exchanged(transposed(turned), pivot.last, pivot.row);
  Tensor isRest = rows >= Any(i) && columns >= Any(i);
  Tensor next = eliminated(i, where(isRest, turned, now.matrix), pivot);
  Tensor isDone = now.isSecond || pivot.isZero;
  Tensor number = pivot.row + Any(build.i(1)), places = columnNumbers(now.pivots);
  number = squeeze(where(pivot.isPair, -number, number), -1);
  Tensor isOwn = places == Any(i) || places == squeeze(pivot.last, -1);
  Tensor pivots =
      where(isOwn && !squeeze(now.isSecond, -1), typeAs(number, now.pivots), now.pivots);
  Tensor failed = typeAs(zerosLike(now.info) + Any(i + build.i(1)), now.info);
  Tensor isFirst = flat(pivot.isZero && !now.isSecond) && now.info == 0.0;
  return {where(isDone, now.matrix, next), pivots, where(isFirst, failed, now.info), pivot.isPair};
}

Decomposition ldlFactors(Tensor a, int64_t count) {
  if (!isSquare(a))
    return a.b->notYet("square matrices of known rank as self, of real numbers");
  Type type = IntegerType::get(a.b->builder.getContext(), 32);
  Tensor lower = where(rowNumbers(a) >= columnNumbers(a), a, transposed(a));
  Tensor none = zerosLike(sum(a, {-1, -2}, true));
  Tensor pivots = converted(zerosLike(sum(a, {-1}, false)), type);
  SmallVector<Tensor> done = {lower, pivots, converted(flat(none), type), none > 0.0};
  if (rowCount(a).known() != 0)
    done = looped(rowCount(a), done, [&](Int i, ArrayRef<Tensor> now) {
      return factored(i, {now[0], now[1], now[2], now[3]});
    });
  Tensor factors = a.b->op<aten::TrilOp>(done[0], 0);
  return count == 2 ? Decomposition{factors, done[1]} : Decomposition{factors, done[1], done[2]};
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

namespace {
/// One block of the factors on the way down, or up, of which trip `i` is at the first row met.
struct Block {
  Tensor row;        ///< with which the last row of the block was exchanged
  Tensor own, other; ///< the row of the trip, and the block's other one, the same of one row
  Tensor isPair, isLast;
};
} // namespace

/// `step`: from the first row of a block of two to the other one.
static Block blockAt(Int i, Tensor pivots, Tensor isSecond, int64_t step) {
  GraphBuilder &build = *i.b;
  Tensor pivot = sum(where(columnNumbers(pivots) == Any(i), pivots, 0.0), {-1}, true);
  pivot = unsqueeze(converted(pivot, IntegerType::get(build.builder.getContext(), 64)), -1);
  Tensor own = zerosLike(pivot) + Any(i);
  Tensor isPair = pivot < 0.0 && !isSecond;
  Tensor row = where(pivot < 0.0, -pivot, pivot) + Any(build.i(-1));
  Tensor other = where(isPair, own + Any(build.i(step)), own);
  return {where(isSecond, own, row), own, other, isPair, isSecond};
}

/// x with L D x = b so far: the exchange, what is below, and the block of D.
static SmallVector<Tensor> wentDown(Int i, Tensor ld, Tensor pivots, ArrayRef<Tensor> now) {
  Block block = blockAt(i, pivots, now[1], 1);
  Tensor x = exchanged(now[0], block.other, block.row), rows = rowNumbers(x);
  Tensor a = columnOf(ld, i), b = columnAt(ld, block.other);
  Tensor own = rowOf(x, i), other = rowAt(x, block.other);
  Tensor lost = where(block.isPair, a * own + b * other, a * own);
  Tensor rest = where(rows > block.other, x - lost, x);
  Tensor beside = rowAt(a, block.other), diagonal = rowOf(a, i), last = rowAt(b, block.other);
  Tensor first = diagonal / beside, second = last / beside;
  Tensor scale = 1.0 / (first * second + -1.0) / beside;
  Tensor top = scale * (second * own - other), bottom = scale * (first * other - own);
  Tensor next = where(rows == Any(i), where(block.isPair, top, own / diagonal), rest);
  next = where(block.isPair && rows == block.other, bottom, next);
  return {where(block.isLast, now[0], next), block.isPair};
}

/// x with L' x = b so far, from the last row on.
static SmallVector<Tensor> wentUp(Int i, Tensor ld, Tensor pivots, ArrayRef<Tensor> now) {
  Block block = blockAt(i, pivots, now[1], -1);
  Tensor x = now[0], rows = rowNumbers(x);
  auto share = [&](Tensor column) {
    return sum(where(rows > Any(i), column * x, 0.0), {-2}, true);
  };
  Tensor own = rowOf(x, i) - share(columnOf(ld, i));
  Tensor other = rowAt(x, block.other) - share(columnAt(ld, block.other));
  Tensor next = where(rows == Any(i), own, x);
  next = where(block.isPair && rows == block.other, other, next);
  next = exchanged(next, block.own, block.row);
  return {where(block.isLast, now[0], next), block.isPair};
}

Decomposition ldlSolution(Tensor ld, Tensor pivots, Tensor b) {
  GraphBuilder &build = *ld.b;
  TensorInfo places = pivots.info();
  if (!isSquare(ld) || !isMatrix(b) || !places.hasRank() || !places.dtype() ||
      places.rank() != ld.info().rank() - 1)
    return build.notYet("square matrices of known rank as LD, of real numbers, matrices as B, and "
                        "the rank of pivots");
  auto batches = commonBatches(ld, b);
  if (!batches || !haveAsManyRows(b, ld))
    return build.notYet("batches that broadcast, and as many rows of B as LD has");
  Tensor factors = withBatches(ld, *batches), numbers = withBatches(pivots, *batches, 1);
  Tensor x = withBatches(b, *batches);
  Tensor none = zerosLike(sum(x, {-1, -2}, true)) > 1.0;
  Int count = rowCount(factors);
  auto down = looped(count, {x, none}, [&](Int i, ArrayRef<Tensor> now) {
    return wentDown(i, factors, numbers, now);
  });
  auto up = looped(count, {down[0], none}, [&](Int i, ArrayRef<Tensor> now) {
    return wentUp(count - build.i(1) - i, factors, numbers, now);
  });
  return up[0];
}

} // namespace jit
