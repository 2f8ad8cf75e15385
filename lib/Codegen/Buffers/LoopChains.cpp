//===- LoopChains.cpp - many loops and branches after each other ----------===//
//
// What one-shot bufferization asks of a tensor's buffer before it makes any it finds out by going
// back to where the tensor was made: twice through each loop that carries it, through both ways of
// each branch. Of thirty loops in a row that is a billion steps.
//
//===----------------------------------------------------------------------===//
#include "Buffers/Carried.h"
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace jit::codegen {
#define GEN_PASS_DEF_LOOPCHAINS
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

namespace {
/// Through how many loops, branches and selections in a row tensors have come since they were made.
class ChainLengths {
public:
  unsigned of(Value tensor);
  /// From here on it begins a chain.
  void cut(Value tensor) { known[tensor] = 0; }

private:
  unsigned ofChoice(Operation *op, unsigned index);
  unsigned ofVariable(BlockArgument argument);
  unsigned longest(ArrayRef<Value> tensors);

  DenseMap<Value, unsigned> known;
};
} // namespace

unsigned ChainLengths::longest(ArrayRef<Value> tensors) {
  unsigned length = 0;
  for (Value tensor : tensors)
    length = std::max(length, of(tensor));
  return length;
}

/// What a loop begins with; what a trip hands on is of that, or was made in the loop.
unsigned ChainLengths::ofVariable(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(owner))
    return index == 0 ? 0 : of(loop.getInits()[index - 1]);
  auto loop = dyn_cast<scf::WhileOp>(owner);
  if (!loop)
    return 0;
  return argument.getOwner() == loop.getBeforeBody() ? of(loop.getInits()[index])
                                                     : of(loop.getConditionOp().getArgs()[index]);
}

unsigned ChainLengths::ofChoice(Operation *op, unsigned index) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return 1 + longest({loop.getInits()[index], loop.getYieldedValues()[index]});
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return 1 + of(loop.getConditionOp().getArgs()[index]);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return 1 +
           longest({branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)});
  auto select = dyn_cast<arith::SelectOp>(op);
  return select ? 1 + longest({select.getTrueValue(), select.getFalseValue()}) : 0;
}

unsigned ChainLengths::of(Value tensor) {
  if (!isa<RankedTensorType>(tensor.getType()))
    return 0;
  auto [found, isNew] = known.try_emplace(tensor, 0); // 0 for what comes back to itself
  if (!isNew)
    return found->second;
  unsigned length = 0;
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    length = ofVariable(argument);
  } else {
    Operation *op = tensor.getDefiningOp();
    unsigned index = cast<OpResult>(tensor).getResultNumber();
    if (auto written = dyn_cast<DestinationStyleOpInterface>(op))
      length = of(written.getDpsInits()[index]);
    else if (isa<tensor::InsertOp, tensor::ExtractSliceOp, tensor::CastOp, tensor::ExpandShapeOp,
                 tensor::CollapseShapeOp, tensor::ReshapeOp>(op))
      length = of(isa<tensor::InsertOp>(op) ? op->getOperand(1) : op->getOperand(0));
    else
      length = ofChoice(op, index);
  }
  return known[tensor] = length;
}

namespace {
struct LoopChains : jit::codegen::impl::LoopChainsBase<LoopChains> {
  using LoopChainsBase::LoopChainsBase;

  void runOnOperation() override {
    ChainLengths lengths;
    OpBuilder b(&getContext());
    // In the order of the program: what follows is of the copies.
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, arith::SelectOp>(op))
        return;
      for (Value result : op->getResults()) {
        if (lengths.of(result) <= most)
          continue;
        b.setInsertionPointAfter(op);
        Value copy = jit::codegen::copyOf(b, op->getLoc(), result);
        lengths.cut(copy);
        result.replaceUsesWithIf(copy, [&](OpOperand &use) {
          return use.getOwner() != copy.getDefiningOp() && !isa<tensor::DimOp>(use.getOwner());
        });
      }
    });
  }
};
} // namespace
