//===- GuardDivision.cpp - integers divided by zero -----------------------===//

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/OpBase.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Fuse/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITGUARDDIVISION
#include "jit/Fuse/Passes.h.inc"

/// Whether no element of a divisor is zero; null where that is known, or nothing is divided.
static Value isNowhereZero(GraphBuilder &build, Value divisor) {
  if (isa<TensorType>(divisor.getType()))
    return build
        .op<aten::ItemOp>(
            build.op<aten::AllOp>(build.op<aten::NeScalarOp>(Tensor(build, divisor), 0)))
        .v;
  if (!divisor.getType().isInteger(64) || Int(build, divisor).known().value_or(0) != 0)
    return {};
  return arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::ne, divisor,
                               build.i(0).v);
}

static void guardDivision(Operation *op) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  GraphBuilder build{builder, op->getLoc()};
  Tensor result(build, op->getResult(0));
  TensorInfo info = result.info();
  bool isOfIntegers = isa_and_present<IntegerType>(info.dtype()) && !info.dtype().isInteger(1);
  if (!isOfIntegers || !info.hasRank() || llvm::is_contained(info.sizes(), 0))
    return;
  Value isFine = isNowhereZero(build, op->getOperand(1));
  if (!isFine)
    return;
  if (ShapedType::isDynamicShape(info.sizes())) {
    Value isEmpty = arith::CmpIOp::create(builder, build.loc, arith::CmpIPredicate::eq,
                                          build.intOp<aten::NumelOp>(result).v, build.i(0).v);
    isFine = arith::OrIOp::create(builder, build.loc, isFine, isEmpty);
  }
  GuardOp::create(builder, build.loc, isFine, "builtins.RuntimeError", "ZeroDivisionError",
                  ValueRange());
}

namespace {
struct GuardDivisionPass : impl::JitGuardDivisionBase<GuardDivisionPass> {
  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      if (op->hasTrait<DividesElements>())
        divisions.push_back(op);
    });
    llvm::for_each(divisions, guardDivision);
  }
};
} // namespace

} // namespace jit
