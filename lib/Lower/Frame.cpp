//===- Frame.cpp - values that are no operator's --------------------------===//

#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

/// Any value of this type, null where it is neither a tensor's nor a number's.
Value anyValue(OpBuilder &b, Location loc, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    SmallVector<Value> open(tensor.getNumDynamicDims(), none);
    return tensor::EmptyOp::create(b, loc, tensor, open);
  }
  return type.isIntOrFloat() ? arith::ConstantOp::create(b, loc, b.getZeroAttr(type)) : Value();
}

/// A value that is never used: any will do.
struct LowerPoison : OpConversionPattern<PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PoisonOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value any = anyValue(rewriter, op.getLoc(), getTypeConverter()->convertType(op.getType()));
    if (!any)
      return rewriter.notifyMatchFailure(op, "expected a tensor or a number");
    rewriter.replaceOp(op, any);
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
    rewriter.replaceOp(op, guardedCast(rewriter, op.getLoc(), value, to));
    return success();
  }
};

/// A tensor that has another type than is counted on: no call gets there, for data that give it one
/// type do not take the way of the other.
struct LowerImpossibleCast : OpConversionPattern<UncheckedCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UncheckedCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(adaptor.getOperands()[0].getType());
    auto to = dyn_cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    if (!from || !to || tensor::CastOp::areCastCompatible(from, to))
      return rewriter.notifyMatchFailure(op, "expected two types that no tensor has both");
    std::string message;
    llvm::raw_string_ostream(message) << "expected a tensor of type " << op.getType()
                                      << ", got one of " << op.getOperand().getType();
    raise(rewriter, op.getLoc(), message, unsupportedClass);
    rewriter.replaceOp(op, anyValue(rewriter, op.getLoc(), to));
    return success();
  }
};

} // namespace

void populateFrameLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerPoison, LowerConstant, LowerSelect, LowerTensorCast<DerefineOp>,
               LowerTensorCast<UncheckedCastOp>, LowerImpossibleCast>(types, patterns.getContext());
}

} // namespace jit
