//===- Eigen.cpp - eigenvalues and singular values (Factor.td) ------------===//
//
// By Jacobi's rotations, each of which makes one pair of columns orthogonal. They converge
// quadratically after a few sweeps over all pairs, to all digits.
//
//===----------------------------------------------------------------------===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/OpenNumbers.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Algebra.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Factor.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Rotations
//===----------------------------------------------------------------------===//

static const int64_t sweeps = 14;

namespace {
/// Cosine and sine, [..., 1, 1].
struct Angle {
  Tensor cosine, sine;
};
} // namespace

/// What makes (a, c; c, b) diagonal.
static Angle rotationOf(Tensor a, Tensor b, Tensor c) {
  Tensor isDone = c == 0.0;
  Tensor ratio = (b - a) / where(isDone, 1.0, c * 2.0);
  Tensor tangent =
      where(ratio < 0.0, -1.0, onesLike(ratio)) / (abs(ratio) + sqrt(ratio * ratio + 1.0));
  tangent = where(isDone, 0.0, tangent);
  Tensor cosine = rsqrt(tangent * tangent + 1.0);
  return {cosine, tangent * cosine};
}

/// Columns p and q of t, turned by an angle. p and q are tensors of rank 0.
static Tensor turned(Tensor t, Tensor p, Tensor q, const Angle &angle) {
  Tensor isP = columnNumbers(t) == p, isQ = columnNumbers(t) == q;
  Tensor x = sum(where(isP, t, 0.0), {-1}, true), y = sum(where(isQ, t, 0.0), {-1}, true);
  Tensor first = angle.cosine * x - angle.sine * y, second = angle.sine * x + angle.cosine * y;
  return where(isP, first, where(isQ, second, t));
}

/// From the numbers of two columns and tensors to those after a rotation.
using Rotation = llvm::function_ref<SmallVector<Tensor>(Tensor, Tensor, ArrayRef<Tensor>)>;

/// All pairs of columns below a size that only calls tell, again and again.
static SmallVector<Tensor> sweptOverOpen(Int size, ArrayRef<Tensor> first, Rotation rotate) {
  GraphBuilder &build = *first.front().b;
  Int one = build.i(1);
  Tensor numbers = counting(size);
  auto at = [&](Int i) -> Tensor { return build.op<aten::SelectIntOp>(numbers, 0, i); };
  return looped(build.i(sweeps), first, [&](Int, ArrayRef<Tensor> outer) {
    return looped(size, outer, [&](Int p, ArrayRef<Tensor> middle) {
      return looped(size - one - p, middle, [&](Int more, ArrayRef<Tensor> now) {
        return rotate(at(p), at(p + one + more), now);
      });
    });
  });
}

/// All pairs of columns below `size`, again and again.
static SmallVector<Tensor> sweptOver(Int count, ArrayRef<Tensor> first, Rotation rotate) {
  if (!count.known())
    return sweptOverOpen(count, first, rotate);
  GraphBuilder &build = *first.front().b;
  int64_t size = *count.known();
  SmallVector<int64_t> lower, upper;
  for (int64_t p = 0; p < size; ++p)
    for (int64_t q = p + 1; q < size; ++q) {
      lower.push_back(p);
      upper.push_back(q);
    }
  if (lower.empty())
    return SmallVector<Tensor>(first);
  Any none = build.none();
  Tensor ps = build.op<aten::TensorOp>(build.ints(lower), none, none, false);
  Tensor qs = build.op<aten::TensorOp>(build.ints(upper), none, none, false);
  Int pairs = build.i(lower.size());
  return looped(build.i(sweeps), first, [&](Int, ArrayRef<Tensor> outer) {
    return looped(pairs, outer, [&](Int pair, ArrayRef<Tensor> now) {
      auto at = [&](Tensor list) -> Tensor { return build.op<aten::SelectIntOp>(list, 0, pair); };
      return rotate(at(ps), at(qs), now);
    });
  });
}

