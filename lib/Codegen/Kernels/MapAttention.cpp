//===- MapAttention.cpp - two products with a softmax between them, in one kernel ===//
#include "Analysis/RearrangedCopies.h"
#include "Kernels/AttentionKernel.h"
#include "Kernels/HostBlocks.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit::codegen {
#define GEN_PASS_DEF_MAPATTENTION
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// One kernel for two products with a softmax between them.
static void mapAttentions(Block &block, IRRewriter &rewriter,
                          const jit::codegen::GpuMachine &machine) {
  std::vector<jit::codegen::Attention> attentions = jit::codegen::findAttentions(block);
  llvm::SmallSetVector<Operation *, 4> copies;
  for (const jit::codegen::Attention &attention : attentions)
    copies.insert(attention.copies.begin(), attention.copies.end());
  for (jit::codegen::Attention &attention : attentions) {
    SmallVector<linalg::LinalgOp> ops = attention.ops();
    rewriter.setInsertionPoint(ops.back());
    if (!jit::codegen::emitAttention(attention, rewriter, machine))
      continue;
    for (linalg::LinalgOp op : ops) {
      copies.remove(op);
      rewriter.eraseOp(op);
    }
  }
  for (Operation *copy : copies)
    jit::codegen::eraseUnread(cast<linalg::LinalgOp>(copy), rewriter);
}

namespace {
struct MapAttention : jit::codegen::impl::MapAttentionBase<MapAttention> {
  using MapAttentionBase::MapAttentionBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block *block : jit::codegen::hostBlocks(getOperation()))
      mapAttentions(
          *block, rewriter,
          {.multiprocessors = multiprocessors, .hasWarpgroupProducts = warpgroupProducts});
  }
};
} // namespace
