//===- MapKernels.cpp - every computation becomes a kernel ----------------===//
#include "Analysis/LoopOrder.h"
#include "Analysis/LoopSizes.h"
#include "Analysis/ProductShape.h"
#include "Analysis/RearrangedCopies.h"
#include "Analysis/RowChains.h"
#include "Kernels/AttentionKernel.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/Launch.h"
#include "Kernels/LibraryCall.h"
#include "Kernels/LibraryConvolution.h"
#include "Kernels/LibraryProduct.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/RowKernel.h"
#include "jit/Codegen/Kernels/Passes.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace jit {
#define GEN_PASS_DEF_MAPKERNELS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// True if the elements lie side by side in row-major order, at a place that is known.
static bool isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, expected = 1;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return false;
  for (auto [size, stride] : llvm::reverse(llvm::zip(type.getShape(), strides))) {
    if (size != 1 && stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

/// True if `buffer` is a constant of the program, which lives in the kernels' module.
static bool isConstant(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer.getDefiningOp<memref::GetGlobalOp>() != nullptr;
}

/// Copies that the driver cannot do become ops of our own.
static void lowerCopy(memref::CopyOp copy, IRRewriter &rewriter) {
  // Parts of a concatenation are computed in their place, and then copied there.
  if (copy.getSource() == copy.getTarget())
    return rewriter.eraseOp(copy);
  // A copy of no elements is the use by which a result of open sizes is asked for.
  if (llvm::is_contained(cast<MemRefType>(copy.getSource().getType()).getShape(), 0))
    return;
  if (isContiguous(cast<MemRefType>(copy.getSource().getType())) &&
      isContiguous(cast<MemRefType>(copy.getTarget().getType())) && !isConstant(copy.getSource()))
    return;
  rewriter.setInsertionPoint(copy);
  linalg::CopyOp::create(rewriter, copy.getLoc(), copy.getSource(), copy.getTarget());
  rewriter.eraseOp(copy);
}

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
                           const jit::GpuProfile &profile) {
  if (!op.hasPureBufferSemantics())
    return op.emitOpError("expected operands in memory");
  if (failed(checkOpenSizes(op, rewriter)))
    return failure();
  if (!llvm::is_contained(op.getStaticLoopRanges(), 0)) {
    op = jit::collapseContiguous(op, rewriter);
    rewriter.setInsertionPoint(op);
    bool isOpen = jit::hasOpenSizes(op);
    if (!jit::emitPointwise(op, rewriter, profile) &&
        (isOpen || !jit::emitSplitReduction(op, rewriter, profile)) &&
        !jit::emitRowReduction(op, rewriter, profile))
      jit::emitElements(op, rewriter, profile);
  }
  rewriter.eraseOp(op);
  return success();
}

/// One kernel for two products with a softmax between them.
static void mapAttentions(Block &block, IRRewriter &rewriter, const jit::GpuProfile &profile) {
  std::vector<jit::Attention> attentions = jit::findAttentions(block);
  llvm::SmallSetVector<Operation *, 4> copies;
  for (const jit::Attention &attention : attentions)
    copies.insert(attention.copies.begin(), attention.copies.end());
  for (jit::Attention &attention : attentions) {
    SmallVector<linalg::LinalgOp> ops = attention.ops();
    rewriter.setInsertionPoint(ops.back());
    if (!jit::emitAttention(attention, rewriter, profile))
      continue;
    for (linalg::LinalgOp op : ops) {
      copies.remove(op);
      rewriter.eraseOp(op);
    }
  }
  for (Operation *copy : copies)
    jit::eraseUnread(cast<linalg::LinalgOp>(copy), rewriter);
}

/// Products with a side below this are left to reductions.
static constexpr int64_t smallSide = 16;

/// One kernel for each product and what goes on with its sums.
static void mapProducts(Block &block, IRRewriter &rewriter, const jit::GpuProfile &profile) {
  for (jit::ProductGroup &group : jit::findProductGroups(block, smallSide)) {
    if (jit::emitLibraryConvolution(group, rewriter, profile))
      continue;
    SmallVector<linalg::LinalgOp> ops = group.ops();
    rewriter.setInsertionPoint(ops.back());
    if (!jit::emitLibraryProduct(group, rewriter, profile) &&
        !jit::emitWarpgroupProduct(group, rewriter, profile) &&
        !jit::emitTensorProduct(group, rewriter, profile))
      jit::emitProduct(group, rewriter);
    for (linalg::LinalgOp op : ops)
      rewriter.eraseOp(op);
  }
}

/// One kernel for each group of ops on the same rows.
static void mapRowChains(Block &block, IRRewriter &rewriter, const jit::GpuProfile &profile) {
  jit::Extents extents(block);
  for (const jit::RowChain &group : jit::findRowChains(block, extents))
    if (jit::emitRowChain(group, rewriter, profile))
      for (linalg::LinalgOp op : group.ops)
        rewriter.eraseOp(op);
}

/// Numbers that a kernel computes again for itself.
static bool isRepeated(Operation *op) {
  if (op->hasAttr(jit::cellAttrName))
    return true;
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

namespace {
struct MapKernels : jit::impl::MapKernelsBase<MapKernels> {
  using MapKernelsBase::MapKernelsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    jit::GpuProfile profile{multiprocessors, warpgroupProducts, tf32, libraryProducts,
                            libraryConvolutions};
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies)
      lowerCopy(copy, rewriter);
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      // Not the bodies of linalg ops.
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      mapAttentions(*block, rewriter, profile);
      mapProducts(*block, rewriter, profile);
      mapRowChains(*block, rewriter, profile);
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (!jit::isLibraryCall(op) && failed(mapOp(op, rewriter, profile)))
        return signalPassFailure();
    getOperation().walk([](gpu::LaunchOp launch) { jit::sinkInto(launch, isRepeated); });
    eraseUnusedCells();
  }

  /// Loads that kernels have repeated for themselves.
  void eraseUnusedCells() {
    getOperation().walk<WalkOrder::PostOrder, mlir::ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op) || (op->hasAttr(jit::cellAttrName) && op->use_empty()))
        op->erase();
    });
  }
};
} // namespace
