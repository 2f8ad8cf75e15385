//===- Trigonometry.cpp - sin and cos as polynomials ----------------------===//
//
// The argument is reduced to [-pi/4, pi/4] in double precision: single precision loses all digits
// of the remainder where the argument is large. Arguments of any size are exact, and everything is
// branch-free, so that loops vectorise.
//
//===----------------------------------------------------------------------===//
#include "Math/Trigonometry.h"
#include "Math/VectorMath.h"

using namespace mlir;
using jit::codegen::VectorMath;

namespace {
/// x = quarters * pi/2 + rest, with |rest| <= pi/4.
struct Reduced {
  Value rest;
  /// quarters modulo 4, as a float of 0, 1, 2 or 3.
  Value quarter;
};
} // namespace

/// A power of two, 2^exponent = high + low modulo a whole turn.
struct Power {
  int exponent;
  double high, low;
};
static constexpr Power powers[] = {{24, -0x1.c9b6498c1137fp-1, -0x1.2643605c762f1p-58},
                                   {48, 0x1.09f4683d25023p-3, 0x1.fee10ecf6f246p-59},
                                   {72, 0x1.ee6639887604dp-3, 0x1.8b437ad3f55e0p-58},
                                   {96, 0x1.89a58c41dc40cp+1, -0x1.27745096c7eeep-53}};

/// `x` but for whole turns, in two parts, with |high| below 2^50: a float of 2^48 or more is a
/// whole multiple, of less than 2^48, of one of the powers.
static std::pair<Value, Value> withoutTurns(VectorMath &f, Value x) {
  Value size = f.abs(x), scale = f.f64(1), high = f.f64(1), low = f.f64(0);
  for (const Power &power : powers) {
    Value large = f.atLeast(size, f.f64(std::ldexp(1.0, power.exponent + 24)));
    scale = f.select(large, f.f64(std::ldexp(1.0, -power.exponent)), scale);
    high = f.select(large, f.f64(power.high), high);
    low = f.select(large, f.f64(power.low), low);
  }
  Value multiple = f.mul(x, scale), product = f.mul(multiple, high);
  Value rest = f.fma(multiple, high, f.neg(product));
  return {product, f.fma(multiple, low, rest)};
}

static Reduced reduce(VectorMath &f, Value x) {
  auto [high, low] = withoutTurns(f, f.extend(x, f.b.getF64Type()));
  Value quarters = math::RoundEvenOp::create(f.b, f.loc, f.mul(high, f.f64(0x1.45f306dc9c883p-1)));
  // pi/2 in two parts.
  Value rest = f.fma(quarters, f.f64(-0x1.921fb54442d18p+0), high);
  rest = f.add(f.fma(quarters, f.f64(-0x1.1a62633145c07p-54), rest), low);
  Value turns = math::FloorOp::create(f.b, f.loc, f.mul(quarters, f.f64(0.25)));
  Value quarter = f.fma(turns, f.f64(-4.0), quarters);
  return {f.truncate(rest, f.b.getF32Type()), f.truncate(quarter, f.b.getF32Type())};
}

static Value sinePolynomial(VectorMath &f, Value x) {
  Value square = f.mul(x, x);
  Value p = f.fma(square, f.f32(-1.9515295891e-4f), f.f32(8.3321608736e-3f));
  p = f.fma(square, p, f.f32(-1.6666654611e-1f));
  return f.fma(f.mul(square, x), p, x);
}

static Value cosinePolynomial(VectorMath &f, Value x) {
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
    if (!jit::codegen::isSingle(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32");
    constexpr bool isSine = std::is_same_v<OpT, math::SinOp>;
    VectorMath f{rewriter, op.getLoc(), op.getType()};
    Reduced x = reduce(f, op.getOperand());
    Value one = f.equals(x.quarter, f.f32(1)), two = f.equals(x.quarter, f.f32(2)),
          three = f.equals(x.quarter, f.f32(3));
    Value sine = sinePolynomial(f, x.rest), cosine = cosinePolynomial(f, x.rest);
    Value odd = f.either(one, three);
    Value value = isSine ? f.select(odd, cosine, sine) : f.select(odd, sine, cosine);
    Value negative = isSine ? f.either(two, three) : f.either(one, two);
    value = f.select(negative, f.neg(value), value);
    // The sine of a zero is that zero: the remainder has lost its sign.
    if (isSine)
      value = f.select(f.equals(op.getOperand(), f.f32(0)), op.getOperand(), value);
    rewriter.replaceOp(op, value);
    return success();
  }
};
} // namespace

void jit::codegen::populateTrigonometry(RewritePatternSet &patterns) {
  patterns.add<ExpandTrigonometry<math::SinOp>, ExpandTrigonometry<math::CosOp>>(
      patterns.getContext());
}
