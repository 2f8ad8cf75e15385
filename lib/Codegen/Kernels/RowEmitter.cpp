//===- RowEmitter.cpp - what kernels for groups of rows share -------------===//
#include "Kernels/RowEmitter.h"
#include "Analysis/BufferRoots.h"
#include "Analysis/LoopSizes.h"
#include "Kernels/VectorAccess.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::RowEmitter;

/// Threads of a block whose rows are short.
static constexpr int64_t smallBlock = 128;
/// Threads that run side by side in a multiprocessor.
static constexpr int64_t residentThreads = 2048;

RowEmitter::RowEmitter(const RowChain &group, OpBuilder &b)
    : group(group), b(b), loc(this->group.ops.back().getLoc()) {}

void RowEmitter::readSizes() {
  for (linalg::LinalgOp op : group.ops)
    sizes[op] = *loopSizes(b, op);
}

Value RowEmitter::below(Value value, Value end) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, value, end);
}

//===----------------------------------------------------------------------===//
// Where a thread stands
//===----------------------------------------------------------------------===//

int64_t RowEmitter::rowsSideBySide(int64_t lanes) {
  return std::max<int64_t>(1, smallBlock / lanes);
}

/// Of a block's rows, the thread's.
Value RowEmitter::rowOf(Value block) {
  if (!rowInBlock)
    return block;
  Value before = arith::MulIOp::create(b, loc, block, index(rowsOfBlock));
  return arith::AddIOp::create(b, loc, before, rowInBlock);
}

/// Threads beyond the last row compute along with the first one and store nothing.
void RowEmitter::placeRow(Value block, Value end) {
  row = rowOf(block);
  if (!end)
    return;
  rowInside = below(row, end);
  row = arith::SelectOp::create(b, loc, rowInside, row, index(0));
}

/// Begins a launch. Gives how many rows there are.
Value RowEmitter::placeThreads(int64_t lanes, int64_t blocks) {
  linalg::LinalgOp first = group.ops.front();
  Value count = pointsOf(b, loc, sizesOf(first).take_front(*rowDims(first, group.space)));
  launch.emplace(b, loc, "rows", blocks, rowsOfBlock * lanes);
  lane = launch->threadId();
  if (rowsOfBlock > 1) {
    rowInBlock = arith::DivUIOp::create(b, loc, lane, index(lanes));
    lane = arith::RemUIOp::create(b, loc, lane, index(lanes));
  }
  return count;
}

void RowEmitter::launchRows(int64_t lanes, const GpuMachine &machine,
                            llvm::function_ref<void()> body) {
  threadsOfRow = lanes;
  rowsOfBlock = rowsSideBySide(lanes);
  const Extent &rows = group.space.rows;
  int64_t blocks = rows.isKnown()
                       ? llvm::divideCeilSigned(rows.known, rowsOfBlock)
                       : machine.multiprocessors * residentThreads / (rowsOfBlock * lanes);
  Value count = placeThreads(lanes, blocks);
  if (!rows.isKnown()) {
    goThroughRows(count, blocks, {}, [&](ValueRange) {
      body();
      return SmallVector<Value>();
    });
    return;
  }
  placeRow(launch->blockId(), rows.known % rowsOfBlock != 0 ? count : Value());
  body();
}

SmallVector<Value>
RowEmitter::launchCarrying(int64_t lanes, int64_t blocks, ValueRange init,
                           llvm::function_ref<void()> start,
                           llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  threadsOfRow = lanes;
  rowsOfBlock = rowsSideBySide(lanes);
  Value count = placeThreads(lanes, blocks);
  firstRow = rowOf(launch->blockId());
  start();
  ValueRange last = goThroughRows(count, blocks, init, body);
  b.setInsertionPointAfter(last.front().getDefiningOp());
  return SmallVector<Value>(last);
}

/// All threads of a block go on together: they wait for each other. The builder stays inside.
ValueRange RowEmitter::goThroughRows(Value count, int64_t blocks, ValueRange init,
                                     llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  Value end = count;
  if (rowInBlock) {
    end = arith::AddIOp::create(b, loc, count, index(rowsOfBlock - 1));
    end = arith::DivUIOp::create(b, loc, end, index(rowsOfBlock));
  }
  auto loop = scf::ForOp::create(b, loc, launch->blockId(), end, index(blocks), init);
  b.setInsertionPointToStart(loop.getBody());
  placeRow(loop.getInductionVar(), rowInBlock ? count : Value());
  SmallVector<Value> next = body(loop.getRegionIterArgs());
  // What they share is the next row's.
  if (threadsOfRow > warpSize)
    gpu::BarrierOp::create(b, loc);
  if (!init.empty())
    scf::YieldOp::create(b, loc, next);
  return loop.getResults();
}

unsigned RowEmitter::innerDim(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned inner = *rowDims(op, group.space);
  for (unsigned dim = inner; dim < ranges.size(); ++dim)
    if (ranges[dim] != 1)
      inner = dim;
  return inner;
}

