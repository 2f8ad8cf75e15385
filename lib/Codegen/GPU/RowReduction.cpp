//===- RowReduction.cpp - a group of threads for each output --------------===//
//
// Each thread reduces every n-th element of a row, then the threads of a warp exchange what they
// have by shuffles, then the warps of a block by shared memory. The order is always the same, so
// that two calls give the same bits; no atomics.
//
//===----------------------------------------------------------------------===//
#include "ElementEmitter.h"
#include "GPU/KernelEmitters.h"
#include "GPU/Launch.h"
#include "LoopOrder.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

/// A row shorter than this is one thread's work, one longer than this the work of a whole block.
static constexpr int64_t shortRow = 32, longRow = 1024;
static constexpr int64_t blockThreads = 256;

namespace {
class RowReducer {
public:
  RowReducer(linalg::LinalgOp op, OpBuilder &b)
      : op(op), b(b), loc(op.getLoc()), sizes(op.getStaticLoopRanges()), element(op, b) {}

  /// False where the op does not reduce by one known operation for each output.
  bool findCombiners();
  bool pays(const jit::GpuProfile &profile);
  void emit();

private:
  int64_t count(ArrayRef<unsigned> dims);
  SmallVector<Value> neutral();
  SmallVector<Value> combine(ValueRange left, ValueRange right);
  SmallVector<Value> reduceOwn(SmallVector<Value> &point, Value lane, int64_t lanes);
  SmallVector<Value> reduceWarp(SmallVector<Value> values, int64_t lanes);
  SmallVector<Value> reduceBlock(jit::Launch &launch, SmallVector<Value> values);
  Value shuffle(Value value, int64_t distance);
  Value exchange(Value word, int64_t distance);
  /// Stores what the rows of `point` reduce to, on the first of their threads.
  void finish(ValueRange values, ValueRange point, Value lane);
  void placeRow(SmallVector<Value> &point, Value row);
  Value index(int64_t value) { return jit::constantIndex(b, loc, value); }

  linalg::LinalgOp op;
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> sizes;
  jit::ElementEmitter element;
  SmallVector<unsigned> parallel, reductions;
  SmallVector<Operation *> combiners;
};
} // namespace

bool RowReducer::findCombiners() {
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  auto outputs = op.getRegionOutputArgs();
  for (unsigned i = 0; i < outputs.size(); ++i) {
    SmallVector<Operation *> found;
    if (!outputs[i].hasOneUse() || !matchReduction(outputs, i, found) || found.size() != 1)
      return false;
    Operation *combiner = found.front();
    bool isOneStep = combiner->getNumOperands() == 2 && combiner->getBlock() == op.getBlock() &&
                     combiner->hasOneUse() && combiner->hasTrait<OpTrait::IsCommutative>() &&
                     outputs[i].hasOneUse() && *outputs[i].user_begin() == combiner;
    if (!isOneStep || !arith::getNeutralElement(combiner))
      return false;
    combiners.push_back(combiner);
  }
  return !reductions.empty();
}

int64_t RowReducer::count(ArrayRef<unsigned> dims) {
  int64_t product = 1;
  for (unsigned dim : dims)
    product *= sizes[dim];
  return product;
}

/// Where the rows lie across memory and are many, a thread for each reads side by side.
bool RowReducer::pays(const jit::GpuProfile &profile) {
  if (count(reductions) < shortRow)
    return false;
  if (count(parallel) < profile.multiprocessors * jit::warpSize)
    return true;
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return jit::strideAlong(op, *operand, reductions.back()) == 1;
  });
}

SmallVector<Value> RowReducer::neutral() {
  SmallVector<Value> values;
  for (Operation *combiner : combiners)
    values.push_back(arith::ConstantOp::create(b, loc, *arith::getNeutralElement(combiner)));
  return values;
}

SmallVector<Value> RowReducer::combine(ValueRange left, ValueRange right) {
  SmallVector<Value> result;
  for (auto [i, combiner] : llvm::enumerate(combiners)) {
    IRMapping map;
    BlockArgument accumulator = op.getRegionOutputArgs()[i];
    for (Value operand : combiner->getOperands())
      map.map(operand, operand == accumulator ? left[i] : right[i]);
    result.push_back(b.clone(*combiner, map)->getResult(0));
  }
  return result;
}

SmallVector<Value> RowReducer::reduceOwn(SmallVector<Value> &point, Value lane, int64_t lanes) {
  auto loop = scf::ForOp::create(b, loc, lane, index(count(reductions)), index(lanes), neutral());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<int64_t> counts;
  for (unsigned dim : reductions)
    counts.push_back(sizes[dim]);
  for (auto [dim, value] :
       llvm::zip(reductions, jit::delinearize(b, loc, loop.getInductionVar(), counts)))
    point[dim] = value;
  scf::YieldOp::create(b, loc, element.emitBody(point, loop.getRegionIterArgs()));
  // Outputs have no place along the reductions.
  for (unsigned dim : reductions)
    point[dim] = lane;
  return SmallVector<Value>(loop.getResults());
}

