//===- ExpandMath.cpp - math functions as polynomials ---------------------===//
#include "Math/ErrorFunction.h"
#include "Math/Exponential.h"
#include "Math/HalfConversions.h"
#include "Math/Hyperbolic.h"
#include "Math/Trigonometry.h"
#include "jit/Codegen/Math/Passes.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace jit::codegen {
#define GEN_PASS_DEF_EXPANDMATH
#include "jit/Codegen/Math/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// The functions whose upstream polynomials are good to a few ulp over the whole range. Some have
/// formulas of our own; the others are rare: the C library has them.
static constexpr StringLiteral approximated[] = {"math.expm1", "math.log", "math.log1p",
                                                 "math.log2"};

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
struct ExpandMath : jit::codegen::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    allowContraction(getOperation());
    jit::codegen::scaleLogarithms(getOperation());
    RewritePatternSet patterns(&getContext());
    populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
    populateMathPolynomialApproximationPatterns(
        patterns, [](StringRef name) { return llvm::is_contained(approximated, name); });
    jit::codegen::populateTrigonometry(patterns);
    jit::codegen::populateHyperbolic(patterns);
    jit::codegen::populateErrorFunction(patterns);
    jit::codegen::populateExponential(patterns, ldexp, exp2);
    jit::codegen::populateWideHalfConversions(patterns);
    if (!f16)
      jit::codegen::populateHalfConversions(patterns);
    if (!bf16)
      arith::populateExpandBFloat16Patterns(patterns);
    math::populateExpansionPatterns(patterns, {"rsqrt"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
