//===- GeneralEigen.cpp - spectra of matrices that need not be symmetric (Factor.td) ---===//
//
// A unitary change of basis to a matrix with one diagonal below the main one (Hessenberg's), then
// steps of QR with shifts until that diagonal is 0 (Schur's form), then substitution. All batches
// take each step together: where one is done its rotations turn by nothing.
//
//===----------------------------------------------------------------------===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/OpenNumbers.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Factor.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

namespace {
/// By its parts: the types of this body are settled, complex tensors are split before.
struct Pair {
  Tensor re, im;
};
} // namespace

static Pair operator+(Pair a, Pair c) { return {a.re + c.re, a.im + c.im}; }
static Pair operator-(Pair a, Pair c) { return {a.re - c.re, a.im - c.im}; }
static Pair operator*(Pair a, Pair c) {
  return {a.re * c.re - a.im * c.im, a.re * c.im + a.im * c.re};
}
static Pair operator*(Pair a, Tensor c) { return {a.re * c, a.im * c}; }
static Pair operator/(Pair a, Tensor c) { return {a.re / c, a.im / c}; }
static Pair conjugate(Pair a) { return {a.re, -a.im}; }
static Pair where(Tensor condition, Pair a, Pair c) {
  return {where(condition, a.re, c.re), where(condition, a.im, c.im)};
}
static Pair where(Tensor condition, Pair a, double c) {
  return {where(condition, a.re, c), where(condition, a.im, zerosLike(a.im))};
}
static Pair each(Pair a, llvm::function_ref<Tensor(Tensor)> map) { return {map(a.re), map(a.im)}; }
static Tensor squared(Pair a) { return a.re * a.re + a.im * a.im; }
/// A size that is 0 of 0 alone, and does not square small numbers.
static Tensor sizeOf(Pair a) { return abs(a.re) + abs(a.im); }

/// Without squares that are too large or too small for the element type.
static Pair operator/(Pair a, Pair c) {
  Tensor scale = sizeOf(c);
  Pair unit = c / scale;
  return (a / scale) * conjugate(unit) / squared(unit);
}

static Pair squareRoot(Pair a) {
  GraphBuilder &build = *a.re.b;
  Tensor size = build.op<aten::HypotOp>(a.re, a.im);
  Tensor first = sqrt((size + abs(a.re)) * 0.5);
  Tensor isZero = first == 0.0;
  Tensor second = where(isZero, 0.0, a.im * 0.5 / where(isZero, 1.0, first));
  Tensor isLeft = a.re < 0.0;
  Tensor turned = where(a.im < 0.0, -first, first);
  return {where(isLeft, abs(second), first), where(isLeft, turned, second)};
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The numbers of rows and columns, exact in any element type that a matrix in memory has.
static Tensor rowsOf(Tensor a) { return typeAs(rowNumbers(a), a); }
static Tensor columnsOf(Tensor a) { return typeAs(columnNumbers(a), a); }

static double epsilonOf(Tensor a) {
  auto &semantics = cast<FloatType>(a.info().dtype()).getFloatSemantics();
  return std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(semantics)));
}

/// Row or column `i` of a matrix, [..., size].
static Pair lineOf(Pair a, int64_t dim, Int i) {
  return each(a, [&](Tensor t) -> Tensor { return t.b->op<aten::SelectIntOp>(t, dim, i); });
}
static Pair withLine(Pair a, Pair line, int64_t dim, Int i) {
  auto written = [&](Tensor t, Tensor by) -> Tensor {
    return t.b->op<aten::SelectScatterOp>(t, by, dim, i);
  };
  return {written(a.re, line.re), written(a.im, line.im)};
}
/// An element, [..., 1].
static Pair elementOf(Pair a, Int row, Int column) {
  return each(lineOf(a, -2, row),
              [&](Tensor t) { return unsqueeze(t.b->op<aten::SelectIntOp>(t, -1, column), -1); });
}

