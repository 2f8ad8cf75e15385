//===- RowKernel.cpp - one kernel for a group of rows ---------------------===//
//
// A few threads, a warp or a block have a row each. They load it once, keep it in registers through
// all ops of the group, and store what is used elsewhere. Numbers of rows are in all threads of the
// row; the first one stores them. Where ops reduce all rows, sums of columns say, each block goes
// from row to row with what it has of them, and a second kernel joins what blocks have in order.
//
//===----------------------------------------------------------------------===//
#include "Kernels/RowKernel.h"
#include "Analysis/BufferRoots.h"
#include "Analysis/LoopOrder.h"
#include "Kernels/ReducedPieces.h"
#include "Kernels/RowEmitter.h"
#include "Kernels/VectorAccess.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using jit::codegen::Extent;
using jit::codegen::Reach;

/// A thread of a warp has this many elements of a row at most; longer rows are a block's.
static constexpr int64_t mostOfWarp = 16, usualOfBlock = 8, mostOfBlock = 32;
/// How far the elements of neighbouring rows may be from each other where a thread has a row.
static constexpr int64_t mostBetweenRows = 2;
static constexpr int64_t smallBlock = 128, largestBlock = 1024;
/// Rows that a block goes through at least where it keeps something for all of them, and blocks of
/// a multiprocessor then: what they have goes through memory.
static constexpr int64_t leastOfCarrying = 8, mostCarrying = 8;
/// Of a thread, and of a multiprocessor.
static constexpr int64_t mostRegisters = 128, allRegisters = 64 * 1024;
/// The registers of a multiprocessor that one block may fill with elements.
static constexpr int64_t elementRegisters = 40 * 1024;

namespace {
/// An op that reduces all rows, and what the thread has of it: of each of its elements where
/// columns are reduced each, else of all.
struct AcrossRows {
  linalg::LinalgOp op;
  jit::codegen::Reducer reducer;
  bool isOfColumns;
  SmallVector<Value> own = {};
  std::optional<jit::codegen::ReducedPieces> pieces = {};
};

class RowKernel : jit::codegen::RowEmitter {
public:
  RowKernel(const jit::codegen::RowChain &group, OpBuilder &b,
            const jit::codegen::GpuMachine &machine)
      : RowEmitter(group, b), machine(machine), rowLength(group.space.columns.known) {
    chooseWidth();
    chooseThreads();
    for (linalg::LinalgOp op : group.ops)
      if (jit::codegen::isAcrossRows(op, group.space))
        across.push_back(
            {op, *jit::codegen::Reducer::of(op), op.getNumParallelLoops() > 0 && isOfColumns(op)});
  }

  bool fits();
  /// Whether there are rows for all multiprocessors where blocks go from row to row.
  bool paysAcross() const {
    return across.empty() || blocksOfRows() / leastOfCarrying >= machine.multiprocessors;
  }
  void emit();

private:
  bool isOfColumns(linalg::LinalgOp op);
  /// How many times a block has rows side by side.
  int64_t blocksOfRows() const {
    return llvm::divideCeilSigned(group.space.rows.known, rowsSideBySide(lanes));
  }
  int64_t carryingBlocks() const;
  void emitCarrying();
  void emitAcross(AcrossRows &reduction);
  void storePieces(AcrossRows &reduction);
  SmallVector<Value> carried();
  void carry(ValueRange values);
  void chooseWidth();
  bool areRowsNeighbours();
  void chooseThreads();
  void placeColumns();
  void emitOps();
  void emitElements(linalg::LinalgOp op);
  /// The values that `op` yields at each of the thread's elements; a reduction's are the last ones.
  /// Where `isOfEach`, each element has accumulators of its own.
  SmallVector<SmallVector<Value>> emitBodies(linalg::LinalgOp op, ValueRange accumulators,
                                             bool isOfEach = false);
  /// The operand's elements of the thread; null where it has none.
  ArrayRef<Value> elementsOf(linalg::LinalgOp op, OpOperand &operand);
  void storeChunks(linalg::LinalgOp op, OpOperand &init);

  const jit::codegen::GpuMachine &machine;
  int64_t rowLength;
  std::vector<AcrossRows> across;
  /// Neighbours of a thread, threads of a row, and how often these have to go along it.
  int64_t width = 1, lanes = 1, chunks = 1;
  /// The columns of the thread's first neighbours, and whether there are such; null where that is
  /// certain.
  SmallVector<Value> columns, columnInside;
  llvm::DenseMap<Value, SmallVector<Value>> elements;
};
} // namespace

/// As many neighbours as one access brings, where rows divide so.
void RowKernel::chooseWidth() {
  int64_t common = rowLength;
  for (linalg::LinalgOp op : group.ops)
    if (!jit::codegen::isRowLevel(op, group.space))
      common = std::gcd(common, innerExtent(op).known);
  for (width = widestAccess(); common % width != 0;)
    width /= 2;
}

