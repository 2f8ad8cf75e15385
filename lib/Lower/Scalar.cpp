//===- Scalar.cpp - lowering of numbers from tensors ----------------------===//

#include "jit/Dialect/Aten/Scalar.h"
#include "Lower.h"
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

} // namespace

void populateScalarLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerItem>(types, patterns.getContext());
}

} // namespace jit
