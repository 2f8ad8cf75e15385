//===- Exponential.cpp - exp, exp2 and logarithms of all floats -----------===//
//
// Upstream's polynomials flush results and arguments below the normal numbers to zero.
//
//===----------------------------------------------------------------------===//
#include "Math/Exponential.h"
#include "Math/VectorMath.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <limits>

using namespace mlir;
using jit::codegen::VectorMath;

/// Added to a float of less than 2^22, this leaves its nearest integer in the low bits.
static constexpr float rounding = 0x1.8p23f;

namespace {
/// A whole number, as a float and as an i32.
struct Whole {
  Value real, integer;
};
} // namespace

/// The integer nearest to x * y.
static Whole nearest(VectorMath &f, Value x, Value y) {
  Value shifted = f.fma(x, y, f.f32(rounding));
  auto bits = [&](Value value) {
    return arith::BitcastOp::create(f.b, f.loc, f.of(f.b.getI32Type()), value);
  };
  Value integer = arith::SubIOp::create(f.b, f.loc, bits(shifted), bits(f.f32(rounding)));
  return {f.sub(shifted, f.f32(rounding)), integer};
}

/// x between low and high; NaN stays NaN.
static Value clamped(VectorMath &f, Value x, float low, float high) {
  x = f.select(f.compare(arith::CmpFPredicate::OLT, x, f.f32(low)), f.f32(low), x);
  return f.atMost(x, high);
}

/// (e^x - 1) / x for |x| <= ln(2) / 2. The coefficients are a minimax fit of (e^x - 1 - x) / x^2.
static Value smallSlope(VectorMath &f, Value x) {
  return f.polynomial(x,
                      {1.3814584e-3f, 8.368724e-3f, 4.166839e-2f, 1.6666521e-1f, 0.49999994f, 1});
}

/// 2^exponent, a normal number.
static Value power(VectorMath &f, Value exponent) {
  Value biased = arith::AddIOp::create(f.b, f.loc, exponent, f.i32(127));
  Value bits = arith::ShLIOp::create(f.b, f.loc, biased, f.i32(23));
  return arith::BitcastOp::create(f.b, f.loc, f.of(f.b.getF32Type()), bits);
}

/// value * 2^exponent. The power is multiplied in two halves: results below the normal numbers have
/// none in one piece.
static Value scaledByHalves(VectorMath &f, Value value, Value exponent) {
  Value half = arith::ShRSIOp::create(f.b, f.loc, exponent, f.i32(1));
  Value rest = arith::SubIOp::create(f.b, f.loc, exponent, half);
  return f.mul(f.mul(value, power(f, half)), power(f, rest));
}

namespace {
/// A function of x is e^rest * 2^exponent.
struct Reduced {
  Value rest, exponent;
};
} // namespace

/// e^x = 2^n * e^(x - n ln 2), of an |x| below 2^21.
static Reduced reduceExp(VectorMath &f, Value x) {
  Whole n = nearest(f, x, f.f32(0x1.715476p+0f));
  // ln 2 in two parts, the first of which has few digits.
  Value rest = f.fma(n.real, f.f32(-0x1.62e4p-1f), x);
  return {f.fma(n.real, f.f32(-0x1.7f7d1cp-20f), rest), n.integer};
}

// Beyond the bounds the result is zero or infinite.
static Reduced reduced(VectorMath &f, math::ExpOp op) {
  return reduceExp(f, clamped(f, op.getOperand(), -104, 89));
}

/// 2^x = 2^n * e^((x - n) ln 2): x * ln 2 itself would lose digits of a large x.
static Reduced reduced(VectorMath &f, math::Exp2Op op) {
  Value x = clamped(f, op.getOperand(), -151, 129);
  Whole n = nearest(f, x, f.f32(1));
  return {f.mul(f.sub(x, n.real), f.f32(0x1.62e43p-1f)), n.integer};
}