/// True where neighbouring rows, not neighbours of a row, lie side by side, as windows of an image
/// do: then a thread has a row, and a warp reads neighbours.
bool RowKernel::areRowsNeighbours() {
  return llvm::all_of(group.ops, [&](linalg::LinalgOp op) {
    unsigned inner = 0, rows = *jit::codegen::rowDims(op, group.space);
    for (unsigned dim = 0; dim < rows; ++dim)
      if (op.getStaticLoopRanges()[dim] != 1)
        inner = dim;
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      return !isa<MemRefType>(operand.get().getType()) ||
             std::abs(jit::codegen::strideAlong(op, operand, inner)) <= mostBetweenRows;
    });
  });
}

void RowKernel::chooseThreads() {
  auto accesses = static_cast<uint64_t>(llvm::divideCeilSigned(rowLength, width));
  const Extent &rows = group.space.rows;
  if (rowLength <= mostOfBlock && rows.isKnown() && rows.known >= smallBlock &&
      areRowsNeighbours()) {
    lanes = 1;
  } else if (rowLength <= mostOfWarp * jit::codegen::warpSize) {
    lanes = std::min<int64_t>(jit::codegen::warpSize,
                              static_cast<int64_t>(llvm::PowerOf2Ceil(accesses)));
  } else {
    auto wanted = static_cast<uint64_t>(llvm::divideCeilSigned(rowLength, usualOfBlock));
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
          jit::codegen::reachOf(op, operand, group.space) == Reach::Element)
        words[jit::codegen::viewedBuffer(operand.get())] =
            jit::codegen::elementBytes(operand) > 4 ? 2 : 1;
  int64_t registers = 0;
  for (const AcrossRows &reduction : across)
    for (OpOperand &init : linalg::LinalgOp(reduction.op).getDpsInitsMutable())
      if (reduction.isOfColumns)
        words[init.get()] = jit::codegen::elementBytes(init) > 4 ? 2 : 1;
  for (auto [root, count] : words)
    registers += count * chunks * width;
  return registers * std::max(lanes, smallBlock) <= elementRegisters;
}

/// Threads beyond the last column compute along with the first one and store nothing.
void RowKernel::placeColumns() {
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    Value access = arith::AddIOp::create(b, loc, lane, index(chunk * lanes));
    Value column = arith::MulIOp::create(b, loc, access, index(width)), inside;
    if ((chunk + 1) * lanes * width > rowLength) {
      inside = below(column, index(rowLength));
      column = arith::SelectOp::create(b, loc, inside, column, index(0));
    }
    columns.push_back(column);
    columnInside.push_back(inside);
  }
}

ArrayRef<Value> RowKernel::elementsOf(linalg::LinalgOp op, OpOperand &operand) {
  if (jit::codegen::reachOf(op, operand, group.space) != Reach::Element)
    return {};
  SmallVector<Value> &own = elements[jit::codegen::reshapeSource(operand.get())];
  if (own.empty())
    for (size_t chunk = 0; chunk < columns.size(); ++chunk)
      llvm::append_range(own, loadElements(op, operand, columns[chunk], width));
  return own;
}

SmallVector<SmallVector<Value>> RowKernel::emitBodies(linalg::LinalgOp op, ValueRange accumulators,
                                                      bool isOfEach) {
  jit::codegen::ElementEmitter element(op, b);
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
          loaded = loadElements(op, operand, columns[chunk], width);
        return loaded[i];
      };
      unsigned count = op.getNumDpsInits();
      ValueRange before(carried);
      if (isOfEach)
        before = accumulators.slice(results.size() * count, count);
      results.push_back(element.emitBody(neighbour(op, first, i), before, read));
      if (accumulators.empty() || isOfEach)
        continue;
      for (auto [old, next] : llvm::zip(carried, results.back()))
        old = columnInside[chunk]
                  ? arith::SelectOp::create(b, loc, columnInside[chunk], next, old).getResult()
                  : next;
    }
  }
  if (!accumulators.empty() && !isOfEach)
    results.back() = carried;
  return results;
}

void RowKernel::emitElements(linalg::LinalgOp op) {
  SmallVector<SmallVector<Value>> results = emitBodies(op, {});
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    SmallVector<Value> own;
    for (const SmallVector<Value> &result : results)
      own.push_back(result[i]);
    elements[jit::codegen::reshapeSource(init.get())] = std::move(own);
    storeChunks(op, init);
  }
}

void RowKernel::storeChunks(linalg::LinalgOp op, OpOperand &init) {
  Value root = jit::codegen::reshapeSource(init.get());
  if (!jit::codegen::isUsedOutside(root, group.ops))
    return;
  ArrayRef<Value> own = elements[root];
  for (size_t chunk = 0; chunk < columns.size(); ++chunk) {
    OpBuilder::InsertionGuard guard(b);
    Value inside = columnInside[chunk];
    if (rowInside)
      inside = inside ? arith::AndIOp::create(b, loc, inside, rowInside).getResult() : rowInside;
    if (inside)
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
    storeElements(op, init, columns[chunk], own.slice(chunk * width, width));
  }
}