/// The 32 bits that another thread of the warp has.
Value RowReducer::exchange(Value word, int64_t distance) {
  return gpu::ShuffleOp::create(b, loc, word, static_cast<int32_t>(distance),
                                static_cast<int32_t>(jit::warpSize), gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

Value RowReducer::shuffle(Value value, int64_t distance) {
  Type type = value.getType(), word = b.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  Value plain = type == integer ? value : arith::BitcastOp::create(b, loc, integer, value);
  Value result;
  if (bits <= 32) {
    if (bits < 32)
      plain = arith::ExtUIOp::create(b, loc, word, plain);
    result = exchange(plain, distance);
    if (bits < 32)
      result = arith::TruncIOp::create(b, loc, integer, result);
  } else {
    Value half = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
    Value high = arith::ShRUIOp::create(b, loc, plain, half);
    Value low = exchange(arith::TruncIOp::create(b, loc, word, plain), distance);
    high = exchange(arith::TruncIOp::create(b, loc, word, high), distance);
    high = arith::ExtUIOp::create(b, loc, integer, high);
    low = arith::ExtUIOp::create(b, loc, integer, low);
    result = arith::OrIOp::create(b, loc, arith::ShLIOp::create(b, loc, high, half), low);
  }
  return type == integer ? result : arith::BitcastOp::create(b, loc, type, result);
}

SmallVector<Value> RowReducer::reduceWarp(SmallVector<Value> values, int64_t lanes) {
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2) {
    SmallVector<Value> others;
    for (Value value : values)
      others.push_back(shuffle(value, distance));
    values = combine(values, others);
  }
  return values;
}

SmallVector<Value> RowReducer::reduceBlock(jit::Launch &launch, SmallVector<Value> values) {
  constexpr int64_t warps = blockThreads / jit::warpSize;
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  Value warp = arith::DivUIOp::create(b, loc, launch.threadId(), index(jit::warpSize));
  Value lane = arith::RemUIOp::create(b, loc, launch.threadId(), index(jit::warpSize));
  SmallVector<Value> memory;
  for (Value value : values)
    memory.push_back(launch.shared(
        MemRefType::get({warps}, value.getType(), MemRefLayoutAttrInterface(), space)));
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
  auto branch = scf::IfOp::create(b, loc, isFirst);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    for (auto [value, place] : llvm::zip(values, memory))
      memref::StoreOp::create(b, loc, value, place, warp);
  }
  gpu::BarrierOp::create(b, loc);
  // Every warp does the last step: the place is taken modulo the number of warps.
  Value place = arith::RemUIOp::create(b, loc, lane, index(warps));
  SmallVector<Value> parts;
  for (Value from : memory)
    parts.push_back(memref::LoadOp::create(b, loc, from, place));
  return reduceWarp(parts, warps);
}

void RowReducer::finish(ValueRange values, ValueRange point, Value lane) {
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
  auto branch = scf::IfOp::create(b, loc, isFirst);
  b.setInsertionPointToStart(branch.thenBlock());
  element.store(combine(element.loadOutputs(point), values), point);
}

void RowReducer::placeRow(SmallVector<Value> &point, Value row) {
  SmallVector<int64_t> counts;
  for (unsigned dim : parallel)
    counts.push_back(sizes[dim]);
  for (auto [dim, value] : llvm::zip(parallel, jit::delinearize(b, loc, row, counts)))
    point[dim] = value;
}

void RowReducer::emit() {
  SmallVector<Value> point(sizes.size());
  int64_t rows = count(parallel);
  if (count(reductions) > longRow) {
    jit::Launch launch(b, loc, "rows", rows, blockThreads);
    placeRow(point, launch.blockId());
    SmallVector<Value> own = reduceOwn(point, launch.threadId(), blockThreads);
    finish(reduceBlock(launch, reduceWarp(own, jit::warpSize)), point, launch.threadId());
    return;
  }
  constexpr int64_t rowsOfBlock = 4;
  jit::Launch launch(b, loc, "rows", llvm::divideCeilSigned(rows, rowsOfBlock),
                     rowsOfBlock * jit::warpSize);
  Value thread = launch.globalId();
  Value row = arith::DivUIOp::create(b, loc, thread, index(jit::warpSize));
  Value lane = arith::RemUIOp::create(b, loc, thread, index(jit::warpSize));
  if (rows % rowsOfBlock != 0) {
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row, index(rows));
    b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
  }
  placeRow(point, row);
  SmallVector<Value> own = reduceOwn(point, lane, jit::warpSize);
  finish(reduceWarp(own, jit::warpSize), point, lane);
}

bool jit::emitRowReduction(linalg::LinalgOp op, OpBuilder &b, const GpuProfile &profile) {
  RowReducer reducer(op, b);
  if (!reducer.findCombiners() || !reducer.pays(profile))
    return false;
  reducer.emit();
  return true;
}
