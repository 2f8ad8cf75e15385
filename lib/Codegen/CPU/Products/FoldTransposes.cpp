//===- FoldTransposes.cpp - products read transposed operands in place ----===//

#include "ProductNest.h"
#include "jit/Codegen/Products/Passes.h"

using namespace mlir;

namespace jit {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "jit/Codegen/Products/Passes.h.inc"

static void foldTransposes(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (Operand side : {Lhs, Rhs}) {
    auto transpose = op->getOperand(side).getDefiningOp<linalg::TransposeOp>();
    if (!transpose)
      continue;
    SmallVector<AffineExpr> reads(maps[side].getNumResults());
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
      reads[from] = maps[side].getResult(to);
    maps[side] = AffineMap::get(maps[side].getNumDims(), 0, reads, op.getContext());
    op->setOperand(side, transpose.getInput());
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

namespace {

struct FoldTransposes : impl::FoldTransposesBase<FoldTransposes> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && isProduct(op))
        foldTransposes(op);
    });
  }
};

} // namespace

} // namespace jit
