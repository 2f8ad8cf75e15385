//===- AttentionKernel.cpp - products with a softmax between, in registers ===//
//
// A warp has some rows: its queries, and the sums of the second product, are in its registers. Keys
// and values come to shared memory block by block. Of each block the scores are computed, how much
// they are below the largest one so far, and their exponentials, which lie in the registers as the
// second product wants its first factor. What was summed up is corrected when a larger score comes;
// sums are divided at the end.
//
//===----------------------------------------------------------------------===//
#include "Kernels/AttentionKernel.h"
#include "Kernels/FactorTile.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/SidePlaces.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using jit::codegen::FactorTile, jit::codegen::mmaColumns, jit::codegen::mmaRows;

static constexpr int64_t warps = 4, stages = 2;
static constexpr int64_t rowTile = warps * mmaRows;
/// Shared memory that a kernel can declare, in bytes.
static constexpr int64_t sharedBytes = 48 * 1024;
/// Of heads, for which sums and queries fit into registers.
static constexpr int64_t largestHead = 128;
/// Of a thread, where three blocks of one multiprocessor share its registers, and where two do; up
/// to which size of heads three is enough.
static constexpr int64_t registersOfThree = 168, registersOfTwo = 248, smallHead = 64;
/// Lanes that have the elements of a row, and rows that a lane has elements of.
static constexpr int64_t lanesOfRow = 4, rowsOfLane = 2;

namespace {
/// What goes from one block of keys to the next.
struct Carried {
  /// Of the second product, four for each matrix; of both rows, the maximum and the sum.
  SmallVector<Value> results, maxima, sums;

  SmallVector<Value> all() const {
    SmallVector<Value> values(results);
    llvm::append_range(values, maxima);
    llvm::append_range(values, sums);
    return values;
  }
  static Carried of(ValueRange values) {
    auto rest = values.size() - 2 * rowsOfLane;
    return {SmallVector<Value>(values.take_front(rest)),
            SmallVector<Value>(values.slice(rest, rowsOfLane)),
            SmallVector<Value>(values.take_back(rowsOfLane))};
  }
};

class AttentionKernel {
public:
  AttentionKernel(jit::codegen::Attention &attention, OpBuilder &b, int64_t keyBlock)
      : attention(attention), scores(attention.scores), output(attention.output), b(b),
        loc(output.product.getLoc()), type(getElementTypeOrSelf(output.product.getDpsInputs()[1])),
        keyBlock(keyBlock), keys(b, scores.product, 1, scores.shape, keyBlock, depth()),
        values(b, output.product, 1, output.shape, head(), keyBlock) {}

  void emit();
  int64_t neededBytes() const { return stages * (keys.bytes() + values.bytes()); }
  int64_t registers();

private:
  /// The summands of the first product and the columns of the second, whole matrices.
  int64_t depth() const;
  int64_t head() const;
  void locate(jit::codegen::Launch &launch);
  bool skipsKeys() const;
  /// How many blocks of keys some query of the block sees; null where it is all of them.
  Value keyBlocks();
  void loadQueries();
  Value loadQueryPair(Value row, Value at);
  SmallVector<Value> multiplyQueries(Value stage);
  /// The scores of two neighbouring keys, minus infinity beyond the last one.
  SmallVector<Value> scoresOf(ValueRange sums, Value row, Value column);
  void scoreAll(MutableArrayRef<Value> sums, Value keyAt);
  SmallVector<Value> goOn(Value stage, Value number, ValueRange values);
  /// Replaces scores by their exponentials and corrects what was summed up.
  void exponentiate(MutableArrayRef<Value> sums, Carried &carried);
  void addValues(ArrayRef<Value> shares, Value stage, Carried &carried);
  void finish(Carried carried);
  Value acrossRow(Value value, llvm::function_ref<Value(Value, Value)> join);

  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
  Value number(float value) { return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value)); }
  Value minusInfinity() { return number(-std::numeric_limits<float>::infinity()); }
  Value choose(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value isEmpty(Value maximum) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, maximum, minusInfinity());
  }
  Value larger(Value x, Value y) { return arith::MaximumFOp::create(b, loc, x, y); }
  Value plus(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value times(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }

  jit::codegen::Attention &attention;
  jit::codegen::ProductGroup &scores, &output;
  OpBuilder &b;
  Location loc;
  Type type;
  int64_t keyBlock;
  FactorTile keys, values;
  Value lane, batchAt, rowTileAt;
  /// The lane's rows, and places in the rows that there are.
  SmallVector<Value> rows, rowsInside;
  /// The warp's part of the first factor, one for each step.
  SmallVector<Value> queries;
};
} // namespace