int64_t RowEmitter::widestAccess() {
  int64_t widest = 1;
  for (linalg::LinalgOp op : group.ops)
    for (OpOperand &operand : op->getOpOperands())
      if (isa<MemRefType>(operand.get().getType()) && !isRowLevel(op, group.space))
        widest = std::max(widest, elementBytes(operand));
  return accessBytes / widest;
}

SmallVector<Value> RowEmitter::point(linalg::LinalgOp op, Value column) {
  unsigned rowCount = *rowDims(op, group.space);
  ArrayRef<OpFoldResult> all = sizesOf(op);
  SmallVector<Value> result = delinearize(b, loc, row, all.take_front(rowCount));
  llvm::append_range(result, delinearize(b, loc, column, all.drop_front(rowCount)));
  return result;
}

SmallVector<Value> RowEmitter::neighbour(linalg::LinalgOp op, ValueRange point, int64_t lane) {
  SmallVector<Value> result(point);
  unsigned inner = innerDim(op);
  if (lane > 0)
    result[inner] = arith::AddIOp::create(b, loc, point[inner], index(lane));
  return result;
}

//===----------------------------------------------------------------------===//
// Numbers of rows
//===----------------------------------------------------------------------===//

Value RowEmitter::rowNumber(linalg::LinalgOp op, OpOperand &operand) {
  if (reachOf(op, operand, group.space) != Reach::Row)
    return nullptr;
  Value &number = rowNumbers[reshapeSource(operand.get())];
  if (!number) {
    number = ElementEmitter(op, b).load(operand, point(op, index(0)));
    markBroadcast(number.getDefiningOp());
  }
  return number;
}

void RowEmitter::storeRow(linalg::LinalgOp op, OpOperand &init) {
  Value root = reshapeSource(init.get());
  if (!isUsedOutside(root, group.ops))
    return;
  OpBuilder::InsertionGuard guard(b);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
  if (rowInside)
    isFirst = arith::AndIOp::create(b, loc, isFirst, rowInside);
  b.setInsertionPointToStart(scf::IfOp::create(b, loc, isFirst).thenBlock());
  memref::StoreOp::create(b, loc, rowNumbers.lookup(root), init.get(),
                          ElementEmitter(op, b).indices(init, point(op, index(0))));
}

void RowEmitter::emitRowLevel(linalg::LinalgOp op) {
  auto read = [&](OpOperand &operand) -> Value {
    if (Value number = rowNumber(op, operand))
      return number;
    return ElementEmitter(op, b).load(operand, point(op, index(0)));
  };
  SmallVector<Value> values = ElementEmitter(op, b).emitBody(point(op, index(0)), {}, read);
  for (auto [init, value] : llvm::zip(op.getDpsInitsMutable(), values)) {
    rowNumbers[reshapeSource(init.get())] = value;
    storeRow(op, init);
  }
}

SmallVector<Value> RowEmitter::acrossRow(Reducer &reducer, ArrayRef<Value> own) {
  return threadsOfRow > warpSize ? reducer.acrossBlock(b, *launch, own, threadsOfRow)
                                 : reducer.acrossLanes(b, own, threadsOfRow);
}

void RowEmitter::finishReduction(linalg::LinalgOp op, Reducer &reducer, ArrayRef<Value> own) {
  SmallVector<Value> before, all = acrossRow(reducer, own);
  for (OpOperand &init : op.getDpsInitsMutable())
    before.push_back(rowNumbers.lookup(reshapeSource(init.get())));
  for (auto [init, value] : llvm::zip(op.getDpsInitsMutable(), reducer.combine(b, before, all))) {
    rowNumbers[reshapeSource(init.get())] = value;
    storeRow(op, init);
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

SmallVector<Value> RowEmitter::loadElements(linalg::LinalgOp op, OpOperand &operand, Value column,
                                            int64_t width) {
  ElementEmitter element(op, b);
  SmallVector<Value> first = point(op, column), loaded;
  auto mark = [&](Value value) {
    if (isBroadcast(op, operand))
      markBroadcast(value.getDefiningOp());
    return value;
  };
  Access access = accessAlong(op, operand, innerDim(op), width);
  if (access == Access::Once)
    return SmallVector<Value>(width, mark(element.load(operand, first)));
  if (access == Access::Vector && width > 1) {
    Value all = mark(loadVector(b, loc, operand, element.indices(operand, first), width));
    for (int64_t i = 0; i < width; ++i)
      loaded.push_back(vector::ExtractOp::create(b, loc, all, i));
    return loaded;
  }
  for (int64_t i = 0; i < width; ++i)
    loaded.push_back(mark(element.load(operand, neighbour(op, first, i))));
  return loaded;
}

void RowEmitter::storeElements(linalg::LinalgOp op, OpOperand &init, Value column,
                               ArrayRef<Value> values) {
  ElementEmitter element(op, b);
  auto width = static_cast<int64_t>(values.size());
  SmallVector<Value> first = point(op, column);
  if (width > 1 && accessAlong(op, init, innerDim(op), width) == Access::Vector)
    return storeVector(b, loc, init, element.indices(init, first), values);
  for (int64_t i = 0; i < width; ++i)
    memref::StoreOp::create(b, loc, values[i], init.get(),
                            element.indices(init, neighbour(op, first, i)));
}
