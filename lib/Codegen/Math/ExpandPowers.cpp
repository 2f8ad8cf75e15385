//===- ExpandPowers.cpp - integer powers as loops -------------------------===//
#include "jit/Codegen/Math/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace jit::codegen {
#define GEN_PASS_DEF_EXPANDPOWERS
#include "jit/Codegen/Math/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

namespace {
/// Squares the base and halves the exponent until that is zero.
struct ExpandPower : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op, PatternRewriter &b) const override {
    Type type = op.getType();
    if (!type.isSignlessInteger())
      return b.notifyMatchFailure(op, "expected a scalar");
    Location loc = op.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
    };
    auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
      return arith::CmpIOp::create(b, loc, predicate, x, y);
    };
    Value zero = constant(0), one = constant(1), base = op.getLhs();
    Value isNegative = compare(arith::CmpIPredicate::slt, op.getRhs(), zero);
    Value opposite = arith::SubIOp::create(b, loc, zero, op.getRhs());
    Value exponent = arith::SelectOp::create(b, loc, isNegative, opposite, op.getRhs());
    auto before = [&](OpBuilder &, Location, ValueRange state) {
      scf::ConditionOp::create(b, loc, compare(arith::CmpIPredicate::ne, state[2], zero), state);
    };
    auto after = [&](OpBuilder &, Location, ValueRange state) {
      Value bit = arith::AndIOp::create(b, loc, state[2], one);
      Value isOdd = compare(arith::CmpIPredicate::ne, bit, zero);
      Value more = arith::MulIOp::create(b, loc, state[0], state[1]);
      Value power = arith::SelectOp::create(b, loc, isOdd, more, state[0]);
      Value square = arith::MulIOp::create(b, loc, state[1], state[1]);
      Value half = arith::ShRUIOp::create(b, loc, state[2], one);
      scf::YieldOp::create(b, loc, ValueRange{power, square, half});
    };
    auto loop = scf::WhileOp::create(b, loc, TypeRange{type, type, type},
                                     ValueRange{one, base, exponent}, before, after);
    // What is left of a fraction is zero, but for those of 1 and -1.
    Value isUnit = arith::OrIOp::create(b, loc, compare(arith::CmpIPredicate::eq, base, one),
                                        compare(arith::CmpIPredicate::eq, base, constant(-1)));
    Value fraction = arith::SelectOp::create(b, loc, isUnit, loop.getResult(0), zero);
    b.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, fraction, loop.getResult(0));
    return success();
  }
};

struct ExpandPowers : jit::codegen::impl::ExpandPowersBase<ExpandPowers> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandPower>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