int64_t AttentionKernel::depth() const {
  return llvm::alignTo(scores.shape.depth.count, jit::codegen::mmaDepth(type));
}

int64_t AttentionKernel::head() const {
  return llvm::alignTo(output.shape.columns.count, 2 * mmaColumns);
}

/// How many a thread may have. Masks and biases, of which all of a thread's scores are loaded side
/// by side, take some beside the sums; so do a number of blocks and a last block that is a part.
int64_t AttentionKernel::registers() {
  bool isCut = skipsKeys() && scores.shape.columns.count % keyBlock != 0;
  int64_t needed = isCut ? 1 : 0;
  for (linalg::LinalgOp op : scores.epilogue)
    needed += op.getNumDpsInputs() - 1;
  return head() <= smallHead && needed <= 1 ? registersOfThree : registersOfTwo;
}

void AttentionKernel::locate(jit::codegen::Launch &launch) {
  const jit::codegen::ProductShape &shape = scores.shape;
  int64_t rowTiles = llvm::divideCeilSigned(shape.rows.count, rowTile);
  SmallVector<Value> at =
      jit::codegen::delinearize(b, loc, launch.blockId(), {shape.batch.count, rowTiles});
  batchAt = at[0];
  rowTileAt = at[1];
  // Those that see most keys have most to do, and begin first.
  if (skipsKeys())
    rowTileAt = arith::SubIOp::create(b, loc, index(rowTiles - 1), rowTileAt);
  lane = rem(launch.threadId(), jit::codegen::warpSize);
  Value first =
      add(mul(rowTileAt, rowTile), mul(div(launch.threadId(), jit::codegen::warpSize), mmaRows));
  for (int64_t i = 0; i < rowsOfLane; ++i) {
    Value row = add(add(first, div(lane, lanesOfRow)), index(i * mmaRows / rowsOfLane));
    rows.push_back(row);
    // Rows beyond the last one compute along with the first one.
    Value inside = jit::codegen::isInside(b, loc, shape.rows, row, rowTile);
    rowsInside.push_back(inside ? choose(inside, row, index(0)) : row);
  }
  keys.locate(launch, stages, warps * jit::codegen::warpSize, batchAt);
  values.locate(launch, stages, warps * jit::codegen::warpSize, batchAt);
}

/// Not where some query would see no block at all.
bool AttentionKernel::skipsKeys() const {
  return attention.causalBound && *attention.causalBound > -rowTile;
}

Value AttentionKernel::keyBlocks() {
  if (!skipsKeys())
    return nullptr;
  // One more than the last key that the last query of the block sees.
  Value keysSeen = add(mul(rowTileAt, rowTile), index(rowTile + *attention.causalBound));
  Value blocks = div(add(keysSeen, index(keyBlock - 1)), keyBlock);
  int64_t all = llvm::divideCeilSigned(scores.shape.columns.count, keyBlock);
  return arith::MinUIOp::create(b, loc, blocks, index(all));
}

/// Two summands from `at` on; zeros beyond the last one.
Value AttentionKernel::loadQueryPair(Value row, Value at) {
  linalg::LinalgOp product = scores.product;
  OpOperand &operand = *product.getDpsInputOperand(0);
  const jit::codegen::ProductShape &shape = scores.shape;
  jit::codegen::ElementEmitter element(product, b);
  auto pointAt = [&](Value summand) {
    SmallVector<Value> point(product.getNumLoops(), index(0));
    jit::codegen::setPlace(b, loc, shape.batch, point, batchAt);
    jit::codegen::setPlace(b, loc, shape.rows, point, row);
    jit::codegen::setPlace(b, loc, shape.depth, point, summand);
    return point;
  };
  auto load = [&](Value summand, int64_t width) -> Value {
    Value inside = jit::codegen::isInside(b, loc, shape.depth, summand, depth());
    if (inside)
      summand = choose(inside, summand, index(0));
    SmallVector<Value> point = pointAt(summand);
    Value loaded = width == 1 ? element.load(operand, point)
                              : jit::codegen::loadVector(b, loc, operand,
                                                         element.indices(operand, point), width);
    if (!inside)
      return loaded;
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(loaded.getType()));
    return choose(inside, loaded, zero);
  };
  bool arePaired = shape.depth.sizes.back() % 2 == 0 &&
                   jit::codegen::accessAlong(product, operand, shape.depth.dims.back(), 2) ==
                       jit::codegen::Access::Vector;
  if (arePaired)
    return load(at, 2);
  SmallVector<Value> pair = {load(at, 1), load(add(at, index(1)), 1)};
  return vector::FromElementsOp::create(b, loc, VectorType::get({2}, type), pair);
}

