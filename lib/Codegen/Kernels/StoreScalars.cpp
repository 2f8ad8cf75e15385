//===- StoreScalars.cpp - the host computes sizes alone -------------------===//
#include "Analysis/HostSizes.h"
#include "Buffers/OpenBuffers.h"
#include "Kernels/Launch.h"
#include "jit/Codegen/Kernels/Passes.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace jit::codegen {
#define GEN_PASS_DEF_STORESCALARS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// True for control flow around loads, stores and arithmetic alone: one thread does all of it.
static bool isThreadWork(Operation *op) {
  if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) ||
      !llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); }))
    return false;
  return !op->walk([](Operation *nested) {
              bool isPlain = isa<memref::LoadOp, memref::StoreOp>(nested) ||
                             nested->hasTrait<OpTrait::IsTerminator>() ||
                             nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                             isPure(nested);
              return isPlain && !isa<linalg::LinalgOp>(nested) ? WalkResult::advance()
                                                               : WalkResult::interrupt();
            }).wasInterrupted();
}

namespace {
/// Works on what stands outside of linalg ops, block by block.
class ScalarStorage {
public:
  explicit ScalarStorage(func::FuncOp func)
      : hostSizes(jit::codegen::findHostSizes(func)), b(func.getContext()) {}

  void run(Block &block);

private:
  Value allocate(Location loc, Type type);
  Value load(Location loc, Value cell, const char *mark);
  /// Stores all of `values` in one kernel, which reads whatever it needs first.
  void store(Location loc, ValueRange values, ArrayRef<Value> cells);
  /// Moves `op` to a thread; its results are found in cells.
  void moveToThread(Operation *op);
  /// Has the host read what it needs to know.
  void readForHost(Operation *op);
  void run(scf::IfOp op);
  void run(scf::ForOp op);
  void run(scf::WhileOp op);
  /// Takes the numbers among the results of `op`, at these positions, from cells.
  void replaceResults(Operation *op, ArrayRef<unsigned> numbers, ArrayRef<Value> cells);
  /// Takes the numbers among the arguments of `block` from cells.
  void replaceArguments(Block &block, ArrayRef<unsigned> numbers, ArrayRef<Value> cells);

  bool isKnownToHost(Value value) const;

  llvm::DenseSet<Value> hostSizes;
  OpBuilder b;
};
} // namespace

/// The positions of the numbers among `types`.
static SmallVector<unsigned> numbersAmong(TypeRange types) {
  SmallVector<unsigned> positions;
  for (auto [i, type] : llvm::enumerate(types))
    if (type.isIntOrIndexOrFloat())
      positions.push_back(i);
  return positions;
}

static SmallVector<Value> select(ValueRange values, ArrayRef<unsigned> positions) {
  SmallVector<Value> result;
  for (unsigned i : positions)
    result.push_back(values[i]);
  return result;
}

Value ScalarStorage::allocate(Location loc, Type type) {
  // An index has no size in memory.
  Type stored = type.isIndex() ? b.getI64Type() : type;
  return memref::AllocOp::create(b, loc, MemRefType::get({}, stored));
}

Value ScalarStorage::load(Location loc, Value cell, const char *mark) {
  auto value = memref::LoadOp::create(b, loc, cell, ValueRange());
  value->setAttr(mark, b.getUnitAttr());
  return value;
}

void ScalarStorage::store(Location loc, ValueRange values, ArrayRef<Value> cells) {
  if (values.empty())
    return;
  jit::codegen::launchOnce(b, loc, [&] {
    for (auto [value, cell] : llvm::zip(values, cells)) {
      Value stored = value;
      if (stored.getType().isIndex())
        stored = arith::IndexCastOp::create(b, loc, b.getI64Type(), stored);
      memref::StoreOp::create(b, loc, stored, cell, ValueRange());
    }
  });
}

void ScalarStorage::replaceResults(Operation *op, ArrayRef<unsigned> numbers,
                                   ArrayRef<Value> cells) {
  b.setInsertionPointAfter(op);
  for (auto [number, cell] : llvm::zip(numbers, cells)) {
    Value result = op->getResult(number);
    if (result.use_empty())
      continue;
    Value value = load(op->getLoc(), cell, jit::codegen::cellAttrName);
    if (result.getType().isIndex())
      value = arith::IndexCastOp::create(b, op->getLoc(), result.getType(), value);
    result.replaceAllUsesWith(value);
  }
}

void ScalarStorage::replaceArguments(Block &block, ArrayRef<unsigned> numbers,
                                     ArrayRef<Value> cells) {
  b.setInsertionPointToStart(&block);
  for (auto [number, cell] : llvm::zip(numbers, cells)) {
    BlockArgument argument = block.getArgument(number);
    if (argument.use_empty())
      continue;
    Value value = load(argument.getLoc(), cell, jit::codegen::cellAttrName);
    if (argument.getType().isIndex())
      value = arith::IndexCastOp::create(b, argument.getLoc(), argument.getType(), value);
    argument.replaceAllUsesWith(value);
  }
}

