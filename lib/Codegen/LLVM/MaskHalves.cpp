//===- MaskHalves.cpp - numbers of 16 bits under masks --------------------===//
#include "jit/Codegen/LLVM/Passes.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace jit::codegen {
#define GEN_PASS_DEF_MASKHALVES
#include "jit/Codegen/LLVM/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// The vector of integers that has the bits of one of numbers of 16 bits; null for other types.
static VectorType integersLike(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !(vector.getElementType().isBF16() || vector.getElementType().isF16()))
    return {};
  return cast<VectorType>(vector.clone(IntegerType::get(type.getContext(), 16)));
}

namespace {
struct LoadIntegers : OpRewritePattern<LLVM::MaskedLoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::MaskedLoadOp op, PatternRewriter &rewriter) const override {
    VectorType integers = integersLike(op.getType());
    if (!integers)
      return rewriter.notifyMatchFailure(op, "expected a vector of numbers of 16 bits");
    Type halves = op.getType();
    SmallVector<Value> before;
    for (Value value : op->getOperands().drop_front(2))
      before.push_back(LLVM::BitcastOp::create(rewriter, op.getLoc(), integers, value));
    rewriter.modifyOpInPlace(op, [&] {
      op.getPassThruMutable().assign(before);
      op.getRes().setType(integers);
    });
    rewriter.setInsertionPointAfter(op);
    auto loaded = LLVM::BitcastOp::create(rewriter, op.getLoc(), halves, op.getRes());
    rewriter.replaceAllUsesExcept(op.getRes(), loaded, loaded);
    return success();
  }
};

struct StoreIntegers : OpRewritePattern<LLVM::MaskedStoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::MaskedStoreOp op, PatternRewriter &rewriter) const override {
    VectorType integers = integersLike(op.getValue().getType());
    if (!integers)
      return rewriter.notifyMatchFailure(op, "expected a vector of numbers of 16 bits");
    Value bits = LLVM::BitcastOp::create(rewriter, op.getLoc(), integers, op.getValue());
    rewriter.modifyOpInPlace(op, [&] { op.getValueMutable().assign(bits); });
    return success();
  }
};

struct MaskHalves : jit::codegen::impl::MaskHalvesBase<MaskHalves> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<LoadIntegers, StoreIntegers>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