void AttentionKernel::loadQueries() {
  int64_t step = jit::codegen::mmaDepth(type);
  auto matrix = VectorType::get({4, 2}, type);
  for (int64_t at = 0; at < depth(); at += step) {
    Value four = arith::ConstantOp::create(b, loc, b.getZeroAttr(matrix));
    for (int64_t i = 0; i < 4; ++i) {
      Value summand = add(mul(rem(lane, lanesOfRow), 2), index(at + i / 2 * step / 2));
      four = vector::InsertOp::create(b, loc, loadQueryPair(rowsInside[i % 2], summand), four, i);
    }
    queries.push_back(four);
  }
}

SmallVector<Value> AttentionKernel::multiplyQueries(Value stage) {
  SmallVector<Value> sums(keyBlock / mmaColumns * 4, number(0));
  for (auto [step, query] : llvm::enumerate(queries))
    for (int64_t key = 0; key < keyBlock; key += 2 * mmaColumns)
      for (auto [i, matrix] :
           llvm::enumerate(keys.loadMatrices(stage, index(key), static_cast<int64_t>(step))))
        jit::codegen::multiplyMatrices(b, loc, query, matrix,
                                       MutableArrayRef(sums).slice((key / mmaColumns + i) * 4, 4));
  return sums;
}

SmallVector<Value> AttentionKernel::scoresOf(ValueRange sums, Value row, Value column) {
  const jit::codegen::ProductShape &shape = scores.shape;
  SmallVector<SmallVector<Value>> points;
  SmallVector<Value> inside;
  for (int64_t i = 0; i < 2; ++i) {
    Value at = add(column, index(i));
    inside.push_back(jit::codegen::isInside(b, loc, shape.columns, at, keyBlock));
    if (inside.back())
      at = choose(inside.back(), at, index(0));
    SmallVector<Value> &point = points.emplace_back(scores.product.getNumLoops(), index(0));
    jit::codegen::setPlace(b, loc, shape.batch, point, batchAt);
    jit::codegen::setPlace(b, loc, shape.rows, point, row);
    jit::codegen::setPlace(b, loc, shape.columns, point, at);
  }
  SmallVector<Value> found = jit::codegen::continueSums(scores, b, sums, points, attention.scored);
  for (auto [value, isThere] : llvm::zip_equal(found, inside)) {
    if (!value.getType().isF32())
      value = arith::ExtFOp::create(b, loc, b.getF32Type(), value);
    if (isThere)
      value = choose(isThere, value, minusInfinity());
  }
  return found;
}

void AttentionKernel::scoreAll(MutableArrayRef<Value> sums, Value keyAt) {
  Value column = add(keyAt, mul(rem(lane, lanesOfRow), 2));
  for (size_t i = 0; i < sums.size(); i += 2) {
    Value at = add(column, index(static_cast<int64_t>(i) / 4 * mmaColumns));
    MutableArrayRef<Value> pair = sums.slice(i, 2);
    llvm::copy(scoresOf(ValueRange(pair), rowsInside[i / 2 % rowsOfLane], at), pair.begin());
  }
}

/// What the lanes of a row have together; each of them gets it.
Value AttentionKernel::acrossRow(Value value, llvm::function_ref<Value(Value, Value)> join) {
  for (int64_t distance = lanesOfRow / 2; distance > 0; distance /= 2) {
    Value word = arith::BitcastOp::create(b, loc, b.getI32Type(), value);
    Value other =
        gpu::ShuffleOp::create(b, loc, word, static_cast<int32_t>(distance),
                               static_cast<int32_t>(jit::codegen::warpSize), gpu::ShuffleMode::XOR)
            .getShuffleResult();
    value = join(value, arith::BitcastOp::create(b, loc, b.getF32Type(), other));
  }
  return value;
}

