//===- Scalar.cpp - lowering of numbers from tensors ----------------------===//

#include "jit/Dialect/Aten/Scalar.h"
#include "Lower.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

struct LowerItem : OpConversionPattern<aten::ItemOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ItemOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getSelf());
    Type dtype = dtypeOf(op.getSelf());
    if (type.getNumElements() != 1 || !op.getType().isIntOrFloat() || !dtype.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected one real element");
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    SmallVector<Value> place(type.getRank(), zero);
    Value element = tensor::ExtractOp::create(rewriter, op.getLoc(), adaptor.getSelf(), place);
    rewriter.replaceOp(op, convertScalar(rewriter, op.getLoc(), element, dtype, op.getType()));
    return success();
  }
};

/// A size that the type leaves open: the others are constants long since.
struct LowerSizeInt : OpConversionPattern<aten::SizeIntOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::SizeIntOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(adaptor.getSelf().getType());
    IntInfo dim(op.getDim());
    if (!type || !dim.known || *dim.known < -type.getRank() || *dim.known >= type.getRank())
      return rewriter.notifyMatchFailure(op, "expected a constant dimension of a ranked tensor");
    int64_t at = *dim.known < 0 ? *dim.known + type.getRank() : *dim.known;
    Value size = tensor::DimOp::create(rewriter, op.getLoc(), adaptor.getSelf(), at);
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, rewriter.getI64Type(), size);
    return success();
  }
};

} // namespace

void populateScalarLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerItem, LowerSizeInt>(types, patterns.getContext());
}

} // namespace jit
