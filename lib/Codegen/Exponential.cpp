//===- Exponential.cpp - exp, exp2 and logarithms of all floats -----------===//
//
// Upstream's polynomials flush results and arguments below the normal numbers to zero.
//
//===----------------------------------------------------------------------===//
#include "Exponential.h"
#include "Formula.h"

using namespace mlir;
using jit::Formula;

/// Added to a float of less than 2^22, this leaves its nearest integer in the low bits.
static constexpr float rounding = 0x1.8p23f;

namespace {
/// A whole number, as a float and as an i32.
struct Whole {
  Value real, integer;
};
} // namespace

/// The integer nearest to x * y.
static Whole nearest(Formula &f, Value x, Value y) {
  Value shifted = f.fma(x, y, f.f32(rounding));
  auto bits = [&](Value value) {
    return arith::BitcastOp::create(f.b, f.loc, f.b.getI32Type(), value);
  };
  Value integer = arith::SubIOp::create(f.b, f.loc, bits(shifted), bits(f.f32(rounding)));
  return {f.sub(shifted, f.f32(rounding)), integer};
}

/// x between low and high; NaN stays NaN.
static Value clamped(Formula &f, Value x, float low, float high) {
  x = f.select(f.compare(arith::CmpFPredicate::OLT, x, f.f32(low)), f.f32(low), x);
  return f.select(f.compare(arith::CmpFPredicate::OGT, x, f.f32(high)), f.f32(high), x);
}

/// e^x for |x| <= ln(2) / 2. The coefficients are a minimax fit of (e^x - 1 - x) / x^2.
static Value smallExp(Formula &f, Value x) {
  Value p =
      f.polynomial(x, {1.3814584e-3f, 8.368724e-3f, 4.166839e-2f, 1.6666521e-1f, 0.49999994f});
  return f.add(f.fma(f.mul(x, x), p, x), f.f32(1));
}

/// value * 2^exponent. The power is multiplied in two halves: results below the normal numbers have
/// none in one piece.
static Value scaled(Formula &f, Value value, Value exponent) {
  auto integer = [&](int value) { return f.constant(f.b.getI32IntegerAttr(value)); };
  auto power = [&](Value exponent) -> Value {
    Value biased = arith::AddIOp::create(f.b, f.loc, exponent, integer(127));
    Value bits = arith::ShLIOp::create(f.b, f.loc, biased, integer(23));
    return arith::BitcastOp::create(f.b, f.loc, f.b.getF32Type(), bits);
  };
  Value half = arith::ShRSIOp::create(f.b, f.loc, exponent, integer(1));
  Value rest = arith::SubIOp::create(f.b, f.loc, exponent, half);
  return f.mul(f.mul(value, power(half)), power(rest));
}

namespace {
/// e^x = 2^n * e^(x - n ln 2).
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "expected a scalar of type f32");
    Formula f{rewriter, op.getLoc()};
    // Beyond these the result is zero or infinite.
    Value x = clamped(f, op.getOperand(), -104, 89);
    Whole n = nearest(f, x, f.f32(0x1.715476p+0f));
    // ln 2 in two parts, the first of which has few digits.
    Value rest = f.fma(n.real, f.f32(-0x1.62e4p-1f), x);
    rest = f.fma(n.real, f.f32(-0x1.7f7d1cp-20f), rest);
    rewriter.replaceOp(op, scaled(f, smallExp(f, rest), n.integer));
    return success();
  }
};

/// 2^x = 2^n * e^((x - n) ln 2): x * ln 2 itself would lose digits of a large x.
struct ExpandExp2 : OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Exp2Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "expected a scalar of type f32");
    Formula f{rewriter, op.getLoc()};
    Value x = clamped(f, op.getOperand(), -151, 129);
    Whole n = nearest(f, x, f.f32(1));
    Value rest = f.mul(f.sub(x, n.real), f.f32(0x1.62e43p-1f));
    rewriter.replaceOp(op, scaled(f, smallExp(f, rest), n.integer));
    return success();
  }
};
} // namespace

void jit::populateExponential(RewritePatternSet &patterns) {
  patterns.add<ExpandExp, ExpandExp2>(patterns.getContext());
}

/// Twenty-five binary places more for an argument below the normal numbers, and as much less for
/// the result.
static void scaleArgument(Operation *op, float ofTwo) {
  PatternRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  Formula f{rewriter, op->getLoc()};
  Value x = op->getOperand(0);
  Value normal = f.atLeast(x, f.f32(0x1p-126f));
  op->setOperand(0, f.select(normal, x, f.mul(x, f.f32(0x1p25f))));
  rewriter.setInsertionPointAfter(op);
  Value correction = f.select(normal, f.f32(0), f.f32(-25 * ofTwo));
  Value sum = f.add(op->getResult(0), correction);
  rewriter.replaceAllUsesExcept(op->getResult(0), sum, sum.getDefiningOp());
}

void jit::scaleLogarithms(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (op->getNumResults() != 1 || !op->getResult(0).getType().isF32())
      return;
    if (isa<math::LogOp>(op))
      scaleArgument(op, 0x1.62e43p-1f);
    else if (isa<math::Log2Op>(op))
      scaleArgument(op, 1);
  });
}