static Tensor largestIn(Tensor a, ArrayRef<int64_t> dims) {
  return a.b->op<aten::AmaxOp>(a, a.b->ints(dims), true);
}

//===----------------------------------------------------------------------===//
// Hessenberg's form
//===----------------------------------------------------------------------===//

namespace {
/// A matrix, and the basis that it is seen from.
struct Seen {
  Pair matrix, basis;
  SmallVector<Tensor> all() const { return {matrix.re, matrix.im, basis.re, basis.im}; }
  static Seen of(ArrayRef<Tensor> all) { return {{all[0], all[1]}, {all[2], all[3]}}; }
};
} // namespace

/// t (1 - factor v v').
static Pair mirroredRight(Pair t, Pair v, Tensor factor) {
  Pair turned = each(v, transposed);
  Pair along = each(t * turned, [](Tensor part) { return sum(part, {-1}, true); });
  return t - along * conjugate(turned) * factor;
}

/// The reflection that leaves column i nothing behind its element i + 1.
static Seen reflected(Int i, const Seen &now) {
  Tensor row = rowsOf(now.matrix.re);
  Pair column = each(now.matrix, [&](Tensor t) { return columnOf(t, i); });
  Pair below = where(row > Any(i), column, 0.0);
  Pair first = each(where(row == Any(i + i.b->i(1)), column, 0.0),
                    [](Tensor t) { return sum(t, {-2}, true); });
  Tensor length = sqrt(sum(squared(below), {-2}, true));
  Tensor size = sqrt(squared(first)), isZero = size == 0.0;
  Pair phase = where(isZero, {onesLike(size), zerosLike(size)}, first / where(isZero, 1.0, size));
  Pair v = where(row == Any(i + i.b->i(1)), below + phase * length, below);
  Tensor square = sum(squared(v), {-2}, true), isDone = square == 0.0;
  Tensor factor = where(isDone, 0.0, 2.0 / where(isDone, 1.0, square));
  Pair across = each(conjugate(v) * now.matrix, [](Tensor t) { return sum(t, {-2}, true); });
  Pair left = now.matrix - v * across * factor;
  return {mirroredRight(left, v, factor), mirroredRight(now.basis, v, factor)};
}

static Seen hessenberg(Pair a) {
  GraphBuilder &build = *a.re.b;
  Int size = columnCount(a.re);
  Tensor one = identityLike(a.re, size, size);
  Seen first{a, {one, zerosLike(one)}};
  Int trips = size - build.i(2);
  auto done = looped(trips, first.all(), [&](Int i, ArrayRef<Tensor> now) {
    return reflected(i, Seen::of(now)).all();
  });
  return Seen::of(done);
}

//===----------------------------------------------------------------------===//
// Schur's form
//===----------------------------------------------------------------------===//

namespace {
/// What a step works on: rows `first` to `last` of each matrix, [..., 1, 1], 0 and 0 where all is
/// done; and how many steps have ended at that row.
struct Window {
  Tensor first, last, steps;
};
} // namespace

/// Where the diagonal below the main one holds what is not small beside its neighbours.
static Tensor isCoupled(Pair h) {
  Tensor row = rowsOf(h.re), column = columnsOf(h.re);
  Tensor size = sizeOf(h), own = where(row == column, size, 0.0);
  Tensor beside = sum(own, {-1}, true) + sum(own, {-2}, true);
  beside = where(beside == 0.0, largestIn(size, {-2, -1}), beside);
  return row == column + 1.0 && !(size <= beside * epsilonOf(h.re));
}

/// Lines that are coupled to none before them begin a window.
static Window windowOf(Pair h, Tensor coupled, Tensor last, Tensor steps) {
  Tensor row = rowsOf(h.re);
  Tensor marks = typeAs(coupled, h.re);
  Tensor isInside = largestIn(marks, {-1}) > 0.0;
  Tensor end = largestIn(marks * row, {-2, -1});
  Tensor start = largestIn(where(!isInside && row <= end, row, 0.0), {-2});
  return {start, end, where(end == last, steps + 1.0, 0.0)};
}