void AttentionKernel::exponentiate(MutableArrayRef<Value> sums, Carried &carried) {
  for (int64_t i = 0; i < rowsOfLane; ++i) {
    SmallVector<Value *> own;
    for (size_t k = 0; k < sums.size(); ++k)
      if (k / 2 % rowsOfLane == size_t(i))
        own.push_back(&sums[k]);
    Value best = *own.front();
    for (Value *score : ArrayRef(own).drop_front())
      best = larger(best, *score);
    best =
        larger(carried.maxima[i], acrossRow(best, [&](Value x, Value y) { return larger(x, y); }));
    // A row without any score yet has no difference from its maximum.
    Value level = choose(isEmpty(best), number(0), best);
    auto below = [&](Value value) -> Value {
      return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, value, level));
    };
    Value factor = below(carried.maxima[i]);
    carried.maxima[i] = best;
    Value &sum = carried.sums[i] = times(carried.sums[i], factor);
    for (Value *score : own) {
      *score = below(*score);
      sum = plus(sum, *score);
    }
    for (size_t k = 0; k < carried.results.size(); ++k)
      if (k / 2 % rowsOfLane == size_t(i))
        carried.results[k] = times(carried.results[k], factor);
  }
}

void AttentionKernel::addValues(ArrayRef<Value> shares, Value stage, Carried &carried) {
  // Two matrices of sums side by side are one of factors.
  auto matrix = VectorType::get({4, 2}, type);
  for (int64_t step = 0; step < values.steps(); ++step) {
    SmallVector<Value> factors;
    for (Value share : shares.slice(step * 8, 8))
      factors.push_back(arith::TruncFOp::create(b, loc, type, share));
    Value left = vector::FromElementsOp::create(b, loc, matrix, factors);
    for (int64_t at = 0; at < head(); at += 2 * mmaColumns)
      for (auto [i, right] : llvm::enumerate(values.loadMatrices(stage, index(at), step)))
        jit::codegen::multiplyMatrices(
            b, loc, left, right,
            MutableArrayRef(carried.results).slice((at / mmaColumns + i) * 4, 4));
  }
}

SmallVector<Value> AttentionKernel::goOn(Value stage, Value number, ValueRange before) {
  Carried carried = Carried::of(before);
  SmallVector<Value> sums = multiplyQueries(stage);
  scoreAll(sums, mul(number, keyBlock));
  exponentiate(sums, carried);
  addValues(sums, stage, carried);
  return carried.all();
}

void AttentionKernel::finish(Carried carried) {
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
      Value column =
          add(mul(rem(lane, lanesOfRow), 2), index(static_cast<int64_t>(k) / 4 * mmaColumns));
      jit::codegen::finishSumsInside(output, b, ValueRange(carried.results).slice(k, 2),
                                     {batchAt, rows[i], column}, rowTile, head());
    }
  }
}

void AttentionKernel::emit() {
  const jit::codegen::ProductShape &shape = scores.shape;
  int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, rowTile);
  jit::codegen::Launch launch(b, loc, "attention", blocks, warps * jit::codegen::warpSize);
  launch.allowRegisters(registers());
  locate(launch);
  loadQueries();
  Carried start;
  start.results.assign(head() / mmaColumns * 4, number(0));
  start.maxima.assign(rowsOfLane, minusInfinity());
  start.sums.assign(rowsOfLane, number(0));
  auto bring = [&](Value stage, Value block) {
    Value keyAt = mul(block, keyBlock);
    keys.fill(stage, index(0), keyAt);
    values.fill(stage, keyAt, index(0));
  };
  SmallVector<Value> all = jit::codegen::runPipeline(
      b, loc, llvm::divideCeilSigned(shape.columns.count, keyBlock), stages, start.all(), bring,
      [&](Value stage, Value block, ValueRange carried) { return goOn(stage, block, carried); },
      keyBlocks());
  finish(Carried::of(all));
}

/// Blocks that go along very many keys while most of the device has no work lose more time than the
/// scores' way to memory and back.
static bool isTooNarrow(const jit::codegen::ProductShape &shape,
                        const jit::codegen::GpuMachine &machine) {
  constexpr int64_t manyKeys = 4096, share = 8;
  int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, rowTile);
  return blocks * share < machine.multiprocessors && shape.columns.count >= manyKeys;
}

bool jit::codegen::emitAttention(Attention &attention, OpBuilder &b, const GpuMachine &machine) {
  const ProductShape &first = attention.scores.shape, &second = attention.output.shape;
  if (first.depth.count > largestHead || second.columns.count > largestHead ||
      isTooNarrow(first, machine))
    return false;
  for (int64_t keyBlock : {64, 32}) {
    AttentionKernel kernel(attention, b, keyBlock);
    if (kernel.neededBytes() > sharedBytes)
      continue;
    kernel.emit();
    return true;
  }
  return false;
}
