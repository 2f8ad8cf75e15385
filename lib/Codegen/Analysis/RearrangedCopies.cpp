//===- RearrangedCopies.cpp - reading what was copied ---------------------===//
#include "Analysis/RearrangedCopies.h"
#include "Analysis/BufferRoots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

/// True for an op that only gives its operand's dimensions another order.
static bool isRearrangement(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || !jit::codegen::hasKnownMemory(op) ||
      !isa<MemRefType>(op.getDpsInputs()[0].getType()))
    return false;
  auto maps = op.getIndexingMapsArray();
  return op.getBlock()->getTerminator()->getOperand(0) == op.getBlock()->getArgument(0) &&
         maps[0].isPermutation() && maps[1].isPermutation();
}

/// The op that last wrote the buffer `root` before `reader`, if all between them is known.
static linalg::LinalgOp lastWriter(Operation *reader, Value root) {
  for (Operation *op = reader->getPrevNode(); op; op = op->getPrevNode()) {
    if (jit::codegen::isAside(op))
      continue;
    if (!jit::codegen::hasKnownMemory(op))
      return nullptr;
    if (jit::codegen::writes(op, root))
      return dyn_cast<linalg::LinalgOp>(op);
  }
  return nullptr;
}

static bool isUnchanged(Value root, Operation *from, Operation *to) {
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
    if (!jit::codegen::isAside(op) && jit::codegen::writes(op, root))
      return false;
  return true;
}

SmallVector<linalg::LinalgOp> jit::codegen::readOriginals(linalg::GenericOp op) {
  SmallVector<linalg::LinalgOp> copies;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value buffer = operand->get();
    linalg::LinalgOp copy =
        buffer.getDefiningOp<memref::AllocOp>() ? lastWriter(op, buffer) : nullptr;
    if (!copy || !isRearrangement(copy) || copy.getDpsInits()[0] != buffer ||
        !isUnchanged(viewedBuffer(copy.getDpsInputs()[0]), copy, op))
      continue;
    SmallVector<AffineMap> copyMaps = copy.getIndexingMapsArray();
    AffineMap &map = maps[operand->getOperandNumber()];
    map = copyMaps[0].compose(inversePermutation(copyMaps[1])).compose(map);
    operand->set(copy.getDpsInputs()[0]);
    copies.push_back(copy);
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
  return copies;
}

void jit::codegen::eraseUnread(linalg::LinalgOp copy, RewriterBase &rewriter) {
  Operation *buffer = copy.getDpsInits()[0].getDefiningOp();
  if (!buffer->getResult(0).hasOneUse())
    return;
  rewriter.eraseOp(copy);
  rewriter.eraseOp(buffer);
}