/// The eigenvalue of the last two rows that is nearer to the last element; sometimes another
/// number, as of some matrices that one leads nowhere.
static Pair shiftOf(Pair h, const Window &at) {
  Tensor row = rowsOf(h.re), column = columnsOf(h.re), before = at.last - 1.0;
  auto pick = [&](Tensor i, Tensor j) {
    return each(
        h, [&](Tensor t) { return sum(where(row == i && column == j, t, 0.0), {-1, -2}, true); });
  };
  Pair lower = pick(at.last, before), own = pick(at.last, at.last);
  Pair product = pick(before, at.last) * lower;
  Pair half = each(pick(before, before) - own, [](Tensor t) { return t * 0.5; });
  Pair root = squareRoot(half * half + product);
  Pair plus = half + root, minus = half - root;
  Pair larger = where(squared(plus) >= squared(minus), plus, minus);
  Tensor isZero = sizeOf(larger) == 0.0;
  Pair safe{where(isZero, 1.0, larger.re), larger.im};
  // The product of both distances from the last element is -product.
  Pair nearer = own - where(isZero, product, product / safe);
  Tensor isOdd = h.re.b->op<aten::RemainderScalarOp>(at.steps, 10) == 9.0;
  Pair other{own.re + sizeOf(lower) * 0.75, own.im};
  return where(isOdd, other, nearer);
}

/// The rotation that takes (x, y) to (r, 0), of rows `i` and `i + 1` and then of these columns.
static Seen turned(Int i, const Seen &now, Pair x, Pair y, Tensor isActive) {
  Tensor largest = now.matrix.re.b->op<aten::MaximumOp>(sizeOf(x), sizeOf(y));
  Tensor turns = isActive && largest > 0.0;
  Tensor scale = where(turns, largest, 1.0);
  x = x / scale;
  y = y / scale;
  Tensor length = sqrt(where(turns, squared(x) + squared(y), 1.0));
  x = where(turns, x / length, 1.0);
  y = where(turns, y / length, 0.0);
  Int next = i + i.b->i(1);
  Pair above = lineOf(now.matrix, -2, i), below = lineOf(now.matrix, -2, next);
  Pair first = conjugate(x) * above + conjugate(y) * below, second = x * below - y * above;
  Pair rows = withLine(withLine(now.matrix, first, -2, i), second, -2, next);
  auto byColumns = [&](Pair t) {
    Pair left = lineOf(t, -1, i), right = lineOf(t, -1, next);
    Pair one = left * x + right * y, two = right * conjugate(x) - left * conjugate(y);
    return withLine(withLine(t, one, -1, i), two, -1, next);
  };
  return {byColumns(rows), byColumns(now.basis)};
}

/// One step of QR in each window: the shift, chased from its first row to its last one.
static Seen chased(const Seen &now, const Window &at) {
  GraphBuilder &build = *now.matrix.re.b;
  Pair shift = each(shiftOf(now.matrix, at), [](Tensor t) { return squeeze(t, -1); });
  Tensor first = squeeze(at.first, -1), last = squeeze(at.last, -1);
  Int one = build.i(1), trips = columnCount(now.matrix.re) - one;
  auto done = looped(trips, now.all(), [&](Int i, ArrayRef<Tensor> tensors) {
    Seen seen = Seen::of(tensors);
    Int before = chosen(compared(arith::CmpIPredicate::sgt, i, build.i(0)), i - one, build.i(0));
    Tensor isFirst = first == Any(i), isActive = first <= Any(i) && last > Any(i);
    Pair start = elementOf(seen.matrix, i, i) - shift;
    Pair x = where(isFirst, start, elementOf(seen.matrix, i, before));
    Pair y =
        where(isFirst, elementOf(seen.matrix, i + one, i), elementOf(seen.matrix, i + one, before));
    return turned(i, seen, x, y, isActive).all();
  });
  Seen seen = Seen::of(done);
  seen.matrix =
      each(seen.matrix, [&](Tensor t) -> Tensor { return build.op<aten::TriuOp>(t, -1); });
  return seen;
}

