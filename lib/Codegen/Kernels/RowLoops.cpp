//===- RowLoops.cpp - one kernel for a group of rows of any length --------===//
//
// A block has a row. For each number of the row that the group reduces it goes along the row once,
// and at the end once more for the elements that are used elsewhere. Elements that the group
// computes for itself are never stored: each time they are computed again from what is in memory,
// which is cheaper than to write and read them. Nothing is stored before the last time, so that
// what is overwritten has been read.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BufferRoots.h"
#include "Analysis/LoopSizes.h"
#include "Kernels/RowEmitter.h"
#include "Kernels/RowKernel.h"
#include "Kernels/VectorAccess.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using jit::codegen::Reach;

/// Threads of a row where there are rows for all multiprocessors, and where there are not.
static constexpr int64_t usualThreads = 128, mostThreads = 1024;
/// Of a thread, and of a multiprocessor: the assembler would rather spill than have a block less.
static constexpr int64_t mostRegisters = 128, allRegisters = 64 * 1024;
/// Rows of a multiprocessor; fewer ones of known length occupy too little of the device.
static constexpr int64_t residentRows = 4;

namespace {
/// What an op made of a buffer's elements, by numbers of the row and what others made.
struct Made {
  linalg::LinalgOp op;
  size_t result = 0;
  /// Where the op's operands come from: by their numbers; neither for what is in memory.
  llvm::DenseMap<unsigned, Value> numbers;
  llvm::DenseMap<unsigned, const Made *> elements;
};

class RowLoops : jit::codegen::RowEmitter {
public:
  RowLoops(const jit::codegen::RowChain &group, OpBuilder &b,
           const jit::codegen::GpuMachine &machine)
      : RowEmitter(group, b), machine(machine) {
    const jit::codegen::Extent &rows = group.space.rows;
    threads = rows.isKnown() && rows.known < machine.multiprocessors ? mostThreads : usualThreads;
  }

  void emit();

private:
  /// Elements that a thread has in one step along the row, as far as they are needed.
  struct Step {
    Value column;
    int64_t width = 1;
    llvm::DenseMap<const Made *, SmallVector<Value>> made;
    /// By the buffer for elements in order, else by the operand.
    llvm::DenseMap<Value, SmallVector<Value>> rows;
    llvm::DenseMap<OpOperand *, SmallVector<Value>> others;
  };

  /// Where vectors are whole only if the call's sizes allow it, a test of these; null elsewhere.
  /// Chooses the width.
  Value chooseWidth();
  void emitOps(int64_t width);
  void emitReduction(linalg::LinalgOp op, int64_t width);
  void emitStores(int64_t width);
  /// A loop of the thread's along the row. Gives what it carries.
  ValueRange goAlong(int64_t width, ValueRange carried,
                     llvm::function_ref<SmallVector<Value>(Step &, ValueRange)> body);
  void remember(linalg::LinalgOp op);
  Made readsOf(linalg::LinalgOp op, size_t result);
  ArrayRef<Value> elementsOf(const Made &made, Step &step);
  ArrayRef<Value> loaded(linalg::LinalgOp op, OpOperand &operand, Step &step);
  Value read(const Made &by, OpOperand &operand, Step &step, int64_t lane);

  const jit::codegen::GpuMachine &machine;
  int64_t threads = usualThreads, width = 1;
  Value rowLength;
  std::vector<std::unique_ptr<Made>> all;
  /// What buffers have by now, and the operand that wrote it.
  llvm::MapVector<Value, std::pair<const Made *, OpOperand *>> current;
};
} // namespace

/// Of the dimension whose neighbours are neighbours in the row, which has to be the same in all
/// ops.
Value RowLoops::chooseWidth() {
  linalg::LinalgOp first;
  for (linalg::LinalgOp op : group.ops) {
    if (jit::codegen::isRowLevel(op, group.space))
      continue;
    if (!first)
      first = op;
    if (!(innerExtent(op) == innerExtent(first)))
      return nullptr;
  }
  width = widestAccess();
  if (jit::codegen::Extent inner = innerExtent(first); inner.isKnown()) {
    while (inner.known % width != 0)
      width /= 2;
    return nullptr;
  }
  if (width == 1)
    return nullptr;
  Value length = getValueOrCreateConstantIndexOp(b, loc, sizesOf(first)[innerDim(first)]);
  Value rest = arith::RemUIOp::create(b, loc, length, index(width));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, index(0));
}

//===----------------------------------------------------------------------===//
// What is computed again
//===----------------------------------------------------------------------===//

Made RowLoops::readsOf(linalg::LinalgOp op, size_t result) {
  Made made;
  made.op = op;
  made.result = result;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()) || !op.payloadUsesValueFromOperand(&operand))
      continue;
    unsigned number = operand.getOperandNumber();
    if (Value ofRow = rowNumber(op, operand))
      made.numbers[number] = ofRow;
    else if (auto found = current.find(jit::codegen::reshapeSource(operand.get()));
             found != current.end())
      made.elements[number] = found->second.first;
  }
  return made;
}

void RowLoops::remember(linalg::LinalgOp op) {
  SmallVector<const Made *> made;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    all.push_back(std::make_unique<Made>(readsOf(op, i)));
    made.push_back(all.back().get());
  }
  for (auto [init, elements] : llvm::zip(op.getDpsInitsMutable(), made))
    current[jit::codegen::reshapeSource(init.get())] = {elements, &init};
}

