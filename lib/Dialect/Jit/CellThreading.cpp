//===- CellThreading.cpp - memory as values through control flow ----------===//

#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/Jit.h"

using namespace mlir;

namespace jit {

CellThreading::Cell CellThreading::addCell(Type type) {
  types.push_back(type);
  return types.size() - 1;
}

void CellThreading::set(Cell cell, Value value) {
  current[cell] = value;
  assigned(cell, value);
}

void CellThreading::eraseNow() {
  for (Operation *op : llvm::reverse(erased)) {
    op->dropAllReferences();
    op->dropAllUses();
    op->erase();
  }
  erased.clear();
}

CellThreading::Cells CellThreading::assignedIn(Operation *op) {
  Cells all, cells;
  op->walk([&](Operation *nested) {
    if (nested != op)
      collectAssigned(nested, all);
  });
  // A cell without a value begins inside of `op` and is gone after it.
  for (Cell cell : all)
    if (get(cell))
      cells.insert(cell);
  return cells;
}

LogicalResult CellThreading::thread(Block &block) {
  if (failed(define(block.getArguments())))
    return failure();
  for (Operation *op = &block.front(), *next; op; op = next) {
    next = op->getNextNode();
    if (failed(visit(op)))
      return failure();
    FailureOr<Operation *> threaded = op;
    if (auto ifOp = dyn_cast<scf::IfOp>(op))
      threaded = threadIf(ifOp);
    else if (auto forOp = dyn_cast<scf::ForOp>(op))
      threaded = threadFor(forOp);
    else if (auto whileOp = dyn_cast<scf::WhileOp>(op))
      threaded = threadWhile(whileOp);
    else if (op->getNumRegions() != 0)
      return op->emitOpError("expected structured control flow: scf.if, scf.for or scf.while");
    if (failed(threaded) || failed(define((*threaded)->getResults())))
      return failure();
  }
  return success();
}

void CellThreading::yieldCells(Block &block, const Cells &cells) {
  Operation *terminator = block.getTerminator();
  for (Cell cell : cells)
    terminator->insertOperands(terminator->getNumOperands(), get(cell));
}

/// Gives `block` an argument for each cell and threads them through it.
LogicalResult CellThreading::threadArguments(Block &block, const Cells &cells) {
  for (Cell cell : cells)
    set(cell, block.addArgument(typeOf(cell), block.getParentOp()->getLoc()));
  if (failed(thread(block)))
    return failure();
  yieldCells(block, cells);
  return success();
}

/// Puts `to`, which has one more result for each cell, in the place of `from`.
Operation *CellThreading::rebuilt(Operation *from, Operation *to, const Cells &cells) {
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  for (auto [oldRegion, newRegion] : llvm::zip(from->getRegions(), to->getRegions()))
    newRegion.takeBody(oldRegion);
  unsigned count = from->getNumResults();
  for (auto [oldResult, newResult] : llvm::zip(from->getResults(), to->getResults())) {
    oldResult.replaceAllUsesWith(newResult);
    replaced(oldResult, newResult);
  }
  from->erase();
  for (auto [index, cell] : llvm::enumerate(cells))
    set(cell, to->getResult(count + index));
  return to;
}

static SmallVector<Type> withTypes(Operation *op, ArrayRef<Type> more) {
  SmallVector<Type> types(op->getResultTypes());
  types.append(more.begin(), more.end());
  return types;
}

FailureOr<Operation *> CellThreading::threadIf(scf::IfOp op) {
  Cells cells = assignedIn(op);
  if (!cells.empty() && op.getElseRegion().empty()) {
    OpBuilder builder(op.getContext());
    builder.createBlock(&op.getElseRegion());
    scf::YieldOp::create(builder, op.getLoc());
  }
  auto before = current;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    current = before;
    if (failed(thread(region.front())))
      return failure();
    yieldCells(region.front(), cells);
  }
  current = std::move(before);
  if (cells.empty())
    return op.getOperation();
  OpBuilder builder(op);
  auto types = llvm::map_to_vector(cells, [&](Cell cell) { return typeOf(cell); });
  auto newOp = scf::IfOp::create(builder, op.getLoc(), withTypes(op, types), op.getCondition());
  return rebuilt(op, newOp, cells);
}

FailureOr<Operation *> CellThreading::threadFor(scf::ForOp op) {
  Cells cells = assignedIn(op);
  SmallVector<Value> inits(op.getInitArgs());
  for (Cell cell : cells)
    inits.push_back(get(cell));
  auto before = current;
  if (failed(threadArguments(*op.getBody(), cells)))
    return failure();
  current = std::move(before);
  if (cells.empty())
    return op.getOperation();
  OpBuilder builder(op);
  auto newOp = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(), op.getUpperBound(),
                                  op.getStep(), inits);
  newOp.setUnsignedCmp(op.getUnsignedCmp());
  return rebuilt(op, newOp, cells);
}

FailureOr<Operation *> CellThreading::threadWhile(scf::WhileOp op) {
  Cells cells = assignedIn(op);
  SmallVector<Value> inits(op.getInits());
  for (Cell cell : cells)
    inits.push_back(get(cell));
  auto before = current;
  if (failed(threadArguments(*op.getBeforeBody(), cells)))
    return failure();
  // The values that the condition hands on are those of the body and, at the end, of the loop; what
  // began with the condition is known in neither.
  current = before;
  if (failed(threadArguments(*op.getAfterBody(), cells)))
    return failure();
  current = std::move(before);
  if (cells.empty())
    return op.getOperation();
  OpBuilder builder(op);
  auto types = llvm::map_to_vector(cells, [&](Cell cell) { return typeOf(cell); });
  auto newOp = scf::WhileOp::create(builder, op.getLoc(), withTypes(op, types), inits);
  return rebuilt(op, newOp, cells);
}

} // namespace jit