static Value anyOf(Tensor condition) {
  return condition.b->op<aten::ItemOp>(condition.b->op<aten::AnyOp>(condition)).v;
}

static void guardAll(Tensor condition, StringRef text) {
  GraphBuilder &build = *condition.b;
  Value ok = build.op<aten::ItemOp>(build.op<aten::AllOp>(condition)).v;
  GuardOp::create(build.builder, build.loc, ok, "builtins.RuntimeError", text, ValueRange());
}

/// Steps until nothing is coupled, but no more than LAPACK takes.
static Seen schur(const Seen &start) {
  GraphBuilder &build = *start.matrix.re.b;
  Tensor none = sum(zerosLike(start.matrix.re), {-2, -1}, true);
  SmallVector<Tensor> first = start.all();
  first.append({none - 1.0, none, sum(none)});
  Tensor most = sum(none) + Any(columnCount(start.matrix.re) * build.i(30));
  auto tensors = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value v) { return Tensor(build, v); });
  };
  // The builder of all tensors stands inside of the loop meanwhile.
  auto condition = [&](OpBuilder &b, Location loc, ValueRange now) {
    auto carried = tensors(now);
    Tensor goesOn = sum(typeAs(isCoupled(Seen::of(carried).matrix), carried[0])) > 0.0;
    scf::ConditionOp::create(b, loc, anyOf(goesOn && carried[6] < most), now);
  };
  auto step = [&](OpBuilder &b, Location loc, ValueRange now) {
    auto carried = tensors(now);
    Seen seen = Seen::of(carried);
    Tensor coupled = isCoupled(seen.matrix);
    Tensor isKept = coupled || !(rowsOf(carried[0]) == columnsOf(carried[0]) + 1.0);
    seen.matrix = where(isKept, seen.matrix, 0.0);
    Window at = windowOf(seen.matrix, coupled, carried[4], carried[5]);
    SmallVector<Tensor> next = chased(seen, at).all();
    next.append({at.last, at.steps, carried[6] + 1.0});
    scf::YieldOp::create(b, loc, llvm::map_to_vector(next, [](Tensor t) { return t.v; }));
  };
  auto values = llvm::map_to_vector(first, [](Tensor t) { return t.v; });
  auto loop = scf::WhileOp::create(build.builder, build.loc, ValueRange(values).getTypes(), values,
                                   condition, step);
  Seen done = Seen::of(tensors(loop.getResults()));
  guardAll(!isCoupled(done.matrix), "linalg.eig: the algorithm failed to converge");
  return done;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Of a triangle, as columns, in its own basis. Columns that grow are made smaller as a whole.
static Pair triangleVectors(Pair t) {
  GraphBuilder &build = *t.re.b;
  Int size = columnCount(t.re);
  Tensor row = rowsOf(t.re), column = columnsOf(t.re);
  Pair own = each(t, [&](Tensor part) { return sum(where(row == column, part, 0.0), {-2}, true); });
  Tensor least = largestIn(sizeOf(t), {-2, -1}) * epsilonOf(t.re);
  least = where(least == 0.0, 1.0, least);
  Tensor one = identityLike(t.re, size, size);
  auto done = looped(size, {one, zerosLike(one)}, [&](Int trip, ArrayRef<Tensor> now) {
    Int i = size - build.i(1) - trip;
    Pair x{now[0], now[1]};
    // Row i of the triangle as a column.
    Pair factors = each(t, [&](Tensor part) { return transposed(rowOf(part, i)); });
    factors = where(row > Any(i), factors, 0.0);
    Pair known = each(factors * x, [](Tensor part) { return sum(part, {-2}, true); });
    Pair distance = own - each(t, [&](Tensor part) { return diagonalOf(part, i); });
    Tensor isClose = sizeOf(distance) < least;
    Pair safe{where(isClose, least, distance.re), where(isClose, zerosLike(least), distance.im)};
    Pair found = where(column > Any(i), known / safe, 0.0);
    x = where(row == Any(i) && column > Any(i), found, x);
    Tensor size = sizeOf(found);
    Tensor scale = where(size > 1e3, size, 1.0);
    x = x / scale;
    return SmallVector<Tensor>{x.re, x.im};
  });
  return {done[0], done[1]};
}

