//===- Factor.cpp - builders for the rules of Factor.td: LU and what it solves -===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Factor.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

namespace {
/// `order` says which row of the matrix each row of the factors is.
struct Lu {
  Tensor lu, pivots, order, info;
};
} // namespace

static Type int32(GraphBuilder &build) { return IntegerType::get(build.builder.getContext(), 32); }

/// 0, 1, ..., [batches of `like`..., count].
static Tensor countingLike(Tensor like, Int count) {
  SmallVector<Int> batches;
  for (int64_t dim = 0; dim < like.info().rank() - 2; ++dim)
    batches.push_back(sizeOf(like, dim));
  return withBatches(counting(count), batches, 1);
}

/// `number` in each element.
static Tensor filledLike(Tensor t, Int number) { return zerosLike(t) + Any(number); }

static Tensor rowsInOrder(Tensor t, Tensor order) {
  Tensor index = t.b->op<aten::ExpandOp>(unsqueeze(order, -1), sizesOf(t), false);
  return t.b->op<aten::GatherOp>(t, -2, index, false);
}

/// One step: the row with the largest element below goes to row i, and what is right of and below
/// that element loses its share of row i.
static SmallVector<Tensor> eliminated(Int i, const Lu &now, bool hasPivots) {
  GraphBuilder &build = *i.b;
  Tensor row = squeeze(rowNumbers(now.lu), 1), column = columnNumbers(now.lu);
  Tensor candidates = where(row >= Any(i), abs(squeeze(columnOf(now.lu, i), -1)), -1.0);
  Tensor largest = build.op<aten::ArgmaxOp>(candidates, -1, true);
  Tensor pivot = hasPivots ? largest : filledLike(largest, i);
  Tensor swap = where(row == Any(i), pivot, where(row == pivot, filledLike(row, i), row));
  Tensor lu = rowsInOrder(now.lu, swap);
  Tensor order = build.op<aten::GatherOp>(now.order, -1, swap, false);
  Tensor divisor = diagonalOf(lu, i), values = columnOf(lu, i), rows = rowNumbers(lu);
  Tensor isBelow = rows > Any(i);
  Tensor factor = where(isBelow && divisor != 0.0, values / divisor, values);
  Tensor rest = where(isBelow && column > Any(i), lu - factor * rowOf(lu, i), lu);
  Tensor next = where(isBelow && column == Any(i), factor, rest);
  Tensor places = columnNumbers(now.pivots);
  Tensor pivots = where(places == Any(i), typeAs(pivot + Any(build.i(1)), now.pivots), now.pivots);
  Tensor isZero = squeeze(squeeze(divisor, -1), -1) == 0.0;
  Tensor number = typeAs(filledLike(now.info, i + build.i(1)), now.info);
  return {next, pivots, order, where(isZero && now.info == 0.0, number, now.info)};
}

static Lu luOf(Tensor a, bool hasPivots) {
  Int rows = rowCount(a), count = lesserSize(a);
  Type type = int32(*a.b);
  Tensor none = converted(zerosLike(sum(a, {-1, -2}, false)), type);
  auto done =
      looped(count, {a, converted(countingLike(a, count), type), countingLike(a, rows), none},
             [&](Int i, ArrayRef<Tensor> now) {
               return eliminated(i, {now[0], now[1], now[2], now[3]}, hasPivots);
             });
  return {done[0], done[1], done[2], done[3]};
}

Decomposition luFactors(Tensor a, Bool pivot, int64_t count) {
  if (!isMatrix(a) || !pivot.known())
    return a.b->notYet("matrices of known rank as a and the value of pivot");
  Lu found = luOf(a, *pivot.known());
  if (count == 2)
    return {found.lu, found.pivots};
  return {found.lu, found.pivots, found.info};
}

/// The order that exchanging rows by pivots, counted from 1, leaves.
static Tensor orderOf(Tensor lu, Tensor pivots) {
  GraphBuilder &build = *lu.b;
  Tensor given = converted(pivots, IntegerType::get(build.builder.getContext(), 64)) + -1.0;
  given = converted(given, IntegerType::get(build.builder.getContext(), 64));
  Tensor places = columnNumbers(given);
  return looped(columnCount(pivots), {countingLike(lu, rowCount(lu))},
                [&](Int i, ArrayRef<Tensor> now) {
                  Tensor row = columnNumbers(now[0]);
                  Tensor pivot = converted(sum(where(places == Any(i), given, 0.0), {-1}, true),
                                           given.info().dtype());
                  Tensor swap =
                      where(row == Any(i), pivot, where(row == pivot, filledLike(row, i), row));
                  return SmallVector<Tensor>{build.op<aten::GatherOp>(now[0], -1, swap, false)};
                })
      .front();
}

static Tensor upperOf(Tensor lu) {
  return lu.b->op<aten::TriuOp>(first(lu, -2, lesserSize(lu)), 0);
}

static Tensor lowerOf(Tensor lu) {
  Int count = lesserSize(lu);
  Tensor below = lu.b->op<aten::TrilOp>(first(lu, -1, count), -1);
  return below + identityLike(lu, rowCount(lu), count);
}

