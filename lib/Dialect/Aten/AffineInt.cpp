//===- AffineInt.cpp - an int as a linear function of another -------------===//

#include "jit/Dialect/Aten/AffineInt.h"
#include "jit/Dialect/Aten/TypeRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace jit {

AffineInt::AffineInt(Value value) {
  if (auto known = IntInfo(value).known) {
    offset = *known;
    return;
  }
  variable = value;
  scale = 1;
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return;
  // One operand is a constant, so that a chain is followed and no tree.
  if (!IntInfo(op->getOperand(0)).known && !IntInfo(op->getOperand(1)).known)
    return;
  AffineInt left(op->getOperand(0)), right(op->getOperand(1));
  bool overflow = false;
  if (isa<arith::MulIOp>(op)) {
    const AffineInt &factor = left.variable ? right : left, &term = left.variable ? left : right;
    int64_t newScale, newOffset;
    overflow |= llvm::MulOverflow(term.scale, factor.offset, newScale);
    overflow |= llvm::MulOverflow(term.offset, factor.offset, newOffset);
    if (!overflow)
      variable = term.variable, scale = newScale, offset = newOffset;
    return;
  }
  int64_t sign = isa<arith::SubIOp>(op) ? -1 : 1, newOffset;
  overflow |= sign < 0 ? llvm::SubOverflow(left.offset, right.offset, newOffset)
                       : llvm::AddOverflow(left.offset, right.offset, newOffset);
  if (overflow)
    return;
  variable = left.variable ? left.variable : right.variable;
  scale = left.variable ? left.scale : sign * right.scale;
  offset = newOffset;
}

/// Least and greatest value of a loop's counter.
static std::optional<std::pair<int64_t, int64_t>> counterRange(Value variable) {
  auto argument = dyn_cast<BlockArgument>(variable);
  auto loop =
      argument ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || argument != loop.getInductionVar())
    return std::nullopt;
  IntInfo lower(loop.getLowerBound()), upper(loop.getUpperBound()), step(loop.getStep());
  if (!lower.known || !upper.known || step.valueOr(0) <= 0 || *upper.known <= *lower.known)
    return std::nullopt;
  int64_t span;
  if (llvm::SubOverflow(*upper.known, *lower.known, span))
    return std::nullopt;
  int64_t trips = (span - 1) / *step.known;
  return std::pair(*lower.known, *lower.known + trips * *step.known);
}

std::optional<std::pair<int64_t, int64_t>> AffineInt::range() const {
  if (!variable)
    return std::pair(offset, offset);
  auto counter = counterRange(variable);
  int64_t first, last;
  if (!counter || llvm::MulOverflow(scale, counter->first, first) ||
      llvm::MulOverflow(scale, counter->second, last) || llvm::AddOverflow(first, offset, first) ||
      llvm::AddOverflow(last, offset, last))
    return std::nullopt;
  return std::minmax(first, last);
}

SliceExtent sliceExtent(int64_t size, Value start, Value end, Value step) {
  SliceExtent unknown{TensorType::kDynamic, std::nullopt};
  IntInfo startInfo(start), endInfo(end), stepInfo(step);
  if (size == TensorType::kDynamic || stepInfo.valueOr(0) <= 0 ||
      isa<OptionalType>(start.getType()) || isa<OptionalType>(end.getType()))
    return unknown;
  auto isConstant = [](IntInfo bound) { return bound.isNone() || bound.known; };
  if (isConstant(startInfo) && isConstant(endInfo)) {
    auto clamped = [&](int64_t at) {
      return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
    };
    int64_t first = clamped(startInfo.valueOr(0)), last = clamped(endInfo.valueOr(size));
    int64_t length = std::max<int64_t>(0, last - first);
    return {int64_t(llvm::divideCeil(uint64_t(length), uint64_t(*stepInfo.known))), first};
  }
  if (startInfo.isNone() || endInfo.isNone())
    return unknown;
  AffineInt first(start), last(end);
  auto starts = first.range(), ends = last.range();
  // Neither bound may be one that Python would clamp or count from the back.
  if (!first.isParallel(last) || !starts || !ends || starts->first < 0 || ends->second > size ||
      last.offset < first.offset)
    return unknown;
  return {
      int64_t(llvm::divideCeil(uint64_t(last.offset - first.offset), uint64_t(*stepInfo.known))),
      std::nullopt};
}

} // namespace jit