//===----------------------------------------------------------------------===//
// Symmetric matrices
//===----------------------------------------------------------------------===//

Type valuesOf(TypeRules &infer, TensorInfo matrix) {
  if (!matrix.hasRank() || matrix.rank() < 2)
    return infer.unranked(matrix.dtype());
  SmallVector<int64_t> sizes(matrix.sizes().drop_back(1));
  int64_t rows = matrix.size(-2), columns = matrix.size(-1);
  bool isOpen = rows == TensorType::kDynamic || columns == TensorType::kDynamic;
  sizes.back() = isOpen ? TensorType::kDynamic : std::min(rows, columns);
  return infer.tensor(sizes, matrix.dtype());
}

static Tensor symmetric(Tensor a, bool isLower) {
  GraphBuilder &build = *a.b;
  Tensor half = isLower ? build.op<aten::TrilOp>(a, 0) : build.op<aten::TriuOp>(a, 0);
  Tensor other = isLower ? build.op<aten::TrilOp>(a, -1) : build.op<aten::TriuOp>(a, 1);
  return half + transposed(other);
}

/// t with its columns in another order, [..., columns].
static Tensor columnsInOrder(Tensor t, Tensor order) {
  Tensor index = t.b->op<aten::ExpandOp>(unsqueeze(order, -2), sizesOf(t), false);
  return t.b->op<aten::GatherOp>(t, -1, index, false);
}

Decomposition symmetricSpectrum(Tensor self, Str half, int64_t count) {
  GraphBuilder &build = *self.b;
  if (!isSquare(self) || !half.known())
    return build.notYet("square matrices of known rank as self and the value of half");
  Int size = columnCount(self);
  bool isLower = half.known()->starts_with_insensitive("l");
  Tensor one = identityLike(self, size, size);
  auto done = sweptOver(size, {symmetric(self, isLower), one},
                        [&](Tensor p, Tensor q, ArrayRef<Tensor> now) {
                          Tensor row = rowNumbers(now[0]), column = columnNumbers(now[0]);
                          auto at = [&](Tensor i, Tensor j) {
                            return sum(where(row == i && column == j, now[0], 0.0), {-1, -2}, true);
                          };
                          Angle angle = rotationOf(at(p, p), at(q, q), at(p, q));
                          Tensor a = turned(transposed(turned(now[0], p, q, angle)), p, q, angle);
                          return SmallVector<Tensor>{a, turned(now[1], p, q, angle)};
                        });
  Tensor values = build.op<aten::DiagonalOp>(done[0], 0, -2, -1);
  Operation *sorted = build.multi<aten::SortOp>(values, -1, false);
  Tensor ordered(build, sorted->getResult(0));
  if (count == 1)
    return ordered;
  return {ordered, columnsInOrder(done[1], Tensor(build, sorted->getResult(1)))};
}

Gradient eigenvaluesGrad(Tensor self, Str half, Tensor grad) {
  GraphBuilder &build = *self.b;
  Tensor vectors(build, build.multi<aten::LinalgEighOp>(self, half)->getResult(1));
  return matmul(vectors * unsqueeze(grad, -2), transposed(vectors));
}

Gradient spectrumGrad(Tensor values, Tensor vectors, Tensor valuesGrad, Tensor vectorsGrad) {
  if (!isSquare(vectors))
    return values.b->notYet("square matrices of known rank");
  // How far apart each two eigenvalues are; a vector has no part along itself. Vectors turn
  // together, so that both halves of a matrix get the same.
  Tensor distance = unsqueeze(values, -2) - unsqueeze(values, -1);
  Tensor isSame = rowNumbers(vectors) == columnNumbers(vectors);
  Tensor product = matmul(transposed(vectors), vectorsGrad);
  Tensor turns = (product - transposed(product)) * 0.5;
  Tensor inner = where(isSame, unsqueeze(valuesGrad, -2), turns / where(isSame, 1.0, distance));
  return matmul(vectors, matmul(inner, transposed(vectors)));
}

