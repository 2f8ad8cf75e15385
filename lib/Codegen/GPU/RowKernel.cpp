//===- RowKernel.cpp - one kernel for a group of rows ---------------------===//
//
// A few threads, a warp or a block have a row each. They load it once, keep it in registers through
// all ops of the group, and store what is used elsewhere. Numbers of rows are in all threads of the
// row; the first one stores them.
//
//===----------------------------------------------------------------------===//
#include "GPU/RowKernel.h"
#include "ElementEmitter.h"
#include "GPU/Buffers.h"
#include "GPU/Launch.h"
#include "GPU/Reducer.h"
#include "GPU/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::Reach;

/// A thread of a warp has this many elements of a row at most; longer rows are a block's.
static constexpr int64_t mostOfWarp = 16, usualOfBlock = 8, mostOfBlock = 32;
static constexpr int64_t smallBlock = 128, largestBlock = 1024;
/// The registers of a multiprocessor that one block may fill with elements.
static constexpr int64_t elementRegisters = 40 * 1024;

namespace {
class RowKernel {
public:
  RowKernel(const jit::RowChain &group, OpBuilder &b)
      : group(group), b(b), loc(this->group.ops.back().getLoc()) {
    chooseWidth();
    chooseThreads();
  }

  bool fits();
  void emit();

private:
  void chooseWidth();
  void chooseThreads();
  bool isBlockWide() const { return lanes > jit::warpSize; }
  void locate();
  void emitRowLevel(linalg::LinalgOp op);
  void emitElements(linalg::LinalgOp op);
  void emitReduction(linalg::LinalgOp op);
  /// The values that `op` yields at each of the thread's elements; a reduction's are the last ones.
  SmallVector<SmallVector<Value>> emitBodies(linalg::LinalgOp op, ValueRange accumulators);
  SmallVector<Value> point(linalg::LinalgOp op, Value column);
  SmallVector<Value> neighbour(linalg::LinalgOp op, ValueRange point, int64_t lane);
  /// The dimension of the op's whose neighbours are neighbours in a row.
  unsigned innerDim(linalg::LinalgOp op);
  /// The operand's number of the row, or its elements of the thread; null where it has neither.
  Value rowNumber(linalg::LinalgOp op, OpOperand &operand);
  ArrayRef<Value> elementsOf(linalg::LinalgOp op, OpOperand &operand);
  SmallVector<Value> loadChunk(linalg::LinalgOp op, OpOperand &operand, size_t chunk);
  void storeRow(linalg::LinalgOp op, OpOperand &init);
  void storeElements(linalg::LinalgOp op, OpOperand &init);
  Value index(int64_t value) { return jit::constantIndex(b, loc, value); }

  jit::RowChain group;
  OpBuilder &b;
  Location loc;
  /// Neighbours of a thread, threads of a row, and how often these have to go along it.
  int64_t width = 1, lanes = 1, chunks = 1;
  std::optional<jit::Launch> launch;
  Value row, lane;
  /// Whether there is such a row, and such columns; null where that is certain.
  Value rowInside;
  SmallVector<Value> columns, columnInside;
  llvm::DenseMap<Value, Value> rowNumbers;
  llvm::DenseMap<Value, SmallVector<Value>> elements;
};
} // namespace

unsigned RowKernel::innerDim(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned inner = *jit::rowDims(op, group.space);
  for (unsigned dim = inner; dim < sizes.size(); ++dim)
    if (sizes[dim] != 1)
      inner = dim;
  return inner;
}

/// As many neighbours as one access of the widest elements brings, where rows divide so.
void RowKernel::chooseWidth() {
  int64_t widest = 1, common = group.space.columns;
  for (linalg::LinalgOp op : group.ops) {
    if (jit::isRowLevel(op, group.space))
      continue;
    common = std::gcd(common, op.getStaticLoopRanges()[innerDim(op)]);
    for (OpOperand &operand : op->getOpOperands())
      if (isa<MemRefType>(operand.get().getType()))
        widest = std::max(widest, jit::elementBytes(operand));
  }
  for (width = jit::accessBytes / widest; common % width != 0;)
    width /= 2;
}

void RowKernel::chooseThreads() {
  int64_t columns = group.space.columns;
  auto accesses = static_cast<uint64_t>(llvm::divideCeilSigned(columns, width));
  if (columns <= mostOfWarp * jit::warpSize) {
    lanes = std::min<int64_t>(jit::warpSize, static_cast<int64_t>(llvm::PowerOf2Ceil(accesses)));
  } else {
    auto wanted = static_cast<uint64_t>(llvm::divideCeilSigned(columns, usualOfBlock));
    lanes = std::clamp<int64_t>(static_cast<int64_t>(llvm::PowerOf2Ceil(wanted)), smallBlock,
                                largestBlock);
  }
  chunks = llvm::divideCeilSigned(static_cast<int64_t>(accesses), lanes);
}

