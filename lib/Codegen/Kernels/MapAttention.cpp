//===- MapAttention.cpp - two products with a softmax between them, in one kernel ===//
#include "Analysis/RearrangedCopies.h"
#include "Kernels/AttentionKernel.h"
#include "Kernels/HostBlocks.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit {
#define GEN_PASS_DEF_MAPATTENTION
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// One kernel for two products with a softmax between them.
static void mapAttentions(Block &block, IRRewriter &rewriter, const jit::GpuMachine &machine) {
  std::vector<jit::Attention> attentions = jit::findAttentions(block);
  llvm::SmallSetVector<Operation *, 4> copies;
  for (const jit::Attention &attention : attentions)
    copies.insert(attention.copies.begin(), attention.copies.end());
  for (jit::Attention &attention : attentions) {
    SmallVector<linalg::LinalgOp> ops = attention.ops();
    rewriter.setInsertionPoint(ops.back());
    if (!jit::emitAttention(attention, rewriter, machine))
      continue;
    for (linalg::LinalgOp op : ops) {
      copies.remove(op);
      rewriter.eraseOp(op);
    }
  }
  for (Operation *copy : copies)
    jit::eraseUnread(cast<linalg::LinalgOp>(copy), rewriter);
}

namespace {
struct MapAttention : jit::impl::MapAttentionBase<MapAttention> {
  using MapAttentionBase::MapAttentionBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block *block : jit::hostBlocks(getOperation()))
      mapAttentions(*block, rewriter, {.multiprocessors = multiprocessors});
  }
};
} // namespace
