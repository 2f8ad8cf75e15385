//===- CtcLoss.cpp - builders for the rules of Loss.td: labels without times -===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/Loss.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/View.h"

#include <cmath>

using namespace mlir;

namespace jit {

/// The logarithm of what is impossible: finite, so that no difference of two is NaN.
static constexpr double impossible = -1e30;

namespace {
/// log probabilities [steps, batch, classes]; labels with blanks around each, [batch, 2 labels +
/// 1]; lengths, [batch, 1]; `mayEnter`: a label may follow the one before without a blank.
struct Alignment {
  Tensor logs, labels, steps, count, mayEnter;
};
} // namespace

static Tensor joined(Tensor a, Tensor c) {
  return a.b->op<aten::CatOp>(a.b->list(ArrayRef<Tensor>{a, c}), -1);
}

static Tensor filled(Tensor like, int64_t columns, Any value) {
  GraphBuilder &build = *like.b;
  Any none = build.none();
  int64_t dtype = int64_t(*typeToDtype(like.info().dtype()));
  return build.op<aten::FullOp>(build.ints({like.info().size(0), columns}), value, dtype, none,
                                none, none);
}

/// [batch, 1].
static Tensor lengthsOf(Any lengths) {
  GraphBuilder &build = *lengths.b;
  Tensor row =
      isa<TensorType>(lengths.v.getType())
          ? Tensor(build, lengths.v)
          : build.op<aten::TensorOp>(lengths, int64_t(ScalarType::Long), build.none(), false);
  return build.op<aten::ReshapeOp>(converted(row, build.builder.getI64Type()), build.ints({-1, 1}));
}

/// [batch, most labels]: labels that stand one row behind the other get rows of their own.
static Tensor rowsOfTargets(Tensor targets, Tensor count, bool isBatch) {
  GraphBuilder &build = *targets.b;
  targets = converted(targets, build.builder.getI64Type());
  if (targets.info().rank() == 2)
    return targets;
  int64_t all = elementCount(targets);
  if (!isBatch || all == 0)
    return build.op<aten::ExpandOp>(unsqueeze(targets, 0), build.ints({count.info().size(0), all}),
                                    false);
  Tensor start = build.op<aten::CumsumOp>(count, 0, build.none()) - count;
  Tensor place = build.op<aten::ClampOp>(start + counting(build, all), 0, all - 1);
  return build.op<aten::IndexTensorOp>(targets, optionals(build, {place}));
}

static Alignment alignmentOf(Tensor logs, Tensor targets, Tensor steps, Tensor count, Int blank) {
  GraphBuilder &build = *logs.b;
  int64_t batch = logs.info().size(1), most = targets.info().size(1);
  Tensor blanks = filled(targets, most, blank), last = filled(targets, 1, blank);
  Tensor pairs = joined(unsqueeze(blanks, -1), unsqueeze(targets, -1));
  Tensor labels = joined(build.op<aten::ReshapeOp>(pairs, build.ints({batch, 2 * most})), last);
  Tensor before = slice(joined(filled(targets, 2, blank), labels), 1, 0, 2 * most + 1);
  return {logs, labels, steps, count, !(labels == before) && !(labels == Any(blank))};
}

static Tensor logSum(Tensor a, Tensor c) { return a.b->op<aten::LogaddexpOp>(a, c); }

/// The logarithms of the probabilities of each prefix after all steps, [batch, 2 labels + 1].
static Tensor prefixes(const Alignment &of) {
  GraphBuilder &build = *of.logs.b;
  int64_t length = of.labels.info().size(1);
  auto emitted = [&](Int step) -> Tensor {
    Tensor row = build.op<aten::SelectIntOp>(of.logs, 0, step);
    return build.op<aten::GatherOp>(row, 1, of.labels, false);
  };
  auto shifted = [&](Tensor t, int64_t by) {
    return slice(joined(filled(t, by, build.f(impossible)), t), 1, 0, length);
  };
  Tensor column = columnNumbers(of.labels);
  Tensor isStart = column == 0.0 || (column == 1.0 && of.count > 0.0);
  Tensor first = where(isStart, emitted(build.i(0)), impossible);
  auto step = [&](Int trip, ArrayRef<Tensor> now) -> SmallVector<Tensor> {
    Int at = trip + build.i(1);
    Tensor entered = where(of.mayEnter, shifted(now[0], 2), impossible);
    Tensor next = logSum(logSum(now[0], shifted(now[0], 1)), entered) + emitted(at);
    return {where(of.steps > Any(at), next, now[0])};
  };
  return looped(of.logs.b->i(of.logs.info().size(0) - 1), {first}, step).front();
}

/// 0, with the gradient that PyTorch's has beside the one of the loss: it takes each row for
/// logarithms of probabilities that add up to 1.
static Tensor normalization(const Alignment &of) {
  GraphBuilder &build = *of.logs.b;
  Tensor step =
      build.op<aten::ReshapeOp>(counting(build, of.logs.info().size(0)), build.ints({-1, 1, 1}));
  Tensor isRead = step < of.steps;
  Tensor all = sum(where(isRead, exp(of.logs), 0.0), {0, 2}, false);
  return all - Tensor(build.op<aten::DetachOp>(all));
}

static Tensor lossOfEach(const Alignment &of, bool zeroInfinity) {
  GraphBuilder &build = *of.logs.b;
  Tensor ends = prefixes(of), last = of.count + of.count;
  auto endAt = [&](Tensor place) -> Tensor {
    return build.op<aten::GatherOp>(ends, 1, place, false);
  };
  Tensor label = endAt(build.op<aten::ClampMinOp>(last - build.i(1), 0));
  Tensor loss = -logSum(endAt(last), where(of.count > 0.0, label, impossible));
  Tensor isEmpty = of.steps == 0.0;
  loss = where(isEmpty, where(of.count == 0.0, 0.0, zerosLike(loss) - impossible), loss);
  Tensor usual = squeeze(loss, 1), isInfinite = usual > -impossible / 10;
  double instead = zeroInfinity ? 0.0 : INFINITY;
  return where(isInfinite, instead, usual + normalization(of));
}

Decomposition ctcLoss(const Sequences &of, const CtcKind &kind) {
  GraphBuilder &build = *of.logs.b;
  if (!isStatic(of.logs) || !isStatic(of.targets) || !isa<FloatType>(of.logs.info().dtype()) ||
      !kind.reduction.known() || !kind.zeroInfinity.known() || of.logs.info().rank() < 2 ||
      of.logs.info().size(0) < 1 || of.targets.info().rank() > 2)
    return build.notYet(
        "the sizes of log_probs, of rank 2 or more with a first step, and of "
        "targets, of rank 2 at most, and the values of reduction and zero_infinity");
  bool isBatch = of.logs.info().rank() == 3;
  Tensor logs = isBatch ? of.logs : unsqueeze(of.logs, 1);
  Tensor steps = lengthsOf(of.inputLengths), count = lengthsOf(of.targetLengths);
  if (!isStatic(steps) || !isStatic(count))
    return build.notYet("the sizes of steps and count");
  // What stands behind the labels of a row may be anything.
  Tensor targets = build.op<aten::ClampOp>(rowsOfTargets(of.targets, count, isBatch), 0,
                                           logs.info().size(2) - 1);
  Tensor each =
      lossOfEach(alignmentOf(logs, targets, steps, count, kind.blank), *kind.zeroInfinity.known());
  if (*kind.reduction.known() == 1)
    each = each / squeeze(build.op<aten::ClampMinOp>(count, 1), 1);
  Decomposition loss = reducedLoss(each, kind.reduction);
  if (failed(loss.values) || isBatch || *kind.reduction.known() != 0)
    return loss;
  return squeeze(Tensor(build, loss.values->front()), 0);
}

} // namespace jit