Decomposition bothOf(Operation *op, GraphBuilder &build) {
  return {Any(build, op->getResult(0)), Any(build, op->getResult(1))};
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

namespace {
/// Of a matrix with no more columns than rows, or of one of open sizes: the columns of a v, each as
/// long as its singular value, and v. Of open sizes there may be more of them than rows, behind the
/// others and of length 0.
struct Svd {
  Tensor columns, values, right;
};
} // namespace

static Svd svdOf(Tensor a) {
  GraphBuilder &build = *a.b;
  Int size = columnCount(a);
  auto done = sweptOver(
      size, {a, identityLike(a, size, size)}, [&](Tensor p, Tensor q, ArrayRef<Tensor> now) {
        Tensor number = columnNumbers(now[0]);
        auto column = [&](Tensor i) { return sum(where(number == i, now[0], 0.0), {-1}, true); };
        Tensor x = column(p), y = column(q);
        auto product = [&](Tensor s, Tensor t) { return sum(s * t, {-2}, true); };
        Angle angle = rotationOf(product(x, x), product(y, y), product(x, y));
        return SmallVector<Tensor>{turned(now[0], p, q, angle), turned(now[1], p, q, angle)};
      });
  Tensor values = sqrt(sum(done[0] * done[0], {-2}, false));
  Operation *sorted = build.multi<aten::SortOp>(values, -1, true);
  Tensor order(build, sorted->getResult(1));
  return {columnsInOrder(done[0], order), Tensor(build, sorted->getResult(0)),
          columnsInOrder(done[1], order)};
}

static bool isOpen(Tensor a) { return !areLastKnown(a, 2); }
static bool isWide(Tensor a) { return !isOpen(a) && a.info().size(-2) < a.info().size(-1); }

/// Without what is behind the singular values of a matrix.
static Svd svdOfLesser(Tensor a) {
  Svd svd = svdOf(isWide(a) ? transposed(a) : a);
  if (!isOpen(a))
    return svd;
  Int count = lesserSize(a);
  return {first(svd.columns, -1, count), first(svd.values, -1, count), first(svd.right, -1, count)};
}

Decomposition singularValues(Tensor a) {
  if (!isMatrix(a))
    return a.b->notYet("matrices of known rank as a");
  return svdOfLesser(a).values;
}

/// Columns of length 1; those of a singular value of 0 stay 0.
static Tensor unitColumns(const Svd &svd) {
  Tensor isZero = svd.values == 0.0;
  return svd.columns * unsqueeze(where(isZero, 0.0, 1.0 / where(isZero, 1.0, svd.values)), -2);
}

Gradient singularValuesGrad(Tensor a, Tensor grad) {
  if (!isMatrix(a))
    return a.b->notYet("matrices of known rank as a");
  Svd svd = svdOfLesser(a);
  Tensor flowing = matmul(unitColumns(svd) * unsqueeze(grad, -2), transposed(svd.right));
  return isWide(a) ? transposed(flowing) : flowing;
}

/// With columns that are orthogonal to all others, up to a square matrix.
static Tensor completed(Tensor columns) {
  GraphBuilder &build = *columns.b;
  Int rows = rowCount(columns), count = columnCount(columns);
  if (rows.known() && rows.known() == count.known())
    return columns;
  Decomposition both = qr(columns, build.str("complete"));
  int64_t last = columns.info().rank() - 1;
  Tensor all(build, both.values->front());
  Tensor more = build.op<aten::SliceTensorOp>(all, last, count, rows, 1);
  return build.op<aten::CatOp>(build.list(ArrayRef<Tensor>{columns, more}), last);
}

/// The first of values in order, [..., 1].
static Tensor largestOf(Tensor values) {
  if (!areLastKnown(values, 1))
    return values.b->op<aten::AmaxOp>(values, values.b->ints({-1}), true);
  return slice(values, values.info().rank() - 1, 0, 1);
}

/// Columns of length 1 that are orthogonal to each other. Those of singular values that are 0 up to
/// rounding say nothing: others take their place, of which there is no gradient.
static Tensor orthonormalColumns(const Svd &svd) {
  GraphBuilder &build = *svd.values.b;
  TensorInfo info = svd.columns.info();
  double epsilon = info.dtype().isF64() ? std::numeric_limits<double>::epsilon()
                                        : std::numeric_limits<float>::epsilon();
  Tensor largest = largestOf(svd.values);
  Tensor isZero = svd.values <= largest * epsilon * Any(rowCount(svd.columns));
  Tensor scale = where(isZero, 0.0, 1.0 / where(isZero, 1.0, svd.values));
  Tensor unit = svd.columns * unsqueeze(scale, -2);
  Decomposition both = qr(unit, build.str("reduced"));
  Tensor others = build.op<aten::DetachOp>(Tensor(build, both.values->front()));
  return where(unsqueeze(isZero, -2), others, unit);
}

Decomposition singularVectors(Tensor a, Bool full, bool asColumns) {
  GraphBuilder &build = *a.b;
  if (!isMatrix(a) || !full.known())
    return build.notYet("matrices of known rank as a and the value of full");
  Svd svd = svdOfLesser(a);
  Tensor tall = orthonormalColumns(svd);
  if (*full.known()) {
    tall = completed(tall);
    svd.right = completed(svd.right);
  }
  Tensor left = isWide(a) ? svd.right : tall, right = isWide(a) ? tall : svd.right;
  return {left, svd.values, asColumns ? right : transposed(right)};
}

//===----------------------------------------------------------------------===//
// By the singular values
//===----------------------------------------------------------------------===//

/// A bound for each matrix, [..., 1]; nullopt where it is neither a number nor a tensor yet.
static std::optional<Tensor> boundOf(Any given, Tensor like) {
  if (isa<TensorType>(given.v.getType())) {
    Tensor bound = typeAs(Tensor(*like.b, given.v), like);
    if (!bound.info().hasRank())
      return std::nullopt;
    return bound.info().rank() == 0 ? bound : unsqueeze(bound, -1);
  }
  auto number = knownNumber(given);
  return number ? std::optional(zerosLike(like) + *number) : std::nullopt;
}

static Int greaterSize(Tensor t) {
  Int rows = rowCount(t), columns = columnCount(t);
  if (rows.known() && columns.known())
    return t.b->i(std::max(*rows.known(), *columns.known()));
  return chosen(compared(arith::CmpIPredicate::sgt, rows, columns), rows, columns);
}

/// Where a singular value counts; nullopt where the bounds are not known.
static std::optional<Tensor> isLarge(Tensor a, Tensor values, Any atol, Any rtol) {
  if (isa<OptionalType>(atol.v.getType()) || isa<OptionalType>(rtol.v.getType()))
    return std::nullopt;
  Tensor first = largestOf(values);
  Int longest = greaterSize(a);
  auto &semantics = cast<FloatType>(a.info().dtype()).getFloatSemantics();
  double epsilon = std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(semantics)));
  auto least = atol.isNone() ? zerosLike(first) : boundOf(atol, first);
  auto part = rtol.isNone() ? std::nullopt : boundOf(rtol, first);
  if (!least || (!rtol.isNone() && !part))
    return std::nullopt;
  if (!part) // a bound that is given stands alone
    part = where(*least > 0.0, 0.0, (zerosLike(first) + epsilon) * Any(longest));
  return values > Tensor(a.b->op<aten::MaximumOp>(*least, *part * first));
}

