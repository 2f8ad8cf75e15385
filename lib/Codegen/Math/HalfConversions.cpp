//===- HalfConversions.cpp - f16 without instructions for it --------------===//

#include "Math/HalfConversions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace {

/// Builds integers of 32 bits, and floats, in the shape of `like`.
struct Bits {
  OpBuilder &b;
  Location loc;
  Type like;

  Type of(Type element) const {
    auto shaped = dyn_cast<ShapedType>(like);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Type word() const { return of(b.getI32Type()); }
  Value constant(int64_t value) const {
    TypedAttr attr = b.getI32IntegerAttr(int32_t(value));
    if (auto shaped = dyn_cast<ShapedType>(word()))
      attr = DenseElementsAttr::get(shaped, attr);
    return arith::ConstantOp::create(b, loc, attr);
  }
  Value as(Type element, Value v) const { return arith::BitcastOp::create(b, loc, of(element), v); }
  Value real(Value v) const { return as(b.getF32Type(), v); }
  Value integer(Value v) const { return as(b.getI32Type(), v); }
  Value band(Value x, int64_t y) const { return arith::AndIOp::create(b, loc, x, constant(y)); }
  Value bor(Value x, Value y) const { return arith::OrIOp::create(b, loc, x, y); }
  Value up(Value x, int64_t by) const { return arith::ShLIOp::create(b, loc, x, constant(by)); }
  Value down(Value x, int64_t by) const { return arith::ShRUIOp::create(b, loc, x, constant(by)); }
  Value add(Value x, Value y) const { return arith::AddIOp::create(b, loc, x, y); }
  Value atLeast(Value x, int64_t y) const {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, x, constant(y));
  }
  Value select(Value condition, Value yes, Value no) const {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
};

} // namespace

/// A subnormal f16 is its fraction times 2^-24, which a float of exponent 2^-14 holds behind a
/// leading one that is subtracted again.
static Value widened(const Bits &bits, Value half) {
  Value raw =
      arith::ExtUIOp::create(bits.b, bits.loc, bits.word(), bits.as(bits.b.getI16Type(), half));
  Value sign = bits.up(bits.band(raw, 0x8000), 16), size = bits.band(raw, 0x7fff);
  // Exponents of f16 begin 112 later.
  Value moved = bits.add(bits.up(size, 13), bits.constant(112 << 23));
  Value unbounded = bits.add(moved, bits.constant(112 << 23));
  Value least = bits.constant(113 << 23);
  Value subnormal = bits.integer(arith::SubFOp::create(
      bits.b, bits.loc, bits.real(bits.add(moved, bits.constant(1 << 23))), bits.real(least)));
  Value number = bits.select(bits.atLeast(size, 0x400), moved, subnormal);
  Value result = bits.select(bits.atLeast(size, 0x7c00), unbounded, number);
  return bits.real(bits.bor(result, sign));
}

/// Rounded to the nearest, to even ones where there are two: by adding half of the last place less
/// what makes an odd one even, or, for subnormal results, by a sum of floats whose last place is
/// theirs.
static Value narrowed(const Bits &bits, Value value) {
  Value raw = bits.integer(value);
  Value sign = bits.down(bits.band(raw, 0x80000000), 16), size = bits.band(raw, 0x7fffffff);
  Value odd = bits.band(bits.down(size, 13), 1);
  Value rounded = bits.add(bits.add(size, bits.constant(0xfff - (112 << 23))), odd);
  Value normal = bits.down(rounded, 13);
  Value half = bits.constant(126 << 23); // 0.5, whose last place is 2^-24
  Value sum = arith::AddFOp::create(bits.b, bits.loc, bits.real(size), bits.real(half));
  Value subnormal = arith::SubIOp::create(bits.b, bits.loc, bits.integer(sum), half);
  Value number = bits.select(bits.atLeast(size, 113 << 23), normal, subnormal);
  Value bounded = bits.select(bits.atLeast(size, 0x477ff000), bits.constant(0x7c00), number);
  Value result = bits.select(bits.atLeast(size, 0x7f800001), bits.constant(0x7e00), bounded);
  Value word = arith::TruncIOp::create(bits.b, bits.loc, bits.of(bits.b.getI16Type()),
                                       bits.bor(result, sign));
  return bits.as(bits.b.getF16Type(), word);
}

namespace {

struct WidenHalf : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF16() || !getElementTypeOrSelf(op).isF32())
      return rewriter.notifyMatchFailure(op, "expected f16 to f32");
    rewriter.replaceOp(op, widened({rewriter, op.getLoc(), op.getType()}, op.getIn()));
    return success();
  }
};

