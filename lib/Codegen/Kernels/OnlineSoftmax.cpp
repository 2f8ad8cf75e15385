//===- OnlineSoftmax.cpp - rows of scores in registers, block by block ----===//
#include "Kernels/OnlineSoftmax.h"
#include "Analysis/CausalMask.h"
#include "Kernels/FactorTile.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/SidePlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using jit::codegen::Carried, jit::codegen::OnlineSoftmax, jit::codegen::mmaColumns,
    jit::codegen::mmaRows;

/// Lanes that have the elements of a row.
static constexpr int64_t lanesOfRow = 4;
/// Exponentials are powers of two.
static constexpr float log2OfE = 0x1.715476p+0f;
/// Floats from here on that differ do so by more than any exponential of it shows.
static constexpr float hugeScore = 0x1p126f;

SmallVector<Value> Carried::all() const {
  SmallVector<Value> values(results);
  llvm::append_range(values, maxima);
  llvm::append_range(values, sums);
  return values;
}

Carried Carried::of(ValueRange values) {
  auto rest = values.size() - 2 * rowsOfLane;
  return {SmallVector<Value>(values.take_front(rest)),
          SmallVector<Value>(values.slice(rest, rowsOfLane)),
          SmallVector<Value>(values.take_back(rowsOfLane))};
}

Value OnlineSoftmax::number(float value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
}
Value OnlineSoftmax::minusInfinity() { return number(-std::numeric_limits<float>::infinity()); }
Value OnlineSoftmax::choose(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, loc, condition, yes, no);
}
Value OnlineSoftmax::isEmpty(Value maximum) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, maximum, minusInfinity());
}
Value OnlineSoftmax::add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
Value OnlineSoftmax::mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
Value OnlineSoftmax::larger(Value x, Value y) { return arith::MaximumFOp::create(b, loc, x, y); }
Value OnlineSoftmax::plus(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
Value OnlineSoftmax::times(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }

void OnlineSoftmax::locateBlock(Value block) {
  SmallVector<Value> at = delinearize(b, loc, block, {scores.shape.batch.count, rowTiles()});
  batchAt = at[0];
  rowTileAt = at[1];
  // Those that see most keys have most to do, and begin first.
  if (skipsKeys())
    rowTileAt = arith::SubIOp::create(b, loc, index(rowTiles() - 1), rowTileAt);
}

void OnlineSoftmax::locateWarp(Value thread, Value warpRow) {
  lane = arith::RemUIOp::create(b, loc, thread, index(warpSize));
  Value first = add(mul(rowTileAt, rowTile), warpRow);
  Value rowOfLane = arith::DivUIOp::create(b, loc, lane, index(lanesOfRow));
  for (int64_t i = 0; i < rowsOfLane; ++i) {
    Value row = add(add(first, rowOfLane), index(i * mmaRows / rowsOfLane));
    rows.push_back(row);
    // Rows beyond the last one compute along with the first one.
    Value inside = isInside(b, loc, scores.shape.rows, row, rowTile);
    rowsInside.push_back(inside ? choose(inside, row, index(0)) : row);
  }
}

/// Not where some query would see no block at all.
bool OnlineSoftmax::skipsKeys() const {
  return attention.causal && attention.causal->bound > -rowTile;
}

Value OnlineSoftmax::keyBlocks() {
  if (!skipsKeys())
    return nullptr;
  // One more than the last key that the last query of the block sees.
  Value keysSeen = add(mul(rowTileAt, rowTile), index(rowTile + attention.causal->bound));
  Value blocks =
      arith::DivUIOp::create(b, loc, add(keysSeen, index(keyBlock - 1)), index(keyBlock));
  return arith::MinUIOp::create(b, loc, blocks, index(allKeyBlocks()));
}

Carried OnlineSoftmax::start() {
  Carried carried;
  carried.results.assign(static_cast<size_t>(head / mmaColumns * 4), number(0));
  carried.maxima.assign(rowsOfLane, minusInfinity());
  carried.sums.assign(rowsOfLane, number(0));
  return carried;
}

/// `value` as a float that was not rounded to bf16 on the way, which has all sizes of f32: scores
/// are rounded once less then. f16 has infinities where f32 has none.
Value OnlineSoftmax::widened(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    return widened(extension.getIn());
  auto rounding = value.getDefiningOp<arith::TruncFOp>();
  if (rounding && value.getType().isBF16() && rounding.getIn().getType().isF32())
    return rounding.getIn();
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(b, loc, b.getF32Type(), value);
}

/// A score before the mask that hides the keys behind a query, which is the last thing that the
/// program did to it.
static Value beforeMask(Value score) {
  while (Operation *op = score.getDefiningOp()) {
    if (auto choice = dyn_cast<arith::SelectOp>(op))
      return jit::codegen::isHiddenScore(choice.getTrueValue()) ? choice.getFalseValue()
                                                                : choice.getTrueValue();
    score = op->getOperand(0);
  }
  llvm_unreachable("the analysis has seen a choice");
}

/// The scores of two neighbouring keys; beyond the last one they are those of some other.
SmallVector<Value> OnlineSoftmax::scoresOf(ValueRange sums, Value row, Value column) {
  const ProductShape &shape = scores.shape;
  SmallVector<SmallVector<Value>> points;
  for (int64_t i = 0; i < 2; ++i) {
    Value at = add(column, index(i));
    if (Value inside = isInside(b, loc, shape.columns, at, keyBlock))
      at = choose(inside, at, index(0));
    SmallVector<Value> &point = points.emplace_back(scores.product.getNumLoops(), index(0));
    setPlace(b, loc, shape.batch, point, batchAt);
    setPlace(b, loc, shape.rows, point, row);
    setPlace(b, loc, shape.columns, point, at);
  }
  SmallVector<Value> found = continueSums(scores, b, sums, points, attention.scored);
  for (Value &value : found)
    value = widened(hidesKeys() ? beforeMask(value) : value);
  return found;
}

bool OnlineSoftmax::hidesKeys() const { return attention.causal && attention.causal->isExact; }

/// Whether keys from `keyAt` on are beyond the last one or behind some query of the block; null
/// where that is never so.
Value OnlineSoftmax::isCut(Value keyAt) {
  Value condition;
  Value end = add(keyAt, index(keyBlock));
  auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    Value other = arith::CmpIOp::create(b, loc, predicate, x, y);
    condition = condition ? arith::OrIOp::create(b, loc, condition, other) : other;
  };
  int64_t keys = scores.shape.columns.count;
  if (keys % keyBlock != 0)
    compare(arith::CmpIPredicate::ugt, end, index(keys));
  // The last key of the block and the first query.
  if (hidesKeys())
    compare(arith::CmpIPredicate::sgt, end,
            add(mul(rowTileAt, rowTile), index(attention.causal->bound + 1)));
  return condition;
}

