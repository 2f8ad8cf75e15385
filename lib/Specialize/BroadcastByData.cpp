//===- BroadcastByData.cpp - sizes of data beside known ones --------------===//

#include "BroadcastByData.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// `self` with `size` elements along `dim`: its own, or its one element for all. Any other number
/// of them is an exception.
static Tensor broadcastAlong(Tensor self, int64_t dim, int64_t size) {
  GraphBuilder &build = *self.b;
  OpBuilder &b = build.builder;
  Value own = build.intOp<aten::SizeIntOp>(self, dim).v;
  auto isNot = [&](int64_t other) -> Value {
    return arith::CmpIOp::create(b, build.loc, arith::CmpIPredicate::ne, own, build.i(other).v);
  };
  Value areMany = isNot(1), isOther = arith::AndIOp::create(b, build.loc, areMany, isNot(size)),
        never = arith::ConstantOp::create(b, build.loc, b.getBoolAttr(false));
  Value isFine = arith::CmpIOp::create(b, build.loc, arith::CmpIPredicate::eq, isOther, never);
  GuardOp::create(b, build.loc, isFine, "builtins.RuntimeError",
                  "expected a size of 1 or " + std::to_string(size) + " to broadcast, got {}",
                  ValueRange{own});
  Int step(build, arith::ExtUIOp::create(b, build.loc, b.getI64Type(), areMany).getResult());
  Any none = build.none();
  Tensor places =
      build.op<aten::MulScalarOp>(build.op<aten::ArangeOp>(size, none, none, none, none), step);
  return build.op<aten::IndexSelectOp>(self, dim, places);
}

void broadcastByData(func::FuncOp func) {
  if (func->hasAttr(symbolicAttr))
    return;
  func.walk([](Operation *op) {
    if (!isa<PointwiseOpInterface, aten::CopyOp>(op))
      return;
    auto result = dyn_cast<TensorType>(op->getResult(0).getType());
    if (!result || !result.hasRank())
      return;
    OpBuilder b(op);
    GraphBuilder build{b, op->getLoc()};
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<TensorType>(operand.get().getType());
      if (!type || !type.hasRank())
        continue;
      int64_t missing = result.getRank() - type.getRank();
      for (auto [dim, size] : llvm::enumerate(type.getSizes())) {
        int64_t wanted = result.getSizes()[dim + missing];
        if (size != TensorType::kDynamic || wanted == TensorType::kDynamic || wanted == 1)
          continue;
        Tensor self(build, operand.get());
        operand.set(broadcastAlong(self, int64_t(dim), wanted).v);
      }
    }
  });
}

} // namespace jit
