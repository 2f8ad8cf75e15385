//===- CarriedSizes.cpp - loops carry tensors of one size -----------------===//

#include "Lower.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

/// Ends the call unless `next` has the open sizes of what its loop begins with.
static void guardSizes(OpBuilder &b, Location loc, Value init, Value next, bool anySizes) {
  auto type = dyn_cast<TensorType>(init.getType());
  if (!type || !type.hasRank() || init == next)
    return;
  GraphBuilder build{b, loc};
  for (auto [dim, size] : llvm::enumerate(type.getSizes())) {
    if (size != TensorType::kDynamic)
      continue;
    auto sizeOf = [&](Value tensor) -> Value {
      return build.intOp<aten::SizeIntOp>(Tensor(build, tensor), int64_t(dim)).v;
    };
    Value had = sizeOf(init), has = sizeOf(next);
    Value isEqual = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, had, has);
    GuardOp::create(b, loc, isEqual, anySizes ? sizeGuardClass : unsupportedClass,
                    "expected a loop to carry a tensor of one size, got {}, then {}",
                    ValueRange{had, has});
  }
}

void guardCarriedSizes(func::FuncOp func, bool anySizes) {
  func.walk([&](LoopLikeOpInterface loop) {
    Operation *yield = nullptr;
    if (auto counted = dyn_cast<scf::ForOp>(loop.getOperation()))
      yield = counted.getBody()->getTerminator();
    else if (auto asking = dyn_cast<scf::WhileOp>(loop.getOperation()))
      yield = asking.getYieldOp();
    if (!yield)
      return;
    OpBuilder b(yield);
    for (auto [init, next] : llvm::zip_equal(loop.getInits(), yield->getOperands()))
      guardSizes(b, loop.getLoc(), init, next, anySizes);
  });
}

} // namespace jit
