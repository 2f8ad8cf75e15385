//===- HouseholderQR.cpp - QR by reflections (Factor.td) ------------------===//

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
// Reflections
//===----------------------------------------------------------------------===//

/// t - tau v (v' t), of columns v, [..., rows, 1], and factors, [..., 1, 1].
static Tensor mirrored(Tensor t, Tensor v, Tensor tau) {
  return t - tau * v * sum(v * t, {-2}, true);
}

/// The vector of reflection i: 1 on the diagonal, below it what is stored there.
static Tensor vectorOf(Tensor a, Int i) {
  Tensor row = rowNumbers(a);
  return where(row == Any(i), 1.0, where(row > Any(i), columnOf(a, i), 0.0));
}

static Tensor factorOf(Tensor tau, Int i) {
  return unsqueeze(sum(where(columnNumbers(tau) == Any(i), tau, 0.0), {-1}, true), -1);
}

/// One column of R after the other.
static SmallVector<Tensor> reflectedStep(Int i, Tensor a, Tensor tau) {
  Tensor row = rowNumbers(a), column = columnNumbers(a);
  Tensor values = columnOf(a, i), alpha = diagonalOf(a, i);
  Tensor below = where(row > Any(i), values, 0.0), square = sum(below * below, {-2}, true);
  // What is not taken has no infinite gradient either.
  Tensor isDone = square == 0.0, length = sqrt(where(isDone, 1.0, alpha * alpha + square));
  Tensor beta = where(isDone, alpha, where(alpha < 0.0, length, -length));
  Tensor factor = where(isDone, 0.0, (beta - alpha) / where(isDone, 1.0, beta));
  Tensor v =
      where(row == Any(i), 1.0, where(isDone, 0.0, below / where(isDone, 1.0, alpha - beta)));
  Tensor rest = where(column > Any(i), mirrored(a, v, factor), a);
  Tensor own = where(row == Any(i), beta, where(row > Any(i), v, values));
  return {where(column == Any(i), own, rest),
          where(columnNumbers(tau) == Any(i), squeeze(factor, -1), tau)};
}

static std::pair<Tensor, Tensor> reflectionsOf(Tensor a) {
  Int count = lesserSize(a);
  Tensor none = first(squeeze(rowOf(zerosLike(a), a.b->i(0)), -2), -1, count);
  auto done = looped(count, {a, none},
                     [&](Int i, ArrayRef<Tensor> now) { return reflectedStep(i, now[0], now[1]); });
  return {done[0], done[1]};
}

Decomposition reflections(Tensor a) {
  if (!isMatrix(a))
    return a.b->notYet("matrices of known rank as a");
  auto [r, tau] = reflectionsOf(a);
  return {r, tau};
}

/// All reflections applied to `t`, the last one first unless `isForward`.
static Tensor applied(Tensor a, Tensor tau, Tensor t, bool isForward) {
  Int count = columnCount(tau);
  return looped(count, {t},
                [&](Int trip, ArrayRef<Tensor> now) {
                  Int i = isForward ? trip : count - a.b->i(1) - trip;
                  return SmallVector<Tensor>{mirrored(now[0], vectorOf(a, i), factorOf(tau, i))};
                })
      .front();
}

Decomposition productOfReflections(Tensor a, Tensor tau) {
  if (!isMatrix(a) || !tau.info().hasRank() || !tau.info().dtype() ||
      tau.info().rank() != a.info().rank() - 1)
    return a.b->notYet("matrices of known rank, and tau of one dimension less");
  return applied(a, tau, identityLike(a, rowCount(a), columnCount(a)), false);
}

Decomposition reflected(Tensor a, Tensor tau, Tensor other, Bool left, Bool transpose) {
  if (!isMatrix(a) || !isMatrix(other) || !tau.info().hasRank() || !tau.info().dtype() ||
      !left.known() || !transpose.known())
    return a.b->notYet("matrices of known rank as a and other, the rank of tau, and the values of "
                       "left and transpose");
  bool isLeft = *left.known();
  Tensor t = isLeft ? other : transposed(other);
  if (!haveEqualSize(t, t.info().rank() - 2, a, a.info().rank() - 2))
    return a.b->notYet("as many rows of other as of input");
  Tensor done = applied(a, tau, t, *transpose.known() == isLeft);
  return isLeft ? done : transposed(done);
}

Decomposition qr(Tensor a, Str mode) {
  GraphBuilder &build = *a.b;
  if (!isMatrix(a) || !mode.known())
    return build.notYet("matrices of known rank as a and the value of mode");
  bool isComplete = *mode.known() == "complete";
  auto [stored, tau] = reflectionsOf(a);
  Int kept = isComplete ? rowCount(a) : lesserSize(a);
  Tensor r = build.op<aten::TriuOp>(first(stored, -2, kept), 0);
  if (*mode.known() == "r") {
    Any none = build.none();
    return {build.op<aten::NewEmptyOp>(a, build.ints({0}), none, none, none, none), r};
  }
  return {applied(stored, tau, identityLike(a, rowCount(a), kept), false), r};
}

} // namespace jit