/// Counts the buffers of which a thread may have its elements at once.
bool RowKernel::fits() {
  if (chunks * width > mostOfBlock)
    return false;
  llvm::SmallDenseMap<Value, int64_t> words;
  for (linalg::LinalgOp op : group.ops)
    for (OpOperand &operand : op->getOpOperands())
      if (isa<MemRefType>(operand.get().getType()) &&
          jit::reachOf(op, operand, group.space) == Reach::Element)
        words[jit::viewedBuffer(operand.get())] = jit::elementBytes(operand) > 4 ? 2 : 1;
  int64_t registers = 0;
  for (auto [root, count] : words)
    registers += count * chunks * width;
  return registers * std::max(lanes, smallBlock) <= elementRegisters;
}

/// Finds the thread's row and columns. Threads beyond the last ones compute what is not stored.
void RowKernel::locate() {
  int64_t rows = group.space.rows, rowsOfBlock = std::max<int64_t>(1, smallBlock / lanes);
  launch.emplace(b, loc, "rows", llvm::divideCeilSigned(rows, rowsOfBlock), rowsOfBlock * lanes);
  auto below = [&](Value value, int64_t end) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, value, index(end));
  };
  auto clamp = [&](Value inside, Value value) -> Value {
    return arith::SelectOp::create(b, loc, inside, value, index(0));
  };
  row = launch->blockId();
  lane = launch->threadId();
  if (rowsOfBlock > 1) {
    Value thread = launch->globalId();
    row = arith::DivUIOp::create(b, loc, thread, index(lanes));
    lane = arith::RemUIOp::create(b, loc, thread, index(lanes));
  }
  if (rows % rowsOfBlock != 0) {
    rowInside = below(row, rows);
    row = clamp(rowInside, row);
  }
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    Value access = arith::AddIOp::create(b, loc, lane, index(chunk * lanes));
    Value column = arith::MulIOp::create(b, loc, access, index(width)), inside;
    if ((chunk + 1) * lanes * width > group.space.columns) {
      inside = below(column, group.space.columns);
      column = clamp(inside, column);
    }
    columns.push_back(column);
    columnInside.push_back(inside);
  }
}

SmallVector<Value> RowKernel::point(linalg::LinalgOp op, Value column) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned rowCount = *jit::rowDims(op, group.space);
  ArrayRef<int64_t> all(sizes);
  SmallVector<Value> result = jit::delinearize(b, loc, row, all.take_front(rowCount));
  llvm::append_range(result, jit::delinearize(b, loc, column, all.drop_front(rowCount)));
  return result;
}

SmallVector<Value> RowKernel::neighbour(linalg::LinalgOp op, ValueRange point, int64_t lane) {
  SmallVector<Value> result(point);
  unsigned inner = innerDim(op);
  if (lane > 0)
    result[inner] = arith::AddIOp::create(b, loc, point[inner], index(lane));
  return result;
}

Value RowKernel::rowNumber(linalg::LinalgOp op, OpOperand &operand) {
  if (jit::reachOf(op, operand, group.space) != Reach::Row)
    return nullptr;
  Value buffer = jit::reshapeSource(operand.get());
  Value &number = rowNumbers[buffer];
  if (!number) {
    number = jit::ElementEmitter(op, b).load(operand, point(op, index(0)));
    jit::markBroadcast(number.getDefiningOp());
  }
  return number;
}

SmallVector<Value> RowKernel::loadChunk(linalg::LinalgOp op, OpOperand &operand, size_t chunk) {
  jit::ElementEmitter element(op, b);
  SmallVector<Value> first = point(op, columns[chunk]), loaded;
  auto mark = [&](Value value) {
    if (jit::isBroadcast(op, operand))
      jit::markBroadcast(value.getDefiningOp());
    return value;
  };
  jit::Access access = jit::accessAlong(op, operand, innerDim(op), width);
  if (access == jit::Access::Once)
    return SmallVector<Value>(width, mark(element.load(operand, first)));
  if (access == jit::Access::Vector && width > 1) {
    Value all = mark(jit::loadVector(b, loc, operand, element.indices(operand, first), width));
    for (int64_t i = 0; i < width; ++i)
      loaded.push_back(vector::ExtractOp::create(b, loc, all, i));
    return loaded;
  }
  for (int64_t i = 0; i < width; ++i)
    loaded.push_back(mark(element.load(operand, neighbour(op, first, i))));
  return loaded;
}

ArrayRef<Value> RowKernel::elementsOf(linalg::LinalgOp op, OpOperand &operand) {
  if (jit::reachOf(op, operand, group.space) != Reach::Element)
    return {};
  SmallVector<Value> &own = elements[jit::reshapeSource(operand.get())];
  if (own.empty())
    for (size_t chunk = 0; chunk < columns.size(); ++chunk)
      llvm::append_range(own, loadChunk(op, operand, chunk));
  return own;
}

