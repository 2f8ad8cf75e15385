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
    if (!result || !result.hasRank() || !isReal(result.getDtype()))
      return rewriter.notifyMatchFailure(op, "expected a tensor of real elements as result");
    for (Value operand : op->getOperands()) {
      auto tensor = dyn_cast<TensorType>(operand.getType());
      if (tensor && !(tensor.hasRank() && isReal(tensor.getDtype())))
        return rewriter.notifyMatchFailure(op, "expected tensors of real elements");
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

/// A group is one linalg.generic with a result for each value that it yields.
struct LowerGroup : OpConversionPattern<GroupOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(GroupOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    llvm::SetVector<Value> inputs;
    for (Operation &inner : body.without_terminator())
      for (Value operand : inner.getOperands())
        if (operand.getParentBlock() != &body)
          inputs.insert(operand);
    SmallVector<Value> lowered, tensors;
    if (failed(rewriter.getRemappedValues(inputs.getArrayRef(), lowered)))
      return rewriter.notifyMatchFailure(op, "expected operands that are lowered");
    for (Value value : lowered)
      if (isa<RankedTensorType>(value.getType()))
        tensors.push_back(value);
    auto types = llvm::map_to_vector(op.getResults(), [](Value value) {
      return loweredType(cast<TensorType>(value.getType()));
    });
    auto build = [&](OpBuilder &b, Location loc, ValueRange elements) {
      llvm::DenseMap<Value, Value> element;
      for (auto [value, replaced] : llvm::zip(inputs, lowered)) {
        bool isTensor = isa<RankedTensorType>(replaced.getType());
        element[value] = isTensor ? elements.front() : replaced;
        elements = isTensor ? elements.drop_front() : elements;
      }
      for (Operation &inner : body.without_terminator())
        element[inner.getResult(0)] = emitElement(cast<PointwiseOpInterface>(inner), element, b);
      return llvm::map_to_vector(body.getTerminator()->getOperands(),
                                 [&](Value value) { return element.lookup(value); });
    };
    rewriter.replaceOp(op, elementwise(rewriter, op.getLoc(), types, tensors, build));
    return success();
  }

private:
  static Value emitElement(PointwiseOpInterface op, const llvm::DenseMap<Value, Value> &element,
                           OpBuilder &b) {
    auto args = llvm::map_to_vector(op->getOperands(), [&](Value v) { return element.lookup(v); });
    Value value = op.emitScalar(b, op->getLoc(), args);
    return convertScalar(b, op->getLoc(), value, graphTypeOf(value, op.computeType()),
                         dtypeOf(op->getResult(0)));
  }
};

} // namespace

void populatePointwiseLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerPointwise, LowerGroup>(types, patterns.getContext());
}

} // namespace jit
