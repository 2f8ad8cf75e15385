//===- View.cpp - lowering of operators that rearrange --------------------===//

#include "jit/Dialect/Aten/View.h"
#include "Lower.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

struct LowerTranspose : OpConversionPattern<aten::TransposeIntOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::TransposeIntOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    IntInfo dim0(op.getDim0()), dim1(op.getDim1());
    if (!dim0.known || !dim1.known)
      return rewriter.notifyMatchFailure(op, "expected constant dimensions");
    int64_t rank = type.getRank();
    if (rank == 0) {
      rewriter.replaceOp(op, adaptor.getSelf());
      return success();
    }
    auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
    std::swap(order[(*dim0.known + rank) % rank], order[(*dim1.known + rank) % rank]);
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, adaptor.getSelf(), empty, order);
    return success();
  }
};

} // namespace

void populateViewLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerTranspose>(types, patterns.getContext());
}

} // namespace jit