void RowKernel::emitOps() {
  if (columns.empty())
    placeColumns();
  // The loop over rows takes a few, for which the assembler would rather spill.
  if (!group.space.rows.isKnown())
    allowRegisters(std::min(mostRegisters, allRegisters / std::max(lanes, smallBlock)));
  for (linalg::LinalgOp op : group.ops) {
    auto reduction = llvm::find_if(across, [&](AcrossRows &one) { return one.op == op; });
    if (reduction != across.end()) {
      emitAcross(*reduction);
    } else if (jit::codegen::isRowLevel(op, group.space)) {
      emitRowLevel(op);
    } else if (op.getNumReductionLoops() > 0) {
      jit::codegen::Reducer reducer = *jit::codegen::Reducer::of(op);
      finishReduction(op, reducer, emitBodies(op, reducer.neutral(b)).back());
    } else {
      emitElements(op);
    }
  }
}

//===----------------------------------------------------------------------===//
// What all rows are reduced to
//===----------------------------------------------------------------------===//

bool RowKernel::isOfColumns(linalg::LinalgOp op) {
  unsigned rows = *jit::codegen::rowDims(op, group.space);
  return op.getIteratorTypesArray()[rows] == utils::IteratorType::parallel;
}

/// Blocks that go through as many rows each, or some of them one less.
int64_t RowKernel::carryingBlocks() const {
  int64_t all = blocksOfRows();
  int64_t most = std::min(machine.multiprocessors * mostCarrying, all / leastOfCarrying);
  return llvm::divideCeilSigned(all, llvm::divideCeilSigned(all, most));
}

SmallVector<Value> RowKernel::carried() {
  SmallVector<Value> all;
  for (const AcrossRows &reduction : across)
    llvm::append_range(all, reduction.own);
  return all;
}

void RowKernel::carry(ValueRange values) {
  for (AcrossRows &reduction : across) {
    reduction.own.assign(values.begin(), values.begin() + reduction.own.size());
    values = values.drop_front(reduction.own.size());
  }
}

/// Threads beyond the last row have what the first row has, which counts once.
void RowKernel::emitAcross(AcrossRows &reduction) {
  SmallVector<SmallVector<Value>> results =
      emitBodies(reduction.op, reduction.own, reduction.isOfColumns);
  SmallVector<Value> next;
  if (!reduction.isOfColumns)
    next = results.back();
  else
    for (ArrayRef<Value> ofElement : results)
      llvm::append_range(next, ofElement);
  for (auto [old, value] : llvm::zip_equal(reduction.own, next))
    old = rowInside ? arith::SelectOp::create(b, loc, rowInside, value, old).getResult() : value;
}

void RowKernel::storePieces(AcrossRows &reduction) {
  if (!reduction.isOfColumns) {
    SmallVector<Value> all = acrossRow(reduction.reducer, reduction.own);
    return reduction.pieces->storeOfFirst(lane, all, index(0), firstRow);
  }
  unsigned count = reduction.op.getNumDpsInits();
  for (size_t chunk = 0; chunk < columns.size(); ++chunk) {
    OpBuilder::InsertionGuard guard(b);
    if (Value inside = columnInside[chunk])
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
    reduction.pieces->storeNeighbours(
        ArrayRef(reduction.own).slice(chunk * width * count, width * count), columns[chunk],
        firstRow);
  }
}

void RowKernel::emitCarrying() {
  int64_t blocks = carryingBlocks();
  for (AcrossRows &reduction : across) {
    reduction.pieces.emplace(reduction.op, reduction.reducer, blocks * rowsSideBySide(lanes), b);
    for (int64_t i = 0; i < (reduction.isOfColumns ? chunks * width : 1); ++i)
      llvm::append_range(reduction.own, reduction.reducer.neutral(b));
  }
  SmallVector<Value> last = launchCarrying(
      lanes, blocks, carried(), [&] { placeColumns(); },
      [&](ValueRange values) {
        carry(values);
        emitOps();
        return carried();
      });
  carry(last);
  for (AcrossRows &reduction : across)
    storePieces(reduction);
  endLaunch();
  for (AcrossRows &reduction : across)
    reduction.pieces->joinByWarps();
}

void RowKernel::emit() {
  readSizes();
  if (!across.empty())
    return emitCarrying();
  launchRows(lanes, machine, [&] { emitOps(); });
}

bool jit::codegen::paysAsRows(const RowChain &group, OpBuilder &b, const GpuMachine &machine) {
  bool hasAcross =
      llvm::any_of(group.ops, [&](linalg::LinalgOp op) { return isAcrossRows(op, group.space); });
  if (!hasAcross && paysAsRowLoops(group, machine))
    return true;
  RowKernel kernel(group, b, machine);
  return kernel.fits() && kernel.paysAcross();
}

void jit::codegen::emitRowChain(const RowChain &group, OpBuilder &b, const GpuMachine &machine) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(group.ops.back());
  if (group.space.columns.isKnown()) {
    RowKernel kernel(group, b, machine);
    if (kernel.fits())
      return kernel.emit();
  }
  emitRowLoops(group, b, machine);
}