/// The matrix as its singular values are taken, with no more columns than rows.
static Tensor tallOf(Tensor a, bool isSymmetric) {
  if (isSymmetric)
    return symmetric(a, /*isLower=*/true);
  return isWide(a) ? transposed(a) : a;
}

static bool isEmpty(Tensor a) { return llvm::is_contained(a.info().sizes(), 0); }

Decomposition pseudoInverse(Tensor a, Bool isSymmetric, Any atol, Any rtol) {
  if (!isMatrix(a) || !isSymmetric.known())
    return a.b->notYet("matrices of known rank as a and the value of hermitian");
  if (isEmpty(a))
    return transposed(a);
  Svd svd = svdOf(tallOf(a, *isSymmetric.known()));
  auto counts = isLarge(a, svd.values, atol, rtol);
  if (!counts)
    return a.b->notYet("the tolerances");
  Tensor scale = where(*counts, 1.0 / (svd.values * svd.values), 0.0);
  Tensor tall = matmul(svd.right * unsqueeze(scale, -2), transposed(svd.columns));
  return isWide(a) ? transposed(tall) : tall;
}

Type turnedSizes(TypeRules &infer, TensorInfo matrix) {
  if (!matrix.hasRank() || matrix.rank() < 2)
    return infer.unranked(matrix.dtype());
  SmallVector<int64_t> sizes(matrix.sizes());
  std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
  return infer.tensor(sizes, matrix.dtype());
}

