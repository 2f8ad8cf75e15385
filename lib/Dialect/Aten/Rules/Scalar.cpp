//===- Scalar.cpp - words for the rules of Scalar.td ----------------------===//

#include "Rules/Scalar.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

Type promotedNumber(TypeRules &b, ArrayRef<Value> operands) {
  Type type = promotedType(operands, /*toFloat=*/false, /*opmath=*/false);
  return type ? type : b.number();
}

Type itemType(TypeRules &b, TensorInfo self) {
  if (self.hasRank() && llvm::any_of(self.sizes(), [](int64_t size) {
        return size != 1 && size != TensorType::kDynamic;
      }))
    return b.error("expected a tensor of one element to make a number of");
  Type dtype = self.dtype();
  if (!dtype)
    return b.number();
  if (isa<FloatType>(dtype))
    return b.f64();
  if (!isa<IntegerType>(dtype))
    return b.error("expected a real element type to make a number of");
  return dtype.isInteger(1) ? b.i1() : b.i64();
}

Element divisor(Element value) {
  if (!value.v.getType().isInteger() || IntInfo(value.v).valueOr(0) != 0)
    return value;
  OpBuilder &builder = value.b->builder;
  GuardOp::create(builder, value.b->loc, (value != 0).v, "builtins.ZeroDivisionError",
                  "division by zero", ValueRange());
  return value;
}

Element rangeLength(Element lo, Element hi, Element step) {
  // ceil((hi - lo) / step), whose sign says whether there is anything in the range.
  Element length = -floorDiv(lo - hi, divisor(step));
  return max(length, 0);
}

Any numberFromTensor(Tensor self, Type to) {
  Tensor item = self.b->op<aten::ItemOp>(self);
  Type from = item.v.getType();
  if (from == to || isa<NumberType>(to))
    return item;
  if (to.isF64())
    return from.isInteger(1) ? self.b->op<aten::FloatBoolOp>(item)
                             : self.b->op<aten::FloatIntOp>(item);
  if (to.isInteger(64))
    return from.isInteger(1) ? self.b->op<aten::IntBoolOp>(item)
                             : self.b->op<aten::IntFloatOp>(item);
  return from.isF64() ? self.b->op<aten::BoolFloatOp>(item) : self.b->op<aten::BoolIntOp>(item);
}

//===----------------------------------------------------------------------===//
// item
//===----------------------------------------------------------------------===//

namespace aten {

/// The number that every element of `tensor` is, where the tensor is made from numbers alone;
/// null where it is not. Gives the number before its conversion to the tensor's element type.
static Value numberIn(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return {};
  if (isa<NumToTensorScalarOp, NumToTensorBoolOp, TensorIntOp, TensorFloatOp, TensorBoolOp,
          ScalarTensorOp>(op))
    return op->getOperand(0);
  if (isa<FullOp>(op))
    return op->getOperand(1);
  return {};
}

/// item(a + b) is the sum of the items, computed in the type in which the tensors would be.
static LogicalResult throughPointwise(ItemOp op, PointwiseOpInterface pointwise,
                                      PatternRewriter &rewriter) {
  auto type = cast<TensorType>(pointwise->getResult(0).getType());
  if (!type.getDtype() || !type.getDtype().isIntOrFloat() || !pointwise.computeType() ||
      !pointwise.computeType().isIntOrFloat())
    return rewriter.notifyMatchFailure(op, "expected a known element type");
  SmallVector<Value> elements;
  for (Value operand : pointwise->getOperands()) {
    TensorInfo info(operand);
    if (!info) {
      elements.push_back(operand);
      continue;
    }
    Value number = numberIn(operand);
    if (!number || !number.getType().isIntOrFloat() || !info.dtype())
      return rewriter.notifyMatchFailure(op, "expected operands that are made from numbers");
    elements.push_back(
        convertScalar(rewriter, op.getLoc(), number, number.getType(), info.dtype()));
  }
  Value value = pointwise.emitScalar(rewriter, op.getLoc(), elements);
  // A predicate gives i1, anything else the type it computes in, which may be unsigned.
  Type computed = value.getType().isInteger(1) ? value.getType() : pointwise.computeType();
  value = convertScalar(rewriter, op.getLoc(), value, computed, type.getDtype());
  rewriter.replaceOp(op,
                     convertScalar(rewriter, op.getLoc(), value, type.getDtype(), op.getType()));
  return success();
}

LogicalResult ItemOp::canonicalize(ItemOp op, PatternRewriter &rewriter) {
  if (!op.getType().isIntOrFloat())
    return rewriter.notifyMatchFailure(op, "expected a known element type");
  if (auto pointwise = op.getSelf().getDefiningOp<PointwiseOpInterface>())
    return throughPointwise(op, pointwise, rewriter);
  Value number = numberIn(op.getSelf());
  Type dtype = TensorInfo(op.getSelf()).dtype();
  if (!number || !number.getType().isIntOrFloat() || !dtype)
    return rewriter.notifyMatchFailure(op, "expected a tensor that is made from numbers");
  number = convertScalar(rewriter, op.getLoc(), number, number.getType(), dtype);
  rewriter.replaceOp(op, convertScalar(rewriter, op.getLoc(), number, dtype, op.getType()));
  return success();
}

} // namespace aten
} // namespace jit