static Tensor permutationOf(Tensor lu, Tensor order) {
  return typeAs(unsqueeze(order, -2) == rowNumbers(lu), lu);
}

Decomposition luMatrices(Tensor a, Bool pivot) {
  if (!isMatrix(a) || pivot.known() != true)
    return a.b->notYet("matrices of known rank and True as pivot");
  Lu found = luOf(a, true);
  return {permutationOf(a, found.order), lowerOf(found.lu), upperOf(found.lu)};
}

/// Whether `t` holds numbers for each matrix.
static bool areVectorsOf(Tensor t, Tensor matrix) {
  return t.info().hasRank() && t.info().dtype() && t.info().rank() == matrix.info().rank() - 1;
}

Decomposition luUnpacked(Tensor lu, Tensor pivots, Bool data, Bool permutation) {
  GraphBuilder &build = *lu.b;
  if (!isMatrix(lu) || !areVectorsOf(pivots, lu) || !data.known() || !permutation.known())
    return build.notYet("matrices of known rank as lu, the rank of pivots, and the values of data "
                        "and permutation");
  Any none = build.none();
  Tensor empty = build.op<aten::NewEmptyOp>(lu, build.ints({0}), none, none, none, none);
  Tensor p = *permutation.known() ? permutationOf(lu, orderOf(lu, pivots)) : empty;
  if (!*data.known())
    return {p, empty, empty};
  return {p, lowerOf(lu), upperOf(lu)};
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

/// x with a x = b, or a' x = b, for the matrix whose factors these are.
static Tensor solvedBy(Tensor lu, Tensor order, Tensor b, bool isTransposed) {
  if (!isTransposed)
    return substituted(lu, substituted(lu, rowsInOrder(b, order), false, true), true, false);
  Tensor turned = transposed(lu);
  Tensor x = substituted(turned, substituted(turned, b, false, false), true, true);
  return rowsInOrder(x, lu.b->op<aten::ArgsortOp>(order, -1, false));
}

/// Whether `b` holds vectors for `a`, not matrices. Where sizes decide that only the call tells it
/// is taken to, and a guard ends other calls.
static bool isVectors(Tensor a, Tensor b) {
  ArrayRef<int64_t> expected = a.info().sizes().drop_back(1), sizes = b.info().sizes();
  if (sizes.size() == 1 || sizes.size() != expected.size())
    return sizes.size() == 1;
  if (!llvm::all_of_zip(sizes, expected, [](int64_t size, int64_t other) {
        return size == other || ShapedType::isDynamic(size) || ShapedType::isDynamic(other);
      }))
    return false;
  for (int64_t dim = 0; dim < b.info().rank(); ++dim)
    haveEqualSize(b, dim, a, dim);
  return true;
}

/// By the factors of `a`, or of its transpose where `a` stands on the right.
static std::optional<Tensor> solved(Tensor a, const Lu &factors, Tensor b, bool isLeft,
                                    bool isTransposed) {
  bool isFlat = isVectors(a, b);
  Tensor right = isFlat ? unsqueeze(b, -1) : b;
  if (!isLeft && !isFlat)
    right = transposed(right);
  auto batches = commonBatches(a, right);
  if (!batches || !haveAsManyRows(right, a))
    return std::nullopt;
  Tensor order = withBatches(factors.order, *batches, 1);
  Tensor x = solvedBy(withBatches(factors.lu, *batches), order, withBatches(right, *batches),
                      isTransposed != (!isLeft && !isFlat));
  if (!isLeft && !isFlat)
    x = transposed(x);
  return isFlat ? squeeze(x, -1) : x;
}

Decomposition luSolution(Tensor lu, Tensor pivots, Tensor b, Bool left, Bool adjoint) {
  if (!isSquare(lu) || !areVectorsOf(pivots, lu) || !isMatrix(b) || !left.known() ||
      !adjoint.known())
    return lu.b->notYet("square matrices of known rank as lu, the rank of pivots, matrices of "
                        "known rank as b, and the values of left and adjoint");
  Lu factors{lu, pivots, orderOf(lu, pivots), pivots};
  bool isLeft = *left.known();
  Tensor right = isLeft ? b : transposed(b);
  auto batches = commonBatches(lu, right);
  if (!batches || !haveAsManyRows(right, lu))
    return lu.b->notYet("batches that broadcast, and as many rows of B as LU has");
  Tensor order = withBatches(factors.order, *batches, 1);
  Tensor x = solvedBy(withBatches(lu, *batches), order, withBatches(right, *batches),
                      *adjoint.known() != !isLeft);
  return isLeft ? x : transposed(x);
}

Decomposition solution(Tensor a, Tensor b, Bool left, int64_t count) {
  if (!isSquare(a) || !b.info().hasRank() || !b.info().dtype() || b.info().rank() == 0 ||
      !left.known())
    return a.b->notYet("square matrices and a right side of known rank, and the value of left");
  Lu factors = luOf(a, true);
  auto x = solved(a, factors, b, *left.known(), false);
  if (!x)
    return a.b->notYet("right sides that fit the matrices");
  if (count == 4)
    return {*x, factors.lu, factors.pivots, factors.info};
  return count == 2 ? Decomposition{*x, factors.info} : Decomposition(*x);
}

Decomposition inverse(Tensor a, int64_t count) {
  if (!isSquare(a))
    return a.b->notYet("square matrices of known rank as a");
  Lu factors = luOf(a, true);
  Int size = columnCount(a);
  Tensor x = solvedBy(factors.lu, factors.order, identityLike(a, size, size), false);
  return count == 2 ? Decomposition{x, factors.info} : Decomposition(x);
}

static int64_t productOf(ArrayRef<int64_t> sizes) { return ShapedType::getNumElements(sizes); }

Decomposition tensorInverse(Tensor self, Int leading) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !leading.known() || *leading.known() < 1 ||
      *leading.known() > self.info().rank())
    return build.notYet("the sizes of self and an ind among its dimensions");
  ArrayRef<int64_t> sizes = self.info().sizes();
  SmallVector<int64_t> turned(sizes.drop_front(*leading.known()));
  llvm::append_range(turned, sizes.take_front(*leading.known()));
  int64_t rows = productOf(sizes.take_front(*leading.known()));
  Tensor square = build.op<aten::ReshapeOp>(self, build.ints({rows, -1}));
  Decomposition x = inverse(square, 1);
  if (failed(x.values))
    return x;
  return build.op<aten::ReshapeOp>(x.values->front(), build.ints(turned));
}

