//===- MapProducts.cpp - products and what goes on with their sums -------===//
#include "Kernels/HostBlocks.h"
#include "Kernels/LibraryConvolution.h"
#include "Kernels/LibraryProduct.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/StageChannels.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit::codegen {
#define GEN_PASS_DEF_MAPPRODUCTS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Products with a side below this are left to reductions.
static constexpr int64_t smallSide = 16;

namespace {
struct MapProducts : jit::codegen::impl::MapProductsBase<MapProducts> {
  using MapProductsBase::MapProductsBase;

  void runOnOperation() override {
    for (Block *block : jit::codegen::hostBlocks(getOperation()))
      for (jit::codegen::ProductGroup &group : jit::codegen::findProductGroups(*block, smallSide))
        map(group);
  }

private:
  void map(jit::codegen::ProductGroup &group);
};
} // namespace

/// One kernel, or a library's work, for a product and what goes on with its sums.
void MapProducts::map(jit::codegen::ProductGroup &group) {
  IRRewriter rewriter(&getContext());
  jit::codegen::GpuMachine machine{.multiprocessors = multiprocessors,
                                   .hasWarpgroupProducts = warpgroupProducts};
  if (libraryConvolutions && jit::codegen::emitLibraryConvolution(group, rewriter, tf32))
    return;
  rewriter.setInsertionPoint(group.ops().back());
  bool isLibrarys = libraryProducts && jit::codegen::emitLibraryProduct(group, rewriter, tf32);
  if (!isLibrarys)
    jit::codegen::takeSpread(group);
  if (!isLibrarys && !jit::codegen::emitWarpgroupProduct(group, rewriter, machine)) {
    bool isForTensorCores = jit::codegen::isProductOfHalves(group.product) ||
                            (tf32 && jit::codegen::isProductOfFloats(group.product));
    if (isForTensorCores) {
      jit::codegen::stageChannels(group, rewriter, machine);
      rewriter.setInsertionPoint(group.ops().back());
    }
    if (!jit::codegen::emitCopiedProduct(group, rewriter, machine) &&
        !jit::codegen::emitTensorProduct(group, rewriter, machine, tf32))
      jit::codegen::emitProduct(group, rewriter, machine);
  }
  for (linalg::LinalgOp op : group.ops())
    rewriter.eraseOp(op);
}
