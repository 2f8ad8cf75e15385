//===- BranchSizes.cpp - sizes of what a branch gives ---------------------===//
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit::codegen {
#define GEN_PASS_DEF_BRANCHSIZES
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Gives a branch one more result for each of `dims`, all sizes of its results.
static void addSizes(scf::IfOp branch, ArrayRef<memref::DimOp> dims) {
  OpBuilder b(branch);
  SmallVector<Type> types(branch.getResultTypes());
  types.append(dims.size(), b.getIndexType());
  auto wider =
      scf::IfOp::create(b, branch.getLoc(), types, branch.getCondition(), /*withElse=*/true);
  for (auto [from, to] : llvm::zip(branch->getRegions(), wider->getRegions())) {
    to.takeBody(from);
    Operation *yield = to.front().getTerminator();
    b.setInsertionPoint(yield);
    for (memref::DimOp dim : dims) {
      Value given = yield->getOperand(cast<OpResult>(dim.getSource()).getResultNumber());
      // Where its type says less than it is known to be.
      while (auto cast = given.getDefiningOp<memref::CastOp>())
        given = cast.getSource();
      Value size = b.createOrFold<memref::DimOp>(dim.getLoc(), given, *dim.getConstantIndex());
      yield->insertOperands(yield->getNumOperands(), size);
    }
  }
  branch.replaceAllUsesWith(wider.getResults().take_front(branch.getNumResults()));
  for (auto [i, size] : llvm::enumerate(wider.getResults().take_back(dims.size())))
    dims[i]->getResult(0).replaceAllUsesWith(size);
  branch.erase();
}

/// Asks each way of a branch for the sizes that are asked of its results.
static void askInside(scf::IfOp branch) {
  SmallVector<memref::DimOp> dims;
  for (OpResult result : branch.getResults())
    for (Operation *user : result.getUsers())
      if (auto dim = dyn_cast<memref::DimOp>(user); dim && dim.getConstantIndex())
        dims.push_back(dim);
  if (dims.empty())
    return;
  addSizes(branch, dims);
  for (memref::DimOp dim : dims)
    dim.erase();
}

namespace {
struct BranchSizes : jit::codegen::impl::BranchSizesBase<BranchSizes> {
  void runOnOperation() override {
    // From the outside in: a way of a branch may give what a branch inside gives.
    SmallVector<scf::IfOp> branches;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](scf::IfOp branch) { branches.push_back(branch); });
    for (scf::IfOp branch : branches)
      askInside(branch);
  }
};
} // namespace
