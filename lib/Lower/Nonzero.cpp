//===- Nonzero.cpp - lowering of what is sized by its operand's elements --===//

#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Mask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

/// One after the other each place is written to the next free row, and the row is taken where the
/// element is not zero: no branch, and a row for each element is enough.
struct LowerNonzero : OpConversionPattern<aten::NonzeroOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::NonzeroOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = loweredType(op.getResult());
    Type dtype = dtypeOf(op.getSelf());
    if (type.hasStaticShape()) { // of an empty tensor
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(), type.getElementType());
      return success();
    }
    if (!dtype.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected real elements");
    if (type.getDimSize(1) == 0) { // of one element without a place: only how many rows counts
      Value count = counted(rewriter, loc, adaptor.getSelf(), {}, dtype);
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type, count);
      return success();
    }
    Sizes sizes = sizesOf(rewriter, loc, adaptor.getSelf());
    OpFoldResult most = productOf(rewriter, loc, sizes);
    auto open =
        RankedTensorType::get({ShapedType::kDynamic, type.getDimSize(1)}, type.getElementType());
    Value rows = tensor::EmptyOp::create(rewriter, loc, open, asIndex(rewriter, loc, most));
    Value none = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    SmallVector<Value> lower(sizes.size(), none), step(sizes.size(), one), upper;
    for (OpFoldResult size : sizes)
      upper.push_back(asIndex(rewriter, loc, size));
    auto body = [&](OpBuilder &b, Location loc, ValueRange place, ValueRange carried) {
      Value count = counted(b, loc, adaptor.getSelf(), place, dtype);
      return scf::ValueVector{written(b, loc, carried[0], carried[1], place),
                              arith::AddIOp::create(b, loc, carried[1], count)};
    };
    auto nest = scf::buildLoopNest(rewriter, loc, lower, upper, step, ValueRange{rows, none}, body);
    SmallVector<OpFoldResult> offsets(2, rewriter.getIndexAttr(0)),
        strides(2, rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> extents = {nest.results[1],
                                         rewriter.getIndexAttr(type.getDimSize(1))};
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, type, nest.results[0], offsets, extents,
                                                        strides);
    return success();
  }

private:
  /// 1 for an element that is not zero, 0 for one that is.
  static Value counted(OpBuilder &b, Location loc, Value tensor, ValueRange place, Type dtype) {
    Value element = tensor::ExtractOp::create(b, loc, tensor, place);
    Value holds = convertScalar(b, loc, element, dtype, b.getI1Type());
    return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), holds);
  }

  static Value written(OpBuilder &b, Location loc, Value rows, Value row, ValueRange place) {
    for (auto [dim, counter] : llvm::enumerate(place)) {
      Value column = arith::ConstantIndexOp::create(b, loc, int64_t(dim));
      Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), counter);
      rows = tensor::InsertOp::create(b, loc, number, rows, ValueRange{row, column});
    }
    return rows;
  }
};

} // namespace

void populateNonzeroLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerNonzero>(types, patterns.getContext());
}

} // namespace jit
