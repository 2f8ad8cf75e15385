//===- TriangularSolve.cpp - triangular systems and Cholesky (Factor.td) --===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/OpenNumbers.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Factor.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

SmallVector<Tensor> looped(Int trips, ArrayRef<Tensor> first, Trip trip) {
  GraphBuilder &build = *first.front().b;
  OpBuilder &b = build.builder;
  auto values = llvm::map_to_vector(first, [](Tensor t) { return t.v; });
  // The builder of all tensors stands inside of the loop meanwhile.
  auto body = [&](OpBuilder &, Location loc, Value number, ValueRange carried) {
    auto now = llvm::map_to_vector(carried, [&](Value v) { return Tensor(build, v); });
    auto next = llvm::map_to_vector(trip(Int(build, number), now), [](Tensor t) { return t.v; });
    for (auto [value, old] : llvm::zip(next, carried))
      if (value.getType() != old.getType()) {
        build.failed = true;
        value = old;
      }
    scf::YieldOp::create(b, loc, next);
  };
  auto loop = scf::ForOp::create(b, build.loc, build.i(0).v, trips.v, build.i(1).v, values, body);
  return llvm::map_to_vector(loop.getResults(), [&](Value v) { return Tensor(build, v); });
}

bool isMatrix(Tensor t) {
  return t.info().hasRank() && t.info().rank() >= 2 && isa_and_present<FloatType>(t.info().dtype());
}

bool isSquare(Tensor t) {
  if (!isMatrix(t))
    return false;
  int64_t rank = t.info().rank();
  return haveEqualSize(t, rank - 2, t, rank - 1);
}

Int rowCount(Tensor t) { return sizeOf(t, -2); }
Int columnCount(Tensor t) { return sizeOf(t, -1); }

Int lesserSize(Tensor t) {
  Int rows = rowCount(t), columns = columnCount(t);
  if (rows.known() && columns.known())
    return t.b->i(std::min(*rows.known(), *columns.known()));
  return chosen(compared(arith::CmpIPredicate::slt, rows, columns), rows, columns);
}

Tensor first(Tensor t, int64_t dim, Int count) {
  return t.b->op<aten::SliceTensorOp>(t, dim, 0, count, 1);
}

Tensor transposed(Tensor t) { return transpose(t, -2, -1); }

Tensor columnNumbers(Tensor t) { return counting(columnCount(t)); }
Tensor rowNumbers(Tensor t) { return unsqueeze(counting(rowCount(t)), 1); }

Tensor columnOf(Tensor t, Int i) {
  return sum(where(columnNumbers(t) == Any(i), t, 0.0), {-1}, true);
}
Tensor rowOf(Tensor t, Int i) { return sum(where(rowNumbers(t) == Any(i), t, 0.0), {-2}, true); }
Tensor diagonalOf(Tensor t, Int i) { return rowOf(columnOf(t, i), i); }

Tensor withBatches(Tensor t, ArrayRef<Int> batches, int64_t inner) {
  GraphBuilder &build = *t.b;
  int64_t missing = int64_t(batches.size()) + inner - t.info().rank();
  SmallVector<Int> sizes(batches);
  bool isChanged = missing != 0;
  // -1 leaves a size as it is.
  for (int64_t dim = 0; dim < t.info().rank(); ++dim) {
    bool isInner = dim + missing >= int64_t(batches.size());
    bool isKept = isInner || t.info().size(dim) != 1 || sizes[dim + missing].known() == 1;
    if (isInner)
      sizes.push_back(build.i(-1));
    else if (isKept)
      sizes[dim + missing] = build.i(-1);
    isChanged |= !isKept;
  }
  return isChanged ? build.op<aten::ExpandOp>(t, build.list(sizes), false) : t;
}

static Batches batchesOf(Tensor t) {
  Batches sizes;
  for (int64_t dim = 0; dim < t.info().rank() - 2; ++dim)
    sizes.push_back(sizeOf(t, dim));
  return sizes;
}

std::optional<Batches> commonBatches(Tensor a, Tensor b) {
  if (a.info().rank() < b.info().rank())
    std::swap(a, b);
  Batches common = batchesOf(a);
  int64_t missing = a.info().rank() - b.info().rank();
  for (int64_t dim = 0; dim < b.info().rank() - 2; ++dim) {
    int64_t one = a.info().size(dim + missing), other = b.info().size(dim);
    if (one == 1)
      common[dim + missing] = sizeOf(b, dim);
    else if (other != 1 && !haveEqualSize(a, dim + missing, b, dim))
      return std::nullopt;
  }
  return common;
}

