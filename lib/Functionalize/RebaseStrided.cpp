//===- RebaseStrided.cpp - strides count from the start of memory ---------===//

#include "RebaseStrided.h"
#include "TensorMemory.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

static bool fillsItsMemory(Value root) {
  auto type = cast<TensorType>(root.getType());
  Layout layout = layoutOf(root);
  return type.hasRank() && layout.isRowMajor(type.getSizes()).value_or(false) &&
         layout.offset() == 0;
}

static LogicalResult rebase(aten::AsStridedOp op) {
  Value root = viewRoot(op.getSelf());
  if (!fillsItsMemory(root))
    return op.emitError("expected as_strided of memory that one tensor fills row by row");
  if (isa<NoneType>(op.getStorageOffset().getType())) {
    std::optional<int64_t> offset = layoutOf(op.getSelf()).offset();
    if (!offset)
      return op.emitError("expected as_strided of a part of a tensor whose place is known");
    OpBuilder b(op);
    op.getStorageOffsetMutable().assign(
        arith::ConstantOp::create(b, op.getLoc(), b.getI64IntegerAttr(*offset)));
  }
  op.getSelfMutable().assign(root);
  op->setAttr(ofMemoryAttr, UnitAttr::get(op.getContext()));
  return success();
}

LogicalResult rebaseStrided(func::FuncOp func) {
  WalkResult walk = func.walk([](aten::AsStridedOp op) {
    return failed(rebase(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit
