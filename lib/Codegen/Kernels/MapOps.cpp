//===- MapOps.cpp - a kernel for each op that is left --------------------===//
#include "Analysis/LoopOrder.h"
#include "Analysis/LoopSizes.h"
#include "Analysis/ProductShape.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/LibraryCall.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit {
#define GEN_PASS_DEF_MAPOPS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// What has open sizes and a kernel for these: not products, whose tiles are of known sizes.
static LogicalResult checkOpenSizes(linalg::LinalgOp op, IRRewriter &rewriter) {
  if (!jit::hasOpenSizes(op))
    return success();
  rewriter.setInsertionPoint(op);
  if (jit::isOpenProduct(op) || failed(jit::loopSizes(rewriter, op)))
    return op.emitOpError("expected static sizes");
  return success();
}

static LogicalResult mapOp(linalg::LinalgOp op, IRRewriter &rewriter,
                           const jit::GpuMachine &machine) {
  if (!op.hasPureBufferSemantics())
    return op.emitOpError("expected operands in memory");
  if (failed(checkOpenSizes(op, rewriter)))
    return failure();
  if (!llvm::is_contained(op.getStaticLoopRanges(), 0)) {
    op = jit::collapseContiguous(op, rewriter);
    rewriter.setInsertionPoint(op);
    bool isOpen = jit::hasOpenSizes(op);
    if (!jit::emitPointwise(op, rewriter, machine) &&
        (isOpen || !jit::emitSplitReduction(op, rewriter, machine)) &&
        !jit::emitRowReduction(op, rewriter, machine))
      jit::emitElements(op, rewriter, machine);
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct MapOps : jit::impl::MapOpsBase<MapOps> {
  using MapOpsBase::MapOpsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    jit::GpuMachine machine{.multiprocessors = multiprocessors};
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (!jit::isLibraryCall(op) && failed(mapOp(op, rewriter, machine)))
        return signalPassFailure();
  }
};
} // namespace
