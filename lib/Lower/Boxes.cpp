//===- Boxes.cpp - lowering of which boxes are kept -----------------------===//
//
// One box after the other: each that is still kept drops those behind it that it overlaps by too
// much. What one box does to the others is a pointwise step over all of them, without branches.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Vision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

struct Corners {
  Element left, top, right, bottom;
};

struct LowerKeptBoxes : OpConversionPattern<aten::KeptBoxesOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::KeptBoxesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type dtype = dtypeOf(op.getBoxes());
    auto type = loweredType(op.getResult());
    if (!dtype.isF32() && !dtype.isF64())
      return rewriter.notifyMatchFailure(op, "expected boxes of f32 or f64");
    OpFoldResult four = tensor::getMixedSize(rewriter, loc, adaptor.getBoxes(), 1);
    guardEqual(rewriter, loc, four, rewriter.getIndexAttr(4));
    Sizes sizes = {tensor::getMixedSize(rewriter, loc, adaptor.getBoxes(), 0)};
    Value yes = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
    Value all = filled(rewriter, loc, type, sizes, yes);
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    auto body = [&](OpBuilder &b, Location loc, Value number, ValueRange kept) {
      Value isKept = tensor::ExtractOp::create(b, loc, kept[0], number);
      auto drop = [&](OpBuilder &b, Location loc) {
        Value rest =
            dropped(b, loc, adaptor.getBoxes(), number, kept[0], dtype, adaptor.getIouThreshold());
        scf::YieldOp::create(b, loc, rest);
      };
      auto keep = [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, kept[0]); };
      scf::YieldOp::create(b, loc, scf::IfOp::create(b, loc, isKept, drop, keep).getResults());
    };
    rewriter.replaceOp(op, scf::ForOp::create(rewriter, loc, zero,
                                              asIndex(rewriter, loc, sizes.front()), one, all, body)
                               .getResults());
    return success();
  }

private:
  static Corners cornersOf(ScalarBuilder &build, Value boxes, Value number) {
    auto at = [&](int64_t i) {
      Value column = arith::ConstantIndexOp::create(build.builder, build.loc, i);
      return Element::raw(build, tensor::ExtractOp::create(build.builder, build.loc, boxes,
                                                           ValueRange{number, column}));
    };
    return {at(0), at(1), at(2), at(3)};
  }

  static Element areaOf(const Corners &box) {
    return (box.right - box.left) * (box.bottom - box.top);
  }

  /// Of two boxes, what they share of what they cover; as floats of the boxes, and NaN where that
  /// is nothing of nothing.
  static Element overlap(ScalarBuilder &build, const Corners &a, const Corners &c) {
    auto length = [&](Element low, Element otherLow, Element high, Element otherHigh) {
      Element from = select(low < otherLow, otherLow, low);
      Element to = select(otherHigh < high, otherHigh, high);
      Element zero = constant(build, 0), difference = to - from;
      return select(zero < difference, difference, zero);
    };
    Element shared =
        length(a.left, c.left, a.right, c.right) * length(a.top, c.top, a.bottom, c.bottom);
    return shared / (areaOf(a) + areaOf(c) - shared);
  }

  /// `kept` without the boxes behind `number` that overlap it by more than the threshold.
  static Value dropped(OpBuilder &b, Location loc, Value boxes, Value number, Value kept,
                       Type dtype, Value threshold) {
    AffineMap map = b.getMultiDimIdentityMap(1);
    auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, dtype};
      Value other = linalg::IndexOp::create(b, loc, 0);
      Element share =
          overlap(build, cornersOf(build, boxes, number), cornersOf(build, boxes, other));
      // The threshold is a double, whatever the boxes are.
      Value wide = convertScalar(b, loc, share.v, dtype, b.getF64Type());
      Value isOver = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, wide, threshold);
      Value isBehind = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, other, number);
      Value isDropped = arith::AndIOp::create(b, loc, isOver, isBehind);
      Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
      linalg::YieldOp::create(b, loc,
                              Value(arith::SelectOp::create(b, loc, isDropped, no, args[0])));
    };
    return linalg::GenericOp::create(b, loc, kept.getType(), ValueRange(), kept, map,
                                     utils::IteratorType::parallel, body)
        .getResult(0);
  }
};

} // namespace

void populateBoxesLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerKeptBoxes>(types, patterns.getContext());
}

} // namespace jit
