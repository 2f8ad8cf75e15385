//===- ExpandSparse.cpp - products of sparse matrices by their elements ----===//

#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Sparse.h"
#include "jit/Dialect/Aten/SparseProducts.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Infer/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITEXPANDSPARSE
#include "jit/Infer/Passes.h.inc"

static Type dtypeOf(Value tensor) { return cast<TensorType>(tensor.getType()).getDtype(); }

static LogicalResult refuse(Operation *op, StringRef expected) {
  return op->emitError("expected ") << expected << " in " << op->getName();
}

/// What a product of a sparse matrix, or all its elements, are; a null value after an error.
static Value expanded(GraphBuilder &build, Operation *op) {
  Value left = op->getOperand(0), sparse = isSparse(left) ? left : op->getOperand(1);
  auto matrix = sparseMatrix(build, sparse);
  if (!matrix)
    return refuse(op, "a sparse matrix of 2 dimensions, of f32, f64 or integers"), Value();
  if (isa<aten::ToDenseOp>(op))
    return dense(*matrix).v;
  bool isLeft = sparse == left;
  Tensor other(build, isLeft ? op->getOperand(1) : left);
  int64_t rank = other.info().hasRank() ? other.info().rank() : 0;
  if (isSparse(other.v) || !(rank == 2 || (isLeft && rank == 1)) ||
      dtypeOf(sparse) != dtypeOf(other.v))
    return refuse(op, "a dense matrix or vector of the sparse one's element type"), Value();
  if (isLeft)
    return product(*matrix, other).v;
  return transpose(product(transposed(*matrix), transpose(other, 0, 1)), 0, 1).v;
}

static LogicalResult expandUse(Operation *op) {
  if (!isa<aten::MmOp, aten::MatmulOp, aten::MvOp, aten::ToDenseOp>(op))
    return refuse(op, "a sparse matrix to be in matrix products or to_dense alone, got one");
  OpBuilder builder(op);
  GraphBuilder build{builder, op->getLoc()};
  Value result = expanded(build, op);
  if (!result)
    return failure();
  if (build.failed || dtypeOf(result) != dtypeOf(op->getResult(0)))
    return refuse(op, "operands that go together");
  op->getResult(0).replaceAllUsesWith(
      castTo(builder, op->getLoc(), result, op->getResult(0).getType()));
  op->erase();
  return success();
}

/// What the uses of a sparse matrix become; its transposes go with it.
static LogicalResult expandUses(Value sparse) {
  for (Operation *user : llvm::make_early_inc_range(sparse.getUsers())) {
    if (!isTranspose(user)) {
      if (failed(expandUse(user)))
        return failure();
      continue;
    }
    if (failed(expandUses(user->getResult(0))))
      return failure();
    user->erase();
  }
  return success();
}

namespace {
struct ExpandSparsePass : impl::JitExpandSparseBase<ExpandSparsePass> {
  void runOnOperation() override {
    SmallVector<aten::SparseCooTensorOp> made;
    getOperation().walk([&](aten::SparseCooTensorOp op) { made.push_back(op); });
    for (aten::SparseCooTensorOp op : made) {
      if (failed(expandUses(op->getResult(0))))
        return signalPassFailure();
      op->erase();
    }
  }
};
} // namespace

} // namespace jit
