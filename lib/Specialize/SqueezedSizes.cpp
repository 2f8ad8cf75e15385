//===- SqueezedSizes.cpp - open sizes that are not 1 ----------------------===//

#include "SqueezedSizes.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// The dimensions that an operator drops where their size is 1; none for any other operator.
static SmallVector<int64_t> squeezedDims(Operation *op, int64_t rank) {
  SmallVector<int64_t> dims;
  if (isa<aten::SqueezeOp>(op))
    llvm::append_range(dims, llvm::seq<int64_t>(rank));
  if (auto one = dyn_cast<aten::SqueezeDimOp>(op))
    if (auto dim = IntInfo(one.getDim()).known)
      dims.push_back(*dim);
  if (auto some = dyn_cast<aten::SqueezeDimsOp>(op))
    dims = ListInfo(some.getDim()).ints().value_or(dims);
  for (int64_t &dim : dims)
    dim += dim < 0 ? rank : 0;
  return dims;
}

void guardSqueezedSizes(func::FuncOp func) {
  StringRef pythonClass = func->hasAttr(symbolicAttr) ? sizeGuardClass : unsupportedClass;
  func.walk([&](Operation *op) {
    auto type = op->getNumOperands() ? dyn_cast<TensorType>(op->getOperand(0).getType()) : nullptr;
    if (!type || !type.hasRank() || type.getRank() == 0) // a number may be squeezed by dimension 0
      return;
    OpBuilder b(op);
    GraphBuilder build{b, op->getLoc()};
    for (int64_t dim : squeezedDims(op, type.getRank())) {
      if (type.getSizes()[dim] != TensorType::kDynamic)
        continue;
      Value size = build.intOp<aten::SizeIntOp>(Tensor(build, op->getOperand(0)), dim).v;
      Value one = arith::ConstantOp::create(b, op->getLoc(), b.getI64IntegerAttr(1));
      Value isKept = arith::CmpIOp::create(b, op->getLoc(), arith::CmpIPredicate::ne, size, one);
      GuardOp::create(b, op->getLoc(), isKept, pythonClass,
                      "expected a size that data tell not to be 1 where squeeze would drop it, got "
                      "{}",
                      ValueRange{size});
    }
  });
}

} // namespace jit
