//===- WarpgroupAttention.cpp - attention by groups of four warps ---------===//
//
// One thread of a block lets the device copy blocks of keys and values to shared memory, two blocks
// ahead; two groups of four warps have 64 queries each. Scores come from one product of a group and
// lie in its registers as the second product wants its first factor; one group multiplies while the
// other is at its softmax.
//
//===----------------------------------------------------------------------===//
#include "Kernels/AttentionKernel.h"
#include "Kernels/FactorTile.h"
#include "Kernels/GroupProduct.h"
#include "Kernels/OnlineSoftmax.h"
#include "Kernels/Warpgroups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::Carried, jit::codegen::SharedFactor, jit::codegen::groupThreads,
    jit::codegen::warpSize;

static constexpr int64_t groups = 2, threads = (1 + groups) * groupThreads;
static constexpr int64_t rowTile = groups * jit::codegen::groupRows;
static constexpr int64_t warps = groups * groupThreads / warpSize;
static constexpr int64_t keyBlock = 128;
/// Of keys and values together: two blocks.
static constexpr int64_t stages = 4;
/// Of heads, for which scores, shares and sums fit into registers.
static constexpr int64_t largestHead = 128;
/// Blocks of fewer queries or keys are mostly filled up.
static constexpr int64_t fewestQueries = 64, fewestKeys = 64;

namespace {
class WarpgroupAttention {
public:
  WarpgroupAttention(jit::codegen::Attention &attention, OpBuilder &b, const SharedFactor &queries,
                     const SharedFactor &keys, const SharedFactor &values)
      : attention(attention), b(b), loc(attention.output.product.getLoc()),
        softmax(attention, b, rowTile, keyBlock, values.columns()), ring(b, loc, stages),
        queries(queries), keys(keys), values(values) {}

  void emit();

private:
  void locate(jit::codegen::Launch &launch);
  void initBarriers();
  /// What the thread does that copies, and what the others do.
  void copyBlocks();
  void copyBlock(const SharedFactor &factor, Value number, Value depthAt, Value otherAt);
  void multiplyBlocks();
  SmallVector<Value> goOn(Value block, Value queriesAt, ValueRange before);
  SmallVector<Value> multiplyQueries(Value queriesAt, Value number);
  void addValues(ArrayRef<Value> shares, Value number, Carried &carried);
  /// The four words of the first factor of a step.
  SmallVector<Value> wordsOf(ArrayRef<Value> shares);

  int64_t stageBytes() const { return std::max(keys.bytes(), values.bytes()); }
  Value stageAddress(Value number) { return add(buffers, mul(ring.stageOf(number), stageBytes())); }
  /// Copies are numbered: the keys of a block, then its values.
  Value numberOf(Value block, bool isValues) { return add(mul(block, 2), index(isValues ? 1 : 0)); }
  Value blocksSeen() {
    Value blocks = softmax.keyBlocks();
    return blocks ? blocks : index(softmax.allKeyBlocks());
  }
  Value queryBarrier() {
    return jit::codegen::sharedPointer(b, loc, queryBarrierAt, NVVM::NVVMMemorySpace::Shared);
  }

  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value word(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value isEqual(Value x, int64_t y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, index(y));
  }

  jit::codegen::Attention &attention;
  OpBuilder &b;
  Location loc;
  jit::codegen::OnlineSoftmax softmax;
  jit::codegen::CopyRing ring;
  SharedFactor queries, keys, values;
  /// Addresses in shared memory, and the thread's place.
  Value memory, buffers, queryBarrierAt, thread;
};
} // namespace

void WarpgroupAttention::locate(jit::codegen::Launch &launch) {
  softmax.locateBlock(launch.blockId());
  thread = launch.threadId();
  for (SharedFactor *factor : {&queries, &keys, &values})
    factor->locate(b, loc, softmax.batch());
  int64_t bytes = queries.bytes() + stages * stageBytes();
  Value shared = launch.dynamicShared(jit::codegen::patternBytes + bytes + ring.bytes() +
                                      jit::codegen::barrierBytes);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, shared);
  memory = mul(div(add(address, index(jit::codegen::patternBytes - 1)), jit::codegen::patternBytes),
               jit::codegen::patternBytes);
  buffers = add(memory, index(queries.bytes()));
  ring.locate(add(memory, index(bytes)));
  queryBarrierAt = add(memory, index(bytes + ring.bytes()));
}