Decomposition tensorSolution(Tensor self, Tensor other, OptIntList dims) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !isStatic(other) || !dims.isSettled() || (dims && !(*dims).known()))
    return build.notYet("the sizes of self and other, whether dims is None, and the value of dims");
  Tensor a = self;
  if (dims) {
    SmallVector<int64_t> order, last = *(*dims).known();
    int64_t rank = self.info().rank();
    for (int64_t &dim : last)
      dim = dim < 0 ? dim + rank : dim;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (!llvm::is_contained(last, dim))
        order.push_back(dim);
    llvm::append_range(order, last);
    a = permute(self, order);
  }
  SmallVector<int64_t> sizes(a.info().sizes().drop_front(other.info().rank()));
  int64_t rows = elementCount(other);
  Tensor square = build.op<aten::ReshapeOp>(a, build.ints({rows, -1}));
  Tensor right = build.op<aten::ReshapeOp>(other, build.ints({-1}));
  Decomposition x = solution(square, right, build.flag(true), 1);
  if (failed(x.values))
    return x;
  return build.op<aten::ReshapeOp>(x.values->front(), build.ints(sizes));
}

//===----------------------------------------------------------------------===//
// Determinants
//===----------------------------------------------------------------------===//

/// The factors' diagonal, and 1 or -1 for an even or odd number of exchanges.
static std::pair<Tensor, Tensor> diagonalAndSign(Tensor a) {
  GraphBuilder &build = *a.b;
  Lu factors = luOf(a, true);
  Tensor own = columnNumbers(factors.pivots) + 1.0;
  Tensor exchanged = sum(!(factors.pivots == own), {-1}, false);
  Tensor isOdd = build.op<aten::RemainderScalarOp>(exchanged, 2) == 1.0;
  Tensor diagonal = build.op<aten::DiagonalOp>(factors.lu, 0, -2, -1);
  Tensor one = onesLike(sum(diagonal, {-1}, false));
  return {diagonal, where(isOdd, -one, one)};
}

Decomposition determinant(Tensor a) {
  if (!isSquare(a))
    return a.b->notYet("square matrices of known rank as a");
  auto [diagonal, sign] = diagonalAndSign(a);
  return Tensor(a.b->op<aten::ProdDimIntOp>(diagonal, -1, false, a.b->none())) * sign;
}

Type ofEachMatrix(TypeRules &infer, TensorInfo matrix) {
  if (!matrix.hasRank() || matrix.rank() < 2)
    return infer.unranked(matrix.dtype());
  return infer.tensor(matrix.sizes().drop_back(2), matrix.dtype());
}

Gradient determinantGrad(Tensor a, Tensor determinant, Tensor grad) {
  if (!isSquare(a))
    return a.b->notYet("square matrices of known rank as a");
  auto spread = [](Tensor t) { return unsqueeze(unsqueeze(t, -1), -1); };
  Int size = columnCount(a);
  Tensor unit = identityLike(a, size, size);
  // A matrix that has no inverse has no gradient in PyTorch, whatever its minors are.
  Lu factors = luOf(where(spread(determinant == 0.0), unit, a), true);
  Tensor inverse = solvedBy(factors.lu, factors.order, unit, false);
  return transposed(inverse) * spread(grad * determinant);
}

Decomposition logDeterminant(Tensor a) {
  if (!isSquare(a))
    return a.b->notYet("square matrices of known rank as a");
  auto [diagonal, parity] = diagonalAndSign(a);
  Tensor signs = a.b->op<aten::ProdDimIntOp>(sign(diagonal), -1, false, a.b->none());
  return {signs * parity, sum(log(abs(diagonal)), {-1}, false)};
}

} // namespace jit
