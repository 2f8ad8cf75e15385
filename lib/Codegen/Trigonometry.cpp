//===- Trigonometry.cpp - sin and cos as polynomials ----------------------===//
//
// The argument is reduced to [-pi/4, pi/4] in double precision: single precision loses all digits
// of the remainder where the argument is large. Everything is branch-free, so that loops vectorise.
//
//===----------------------------------------------------------------------===//
#include "Trigonometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace {
/// Short names for the ops of one expansion.
struct Formula {
  PatternRewriter &b;
  Location loc;

  Value f32(float value) { return constant(b.getF32FloatAttr(value)); }
  Value f64(double value) { return constant(b.getF64FloatAttr(value)); }
  Value constant(TypedAttr value) { return arith::ConstantOp::create(b, loc, value); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(b, loc, x, y, z); }
  Value equals(Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
  }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value select(Value c, Value x, Value y) { return arith::SelectOp::create(b, loc, c, x, y); }
};

/// x = quarters * pi/2 + rest, with |rest| <= pi/4.
struct Reduced {
  Value rest;
  /// quarters modulo 4, as a float of 0, 1, 2 or 3.
  Value quarter;
};
} // namespace

static Reduced reduce(Formula &f, Value x) {
  Value wide = arith::ExtFOp::create(f.b, f.loc, f.b.getF64Type(), x);
  Value quarters = math::RoundEvenOp::create(f.b, f.loc, f.mul(wide, f.f64(0x1.45f306dc9c883p-1)));
  // pi/2 in two parts.
  Value rest = f.fma(quarters, f.f64(-0x1.921fb54442d18p+0), wide);
  rest = f.fma(quarters, f.f64(-0x1.1a62633145c07p-54), rest);
  Value turns = math::FloorOp::create(f.b, f.loc, f.mul(quarters, f.f64(0.25)));
  Value quarter = f.fma(turns, f.f64(-4.0), quarters);
  auto narrow = [&](Value value) -> Value {
    return arith::TruncFOp::create(f.b, f.loc, f.b.getF32Type(), value);
  };
  return {narrow(rest), narrow(quarter)};
}

static Value sinePolynomial(Formula &f, Value x) {
  Value square = f.mul(x, x);
  Value p = f.fma(square, f.f32(-1.9515295891e-4f), f.f32(8.3321608736e-3f));
  p = f.fma(square, p, f.f32(-1.6666654611e-1f));
  return f.fma(f.mul(square, x), p, x);
}

static Value cosinePolynomial(Formula &f, Value x) {
  Value square = f.mul(x, x);
  Value p = f.fma(square, f.f32(2.443315711809948e-5f), f.f32(-1.388731625493765e-3f));
  p = f.fma(square, p, f.f32(4.166664568298827e-2f));
  p = f.fma(square, p, f.f32(-0.5f));
  return f.fma(square, p, f.f32(1.0f));
}

namespace {
template <typename OpT> struct ExpandTrigonometry : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "expected a scalar of type f32");
    constexpr bool isSine = std::is_same_v<OpT, math::SinOp>;
    Formula f{rewriter, op.getLoc()};
    Reduced x = reduce(f, op.getOperand());
    Value one = f.equals(x.quarter, f.f32(1)), two = f.equals(x.quarter, f.f32(2)),
          three = f.equals(x.quarter, f.f32(3));
    Value sine = sinePolynomial(f, x.rest), cosine = cosinePolynomial(f, x.rest);
    Value odd = f.either(one, three);
    Value value = isSine ? f.select(odd, cosine, sine) : f.select(odd, sine, cosine);
    Value negative = isSine ? f.either(two, three) : f.either(one, two);
    Value minus = arith::NegFOp::create(rewriter, op.getLoc(), value);
    rewriter.replaceOp(op, f.select(negative, minus, value));
    return success();
  }
};
} // namespace

void jit::populateTrigonometry(RewritePatternSet &patterns) {
  patterns.add<ExpandTrigonometry<math::SinOp>, ExpandTrigonometry<math::CosOp>>(
      patterns.getContext());
}