void WarpgroupAttention::initBarriers() {
  jit::codegen::runIf(b, loc, isEqual(thread, 0), [&] {
    ring.initBarriers(warps);
    NVVM::MBarrierInitOp::create(b, loc, queryBarrier(), word(1), /*predicate=*/Value());
    NVVM::FenceMbarrierInitOp::create(b, loc);
  });
  gpu::BarrierOp::create(b, loc);
}

void WarpgroupAttention::copyBlock(const SharedFactor &factor, Value number, Value depthAt,
                                   Value otherAt) {
  ring.awaitEmpty(number);
  Value full = ring.expect(number, factor.bytes());
  factor.copy(b, loc, stageAddress(number), depthAt, otherAt, full);
}

void WarpgroupAttention::copyBlocks() {
  Value barrier = queryBarrier();
  NVVM::MBarrierArriveExpectTxOp::create(b, loc, TypeRange(), barrier, word(queries.bytes()),
                                         NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                         /*predicate=*/Value());
  queries.copy(b, loc, memory, index(0), mul(softmax.tile(), rowTile), barrier);
  auto loop = scf::ForOp::create(b, loc, index(0), blocksSeen(), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value block = loop.getInductionVar(), keyAt = mul(block, keyBlock);
  copyBlock(keys, numberOf(block, /*isValues=*/false), index(0), keyAt);
  copyBlock(values, numberOf(block, /*isValues=*/true), keyAt, index(0));
}

SmallVector<Value> WarpgroupAttention::multiplyQueries(Value queriesAt, Value number) {
  jit::codegen::GroupProduct product;
  product.columns = keyBlock;
  product.steps =
      llvm::divideCeilSigned(attention.scores.shape.depth.count, jit::codegen::stepDepth);
  product.isBrain = keys.isBrain();
  product.isRightByColumns = !keys.isAlongDepth();
  Value keysAt = keys.descriptor(b, loc, stageAddress(number));
  SmallVector<Value> left, right;
  for (int64_t step = 0; step < product.steps; ++step) {
    left.push_back(queries.step(b, loc, queriesAt, step));
    right.push_back(keys.step(b, loc, keysAt, step));
  }
  return jit::codegen::multiplyByGroup(b, loc, product, /*sums=*/ValueRange(), left, right);
}

SmallVector<Value> WarpgroupAttention::wordsOf(ArrayRef<Value> shares) {
  Type type = getElementTypeOrSelf(attention.output.product.getDpsInputs()[1]);
  auto pairType = VectorType::get({2}, type), wordType = VectorType::get({1}, b.getI32Type());
  SmallVector<Value> words;
  for (size_t i = 0; i < shares.size(); i += 2) {
    SmallVector<Value> halves;
    for (Value share : shares.slice(i, 2))
      halves.push_back(arith::TruncFOp::create(b, loc, type, share));
    Value pair = vector::FromElementsOp::create(b, loc, pairType, halves);
    Value whole = vector::BitCastOp::create(b, loc, wordType, pair);
    words.push_back(vector::ExtractOp::create(b, loc, whole, int64_t(0)));
  }
  return words;
}

void WarpgroupAttention::addValues(ArrayRef<Value> shares, Value number, Carried &carried) {
  jit::codegen::GroupProduct product;
  product.columns = values.columns();
  product.steps = keyBlock / jit::codegen::stepDepth;
  product.isBrain = values.isBrain();
  product.isRightByColumns = !values.isAlongDepth();
  product.isLeftInRegisters = product.addsUp = true;
  SmallVector<Value> left = wordsOf(shares), right;
  Value valuesAt = values.descriptor(b, loc, stageAddress(number));
  for (int64_t step = 0; step < product.steps; ++step)
    right.push_back(values.step(b, loc, valuesAt, step));
  carried.results = jit::codegen::multiplyByGroup(b, loc, product, carried.results, left, right);
}

SmallVector<Value> WarpgroupAttention::goOn(Value block, Value queriesAt, ValueRange before) {
  Carried carried = Carried::of(before);
  Value keysNumber = numberOf(block, /*isValues=*/false);
  ring.awaitFull(keysNumber);
  SmallVector<Value> sums = multiplyQueries(queriesAt, keysNumber);
  ring.leave(thread, keysNumber);
  softmax.score(sums, mul(block, keyBlock));
  softmax.exponentiate(sums, carried);
  Value valuesNumber = numberOf(block, /*isValues=*/true);
  ring.awaitFull(valuesNumber);
  addValues(sums, valuesNumber, carried);
  ring.leave(thread, valuesNumber);
  return carried.all();
}

void WarpgroupAttention::multiplyBlocks() {
  // The threads that multiply begin behind those of the group that copies.
  Value member = arith::SubIOp::create(b, loc, thread, index(groupThreads));
  softmax.locateWarp(thread, mul(div(member, warpSize), jit::codegen::mmaRows));
  Value groupRow = mul(div(member, groupThreads), jit::codegen::groupRows);
  Value queriesAt = queries.descriptor(b, loc, add(memory, queries.rowOffset(b, loc, groupRow)));
  jit::codegen::awaitBarrier(b, loc, queryBarrier(), index(0));
  auto loop = scf::ForOp::create(b, loc, index(0), blocksSeen(), index(1), softmax.start().all());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(b, loc, goOn(loop.getInductionVar(), queriesAt, loop.getRegionIterArgs()));
  }
  softmax.finish(Carried::of(loop.getResults()));
}