namespace {
/// A function that is a power of two times e^x of a small x.
template <typename Op> struct ExpandPower : OpRewritePattern<Op> {
  ExpandPower(MLIRContext *context, bool ldexp, bool keepsApproximate)
      : OpRewritePattern<Op>(context), ldexp(ldexp), keepsApproximate(keepsApproximate) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!jit::codegen::isSingle(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32");
    if (keepsApproximate && arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "expected no function that may be approximated");
    VectorMath f{rewriter, op.getLoc(), op.getType()};
    auto [rest, exponent] = reduced(f, op);
    Value value = f.fma(smallSlope(f, rest), rest, f.f32(1));
    // The dialect's operation has no vectors of exponents.
    bool hasInstruction = ldexp && isa<FloatType>(op.getType());
    rewriter.replaceOp(op, hasInstruction
                               ? LLVM::LoadExpOp::create(rewriter, f.loc, f.b.getF32Type(), value,
                                                         exponent, LLVM::FastmathFlags::none)
                               : scaledByHalves(f, value, exponent));
    return success();
  }

private:
  bool ldexp, keepsApproximate;
};

/// e^x - 1 in f64, where LLVM has no function for it and upstream subtracts 1, which leaves nothing
/// of a small x. What e^x was rounded by is in its logarithm too (W. Kahan).
struct ExpandWideExpM1 : OpRewritePattern<math::ExpM1Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpM1Op op, PatternRewriter &rewriter) const override {
    if (!jit::codegen::isDouble(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f64");
    VectorMath f{rewriter, op.getLoc(), op.getType()};
    Value x = op.getOperand(), power = math::ExpOp::create(rewriter, f.loc, x);
    Value one = f.f64(1), less = f.sub(power, one);
    Value value = f.mul(less, f.div(x, math::LogOp::create(rewriter, f.loc, power)));
    value = f.select(f.equals(less, f.f64(-1)), less, value);
    value = f.select(f.equals(power, f.f64(std::numeric_limits<double>::infinity())), power, value);
    rewriter.replaceOp(op, f.select(f.equals(power, one), x, value));
    return success();
  }
};
} // namespace

void jit::codegen::populateExponential(RewritePatternSet &patterns, bool ldexp,
                                       bool approximatesExp2) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandPower<math::ExpOp>>(context, ldexp, /*keepsApproximate=*/false);
  patterns.add<ExpandPower<math::Exp2Op>>(context, ldexp, approximatesExp2);
  patterns.add<ExpandWideExpM1>(context);
}

Value jit::codegen::emitExpMinusOne(VectorMath &f, Value x) {
  auto [rest, exponent] = reduceExp(f, x);
  Value scale = power(f, exponent);
  return f.fma(scale, f.mul(smallSlope(f, rest), rest), f.sub(scale, f.f32(1)));
}

/// Twenty-five binary places more for an argument below the normal numbers, and as much less for
/// the result.
static void scaleArgument(Operation *op, float ofTwo) {
  PatternRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  VectorMath f{rewriter, op->getLoc(), op->getResult(0).getType()};
  Value x = op->getOperand(0);
  Value normal = f.atLeast(x, f.f32(0x1p-126f));
  op->setOperand(0, f.select(normal, x, f.mul(x, f.f32(0x1p25f))));
  rewriter.setInsertionPointAfter(op);
  Value correction = f.select(normal, f.f32(0), f.f32(-25 * ofTwo));
  Value sum = f.add(op->getResult(0), correction);
  rewriter.replaceAllUsesExcept(op->getResult(0), sum, sum.getDefiningOp());
}

void jit::codegen::scaleLogarithms(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (op->getNumResults() != 1 || !isSingle(op->getResult(0).getType()))
      return;
    if (isa<math::LogOp>(op))
      scaleArgument(op, 0x1.62e43p-1f);
    else if (isa<math::Log2Op>(op))
      scaleArgument(op, 1);
  });
}
