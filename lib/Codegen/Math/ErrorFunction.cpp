//===- ErrorFunction.cpp - erf by two polynomials -------------------------===//
//
// Below 0.9 an odd polynomial; from there 1 - e^(x q(x)), whose exponent may be off by much more
// than the result: its errors shrink with 1 - erf(x). Upstream's quotients of polynomials are off
// by 4.8 ulp near 1.86.
//
//===----------------------------------------------------------------------===//
#include "Math/ErrorFunction.h"
#include "Math/Exponential.h"
#include "Math/VectorMath.h"

using namespace mlir;
using jit::codegen::VectorMath;

/// erf(x) for 0 <= x < 0.9. The coefficients are a minimax fit of erf(x) / x - 1, by x^2.
static Value nearZero(VectorMath &f, Value x) {
  Value excess = f.polynomial(f.mul(x, x), {-6.0534460e-4f, 5.0043459e-3f, -2.6773399e-2f,
                                            1.1281978e-1f, -3.7612507e-1f, 1.2837915e-1f});
  return f.fma(x, excess, x);
}

/// erf(x) for 0.9 <= x <= 4. The coefficients are a minimax fit of log(1 - erf(x)) / x.
static Value nearOne(VectorMath &f, Value x) {
  Value slope = f.polynomial(x, {2.1460291e-4f, -3.2200406e-3f, 2.2906234e-2f, -1.0528716e-1f,
                                 -6.3569915e-1f, -1.1285200f});
  return f.neg(jit::codegen::emitExpMinusOne(f, f.mul(x, slope)));
}

namespace {
struct ExpandErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ErfOp op, PatternRewriter &rewriter) const override {
    if (!jit::codegen::isSingle(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32");
    VectorMath f{rewriter, op.getLoc(), op.getType()};
    Value size = f.atMost(f.abs(op.getOperand()), 4); // from here on the result is 1
    Value large = f.atLeast(size, f.f32(0.9f));
    Value result = f.select(large, nearOne(f, size), nearZero(f, size));
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, result, op.getOperand());
    return success();
  }
};
} // namespace

void jit::codegen::populateErrorFunction(RewritePatternSet &patterns) {
  patterns.add<ExpandErf>(patterns.getContext());
}
