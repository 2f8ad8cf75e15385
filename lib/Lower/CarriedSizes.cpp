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

/// Ends the call unless `next` has the open sizes of `carried`.
static void guardSizes(OpBuilder &b, Location loc, Value carried, Value next, bool anySizes) {
  auto type = dyn_cast<TensorType>(carried.getType());
  if (!type || !type.hasRank() || carried == next)
    return;
  GraphBuilder build{b, loc};
  for (auto [dim, size] : llvm::enumerate(type.getSizes())) {
    if (size != TensorType::kDynamic)
      continue;
    auto sizeOf = [&](Value tensor) -> Value {
      return build.intOp<aten::SizeIntOp>(Tensor(build, tensor), int64_t(dim)).v;
    };
    Value had = sizeOf(carried), has = sizeOf(next);
    Value isEqual = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, had, has);
    GuardOp::create(b, loc, isEqual, anySizes ? sizeGuardClass : unsupportedClass,
                    "expected a loop to carry a tensor of one size, got {}, then {}",
                    ValueRange{had, has});
  }
}

void guardCarriedSizes(func::FuncOp func, bool anySizes) {
  func.walk([&](Operation *op) {
    Block::BlockArgListType carried;
    Operation *yield = nullptr;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      carried = loop.getRegionIterArgs();
      yield = loop.getBody()->getTerminator();
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      carried = loop.getBeforeArguments();
      yield = loop.getYieldOp();
    } else {
      return;
    }
    OpBuilder b(yield);
    for (auto [argument, next] : llvm::zip_equal(carried, yield->getOperands()))
      guardSizes(b, op->getLoc(), argument, next, anySizes);
  });
}

} // namespace jit