void ScalarStorage::moveToThread(Operation *op) {
  Location loc = op->getLoc();
  b.setInsertionPoint(op);
  SmallVector<Value> cells, results(op->getResults());
  for (Value result : results)
    cells.push_back(allocate(loc, result.getType()));
  // What the results are replaced by stands behind the launch, the stores in it use the results.
  SmallVector<unsigned> numbers = numbersAmong(op->getResultTypes());
  replaceResults(op, numbers, cells);
  b.setInsertionPoint(op);
  jit::codegen::launchOnce(b, loc, [&] {
    op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    for (auto [value, cell] : llvm::zip(results, cells)) {
      Value stored = value;
      if (stored.getType().isIndex())
        stored = arith::IndexCastOp::create(b, loc, b.getI64Type(), stored);
      memref::StoreOp::create(b, loc, stored, cell, ValueRange());
    }
  });
}

/// True for numbers that the host has anyway.
bool ScalarStorage::isKnownToHost(Value value) const {
  if (hostSizes.contains(value))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return !isa<scf::WhileOp>(argument.getOwner()->getParentOp());
  Operation *def = value.getDefiningOp();
  return def->hasTrait<OpTrait::ConstantLike>() || def->hasAttr(jit::codegen::readAttrName);
}

void ScalarStorage::readForHost(Operation *op) {
  SmallVector<OpOperand *> needed;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (unsigned i = 0; i < loop.getNumControlOperands(); ++i)
      needed.push_back(&op->getOpOperand(i));
  } else if (isa<scf::IfOp, scf::ConditionOp>(op)) {
    needed.push_back(&op->getOpOperand(0));
  } else if (isa<jit::GuardOp, memref::AllocOp>(op) ||
             jit::codegen::isOpenBuffer(op, jit::codegen::openResultAttr)) {
    for (OpOperand &operand : op->getOpOperands())
      needed.push_back(&operand);
  }
  for (OpOperand *operand : needed) {
    Value value = operand->get();
    if (isKnownToHost(value))
      continue;
    b.setInsertionPoint(op);
    Value cell = allocate(op->getLoc(), value.getType());
    store(op->getLoc(), value, cell);
    Value read = load(op->getLoc(), cell, jit::codegen::readAttrName);
    if (value.getType().isIndex())
      read = arith::IndexCastOp::create(b, op->getLoc(), value.getType(), read);
    operand->set(read);
  }
}

void ScalarStorage::run(scf::IfOp op) {
  SmallVector<unsigned> numbers = numbersAmong(op.getResultTypes());
  SmallVector<Value> cells;
  b.setInsertionPoint(op);
  for (unsigned number : numbers)
    cells.push_back(allocate(op.getLoc(), op.getResultTypes()[number]));
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
    if (region->empty())
      continue;
    run(region->front());
    Operation *yield = region->front().getTerminator();
    b.setInsertionPoint(yield);
    store(op.getLoc(), select(yield->getOperands(), numbers), cells);
  }
  replaceResults(op, numbers, cells);
}

void ScalarStorage::run(scf::ForOp op) {
  SmallVector<unsigned> numbers = numbersAmong(op.getResultTypes()), arguments;
  SmallVector<Value> cells;
  b.setInsertionPoint(op);
  for (unsigned number : numbers) {
    cells.push_back(allocate(op.getLoc(), op.getResultTypes()[number]));
    arguments.push_back(number + op.getNumInductionVars());
  }
  store(op.getLoc(), select(op.getInitArgs(), numbers), cells);
  replaceArguments(*op.getBody(), arguments, cells);
  run(*op.getBody());
  Operation *yield = op.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  store(op.getLoc(), select(yield->getOperands(), numbers), cells);
  replaceResults(op, numbers, cells);
}

void ScalarStorage::run(scf::WhileOp op) {
  SmallVector<unsigned> carried = numbersAmong(op.getInits().getTypes());
  SmallVector<unsigned> forwarded = numbersAmong(op.getResultTypes());
  SmallVector<Value> carriedCells, forwardedCells;
  b.setInsertionPoint(op);
  for (unsigned number : carried)
    carriedCells.push_back(allocate(op.getLoc(), op.getBeforeArguments()[number].getType()));
  for (unsigned number : forwarded)
    forwardedCells.push_back(allocate(op.getLoc(), op.getResultTypes()[number]));
  store(op.getLoc(), select(op.getInits(), carried), carriedCells);
  replaceArguments(*op.getBeforeBody(), carried, carriedCells);
  replaceArguments(*op.getAfterBody(), forwarded, forwardedCells);
  run(*op.getBeforeBody());
  b.setInsertionPoint(op.getConditionOp());
  store(op.getLoc(), select(op.getConditionOp().getArgs(), forwarded), forwardedCells);
  readForHost(op.getConditionOp());
  run(*op.getAfterBody());
  b.setInsertionPoint(op.getYieldOp());
  store(op.getLoc(), select(op.getYieldOp().getOperands(), carried), carriedCells);
  replaceResults(op, forwarded, forwardedCells);
}

void ScalarStorage::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (isa<memref::LoadOp, memref::StoreOp>(op)) {
      if (!op.hasAttr(jit::codegen::cellAttrName))
        moveToThread(&op);
    } else if (isThreadWork(&op)) {
      moveToThread(&op);
    } else {
      readForHost(&op);
      if (auto branch = dyn_cast<scf::IfOp>(op))
        run(branch);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        run(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        run(loop);
    }
  }
}

namespace {
struct StoreScalars : jit::codegen::impl::StoreScalarsBase<StoreScalars> {
  void runOnOperation() override {
    if (!getOperation().isDeclaration())
      ScalarStorage(getOperation()).run(getOperation().front());
  }
};
} // namespace
