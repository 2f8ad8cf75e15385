//===- ChecksFirst.cpp - checks before what is put where they allow -------===//
//
// A tensor is computed where it is put (EliminateEmpty), so that the check of that place has to
// stand before the computation, not between it and the insertion: the place may lie outside of all
// memory.
//
//===----------------------------------------------------------------------===//
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace jit::codegen {
#define GEN_PASS_DEF_CHECKSFIRST
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// What `guard` needs of its block behind `last`, and itself at the end.
static SmallVector<Operation *> neededBehind(Operation *last, jit::GuardOp guard) {
  llvm::SetVector<Operation *> needed;
  needed.insert(guard);
  for (size_t next = 0; next < needed.size(); ++next) {
    Operation *op = needed[next];
    llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
    for (Value value : values) {
      Operation *made = value.getDefiningOp();
      if (made && made->getBlock() == guard->getBlock() && (!last || last->isBeforeInBlock(made)))
        needed.insert(made);
    }
  }
  SmallVector<Operation *> inOrder = needed.takeVector();
  llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return inOrder;
}

/// Moves a check and what it needs to right behind `last`, or to the beginning of the block: what
/// they pass has no effects.
static void moveUp(jit::GuardOp guard, Operation *last) {
  Block &block = *guard->getBlock();
  Block::iterator place = last ? std::next(last->getIterator()) : block.begin();
  for (Operation *op : neededBehind(last, guard))
    if (place == op->getIterator())
      ++place;
    else
      op->moveBefore(&block, place);
}

static bool hasInsertions(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    return isa<SubsetInsertionOpInterface>(op) && isa<OffsetSizeAndStrideOpInterface>(op);
  });
}

namespace {
struct ChecksFirst : jit::codegen::impl::ChecksFirstBase<ChecksFirst> {
  void runOnOperation() override {
    getOperation()->walk([](Block *block) {
      if (!hasInsertions(*block))
        return;
      Operation *last = nullptr;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (auto guard = dyn_cast<jit::GuardOp>(op))
          moveUp(guard, last);
        if (!isMemoryEffectFree(&op))
          last = &op;
      }
    });
  }
};
} // namespace
