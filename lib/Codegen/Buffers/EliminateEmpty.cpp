//===- EliminateEmpty.cpp - computing where a result is put ---------------===//
//
// Upstream's elimination of empty tensors, kept from the arms of branches: where the part of a
// tensor that an operation is computed in is put there by one arm alone, the other one need not
// have the sizes. What a loop begins with has memory of its own, and what a check stands behind is
// not computed where the check may find no place.
//
//===----------------------------------------------------------------------===//
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace jit::codegen {
#define GEN_PASS_DEF_ELIMINATEEMPTY
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Whether a loop begins with `tensor`, and writes over it.
static bool beginsLoop(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    auto loop = dyn_cast<LoopLikeOpInterface>(user);
    return loop && llvm::is_contained(loop.getInits(), tensor);
  });
}

/// Whether `insertion` puts its source into what `user`, in a region, helps to compute: a branch
/// gives the tensor and what goes into it. Upstream takes a result for known in its own regions.
static bool isInsideOfNeeded(SubsetInsertionOpInterface insertion, Operation *user) {
  return llvm::any_of(insertion->getOperands(), [&](Value needed) {
    Operation *made = needed.getDefiningOp();
    return made && made->isProperAncestor(user);
  });
}

/// Whether a check stands between `first` and `op`, in blocks around `op` too.
static bool isChecked(Operation *first, Operation *op) {
  for (Operation *end = op; end; end = end->getParentOp()) {
    Operation *begin = end->getBlock()->findAncestorOpInBlock(*first);
    auto from = begin ? begin->getIterator() : end->getBlock()->begin();
    for (Operation &between : llvm::make_range(from, end->getIterator()))
      if (between.walk([](jit::GuardOp) { return WalkResult::interrupt(); }).wasInterrupted())
        return true;
    if (begin)
      return false;
  }
  return false;
}

/// Whether the part is known to be there wherever the tensor that it is one of is.
static bool isFixedPart(SubsetInsertionOpInterface insertion) {
  auto part = dyn_cast<OffsetSizeAndStrideOpInterface>(insertion.getOperation());
  auto isKnown = [](ArrayRef<int64_t> numbers) { return !ShapedType::isDynamicShape(numbers); };
  auto whole = dyn_cast<RankedTensorType>(insertion.getDestinationOperand().get().getType());
  return !part || (isKnown(part.getStaticOffsets()) && isKnown(part.getStaticSizes()) &&
                   isKnown(part.getStaticStrides()) && whole && whole.hasStaticShape());
}

/// Whether what is computed from `user` on would be put where a check has not been yet: the part
/// may lie outside of the tensor, or what the tensor is made of outside of another.
static bool passesCheck(SubsetInsertionOpInterface insertion, Operation *user) {
  DominanceInfo dominance;
  Value whole = insertion.getDestinationOperand().get();
  bool isThere = dominance.properlyDominates(whole, user);
  return !(isThere && isFixedPart(insertion)) && isChecked(user, insertion);
}

/// The part of a tensor that `insertion` fills, in place of `empty`; null where the two need not be
/// of one size when `empty` is used, and where a loop has what is computed, too: in a part of
/// another tensor it would not be dense.
static Value partFor(RewriterBase &rewriter, SubsetInsertionOpInterface insertion,
                     tensor::EmptyOp empty, Operation *user) {
  bool isAlwaysFilled = insertion->getParentRegion()->isAncestor(empty->getParentRegion());
  if ((!isAlwaysFilled && !empty.getType().hasStaticShape()) ||
      beginsLoop(insertion.getSourceOperand().get()) || isInsideOfNeeded(insertion, user) ||
      passesCheck(insertion, user))
    return {};
  return bufferization::buildSubsetExtraction(rewriter, insertion, empty, user);
}

namespace {
struct EliminateEmpty : jit::codegen::impl::EliminateEmptyBase<EliminateEmpty> {
  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.allowReturnAllocsFromLoops = true;
    bufferization::OneShotAnalysisState state(getOperation(), options);
    IRRewriter rewriter(&getContext());
    if (failed(bufferization::analyzeModuleOp(getOperation(), state)) ||
        failed(bufferization::eliminateEmptyTensors(rewriter, getOperation(), state, partFor)))
      signalPassFailure();
  }
};
} // namespace
