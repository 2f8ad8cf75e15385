//===- Empty.cpp - tensors without elements -------------------------------===//

#include "Lower.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

/// Whether the call is to be checked for sizes of operands that do not go together: only their own
/// patterns make the guard.
static bool checksSizes(Operation *op) {
  auto isOpen = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && !tensor.isStatic();
  };
  return (isa<PointwiseOpInterface, ProductOpInterface>(op) || isa<aten::ExpandOp>(op)) &&
         llvm::any_of(op->getOperandTypes(), isOpen);
}

namespace {

/// An operator that computes nothing. The families' patterns need not care: a slice from the end of
/// a tensor, say, would have no place that is inside.
struct LowerEmpty : OpInterfaceConversionPattern<AtenOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(AtenOpInterface op, ArrayRef<Value>,
                                ConversionPatternRewriter &rewriter) const override {
    if (checksSizes(op))
      return rewriter.notifyMatchFailure(op, "expected operands of known sizes");
    SmallVector<Value> results;
    for (Type result : op->getResultTypes()) {
      auto tensor = dyn_cast<TensorType>(result);
      if (!tensor || !tensor.isStatic() || !llvm::is_contained(tensor.getSizes(), 0))
        return rewriter.notifyMatchFailure(op, "expected results without elements");
      RankedTensorType type = loweredType(tensor);
      results.push_back(
          tensor::EmptyOp::create(rewriter, op->getLoc(), type.getShape(), type.getElementType()));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void populateEmptyLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerEmpty>(types, patterns.getContext(), /*benefit=*/2);
}

} // namespace jit