/// Columns of length 1 whose largest element is real, as LAPACK has them.
static Pair normalised(Pair vectors) {
  GraphBuilder &build = *vectors.re.b;
  Pair scaled = vectors / largestIn(sizeOf(vectors), {-2});
  Pair unit = scaled / sqrt(sum(squared(scaled), {-2}, true));
  Tensor place = build.op<aten::ArgmaxOp>(squared(unit), -2, true);
  Pair largest =
      each(unit, [&](Tensor t) -> Tensor { return build.op<aten::GatherOp>(t, -2, place, false); });
  Pair turned = unit * conjugate(largest / sqrt(squared(largest)));
  return {turned.re, where(rowNumbers(turned.re) == place, 0.0, turned.im)};
}

Decomposition spectrumParts(Tensor re, Tensor im, int64_t count) {
  GraphBuilder &build = *re.b;
  if (!isSquare(re) || !isSquare(im))
    return build.notYet("square matrices of known rank");
  Pair a{re, im};
  if (llvm::is_contained(re.info().sizes(), 0)) {
    Tensor values = sum(re, {-1}, false);
    return count == 2 ? Decomposition{values, values} : Decomposition{values, values, re, re};
  }
  guardAll(isFinite(re) && isFinite(im),
           "linalg.eig: input tensor should not contain infs or NaNs");
  Tensor largest = largestIn(sizeOf(a), {-2, -1});
  Tensor scale = where(largest > 0.0, largest, 1.0);
  Seen done = schur(hessenberg(a / scale));
  Pair values = each(done.matrix * scale,
                     [&](Tensor t) -> Tensor { return build.op<aten::DiagonalOp>(t, 0, -2, -1); });
  if (count == 2)
    return {values.re, values.im};
  Pair inside = triangleVectors(done.matrix);
  Pair vectors{matmul(done.basis.re, inside.re) - matmul(done.basis.im, inside.im),
               matmul(done.basis.re, inside.im) + matmul(done.basis.im, inside.re)};
  Pair unit = normalised(vectors);
  return {values.re, values.im, unit.re, unit.im};
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

static Pair productOf(Pair a, Pair c) {
  return {matmul(a.re, c.re) - matmul(a.im, c.im), matmul(a.re, c.im) + matmul(a.im, c.re)};
}

/// x with a x = c, as a real system of twice the size.
static std::optional<Pair> solved(Pair a, Pair c) {
  GraphBuilder &build = *a.re.b;
  auto joined = [&](Tensor one, Tensor other, int64_t dim) -> Tensor {
    return build.op<aten::CatOp>(build.list(ArrayRef<Tensor>{one, other}), dim);
  };
  Tensor whole = joined(joined(a.re, -a.im, -1), joined(a.im, a.re, -1), -2);
  Decomposition found = solution(whole, joined(c.re, c.im, -2), build.flag(true), 1);
  if (failed(found.values))
    return std::nullopt;
  Tensor x(build, found.values->front());
  Int size = columnCount(a.re);
  auto half = [&](Int from, Int to) -> Tensor {
    return build.op<aten::SliceTensorOp>(x, -2, from, to, 1);
  };
  return Pair{half(build.i(0), size), half(size, size + size)};
}

Gradient spectrumPartsGrad(const SpectrumGrad &of, bool isImaginary) {
  GraphBuilder &build = *of.vectorsRe.b;
  if (!isSquare(of.vectorsRe))
    return build.notYet("square matrices of known rank");
  Pair vectors{of.vectorsRe, of.vectorsIm}, values{of.valuesRe, of.valuesIm};
  Pair turned = conjugate(each(vectors, transposed));
  Pair product = productOf(turned, {of.vectorsReGrad, of.vectorsImGrad});
  Tensor isSame = rowNumbers(vectors.re) == columnNumbers(vectors.re);
  guardAll(abs(where(isSame, product.im, 0.0)) <= 1e-2,
           "linalg_eig_backward: the eigenvectors are specified up to multiplication by e^{i phi}, "
           "on which the loss depends");
  // A vector's length is 1: what would make it longer does not flow back.
  Tensor along = sum(where(isSame, product.re, 0.0), {-2}, true);
  Pair across = product - productOf(turned, vectors) * along;
  Pair distance = each(values, [](Tensor t) { return unsqueeze(t, -2) - unsqueeze(t, -1); });
  Pair own = each({of.valuesReGrad, of.valuesImGrad}, [](Tensor t) { return unsqueeze(t, -2); });
  Pair safe{where(isSame, 1.0, distance.re), where(isSame, 0.0, distance.im)};
  Pair inner = where(isSame, own, across / conjugate(safe));
  auto flowing = solved(turned, productOf(inner, turned));
  if (!flowing)
    return build.notYet("square matrices of known rank");
  return isImaginary ? flowing->im : flowing->re;
}

Gradient spectrumValuesGrad(Tensor re, Tensor im, Tensor reGrad, Tensor imGrad, bool isImaginary) {
  GraphBuilder &build = *re.b;
  if (!isSquare(re))
    return build.notYet("square matrices of known rank");
  Operation *op = build.multi<aten::EigenPartsOp>(re, im);
  auto part = [&](unsigned i) { return Tensor(build, op->getResult(i)); };
  Tensor none = zerosLike(part(2));
  return spectrumPartsGrad({part(0), part(1), part(2), part(3), reGrad, imGrad, none, none},
                           isImaginary);
}

//===----------------------------------------------------------------------===//
// Whole
//===----------------------------------------------------------------------===//

Decomposition spectrum(Tensor a, int64_t count) {
  GraphBuilder &build = *a.b;
  Type dtype = a.info().dtype();
  int64_t rank = a.info().hasRank() ? a.info().rank() : 0;
  if (rank < 2 || !dtype || !haveEqualSize(a, rank - 2, a, rank - 1))
    return build.notYet("square matrices of known rank and element type");
  bool isComplex = isa<ComplexType>(dtype);
  Tensor re = build.op<aten::RealOp>(a);
  Tensor im = isComplex ? build.op<aten::ImagOp>(a) : zerosLike(a);
  Operation *op = count == 1 ? build.multi<aten::EigenvaluePartsOp>(re, im)
                             : build.multi<aten::EigenPartsOp>(re, im);
  auto part = [&](unsigned i) { return Tensor(build, op->getResult(i)); };
  Tensor valuesIm = part(1);
  if (!isComplex) {
    // What rounding leaves of the imaginary part of a real number.
    Tensor sizes = sum(abs(re), {-1}, true);
    Tensor largest = build.op<aten::LargestOp>(sizes, build.ints({-2, -1}), false);
    Tensor bound = unsqueeze(build.op<aten::DetachOp>(largest), -1) * (4 * epsilonOf(re));
    valuesIm = where(abs(valuesIm) <= bound, 0.0, valuesIm);
  }
  Tensor values = build.op<aten::ComplexOp>(part(0), valuesIm);
  if (count == 1)
    return values;
  return {values, build.op<aten::ComplexOp>(part(2), part(3))};
}

} // namespace jit