ArrayRef<Value> RowLoops::loaded(linalg::LinalgOp op, OpOperand &operand, Step &step) {
  bool isOfRow = jit::codegen::reachOf(op, operand, group.space) == Reach::Element;
  SmallVector<Value> &values =
      isOfRow ? step.rows[jit::codegen::reshapeSource(operand.get())] : step.others[&operand];
  if (values.empty())
    values = loadElements(op, operand, step.column, step.width);
  return values;
}

Value RowLoops::read(const Made &by, OpOperand &operand, Step &step, int64_t lane) {
  unsigned number = operand.getOperandNumber();
  if (Value ofRow = by.numbers.lookup(number))
    return ofRow;
  if (const Made *elements = by.elements.lookup(number))
    return elementsOf(*elements, step)[lane];
  return loaded(by.op, operand, step)[lane];
}

ArrayRef<Value> RowLoops::elementsOf(const Made &made, Step &step) {
  if (auto found = step.made.find(&made); found != step.made.end())
    return found->second;
  jit::codegen::ElementEmitter element(made.op, b);
  SmallVector<Value> first = point(made.op, step.column), values;
  for (int64_t lane = 0; lane < step.width; ++lane) {
    auto readLane = [&](OpOperand &operand) { return read(made, operand, step, lane); };
    values.push_back(element.emitBody(neighbour(made.op, first, lane), {}, readLane)[made.result]);
  }
  return step.made[&made] = std::move(values);
}

//===----------------------------------------------------------------------===//
// Going along the row
//===----------------------------------------------------------------------===//

ValueRange RowLoops::goAlong(int64_t width, ValueRange carried,
                             llvm::function_ref<SmallVector<Value>(Step &, ValueRange)> body) {
  Value first = arith::MulIOp::create(b, loc, lane, index(width));
  auto loop = scf::ForOp::create(b, loc, first, rowLength, index(threads * width), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Step step;
  step.column = loop.getInductionVar();
  step.width = width;
  SmallVector<Value> next = body(step, loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(b, loc, next);
  return loop.getResults();
}

void RowLoops::emitReduction(linalg::LinalgOp op, int64_t width) {
  jit::codegen::Reducer reducer = *jit::codegen::Reducer::of(op);
  Made reads = readsOf(op, 0);
  ValueRange own = goAlong(width, reducer.neutral(b), [&](Step &step, ValueRange carried) {
    SmallVector<Value> sums(carried), first = point(op, step.column);
    for (int64_t lane = 0; lane < width; ++lane) {
      auto readLane = [&](OpOperand &operand) { return read(reads, operand, step, lane); };
      sums =
          jit::codegen::ElementEmitter(op, b).emitBody(neighbour(op, first, lane), sums, readLane);
    }
    return sums;
  });
  finishReduction(op, reducer, SmallVector<Value>(own));
}

void RowLoops::emitStores(int64_t width) {
  SmallVector<std::pair<const Made *, OpOperand *>> stored;
  for (auto &[root, made] : current)
    if (jit::codegen::isUsedOutside(root, group.ops))
      stored.push_back(made);
  if (stored.empty())
    return;
  goAlong(width, {}, [&](Step &step, ValueRange) {
    // All are computed first: one may be stored where another one is read.
    for (auto [made, init] : stored)
      (void)elementsOf(*made, step);
    for (auto [made, init] : stored)
      storeElements(made->op, *init, step.column, elementsOf(*made, step));
    return SmallVector<Value>();
  });
}

void RowLoops::emitOps(int64_t width) {
  all.clear();
  current.clear();
  forgetNumbers();
  for (linalg::LinalgOp op : group.ops) {
    if (jit::codegen::isRowLevel(op, group.space))
      emitRowLevel(op);
    else if (op.getNumReductionLoops() > 0)
      emitReduction(op, width);
    else
      remember(op);
  }
  emitStores(width);
}

void RowLoops::emit() {
  readSizes();
  for (linalg::LinalgOp op : group.ops)
    if (op.getNumReductionLoops() > 0) {
      SmallVector<OpFoldResult> columns(
          sizesOf(op).drop_front(*jit::codegen::rowDims(op, group.space)));
      rowLength = jit::codegen::pointsOf(b, loc, columns);
    }
  Value areWhole = chooseWidth();
  launchRows(threads, machine, [&] {
    allowRegisters(std::min(mostRegisters, allRegisters / threads));
    if (!areWhole)
      return emitOps(width);
    auto branch = scf::IfOp::create(b, loc, areWhole, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emitOps(width);
    b.setInsertionPointToStart(branch.elseBlock());
    emitOps(1);
  });
}

bool jit::codegen::paysAsRowLoops(const RowChain &group, const GpuMachine &machine) {
  const RowSpace &space = group.space;
  return !space.columns.isKnown() || !space.rows.isKnown() ||
         space.rows.known >= residentRows * machine.multiprocessors;
}

void jit::codegen::emitRowLoops(const RowChain &group, OpBuilder &b, const GpuMachine &machine) {
  RowLoops(group, b, machine).emit();
}