Gradient pseudoInverseGrad(Tensor a, Tensor inverse, Tensor grad) {
  if (!isMatrix(a))
    return a.b->notYet("matrices of known rank as a");
  Tensor turned = transposed(inverse), turnedGrad = transposed(grad);
  // What is outside of the columns and of the rows.
  Tensor columns = turnedGrad - matmul(a, matmul(inverse, turnedGrad));
  Tensor rows = turnedGrad - matmul(matmul(turnedGrad, inverse), a);
  return matmul(columns, matmul(inverse, turned)) + matmul(matmul(turned, inverse), rows) -
         matmul(turned, matmul(grad, turned));
}

Decomposition matrixRank(Tensor a, Bool isSymmetric, Any atol, Any rtol) {
  if (!isMatrix(a) || !isSymmetric.known())
    return a.b->notYet("matrices of known rank as a and the value of hermitian");
  Tensor values = isEmpty(a) ? sum(a, {-1}, false) : svdOf(tallOf(a, *isSymmetric.known())).values;
  auto counts = isEmpty(a) ? !(values == values) : isLarge(a, values, atol, rtol);
  return counts ? Decomposition(sum(*counts, {-1}, false)) : a.b->notYet("the tolerances");
}

Decomposition conditionNumber(Tensor a, Any order) {
  GraphBuilder &build = *a.b;
  if (!isMatrix(a) || isEmpty(a))
    return build.notYet("matrices with elements, of known rank");
  bool isText = isa<StrType>(order.v.getType());
  auto p = isText ? std::nullopt : order.isNone() ? std::optional(2.0) : knownNumber(order);
  if (!isText && !p)
    return build.notYet("the value of the order");
  if (p && std::abs(*p) == 2) {
    Tensor values = build.op<aten::LinalgSvdvalsOp>(a, build.none());
    auto at = [&](int64_t i) -> Tensor { return build.op<aten::SelectIntOp>(values, -1, i); };
    return *p > 0 ? at(0) / at(-1) : at(-1) / at(0);
  }
  if (!isSquare(a))
    return build.notYet("square matrices of known rank as a");
  IntList plane = build.ints({-2, -1});
  auto norm = [&](Tensor t) -> Tensor {
    if (isText)
      return build.op<aten::LinalgMatrixNormStrOp>(t, order, plane, false, build.none());
    return build.op<aten::LinalgMatrixNormOp>(t, order, plane, false, build.none());
  };
  Decomposition inverted = inverse(a, 1);
  return norm(a) * norm(Tensor(build, inverted.values->front()));
}

} // namespace jit
