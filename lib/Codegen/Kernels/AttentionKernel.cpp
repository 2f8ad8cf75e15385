//===- AttentionKernel.cpp - products with a softmax between, in registers ===//
//
// A warp has some rows: its queries, and the sums of the second product, are in its registers. Keys
// and values come to shared memory block by block. Of each block the scores are computed, and their
// exponentials, which lie in the registers as the second product wants its first factor.
//
//===----------------------------------------------------------------------===//
#include "Kernels/AttentionKernel.h"
#include "Kernels/FactorTile.h"
#include "Kernels/OnlineSoftmax.h"
#include "Kernels/SidePlaces.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::Carried, jit::codegen::FactorTile, jit::codegen::mmaColumns,
    jit::codegen::mmaRows;

static constexpr int64_t warps = 4, stages = 2;
static constexpr int64_t rowTile = warps * mmaRows;
/// Shared memory that a kernel can declare, in bytes.
static constexpr int64_t sharedBytes = 48 * 1024;
/// Of heads, for which sums and queries fit into registers.
static constexpr int64_t largestHead = 128;
/// Of a thread, where three blocks of one multiprocessor share its registers, and where two do; up
/// to which size of heads three is enough.
static constexpr int64_t registersOfThree = 168, registersOfTwo = 248, smallHead = 64;
/// Lanes that have the elements of a row.
static constexpr int64_t lanesOfRow = 4;

namespace {
class AttentionKernel {
public:
  AttentionKernel(jit::codegen::Attention &attention, OpBuilder &b, int64_t keyBlock)
      : scores(attention.scores), output(attention.output), b(b), loc(output.product.getLoc()),
        type(getElementTypeOrSelf(output.product.getDpsInputs()[1])), keyBlock(keyBlock),
        softmax(attention, b, rowTile, keyBlock, head()),
        keys(b, scores.product, 1, scores.shape, keyBlock, depth()),
        values(b, output.product, 1, output.shape, head(), keyBlock) {}

  void emit();
  int64_t neededBytes() const { return stages * (keys.bytes() + values.bytes()); }
  int64_t registers();

private:
  /// The summands of the first product and the columns of the second, whole matrices.
  int64_t depth() const;
  int64_t head() const;
  void locate(jit::codegen::Launch &launch);
  void loadQueries();
  Value loadQueryPair(Value row, Value at);
  SmallVector<Value> multiplyQueries(Value stage);
  SmallVector<Value> goOn(Value stage, Value number, ValueRange values);
  void addValues(ArrayRef<Value> shares, Value stage, Carried &carried);

  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
  Value number(float value) { return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value)); }
  Value choose(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }

  jit::codegen::ProductGroup &scores, &output;
  OpBuilder &b;
  Location loc;
  Type type;
  int64_t keyBlock;
  jit::codegen::OnlineSoftmax softmax;
  FactorTile keys, values;
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
  bool isCut = softmax.skipsKeys() && scores.shape.columns.count % keyBlock != 0;
  int64_t needed = isCut ? 1 : 0;
  for (linalg::LinalgOp op : scores.epilogue)
    needed += op.getNumDpsInputs() - 1;
  return head() <= smallHead && needed <= 1 ? registersOfThree : registersOfTwo;
}

void AttentionKernel::locate(jit::codegen::Launch &launch) {
  softmax.locateBlock(launch.blockId());
  softmax.locateWarp(launch.threadId(),
                     mul(div(launch.threadId(), jit::codegen::warpSize), mmaRows));
  keys.locate(launch, stages, warps * jit::codegen::warpSize, softmax.batch());
  values.locate(launch, stages, warps * jit::codegen::warpSize, softmax.batch());
}

/// Two summands from `at` on; zeros beyond the last one.
Value AttentionKernel::loadQueryPair(Value row, Value at) {
  linalg::LinalgOp product = scores.product;
  OpOperand &operand = *product.getDpsInputOperand(0);
  const jit::codegen::ProductShape &shape = scores.shape;
  jit::codegen::ElementEmitter element(product, b);
  auto pointAt = [&](Value summand) {
    SmallVector<Value> point(product.getNumLoops(), index(0));
    jit::codegen::setPlace(b, loc, shape.batch, point, softmax.batch());
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
      Value summand = add(mul(rem(softmax.laneOf(), lanesOfRow), 2), index(at + i / 2 * step / 2));
      four = vector::InsertOp::create(b, loc, loadQueryPair(softmax.rowInside(i % 2), summand),
                                      four, i);
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
  softmax.score(sums, mul(number, keyBlock));
  softmax.exponentiate(sums, carried);
  addValues(sums, stage, carried);
  return carried.all();
}

void AttentionKernel::emit() {
  jit::codegen::Launch launch(b, loc, "attention", softmax.gridBlocks(),
                              warps * jit::codegen::warpSize);
  launch.allowRegisters(registers());
  locate(launch);
  loadQueries();
  auto bring = [&](Value stage, Value block) {
    Value keyAt = mul(block, keyBlock);
    keys.fill(stage, index(0), keyAt);
    values.fill(stage, keyAt, index(0));
  };
  SmallVector<Value> all = jit::codegen::runPipeline(
      b, loc, {.slices = softmax.allKeyBlocks(), .stages = stages, .end = softmax.keyBlocks()},
      softmax.start().all(), bring,
      [&](Value stage, Value block, ValueRange carried) { return goOn(stage, block, carried); });
  softmax.finish(Carried::of(all));
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
  if (emitWarpgroupAttention(attention, b, machine))
    return true;
  for (int64_t keyBlock : {64, 32}) {
    AttentionKernel kernel(attention, b, keyBlock);
    if (kernel.neededBytes() > sharedBytes)
      continue;
    kernel.emit();
    return true;
  }
  return false;
}
