//===- ChecksFirst.cpp - checks before what is put where they allow -------===//
//
// A tensor is computed where it is put (EliminateEmpty), so that the check of that place has to
// stand before the computation, not between it and the insertion: the place may lie outside of all
// memory.
//
//===----------------------------------------------------------------------===//
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace jit::codegen {
#define GEN_PASS_DEF_CHECKSFIRST
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Collects, of `block` behind `last`, what `op` needs, itself too.
static void collectNeeded(Operation *op, Block &block, Operation *last,
                          llvm::SmallPtrSetImpl<Operation *> &needed) {
  SmallVector<Operation *> work{op};
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!needed.insert(next).second)
      continue;
    llvm::SetVector<Value> values(next->operand_begin(), next->operand_end());
    getUsedValuesDefinedAbove(next->getRegions(), values);
    for (Value value : values) {
      Operation *made = value.getDefiningOp();
      if (made && made->getBlock() == &block && (!last || last->isBeforeInBlock(made)))
        work.push_back(made);
    }
  }
}

/// Moves a check and what it needs to right behind `last`, or to the beginning of the block: what
/// they pass has no effects.
static void moveUp(jit::GuardOp guard, Operation *last) {
  Block &block = *guard->getBlock();
  llvm::SmallPtrSet<Operation *, 16> needed;
  collectNeeded(guard, block, last, needed);
  Block::iterator place = last ? std::next(last->getIterator()) : block.begin();
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(place, block.end()))) {
    if (!needed.erase(&op))
      continue;
    if (place == op.getIterator())
      ++place;
    else
      op.moveBefore(&block, place);
    if (needed.empty())
      return;
  }
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
