//===- MapProducts.cpp - products and what goes on with their sums -------===//
#include "Kernels/HostBlocks.h"
#include "Kernels/LibraryConvolution.h"
#include "Kernels/LibraryProduct.h"
#include "Kernels/ProductKernels.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit {
#define GEN_PASS_DEF_MAPPRODUCTS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// Products with a side below this are left to reductions.
static constexpr int64_t smallSide = 16;

namespace {
struct MapProducts : jit::impl::MapProductsBase<MapProducts> {
  using MapProductsBase::MapProductsBase;

  void runOnOperation() override {
    for (Block *block : jit::hostBlocks(getOperation()))
      for (jit::ProductGroup &group : jit::findProductGroups(*block, smallSide))
        map(group);
  }

private:
  void map(jit::ProductGroup &group);
};
} // namespace

/// One kernel, or a library's work, for a product and what goes on with its sums.
void MapProducts::map(jit::ProductGroup &group) {
  IRRewriter rewriter(&getContext());
  jit::GpuMachine machine{.multiprocessors = multiprocessors,
                          .hasWarpgroupProducts = warpgroupProducts};
  if (libraryConvolutions && jit::emitLibraryConvolution(group, rewriter, tf32))
    return;
  SmallVector<linalg::LinalgOp> ops = group.ops();
  rewriter.setInsertionPoint(ops.back());
  if (!(libraryProducts && jit::emitLibraryProduct(group, rewriter, tf32)) &&
      !jit::emitWarpgroupProduct(group, rewriter, machine) &&
      !jit::emitTensorProduct(group, rewriter, machine, tf32))
    jit::emitProduct(group, rewriter);
  for (linalg::LinalgOp op : ops)
    rewriter.eraseOp(op);
}
