//===- Pointwise.cpp - any pointwise operator is one linalg.generic -------===//

#include "Lower.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

static bool isReal(Type type) { return type && type.isIntOrFloat(); }

/// The graph type of a value that a scalar rule gave: that in which the operator computes, but for
/// predicates and conversions, which say it themselves.
static Type graphTypeOf(Value value, Type compute) {
  bool isCompute = compute &&
                   value.getType().getIntOrFloatBitWidth() == compute.getIntOrFloatBitWidth() &&
                   isa<FloatType>(value.getType()) == isa<FloatType>(compute);
  return isCompute ? compute : value.getType();
}

namespace {

struct LowerPointwise : OpInterfaceConversionPattern<PointwiseOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(PointwiseOpInterface op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    auto result = dyn_cast<TensorType>(op->getResult(0).getType());
    if (!result || !result.isStatic() || !isReal(result.getDtype()))
      return rewriter.notifyMatchFailure(op, "expected a static tensor of real elements as result");
    for (Value operand : op->getOperands()) {
      auto tensor = dyn_cast<TensorType>(operand.getType());
      if (tensor && !(tensor.isStatic() && isReal(tensor.getDtype())))
        return rewriter.notifyMatchFailure(op, "expected static tensors of real elements");
      if (isa<NumberType, OptionalType>(operand.getType()))
        return rewriter.notifyMatchFailure(op, "expected operands whose kind is known");
    }
    SmallVector<Value> tensors;
    for (Value operand : operands)
      if (isa<RankedTensorType>(operand.getType()))
        tensors.push_back(operand);
    rewriter.replaceOp(op, elementwise(rewriter, op->getLoc(), loweredType(result), tensors,
                                       [&](OpBuilder &b, Location loc, ValueRange elements) {
                                         return emitElement(op, operands, b, loc, elements);
                                       }));
    return success();
  }

private:
  /// One element of the result: an element stands for each tensor operand, anything else for
  /// itself.
  static Value emitElement(PointwiseOpInterface op, ArrayRef<Value> operands, OpBuilder &b,
                           Location loc, ValueRange elements) {
    SmallVector<Value> args;
    for (Value operand : operands) {
      if (!isa<RankedTensorType>(operand.getType())) {
        args.push_back(operand);
        continue;
      }
      args.push_back(elements.front());
      elements = elements.drop_front();
    }
    Type dtype = dtypeOf(op->getResult(0));
    Value value = op.emitScalar(b, loc, args);
    return convertScalar(b, loc, value, graphTypeOf(value, op.computeType()), dtype);
  }
};

} // namespace

void populatePointwiseLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerPointwise>(types, patterns.getContext());
}

} // namespace jit