/// Scores of which those are minus infinity that a query does not see.
void OnlineSoftmax::hide(MutableArrayRef<Value> sums, Value column) {
  int64_t keys = scores.shape.columns.count;
  for (int64_t row = 0; row < rowsOfLane; ++row) {
    // How many keys the row sees of those from `column` on.
    Value seen;
    if (keys % keyBlock != 0)
      seen = arith::SubIOp::create(b, loc, index(keys), column);
    if (hidesKeys()) {
      Value last = add(rows[row], index(attention.causal->bound + 1));
      Value few = arith::SubIOp::create(b, loc, last, column);
      seen = seen ? arith::MinSIOp::create(b, loc, seen, few) : few;
    }
    for (size_t k = 0; k < sums.size(); ++k) {
      if (k / 2 % rowsOfLane != size_t(row))
        continue;
      Value place = index(static_cast<int64_t>(k / 4 * mmaColumns + k % 2));
      Value isSeen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, seen, place);
      sums[k] = choose(isSeen, sums[k], minusInfinity());
    }
  }
}

void OnlineSoftmax::score(MutableArrayRef<Value> sums, Value keyAt) {
  Value pairOfLane = arith::RemUIOp::create(b, loc, lane, index(lanesOfRow));
  Value column = add(keyAt, mul(pairOfLane, 2));
  for (size_t i = 0; i < sums.size(); i += 2) {
    Value at = add(column, index(static_cast<int64_t>(i) / 4 * mmaColumns));
    MutableArrayRef<Value> pair = sums.slice(i, 2);
    llvm::copy(scoresOf(ValueRange(pair), rowsInside[i / 2 % rowsOfLane], at), pair.begin());
  }
  Value condition = isCut(keyAt);
  if (!condition)
    return;
  // Most blocks have no such key.
  SmallVector<Type> types(sums.size(), b.getF32Type());
  auto branch = scf::IfOp::create(b, loc, types, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, ValueRange(sums));
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> hidden(sums);
  hide(hidden, column);
  scf::YieldOp::create(b, loc, hidden);
  llvm::copy(branch.getResults(), sums.begin());
}

