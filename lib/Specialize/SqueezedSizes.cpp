//===- SqueezedSizes.cpp - open sizes that are not 1 ----------------------===//

#include "SqueezedSizes.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

/// `%number == value`, or greater than it.
static Value compared(OpBuilder &b, Location loc, arith::CmpIPredicate how, Value number,
                      int64_t value) {
  Value other = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  return arith::CmpIOp::create(b, loc, how, number, other);
}

/// The branch on the size of one dimension.
static void branchOnSize(aten::SqueezeDimOp op) {
  Type type = op.getType();
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto keep = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(b, loc, castTo(b, loc, op.getSelf(), type));
  };
  auto drop = [&](OpBuilder &b, Location loc) {
    GraphBuilder build{b, loc};
    Tensor one = build.op<aten::SelectIntOp>(Tensor(build, op.getSelf()), Int(build, op.getDim()),
                                             build.i(0));
    scf::YieldOp::create(b, loc, castTo(b, loc, one.v, type));
  };
  auto ask = [&](OpBuilder &b, Location loc) {
    GraphBuilder build{b, loc};
    Value size =
        build.intOp<aten::SizeIntOp>(Tensor(build, op.getSelf()), Int(build, op.getDim())).v;
    Value isOne = compared(b, loc, arith::CmpIPredicate::eq, size, 1);
    scf::YieldOp::create(b, loc, scf::IfOp::create(b, loc, isOne, drop, keep).getResults());
  };
  GraphBuilder build{b, op.getLoc()};
  // A number has no dimension to ask the size of.
  Value rank = build.intOp<aten::DimOp>(Tensor(build, op.getSelf())).v;
  Value hasDims = compared(b, op.getLoc(), arith::CmpIPredicate::sgt, rank, 0);
  auto branch = scf::IfOp::create(b, op.getLoc(), hasDims, ask, keep);
  op.getResult().replaceAllUsesWith(branch.getResult(0));
}

/// A squeeze of several dimensions is one of each, the last first, for tensors of this rank; for
/// others it stays.
static void squeezeEach(Operation *op, int64_t rank) {
  Value self = op->getOperand(0), result = op->getResult(0);
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  SmallVector<int64_t> dims = squeezedDims(op, rank);
  llvm::sort(dims, std::greater<int64_t>());
  auto each = [&](OpBuilder &b, Location loc) {
    GraphBuilder build{b, loc};
    Tensor squeezed(build, self);
    for (int64_t dim : dims)
      squeezed = build.op<aten::SqueezeDimOp>(squeezed, dim);
    scf::YieldOp::create(b, loc, castTo(b, loc, squeezed.v, result.getType()));
  };
  auto asItWas = [&](OpBuilder &b, Location loc) {
    scf::YieldOp::create(b, loc, b.clone(*op)->getResults());
  };
  GraphBuilder build{b, op->getLoc()};
  Value asked = build.intOp<aten::DimOp>(Tensor(build, self)).v;
  Value isThis = compared(b, op->getLoc(), arith::CmpIPredicate::eq, asked, rank);
  result.replaceAllUsesWith(scf::IfOp::create(b, op->getLoc(), isThis, each, asItWas).getResult(0));
}

bool dropsByData(Operation *op, Type self) {
  auto type = dyn_cast<TensorType>(self);
  if (!type || !type.hasRank() || type.getRank() == 0)
    return false;
  return llvm::any_of(squeezedDims(op, type.getRank()), [&](int64_t dim) {
    return dim >= 0 && dim < type.getRank() && type.getSizes()[dim] == TensorType::kDynamic;
  });
}

void branchOnSizes(Operation *op, int64_t rank) {
  if (auto one = dyn_cast<aten::SqueezeDimOp>(op))
    return branchOnSize(one);
  squeezeEach(op, rank);
}

} // namespace jit
