//===- InPlaceThreading.cpp - what is written in place as values ----------===//

#include "InPlaceThreading.h"
#include "ForwardWrites.h"
#include "SharedMemory.h"
#include "TrailingValues.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

using namespace mlir;

namespace jit {

LogicalResult InPlaceThreading::run() {
  bool writes = func.walk([&](Operation *op) {
                      return writtenBy(op) ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (!writes)
    return success();
  forwardWrites(func);
  collectRoots();
  if (failed(thread(func.getBody().front())))
    return failure();
  returnWrittenArguments();
  eraseNow();
  return success();
}

/// True if `root` is an element taken out of something, or may be a list that an operator was
/// given: what else holds it is not known.
static bool isGiven(Value root) {
  Operation *op = root.getDefiningOp();
  return op && (isa<ListUnpackOp, TupleUnpackOp, TupleIndexOp, SlotGetOp>(op) ||
                op->hasTrait<MayGiveOperand>() ||
                op->getName().getStringRef().starts_with("aten.__getitem__"));
}

Value InPlaceThreading::threaded(Operation *op) const {
  return left.contains(op) ? Value() : writtenBy(op);
}

/// Whether all names of what `op` writes are known.
bool InPlaceThreading::isUnderstood(Operation *op, Value root, const SharedMemory &memory) {
  CapturedErrors captured(func.getContext());
  bool isKnown = !isGiven(root) && succeeded(memory.checkWrite(op, root));
  captured.take();
  return isKnown;
}

void InPlaceThreading::collectRoots() {
  SharedMemory memory(func);
  SmallVector<Operation *> writes;
  func.walk([&](Operation *op) {
    if (Value written = writtenBy(op))
      writes.push_back(op);
  });
  for (Operation *op : writes) {
    Value root = memoryRoot(writtenBy(op));
    if (!leftValues.contains(root) && !isUnderstood(op, root, memory))
      for (Value value : memory.related(root))
        leftValues.insert(value);
  }
  for (Operation *op : writes) {
    Value root = memoryRoot(writtenBy(op));
    if (leftValues.contains(root))
      left.insert(op);
    else if (!roots.contains(root))
      roots[root] = addCell(root.getType());
  }
}

/// The caller of the function sees its arguments written.
void InPlaceThreading::returnWrittenArguments() {
  for (auto [root, cell] : roots)
    returnArgument(root, get(cell));
  for (Value value : leftValues)
    if (llvm::any_of(left, [&](Operation *op) {
          return mayHold(value.getType(), memoryRoot(writtenBy(op)).getType());
        }))
      returnArgument(value, value);
}

/// `value` is what `root` has become, if that is an argument.
void InPlaceThreading::returnArgument(Value root, Value value) {
  auto arg = dyn_cast<BlockArgument>(root);
  if (!arg || arg.getOwner()->getParentOp() != func ||
      func.getArgAttr(arg.getArgNumber(), slotAttr))
    return;
  auto number = Builder(func.getContext()).getDenseI64ArrayAttr({int64_t(arg.getArgNumber())});
  addTrailingResult(func, value, mutatesAttr, number);
}

std::optional<InPlaceThreading::Path> InPlaceThreading::pathOf(Value value) {
  Path path;
  while (!cellOf.contains(value)) {
    Value source = sharedSource(value);
    if (!source)
      return std::nullopt;
    path.views.push_back(value.getDefiningOp());
    value = source;
  }
  path.cell = cellOf.lookup(value);
  return path;
}

/// Fills in the present values, from the root to the outermost view.
void InPlaceThreading::refresh(OpBuilder &builder, Path &path) {
  path.values.assign(path.views.size() + 1, get(path.cell));
  for (size_t index = path.views.size(); index-- > 0;) {
    Operation *view = path.views[index];
    Value base = path.values[index + 1];
    if (view->getOperand(0) != base) {
      view = builder.clone(*view);
      view->setOperand(0, base);
    }
    path.values[index] = view->getResult(0);
  }
}

LogicalResult InPlaceThreading::visit(Operation *op) {
  OpBuilder builder(op);
  Value written = threaded(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (written && operand.getOperandNumber() == 0)
      continue;
    if (auto path = pathOf(operand.get()); path && get(path->cell)) {
      refresh(builder, *path);
      operand.set(path->values.front());
    }
  }
  if (!written)
    return success();
  auto path = pathOf(written);
  if (!path || !get(path->cell))
    return op->emitOpError("expected a write to a value that is known here");
  refresh(builder, *path);
  Value value = write(builder, op, *path);
  if (!value)
    return failure();
  set(path->cell, value);
  eraseLater(op);
  return success();
}

void InPlaceThreading::collectAssigned(Operation *op, Cells &cells) {
  if (Value written = threaded(op))
    if (auto path = pathOf(written))
      cells.insert(path->cell);
}

LogicalResult InPlaceThreading::define(ValueRange values) {
  for (Value value : values)
    if (auto root = roots.find(value); root != roots.end())
      set(root->second, value);
  return success();
}

void InPlaceThreading::replaced(Value from, Value to) {
  if (auto root = roots.find(from); root != roots.end()) {
    Cell cell = root->second;
    roots.erase(from);
    roots[to] = cell;
  }
}

} // namespace jit
