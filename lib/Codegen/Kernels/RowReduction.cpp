//===- RowReduction.cpp - a group of threads for each output --------------===//
//
// Each thread reduces every n-th element of a row, then the threads of a warp exchange what they
// have by shuffles, then the warps of a block by shared memory. The order is always the same, so
// that two calls give the same bits; no atomics.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopOrder.h"
#include "Analysis/LoopSizes.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/Reducer.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// A row shorter than this is one thread's work, one longer than this the work of a whole block.
static constexpr int64_t shortRow = 32, longRow = 1024;
static constexpr int64_t blockThreads = 256;
/// Blocks that run side by side in a multiprocessor.
static constexpr int64_t residentBlocks = 8;

namespace {
class RowReducer {
public:
  RowReducer(linalg::LinalgOp op, jit::codegen::Reducer reducer, OpBuilder &b)
      : op(op), reducer(std::move(reducer)), b(b), loc(op.getLoc()),
        sizes(op.getStaticLoopRanges()), openSizes(*jit::codegen::loopSizes(b, op)),
        element(op, b) {
    op.getParallelDims(parallel);
    op.getReductionDims(reductions);
  }

  bool pays(const jit::codegen::GpuMachine &machine);
  void emit(const jit::codegen::GpuMachine &machine);
  /// For an open number of rows: a warp for each, and the next one in strides of the grid.
  void emitOpen(const jit::codegen::GpuMachine &machine);

private:
  int64_t count(ArrayRef<unsigned> dims);
  /// The sizes of these loops, known or open.
  SmallVector<OpFoldResult> sizesOf(ArrayRef<unsigned> dims);
  bool isContiguous();
  bool isOpen(ArrayRef<unsigned> dims);
  SmallVector<Value> reduceOwn(SmallVector<Value> &point, Value lane, int64_t lanes);
  /// Stores what the rows of `point` reduce to, on the first of their threads.
  void finish(ValueRange values, ValueRange point, Value lane);
  void placeRow(SmallVector<Value> &point, Value row);
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }

  linalg::LinalgOp op;
  jit::codegen::Reducer reducer;
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> sizes;
  SmallVector<OpFoldResult> openSizes;
  jit::codegen::ElementEmitter element;
  SmallVector<unsigned> parallel, reductions;
};
} // namespace

int64_t RowReducer::count(ArrayRef<unsigned> dims) {
  int64_t product = 1;
  for (unsigned dim : dims)
    product *= sizes[dim];
  return product;
}

SmallVector<OpFoldResult> RowReducer::sizesOf(ArrayRef<unsigned> dims) {
  SmallVector<OpFoldResult> result;
  for (unsigned dim : dims)
    result.push_back(openSizes[dim]);
  return result;
}

bool RowReducer::isOpen(ArrayRef<unsigned> dims) {
  return llvm::any_of(dims, [&](unsigned dim) { return ShapedType::isDynamic(sizes[dim]); });
}

bool RowReducer::isContiguous() {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return jit::codegen::strideAlong(op, *operand, reductions.back()) == 1;
  });
}

/// Where the rows lie across memory and are many, a thread for each reads side by side.
bool RowReducer::pays(const jit::codegen::GpuMachine &machine) {
  if (!isOpen(reductions) && count(reductions) < shortRow)
    return false;
  if (!jit::codegen::hasOpenSizes(op) &&
      count(parallel) < machine.multiprocessors * jit::codegen::warpSize)
    return true;
  return isContiguous();
}

SmallVector<Value> RowReducer::reduceOwn(SmallVector<Value> &point, Value lane, int64_t lanes) {
  SmallVector<OpFoldResult> counts = sizesOf(reductions);
  Value length = jit::codegen::pointsOf(b, loc, counts);
  auto loop = scf::ForOp::create(b, loc, lane, length, index(lanes), reducer.neutral(b));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  for (auto [dim, value] :
       llvm::zip(reductions, jit::codegen::delinearize(b, loc, loop.getInductionVar(), counts)))
    point[dim] = value;
  scf::YieldOp::create(b, loc, element.emitBody(point, loop.getRegionIterArgs()));
  // Outputs have no place along the reductions.
  for (unsigned dim : reductions)
    point[dim] = lane;
  return SmallVector<Value>(loop.getResults());
}

void RowReducer::finish(ValueRange values, ValueRange point, Value lane) {
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
  auto branch = scf::IfOp::create(b, loc, isFirst);
  b.setInsertionPointToStart(branch.thenBlock());
  element.store(reducer.combine(b, element.loadOutputs(point), values), point);
}

void RowReducer::placeRow(SmallVector<Value> &point, Value row) {
  SmallVector<OpFoldResult> counts = sizesOf(parallel);
  for (auto [dim, value] : llvm::zip(parallel, jit::codegen::delinearize(b, loc, row, counts)))
    point[dim] = value;
}

void RowReducer::emit(const jit::codegen::GpuMachine &machine) {
  if (isOpen(parallel))
    return emitOpen(machine);
  SmallVector<Value> point(sizes.size());
  int64_t rows = count(parallel);
  if (isOpen(reductions) || count(reductions) > longRow) {
    jit::codegen::Launch launch(b, loc, "rows", rows, blockThreads);
    placeRow(point, launch.blockId());
    SmallVector<Value> own = reduceOwn(point, launch.threadId(), blockThreads);
    finish(reducer.acrossBlock(b, launch, own, blockThreads), point, launch.threadId());
    return;
  }
  constexpr int64_t rowsOfBlock = 4;
  jit::codegen::Launch launch(b, loc, "rows", llvm::divideCeilSigned(rows, rowsOfBlock),
                              rowsOfBlock * jit::codegen::warpSize);
  Value thread = launch.globalId();
  Value row = arith::DivUIOp::create(b, loc, thread, index(jit::codegen::warpSize));
  Value lane = arith::RemUIOp::create(b, loc, thread, index(jit::codegen::warpSize));
  if (rows % rowsOfBlock != 0) {
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row, index(rows));
    b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
  }
  placeRow(point, row);
  SmallVector<Value> own = reduceOwn(point, lane, jit::codegen::warpSize);
  finish(reducer.acrossLanes(b, own, jit::codegen::warpSize), point, lane);
}

void RowReducer::emitOpen(const jit::codegen::GpuMachine &machine) {
  SmallVector<Value> point(sizes.size());
  Value rows = jit::codegen::pointsOf(b, loc, sizesOf(parallel));
  int64_t blocks = machine.multiprocessors * residentBlocks;
  jit::codegen::Launch launch(b, loc, "rows", blocks, blockThreads);
  Value thread = launch.globalId();
  Value first = arith::DivUIOp::create(b, loc, thread, index(jit::codegen::warpSize));
  Value lane = arith::RemUIOp::create(b, loc, thread, index(jit::codegen::warpSize));
  auto loop = scf::ForOp::create(b, loc, first, rows,
                                 index(blocks * blockThreads / jit::codegen::warpSize));
  b.setInsertionPointToStart(loop.getBody());
  placeRow(point, loop.getInductionVar());
  SmallVector<Value> own = reduceOwn(point, lane, jit::codegen::warpSize);
  finish(reducer.acrossLanes(b, own, jit::codegen::warpSize), point, lane);
}

bool jit::codegen::emitRowReduction(linalg::LinalgOp op, OpBuilder &b, const GpuMachine &machine) {
  std::optional<Reducer> reducer = Reducer::of(op);
  if (op.getNumReductionLoops() == 0 || !reducer)
    return false;
  RowReducer rows(op, std::move(*reducer), b);
  if (!rows.pays(machine))
    return false;
  rows.emit(machine);
  return true;
}
