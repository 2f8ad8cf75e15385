//===- SeparateInits.cpp - a tensor of its own to write over --------------===//
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

namespace jit::codegen {
#define GEN_PASS_DEF_SEPARATEINITS
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// True if the user may write over what it uses.
static bool isWrittenOver(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return style.isDpsInit(&use);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return llvm::is_contained(loop.getInits(), use.get());
  return isa<SubsetInsertionOpInterface, tensor::InsertOp>(op) && use.getOperandNumber() == 1;
}

/// True for tensors that are made from nothing.
static bool isInit(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return op->getNumOperands() == 0;
  auto fill = dyn_cast<linalg::FillOp>(op);
  return fill && fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
}

namespace {
struct SeparateInits : jit::codegen::impl::SeparateInitsBase<SeparateInits> {
  void runOnOperation() override {
    SmallVector<Operation *> inits;
    getOperation().walk([&](Operation *op) {
      if (isInit(op))
        inits.push_back(op);
    });
    // Fills before the empty tensors that they fill, so that what is copied for one fill is seen.
    for (Operation *op : llvm::reverse(inits))
      separate(op);
  }

private:
  static void separate(Operation *op) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      if (isWrittenOver(use))
        uses.push_back(&use);
    for (OpOperand *use : uses) {
      // A loop writes over what it finds each time: it finds it anew.
      if (op->hasOneUse() && use->getOwner()->getBlock() == op->getBlock())
        return;
      OpBuilder b(use->getOwner());
      use->set(b.clone(*op)->getResult(0));
    }
    if (op->use_empty())
      op->erase();
  }
};
} // namespace
