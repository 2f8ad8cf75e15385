//===- CarryInPlace.cpp - loops yield into the buffers they carry ---------===//
#include "WhileForm.h"
#include "jit/Codegen/Passes.h"

namespace jit {
#define GEN_PASS_DEF_CARRYINPLACE
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// True if `value` is surely stored elsewhere than the arguments in `carried` other than `own`.
/// Ops that may be given a buffer of their own count as stored elsewhere; views, branches and
/// selections are what they are made of.
static bool isApart(Value value, ArrayRef<BlockArgument> carried, BlockArgument own) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return arg == own || !llvm::is_contained(carried, arg);
  Operation *def = value.getDefiningOp();
  if (isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(
          def))
    return isApart(def->getOperand(0), carried, own);
  if (auto select = dyn_cast<arith::SelectOp>(def))
    return isApart(select.getTrueValue(), carried, own) &&
           isApart(select.getFalseValue(), carried, own);
  if (auto branch = dyn_cast<scf::IfOp>(def)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return isApart(branch.thenYield().getOperand(number), carried, own) &&
           isApart(branch.elseYield().getOperand(number), carried, own);
  }
  return true;
}

static Value copyOf(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  return linalg::CopyOp::create(b, loc, tensor, empty).getResult(0);
}

/// True if `value` is what a loop inside made of `dest`: that loop carries it in its place already.
static bool isCarriedInside(Value value, BlockArgument dest) {
  auto loop = value.getDefiningOp<scf::ForOp>();
  return loop && dest.hasOneUse() &&
         loop.getInitArgs()[cast<OpResult>(value).getResultNumber()] == dest;
}

/// Makes each tensor that `terminator` hands on (from operand `first` on) materialize in the buffer
/// of the region argument of the same number. What may be stored in the buffer of another one is
/// copied first: that buffer may be overwritten by then.
static void materializeCarried(OpBuilder &b, Operation *terminator, unsigned first,
                               Block::BlockArgListType arguments) {
  b.setInsertionPoint(terminator);
  SmallVector<BlockArgument> carried(arguments.begin(), arguments.end());
  MutableArrayRef<OpOperand> operands = terminator->getOpOperands().drop_front(first);
  auto needsWork = [&](OpOperand &operand, BlockArgument dest) {
    return isa<TensorType>(operand.get().getType()) && operand.get() != dest &&
           !isCarriedInside(operand.get(), dest);
  };
  for (auto [operand, dest] : llvm::zip(operands, carried))
    if (needsWork(operand, dest) && !isApart(operand.get(), carried, dest))
      operand.set(copyOf(b, terminator->getLoc(), operand.get()));
  for (auto [operand, dest] : llvm::zip(operands, carried))
    if (needsWork(operand, dest))
      operand.set(bufferization::MaterializeInDestinationOp::create(
                      b, terminator->getLoc(), dest.getType(), operand.get(), dest,
                      /*restrict=*/false, /*writable=*/false)
                      .getResult());
}

namespace {
struct CarryInPlace : jit::impl::CarryInPlaceBase<CarryInPlace> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    OpBuilder b(func);
    func.walk([&](scf::ForOp loop) {
      materializeCarried(b, loop.getBody()->getTerminator(), 0, loop.getRegionIterArgs());
    });
    SmallVector<scf::WhileOp> loops;
    func.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops) {
      loop = jit::forwardInPlace(loop, b);
      materializeCarried(b, loop.getConditionOp(), 1, loop.getBeforeArguments());
      materializeCarried(b, loop.getYieldOp(), 0, loop.getAfterArguments());
    }
  }
};
} // namespace
