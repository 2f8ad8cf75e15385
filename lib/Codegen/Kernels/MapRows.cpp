//===- MapRows.cpp - ops on the same rows, in one kernel -----------------===//
#include "Analysis/RowChains.h"
#include "Kernels/HostBlocks.h"
#include "Kernels/RowKernel.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit::codegen {
#define GEN_PASS_DEF_MAPROWS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// One kernel for each group of ops on the same rows.
static void mapRowChains(Block &block, IRRewriter &rewriter,
                         const jit::codegen::GpuMachine &machine) {
  jit::codegen::Extents extents(block);
  auto pays = [&](const jit::codegen::RowChain &group) {
    return jit::codegen::paysAsRows(group, rewriter, machine);
  };
  for (const jit::codegen::RowChain &group : jit::codegen::findRowChains(block, extents, pays)) {
    jit::codegen::emitRowChain(group, rewriter, machine);
    for (linalg::LinalgOp op : group.ops)
      rewriter.eraseOp(op);
  }
}

namespace {
struct MapRows : jit::codegen::impl::MapRowsBase<MapRows> {
  using MapRowsBase::MapRowsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block *block : jit::codegen::hostBlocks(getOperation()))
      mapRowChains(*block, rewriter, {.multiprocessors = multiprocessors});
  }
};
} // namespace
