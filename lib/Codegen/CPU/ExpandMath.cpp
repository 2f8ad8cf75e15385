//===- ExpandMath.cpp - math functions as polynomials ---------------------===//
#include "jit/Codegen/Passes.h"

#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace jit {
#define GEN_PASS_DEF_EXPANDMATH
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// Lets `a * b + c` become one instruction.
static void allowContraction(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
      return;
    auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
    auto old = flags ? flags.getValue() : arith::FastMathFlags::none;
    op->setAttr("fastmath", arith::FastMathFlagsAttr::get(op->getContext(),
                                                          old | arith::FastMathFlags::contract));
  });
}

namespace {
struct ExpandMath : jit::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    allowContraction(getOperation());
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, MathPolynomialApproximationOptions());
    // What has no polynomial of its own is made of what has.
    math::populateExpansionPatterns(
        patterns, {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "exp2", "rsqrt", "ctlz"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