struct NarrowToHalf : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF32() || !getElementTypeOrSelf(op).isF16())
      return rewriter.notifyMatchFailure(op, "expected f32 to f16");
    rewriter.replaceOp(op, narrowed({rewriter, op.getLoc(), op.getType()}, op.getIn()));
    return success();
  }
};

/// f32, in the shape of `type`.
Type singleLike(Type type) {
  Type single = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(single)) : single;
}

/// Between numbers of 16 and of 64 bits the way leads over f32, as PyTorch's does: not every CPU
/// has an instruction, and the compiler's own library no function.
template <typename OpTy> struct ThroughSingle : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn()), to = getElementTypeOrSelf(op);
    if (std::abs(int(from.getIntOrFloatBitWidth()) - int(to.getIntOrFloatBitWidth())) != 48)
      return rewriter.notifyMatchFailure(op, "expected numbers of 16 and of 64 bits");
    Value between = OpTy::create(rewriter, op.getLoc(), singleLike(op.getType()), op.getIn());
    rewriter.replaceOp(op, OpTy::create(rewriter, op.getLoc(), op.getType(), between));
    return success();
  }
};

/// A double that was rounded to f32 first: of the two steps LLVM may make one, by a function of the
/// compiler's library.
struct NarrowRounded : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    auto single = op.getIn().getDefiningOp<arith::TruncFOp>();
    if (!single || !getElementTypeOrSelf(op).isF16())
      return rewriter.notifyMatchFailure(op, "expected a rounded number to f16");
    rewriter.replaceOp(op, narrowed({rewriter, op.getLoc(), single.getType()}, single));
    return success();
  }
};

/// The sign of another number at one of 16 bits, by its bits: LLVM would make a `copysign` of 16
/// bits and round the other number to them from 64, by a function of the compiler's library.
struct SignOfHalf : OpRewritePattern<arith::TruncFOp> {
  SignOfHalf(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Value rounded = op.getIn();
    if (auto single = rounded.getDefiningOp<arith::TruncFOp>())
      rounded = single.getIn();
    auto copy = rounded.getDefiningOp<math::CopySignOp>();
    if (!copy || getElementTypeOrSelf(op).getIntOrFloatBitWidth() != 16)
      return rewriter.notifyMatchFailure(op, "expected a number of 16 bits with a copied sign");
    Bits bits{rewriter, op.getLoc(), op.getType()};
    Value half = arith::TruncFOp::create(rewriter, bits.loc, op.getType(), copy.getLhs());
    Value other = copy.getRhs();
    if (getElementTypeOrSelf(other).isF64())
      other = arith::TruncFOp::create(rewriter, bits.loc, singleLike(op.getType()), other);
    Value sign = bits.down(bits.band(bits.integer(other), 0x80000000), 16);
    Type word = bits.of(rewriter.getI16Type());
    Value raw = arith::ExtUIOp::create(rewriter, bits.loc, bits.word(),
                                       bits.as(rewriter.getI16Type(), half));
    Value result = bits.bor(bits.band(raw, 0x7fff), sign);
    result = arith::TruncIOp::create(rewriter, bits.loc, word, result);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), result);
    return success();
  }
};

/// The same between integers and numbers of 16 bits.
template <typename OpTy> struct IntegerToHalf : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op).getIntOrFloatBitWidth() != 16)
      return rewriter.notifyMatchFailure(op, "expected integers to numbers of 16 bits");
    Value between = OpTy::create(rewriter, op.getLoc(), singleLike(op.getType()), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), between);
    return success();
  }
};

template <typename OpTy> struct HalfToInteger : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op.getIn()).getIntOrFloatBitWidth() != 16)
      return rewriter.notifyMatchFailure(op, "expected numbers of 16 bits to integers");
    Value between =
        arith::ExtFOp::create(rewriter, op.getLoc(), singleLike(op.getIn().getType()), op.getIn());
    rewriter.replaceOpWithNewOp<OpTy>(op, op.getType(), between);
    return success();
  }
};

} // namespace

void jit::codegen::populateHalfConversions(RewritePatternSet &patterns) {
  patterns.add<WidenHalf, NarrowToHalf>(patterns.getContext());
}

void jit::codegen::populateWideHalfConversions(RewritePatternSet &patterns) {
  patterns
      .add<SignOfHalf, NarrowRounded, ThroughSingle<arith::ExtFOp>, ThroughSingle<arith::TruncFOp>,
           IntegerToHalf<arith::SIToFPOp>, IntegerToHalf<arith::UIToFPOp>,
           HalfToInteger<arith::FPToSIOp>, HalfToInteger<arith::FPToUIOp>>(patterns.getContext());
}
