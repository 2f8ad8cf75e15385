//===- Frame.cpp - values that are no operator's --------------------------===//

#include "Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

/// A value that is never used: any will do.
struct LowerUninitialized : OpConversionPattern<UninitializedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UninitializedOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, tensor.getShape(), tensor.getElementType());
      return success();
    }
    if (!type.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected a static tensor or a number");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(type));
    return success();
  }
};

/// An scf.if without a body that the canonicalizer turned into a select.
struct LowerSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(), adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};

} // namespace

void populateFrameLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerUninitialized, LowerSelect>(types, patterns.getContext());
}

} // namespace jit
