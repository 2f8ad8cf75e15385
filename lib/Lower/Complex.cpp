//===- Complex.cpp - complex tensors are real ones of their parts ---------===//

#include "jit/Dialect/Aten/Complex.h"
#include "Lower.h"

using namespace mlir;

namespace jit {

namespace {

/// Both types of a view are one builtin type.
template <typename OpTy> struct LowerPartsView : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (adaptor.getSelf().getType() != type)
      return rewriter.notifyMatchFailure(op, "expected a tensor of known sizes and element type");
    rewriter.replaceOp(op, adaptor.getSelf());
    return success();
  }
};

} // namespace

void populateComplexLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerPartsView<aten::ViewAsRealOp>, LowerPartsView<aten::ViewAsComplexOp>>(
      types, patterns.getContext());
}

} // namespace jit