SmallVector<SmallVector<Value>> RowKernel::emitBodies(linalg::LinalgOp op,
                                                      ValueRange accumulators) {
  jit::ElementEmitter element(op, b);
  SmallVector<Value> carried(accumulators);
  SmallVector<SmallVector<Value>> results;
  for (size_t chunk = 0; chunk < columns.size(); ++chunk) {
    llvm::DenseMap<unsigned, SmallVector<Value>> others;
    SmallVector<Value> first = point(op, columns[chunk]);
    for (int64_t i = 0; i < width; ++i) {
      auto read = [&](OpOperand &operand) -> Value {
        if (Value number = rowNumber(op, operand))
          return number;
        if (ArrayRef<Value> own = elementsOf(op, operand); !own.empty())
          return own[chunk * width + i];
        SmallVector<Value> &loaded = others[operand.getOperandNumber()];
        if (loaded.empty())
          loaded = loadChunk(op, operand, chunk);
        return loaded[i];
      };
      results.push_back(element.emitBody(neighbour(op, first, i), carried, read));
      if (accumulators.empty())
        continue;
      for (auto [old, next] : llvm::zip(carried, results.back()))
        old = columnInside[chunk]
                  ? arith::SelectOp::create(b, loc, columnInside[chunk], next, old).getResult()
                  : next;
    }
  }
  if (!accumulators.empty())
    results.back() = carried;
  return results;
}

void RowKernel::emitRowLevel(linalg::LinalgOp op) {
  auto read = [&](OpOperand &operand) -> Value {
    if (Value number = rowNumber(op, operand))
      return number;
    return jit::ElementEmitter(op, b).load(operand, point(op, index(0)));
  };
  SmallVector<Value> values = jit::ElementEmitter(op, b).emitBody(point(op, index(0)), {}, read);
  for (auto [init, value] : llvm::zip(op.getDpsInitsMutable(), values)) {
    rowNumbers[jit::reshapeSource(init.get())] = value;
    storeRow(op, init);
  }
}

void RowKernel::emitReduction(linalg::LinalgOp op) {
  jit::Reducer reducer = *jit::Reducer::of(op);
  SmallVector<Value> own = emitBodies(op, reducer.neutral(b)).back(), before;
  SmallVector<Value> all = isBlockWide() ? reducer.acrossBlock(b, *launch, own, lanes)
                                         : reducer.acrossLanes(b, own, lanes);
  for (OpOperand &init : op.getDpsInitsMutable())
    before.push_back(rowNumbers.lookup(jit::reshapeSource(init.get())));
  for (auto [init, value] : llvm::zip(op.getDpsInitsMutable(), reducer.combine(b, before, all))) {
    rowNumbers[jit::reshapeSource(init.get())] = value;
    storeRow(op, init);
  }
}

void RowKernel::emitElements(linalg::LinalgOp op) {
  SmallVector<SmallVector<Value>> results = emitBodies(op, {});
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    SmallVector<Value> own;
    for (const SmallVector<Value> &result : results)
      own.push_back(result[i]);
    elements[jit::reshapeSource(init.get())] = std::move(own);
    storeElements(op, init);
  }
}

void RowKernel::storeRow(linalg::LinalgOp op, OpOperand &init) {
  Value root = jit::reshapeSource(init.get());
  if (!jit::isUsedOutside(root, group.ops))
    return;
  OpBuilder::InsertionGuard guard(b);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
  if (rowInside)
    isFirst = arith::AndIOp::create(b, loc, isFirst, rowInside);
  b.setInsertionPointToStart(scf::IfOp::create(b, loc, isFirst).thenBlock());
  memref::StoreOp::create(b, loc, rowNumbers.lookup(root), init.get(),
                          jit::ElementEmitter(op, b).indices(init, point(op, index(0))));
}

void RowKernel::storeElements(linalg::LinalgOp op, OpOperand &init) {
  Value root = jit::reshapeSource(init.get());
  if (!jit::isUsedOutside(root, group.ops))
    return;
  jit::ElementEmitter element(op, b);
  bool isVector = jit::accessAlong(op, init, innerDim(op), width) == jit::Access::Vector;
  ArrayRef<Value> own = elements[root];
  for (size_t chunk = 0; chunk < columns.size(); ++chunk) {
    OpBuilder::InsertionGuard guard(b);
    Value inside = columnInside[chunk];
    if (rowInside)
      inside = inside ? arith::AndIOp::create(b, loc, inside, rowInside).getResult() : rowInside;
    if (inside)
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
    SmallVector<Value> first = point(op, columns[chunk]);
    ArrayRef<Value> values = own.slice(chunk * width, width);
    if (isVector && width > 1) {
      jit::storeVector(b, loc, init, element.indices(init, first), values);
      continue;
    }
    for (int64_t i = 0; i < width; ++i)
      memref::StoreOp::create(b, loc, values[i], init.get(),
                              element.indices(init, neighbour(op, first, i)));
  }
}

void RowKernel::emit() {
  locate();
  for (linalg::LinalgOp op : group.ops) {
    if (jit::isRowLevel(op, group.space))
      emitRowLevel(op);
    else if (op.getNumReductionLoops() > 0)
      emitReduction(op);
    else
      emitElements(op);
  }
}

bool jit::emitRowChain(const RowChain &group, OpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(group.ops.back());
  RowKernel kernel(group, b);
  if (!kernel.fits())
    return false;
  kernel.emit();
  return true;
}
