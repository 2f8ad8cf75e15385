//===- Frame.cpp - values that are no operator's --------------------------===//

#include "Lower.h"
#include "Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

/// A value that is never used: any will do.
struct LowerPoison : OpConversionPattern<PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PoisonOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      Value none = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
      SmallVector<Value> open(tensor.getNumDynamicDims(), none);
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, tensor, open);
      return success();
    }
    if (!type.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected a tensor or a number");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(type));
    return success();
  }
};

/// The elements of a tensor that are known while compiling.
struct LowerConstant : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!elements || elements.getType() != getTypeConverter()->convertType(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected a tensor of real elements");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, elements);
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

/// The same tensor by a type that knows other sizes; those that it alone knows are guarded.
template <typename OpTy> struct LowerTensorCast : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getOperands()[0];
    auto from = dyn_cast<RankedTensorType>(value.getType());
    auto to = dyn_cast<RankedTensorType>(this->getTypeConverter()->convertType(op.getType()));
    if (!from || !to || !tensor::CastOp::areCastCompatible(from, to))
      return rewriter.notifyMatchFailure(op, "expected two types of one ranked tensor");
    for (int64_t dim = 0; dim < to.getRank(); ++dim)
      if (from.isDynamicDim(dim) && !to.isDynamicDim(dim))
        guardEqual(rewriter, op.getLoc(), tensor::getMixedSize(rewriter, op.getLoc(), value, dim),
                   rewriter.getIndexAttr(to.getDimSize(dim)));
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, to, value);
    return success();
  }
};

} // namespace

void populateFrameLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerPoison, LowerConstant, LowerSelect, LowerTensorCast<DerefineOp>,
               LowerTensorCast<UncheckedCastOp>>(types, patterns.getContext());
}

} // namespace jit
