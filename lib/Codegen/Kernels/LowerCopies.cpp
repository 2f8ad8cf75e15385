//===- LowerCopies.cpp - copies that the driver cannot do ----------------===//
#include "jit/Codegen/Kernels/Passes.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace jit::codegen {
#define GEN_PASS_DEF_LOWERCOPIES
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

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

namespace {
struct LowerCopies : jit::codegen::impl::LowerCopiesBase<LowerCopies> {
  using LowerCopiesBase::LowerCopiesBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies)
      lowerCopy(copy, rewriter);
  }
};
} // namespace