void WarpgroupAttention::emit() {
  jit::codegen::Launch launch(b, loc, "attention", softmax.gridBlocks(), threads);
  locate(launch);
  initBarriers();
  Value isCopier = isEqual(div(thread, groupThreads), 0);
  auto branch = scf::IfOp::create(b, loc, isCopier, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  NVVM::SetMaxRegisterOp::create(b, loc, jit::codegen::fewRegisters,
                                 NVVM::SetMaxRegisterAction::decrease);
  jit::codegen::runIf(b, loc, isEqual(thread, 0), [&] { copyBlocks(); });
  b.setInsertionPointToStart(branch.elseBlock());
  NVVM::SetMaxRegisterOp::create(b, loc, jit::codegen::manyRegisters,
                                 NVVM::SetMaxRegisterAction::increase);
  multiplyBlocks();
}

bool jit::codegen::emitWarpgroupAttention(Attention &attention, OpBuilder &b,
                                          const GpuMachine &machine) {
  const ProductShape &first = attention.scores.shape, &second = attention.output.shape;
  if (!machine.hasWarpgroupProducts || first.depth.count > largestHead ||
      second.columns.count > largestHead || first.rows.count < fewestQueries ||
      first.columns.count < fewestKeys)
    return false;
  linalg::LinalgOp scores = attention.scores.product, output = attention.output.product;
  OpOperand &query = *scores.getDpsInputOperand(0), &key = *scores.getDpsInputOperand(1),
            &value = *output.getDpsInputOperand(1);
  // Of heads side by side nothing is read but whole steps and matrices of one.
  bool isWhole = first.depth.count % stepDepth == 0 && second.columns.count % (2 * mmaColumns) == 0;
  auto queryMatrix = FactorMatrix::of(scores, query, first, first.rows, isWhole);
  auto keyMatrix = FactorMatrix::of(scores, key, first, first.columns, isWhole);
  auto valueMatrix = FactorMatrix::of(output, value, second, second.columns, isWhole);
  // The assembly has first factors with summands side by side only.
  if (!queryMatrix || !keyMatrix || !valueMatrix || !queryMatrix->isAlongDepth ||
      (keyMatrix->together > 1 && !keyMatrix->isAlongDepth) ||
      (valueMatrix->together > 1 && valueMatrix->isAlongDepth))
    return false;
  int64_t depth = llvm::alignTo(first.depth.count, stepDepth);
  int64_t head = llvm::alignTo(second.columns.count, 2 * mmaColumns);
  WarpgroupAttention(attention, b, SharedFactor(query, *queryMatrix, rowTile, depth),
                     SharedFactor(key, *keyMatrix, keyBlock, depth),
                     SharedFactor(value, *valueMatrix, head, keyBlock))
      .emit();
  return true;
}
