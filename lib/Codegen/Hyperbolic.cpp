//===- Hyperbolic.cpp - tanh as a polynomial and an exponential -----------===//
//
// Upstream's rational function is off by more than 4 ulp near 0.13 and 2. Near zero an odd
// polynomial (a minimax fit of (tanh(x)/x - 1)/x^2 on x^2 up to 0.7^2), further out 1 - 2/(e^2x +
// 1).
//
//===----------------------------------------------------------------------===//
#include "Hyperbolic.h"
#include "Formula.h"

using namespace mlir;

namespace {
struct ExpandTanh : OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::TanhOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "expected a scalar of type f32");
    jit::Formula f{rewriter, op.getLoc()};
    Value x = op.getOperand(), size = f.abs(x), square = f.mul(x, x);
    Value p = f.polynomial(square, {1.8956668e-3f, -7.883309e-3f, 2.157106e-2f, -5.3920925e-2f,
                                    1.3332984e-1f, -3.3333325e-1f});
    Value near = f.fma(f.mul(x, square), p, x);
    Value power = math::ExpOp::create(rewriter, op.getLoc(), f.add(size, size));
    Value far = f.sub(f.f32(1), f.div(f.f32(2), f.add(power, f.f32(1))));
    far = math::CopySignOp::create(rewriter, op.getLoc(), far, x);
    rewriter.replaceOp(op, f.select(f.atLeast(size, f.f32(0.625f)), far, near));
    return success();
  }
};
} // namespace

void jit::populateHyperbolic(RewritePatternSet &patterns) {
  patterns.add<ExpandTanh>(patterns.getContext());
}
