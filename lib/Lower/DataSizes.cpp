//===- DataSizes.cpp - sizes that data tell -------------------------------===//

#include "Lower.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

void guardBroadcastsOfData(func::FuncOp func) {
  func.walk([](GuardOp guard) {
    if (guard.getPythonClass() != sizeGuardClass || guard.getArgs().size() != 2)
      return;
    OpBuilder b(guard);
    Location loc = guard.getLoc();
    Value one = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
    Value isFine = guard.getCondition(), isOther;
    for (Value size : guard.getArgs()) {
      Value isNotOne = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, size, one);
      isOther = isOther ? Value(arith::AndIOp::create(b, loc, isOther, isNotOne)) : isNotOne;
    }
    isFine = arith::OrIOp::create(b, loc, isFine, isOther);
    GuardOp::create(
        b, loc, isFine, unsupportedClass,
        "expected a size that data tell not to be 1 where another one is, got {} and {}",
        guard.getArgs());
  });
}

} // namespace jit
