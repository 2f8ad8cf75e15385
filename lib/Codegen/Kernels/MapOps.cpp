//===- MapOps.cpp - a kernel for each op that is left --------------------===//
#include "Analysis/LoopOrder.h"
#include "Analysis/LoopSizes.h"
#include "Analysis/ProductShape.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/LibraryCall.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit::codegen {
#define GEN_PASS_DEF_MAPOPS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// What has open sizes and a kernel for these: not products, whose tiles are of known sizes.
static LogicalResult checkOpenSizes(linalg::LinalgOp op, IRRewriter &rewriter) {
  if (!jit::codegen::hasOpenSizes(op))
    return success();
  rewriter.setInsertionPoint(op);
  if (jit::codegen::isOpenProduct(op) || failed(jit::codegen::loopSizes(rewriter, op)))
    return op.emitOpError("expected static sizes");
  return success();
}

static LogicalResult mapOp(linalg::LinalgOp op, IRRewriter &rewriter,
                           const jit::codegen::GpuMachine &machine) {
  if (!op.hasPureBufferSemantics())
    return op.emitOpError("expected operands in memory");
  if (failed(checkOpenSizes(op, rewriter)))
    return failure();
  if (!llvm::is_contained(op.getStaticLoopRanges(), 0)) {
    op = jit::codegen::collapseContiguous(op, rewriter);
    rewriter.setInsertionPoint(op);
    bool isOpen = jit::codegen::hasOpenSizes(op);
    if (!jit::codegen::emitPointwise(op, rewriter, machine) &&
        (isOpen || !jit::codegen::emitSplitReduction(op, rewriter, machine)) &&
        !jit::codegen::emitRowReduction(op, rewriter, machine))
      jit::codegen::emitElements(op, rewriter, machine);
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct MapOps : jit::codegen::impl::MapOpsBase<MapOps> {
  using MapOpsBase::MapOpsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    jit::codegen::GpuMachine machine{.multiprocessors = multiprocessors};
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (!jit::codegen::isLibraryCall(op) && failed(mapOp(op, rewriter, machine)))
        return signalPassFailure();
  }
};
} // namespace
