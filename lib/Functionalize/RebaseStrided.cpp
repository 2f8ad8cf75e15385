//===- RebaseStrided.cpp - strides count from the start of memory ---------===//

#include "RebaseStrided.h"
#include "TensorMemory.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// The view of `root` that shows its memory row by row, where root fills that; else null.
static Value memoryOf(OpBuilder &b, Value root) {
  auto type = cast<TensorType>(root.getType());
  Layout layout = layoutOf(root);
  if (!type.hasRank() || layout.offset() != 0)
    return {};
  if (layout.isRowMajor(type.getSizes()).value_or(false))
    return root;
  auto strides = layout.strides(type.getSizes());
  if (!strides || !type.hasStaticSizes())
    return {};
  auto dims = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  llvm::stable_sort(dims, [&](int64_t a, int64_t b) { return (*strides)[a] > (*strides)[b]; });
  GraphBuilder build{b, root.getLoc()};
  b.setInsertionPointAfterValue(root);
  Tensor whole = build.op<aten::PermuteOp>(Tensor(build, root), build.ints(dims));
  if (layoutOf(whole.v).isRowMajor(whole.info().sizes()).value_or(false))
    return whole.v;
  return {};
}

static LogicalResult rebase(aten::AsStridedOp op) {
  OpBuilder b(op);
  Value root = memoryOf(b, viewRoot(op.getSelf()));
  b.setInsertionPoint(op);
  if (!root)
    return op.emitError("expected as_strided of memory that one tensor fills");
  if (isa<NoneType>(op.getStorageOffset().getType())) {
    std::optional<int64_t> offset = layoutOf(op.getSelf()).offset();
    if (!offset)
      return op.emitError("expected as_strided of a part of a tensor whose place is known");
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