Tensor identityLike(Tensor like, Int rows, Int columns) {
  GraphBuilder &build = *like.b;
  Any none = build.none();
  int64_t dtype = int64_t(*typeToDtype(like.info().dtype()));
  Tensor one = build.op<aten::EyeMOp>(rows, columns, dtype, none, none, none);
  return withBatches(one, batchesOf(like));
}

Tensor substituted(Tensor a, Tensor b, bool isUpper, bool isUnit) {
  Int size = columnCount(a);
  return looped(size, {b},
                [&](Int trip, ArrayRef<Tensor> now) {
                  Int i = isUpper ? size - a.b->i(1) - trip : trip;
                  Tensor x = rowOf(now[0], i);
                  if (!isUnit)
                    x = x / diagonalOf(a, i);
                  Tensor row = rowNumbers(now[0]);
                  Tensor isRest = isUpper ? row < Any(i) : row > Any(i);
                  Tensor rest = where(isRest, now[0] - columnOf(a, i) * x, now[0]);
                  return SmallVector<Tensor>{where(row == Any(i), x, rest)};
                })
      .front();
}

//===----------------------------------------------------------------------===//
// Triangular systems
//===----------------------------------------------------------------------===//

bool haveAsManyRows(Tensor b, Tensor a) {
  return haveEqualSize(b, b.info().rank() - 2, a, a.info().rank() - 1);
}

static Decomposition solvedTriangle(Tensor a, Tensor b, bool isUpper, bool isLeft, bool isUnit) {
  if (!isLeft) {
    a = transposed(a), b = transposed(b);
    isUpper = !isUpper;
  }
  auto batches = commonBatches(a, b);
  if (!batches || !haveAsManyRows(b, a))
    return a.b->notYet("batches that broadcast, and as many rows of b as A has columns");
  Tensor x = substituted(withBatches(a, *batches), withBatches(b, *batches), isUpper, isUnit);
  return isLeft ? x : transposed(x);
}

Decomposition triangularSolution(Tensor a, Tensor b, const Triangle &triangle) {
  if (!isSquare(a) || !isMatrix(b) || !triangle.isUpper.known() || !triangle.isLeft.known() ||
      !triangle.isUnit.known())
    return a.b->notYet("square matrices and right sides of known rank, and the values of upper, "
                       "left and unitriangular");
  return solvedTriangle(a, b, *triangle.isUpper.known(), *triangle.isLeft.known(),
                        *triangle.isUnit.known());
}

Decomposition oldTriangularSolution(Tensor b, Tensor a, Bool upper, Bool transpose, Bool unit) {
  if (!isSquare(a) || !isMatrix(b) || !upper.known() || !transpose.known() || !unit.known())
    return a.b->notYet("square matrices of known rank as a, matrices of known rank as b, and the "
                       "values of upper, transpose and unit");
  bool isTransposed = *transpose.known();
  Decomposition x = solvedTriangle(isTransposed ? transposed(a) : a, b,
                                   *upper.known() != isTransposed, true, *unit.known());
  if (failed(x.values))
    return x;
  auto batches = commonBatches(a, b);
  return {Tensor(*a.b, x.values->front()), withBatches(a, *batches)};
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// Column by column: the square root of the diagonal, what is below divided by it, and the rest
/// less its square.
Decomposition choleskyWithInfo(Tensor self, Bool upper) {
  GraphBuilder &build = *self.b;
  if (!isSquare(self) || !upper.known())
    return build.notYet("square matrices of known rank as self and the value of upper");
  Tensor a = *upper.known() ? transposed(self) : self;
  Type int32 = IntegerType::get(build.builder.getContext(), 32);
  Tensor none = converted(zerosLike(sum(a, {-1, -2}, false)), int32);
  auto done = looped(columnCount(a), {a, none}, [&](Int i, ArrayRef<Tensor> now) {
    Tensor pivot = diagonalOf(now[0], i), root = sqrt(pivot);
    Tensor row = rowNumbers(a), column = columnNumbers(a);
    Tensor below = where(row > Any(i), columnOf(now[0], i) / root, root);
    Tensor rest = where(column > Any(i), now[0] - below * transposed(below), now[0]);
    Tensor next = where(column == Any(i), below, rest);
    Tensor isWrong = !(squeeze(squeeze(pivot, -1), -1) > 0.0);
    Tensor number = typeAs(zerosLike(now[1]) + Any(i + build.i(1)), now[1]);
    return SmallVector<Tensor>{next, where(isWrong && now[1] == 0.0, number, now[1])};
  });
  Tensor lower = build.op<aten::TrilOp>(done[0], 0);
  return {*upper.known() ? transposed(lower) : lower, done[1]};
}

Decomposition cholesky(Tensor self, Bool upper) {
  GraphBuilder &build = *self.b;
  Operation *both = build.multi<aten::LinalgCholeskyExOp>(self, upper, false);
  return Tensor(build, both->getResult(0));
}

/// What a matrix and its transpose have in common, twice.
static Tensor withTransposed(Tensor t) { return t + transposed(t); }

Gradient choleskyGrad(Tensor factor, Bool upper, Tensor grad) {
  GraphBuilder &build = *factor.b;
  if (!isSquare(factor) || !upper.known())
    return build.notYet("square matrices of known rank as self and the value of upper");
  Tensor lower = *upper.known() ? transposed(factor) : factor;
  Tensor flowing = *upper.known() ? transposed(grad) : grad;
  Tensor product = matmul(transposed(lower), flowing);
  Tensor isOnDiagonal = rowNumbers(product) == columnNumbers(product);
  Tensor half = build.op<aten::TrilOp>(where(isOnDiagonal, product * 0.5, product), 0);
  auto divided = [&](Tensor t) { return substituted(transposed(lower), t, true, false); };
  return withTransposed(divided(transposed(divided(half)))) * 0.5;
}

Decomposition choleskySolution(Tensor b, Tensor factor, Bool upper) {
  if (!isSquare(factor) || !isMatrix(b) || !upper.known())
    return b.b->notYet("square matrices of known rank as factor, matrices of known rank as b, "
                       "and the value of upper");
  Tensor lower = *upper.known() ? transposed(factor) : factor;
  Decomposition half = solvedTriangle(lower, b, false, true, false);
  if (failed(half.values))
    return half;
  return solvedTriangle(transposed(lower), Tensor(*b.b, half.values->front()), true, true, false);
}

static std::optional<SmallVector<int64_t>> broadcastBatches(ArrayRef<int64_t> x,
                                                            ArrayRef<int64_t> y) {
  x = x.drop_back(2), y = y.drop_back(2);
  if (x.size() < y.size())
    std::swap(x, y);
  SmallVector<int64_t> common(x);
  for (size_t i = 0; i < y.size(); ++i) {
    auto size = broadcastDim(x[x.size() - 1 - i], y[y.size() - 1 - i]);
    if (!size)
      return std::nullopt;
    common[x.size() - 1 - i] = *size;
  }
  return common;
}

Type solutionOf(TypeRules &infer, TensorInfo b, TensorInfo factor) {
  if (!b.hasRank() || !factor.hasRank() || b.rank() < 2 || factor.rank() < 2)
    return infer.unranked(b.dtype());
  auto sizes = broadcastBatches(b.sizes(), factor.sizes());
  if (!sizes)
    return infer.error("expected batches of matrices that broadcast");
  llvm::append_range(*sizes, b.sizes().take_back(2));
  return infer.tensor(*sizes, b.dtype());
}

Type infoOf(TypeRules &infer, TensorInfo matrix) {
  Type int32 = IntegerType::get(infer.context, 32);
  if (!matrix.hasRank() || matrix.rank() < 2)
    return infer.unranked(int32);
  return infer.tensor(matrix.sizes().drop_back(2), int32);
}

/// Of what flows back to the matrix to the factor of which it is the product with its transpose.
static Gradient factorGrad(Tensor factor, Bool upper, Tensor grad) {
  if (!upper.known())
    return factor.b->notYet("the value of upper");
  Tensor both = withTransposed(grad);
  return *upper.known() ? matmul(factor, both) : matmul(both, factor);
}

Gradient choleskySolutionGrad(Tensor factor, Tensor solution, Bool upper, Tensor grad) {
  Decomposition flowing = choleskySolution(grad, factor, upper);
  if (failed(flowing.values))
    return flowing;
  Tensor right(*factor.b, flowing.values->front());
  return factorGrad(factor, upper, -matmul(right, transposed(solution)));
}

Gradient choleskyInverseGrad(Tensor factor, Tensor inverse, Bool upper, Tensor grad) {
  if (!isSquare(factor))
    return factor.b->notYet("square matrices of known rank as factor");
  return factorGrad(factor, upper, -matmul(inverse, matmul(grad, inverse)));
}

Decomposition choleskyInverse(Tensor factor, Bool upper) {
  if (!isSquare(factor))
    return factor.b->notYet("square matrices of known rank as factor");
  Int size = columnCount(factor);
  return choleskySolution(identityLike(factor, size, size), factor, upper);
}

} // namespace jit