/// What the lanes of a row have together; each of them gets it.
Value OnlineSoftmax::acrossRow(Value value, llvm::function_ref<Value(Value, Value)> join) {
  for (int64_t distance = lanesOfRow / 2; distance > 0; distance /= 2) {
    Value word = arith::BitcastOp::create(b, loc, b.getI32Type(), value);
    Value other = gpu::ShuffleOp::create(b, loc, word, static_cast<int32_t>(distance),
                                         static_cast<int32_t>(warpSize), gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    value = join(value, arith::BitcastOp::create(b, loc, b.getF32Type(), other));
  }
  return value;
}

/// e^(score - maximum) is 2^(score * l - maximum * l), l = log2(e): one fused operation, and the
/// device's own power of two. What maximum * l is rounded by is the same factor for all scores of
/// the row, so that shares have no part in it. Where it would be infinite l is one: scores of that
/// size are equal, or their exponentials are zero and one by any base.
void OnlineSoftmax::exponentiateRow(int64_t row, MutableArrayRef<Value> sums, Carried &carried) {
  auto isOfRow = [&](size_t k) { return k / 2 % rowsOfLane == size_t(row); };
  SmallVector<Value *> own;
  for (size_t k = 0; k < sums.size(); ++k)
    if (isOfRow(k))
      own.push_back(&sums[k]);
  Value best = *own.front();
  for (Value *score : ArrayRef(own).drop_front())
    best = larger(best, *score);
  best =
      larger(carried.maxima[row], acrossRow(best, [&](Value x, Value y) { return larger(x, y); }));
  // A row without any score yet has no difference from its maximum.
  Value level = choose(isEmpty(best), number(0), best);
  Value isHuge = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE,
                                       math::AbsFOp::create(b, loc, level), number(hugeScore));
  Value scale = choose(isHuge, number(1), number(log2OfE));
  Value lowered = arith::NegFOp::create(b, loc, times(level, scale));
  auto below = [&](Value value) -> Value {
    Value exponent = math::FmaOp::create(b, loc, value, scale, lowered);
    return math::Exp2Op::create(b, loc, exponent, arith::FastMathFlags::afn);
  };
  Value factor = below(carried.maxima[row]);
  carried.maxima[row] = best;
  Value &sum = carried.sums[row] = times(carried.sums[row], factor);
  for (Value *score : own) {
    *score = below(*score);
    sum = plus(sum, *score);
  }
  for (size_t k = 0; k < carried.results.size(); ++k)
    if (isOfRow(k))
      carried.results[k] = times(carried.results[k], factor);
}

void OnlineSoftmax::exponentiate(MutableArrayRef<Value> sums, Carried &carried) {
  for (int64_t row = 0; row < rowsOfLane; ++row)
    exponentiateRow(row, sums, carried);
}

void OnlineSoftmax::finish(Carried carried) {
  Value pairOfLane = arith::RemUIOp::create(b, loc, lane, index(lanesOfRow));
  for (int64_t i = 0; i < rowsOfLane; ++i) {
    Value sum = acrossRow(carried.sums[i], [&](Value x, Value y) { return plus(x, y); });
    Value factor = arith::DivFOp::create(b, loc, number(1), sum);
    Value empty = attention.emptyIsZero ? isEmpty(carried.maxima[i]) : nullptr;
    for (size_t k = size_t(i) * 2; k < carried.results.size(); k += 4)
      for (Value &result : MutableArrayRef(carried.results).slice(k, 2)) {
        result = times(result, factor);
        if (empty)
          result = choose(empty, number(0), result);
      }
    for (size_t k = size_t(i) * 2; k < carried.results.size(); k += 4) {
      Value column = add(mul(pairOfLane, 2), index(static_cast<int64_t>(k) / 4 * mmaColumns));
      finishSumsInside(output, b, ValueRange(carried.results).slice(k, 2),
                       {batchAt, rows[i], column}, rowTile, head);
    }
  }
}
