//===- Scalar.cpp - builders for the rules of Scalar.td -------------------===//

#include "Rules/Scalar.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/ComplexNumbers.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

Type promotedNumber(TypeRules &b, ArrayRef<Value> operands) {
  Type type = promotedType(operands, /*toFloat=*/false);
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
  if (isa<ComplexType>(dtype))
    return b.complexNumber();
  if (isa<FloatType>(dtype))
    return b.f64();
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

Element checkedPower(Element base, Element exponent) {
  auto known = knownNumber(exponent.v), knownBase = knownNumber(base.v);
  if ((known && *known >= 0) || (knownBase && *knownBase != 0))
    return pow(base, exponent);
  Element isFine = logicalOr(base != 0.0, logicalNot(exponent < 0.0));
  GuardOp::create(base.b->builder, base.b->loc, isFine.v, "builtins.RuntimeError",
                  "0.0 cannot be raised to a negative power", ValueRange());
  return pow(base, exponent);
}

Element rangeLength(Element lo, Element hi, Element step) {
  // ceil((hi - lo) / step), whose sign says whether there is anything in the range.
  Element length = -floorDiv(lo - hi, divisor(step));
  return max(length, 0);
}

Element scaled(Element x, Element exponent) {
  // In two steps: the power alone may be out of range where the product is not.
  Element bounded = min(max(exponent, -2200.0), 2200.0), half = trunc(bounded * 0.5);
  auto power = [&](Element by) { return pow(constant(*x.b, 2), by); };
  return x * power(half) * power(bounded - half);
}

Element nearestRemainder(Element a, Element c) {
  // fmod is exact, and so is what follows.
  Element divisor = abs(c), rest = truncMod(abs(a), divisor);
  Element whole = truncMod(abs(a), divisor * 2.0), isOdd = whole >= divisor;
  Element twice = rest + rest;
  Element takesOneMore = logicalOr(twice > divisor, logicalAnd(twice == divisor, isOdd));
  Element nearest = select(takesOneMore, rest - divisor, rest);
  Element isOwn = logicalAnd(isFinite(a), logicalNot(isFinite(c)));
  return select(logicalAnd(isOwn, logicalNot(isNan(c))), a, select(a < 0.0, -nearest, nearest));
}

/// An int or float of the graph as an element of the wider of the kinds.
static Element elementIn(ScalarBuilder &build, Any number) {
  return Element(build, number.v, number.v.getType());
}

Decomposition quotientAndRemainder(Any x, Any y) {
  GraphBuilder &build = *x.b;
  bool isFloat = x.v.getType().isF64() || y.v.getType().isF64();
  Type compute = isFloat ? Type(build.builder.getF64Type()) : build.builder.getI64Type();
  ScalarBuilder numbers{build.builder, build.loc, compute};
  Element a = elementIn(numbers, x), c = elementIn(numbers, y);
  if (!isFloat)
    return {Any(build, floorDiv(a, divisor(c)).v), Any(build, floorMod(a, c).v)};
  GuardOp::create(build.builder, build.loc, (c != 0.0).v, "builtins.ZeroDivisionError",
                  "float divmod()", ValueRange());
  Element rest = floorMod(a, c);
  return {Any(build, ((a - rest) / c).v), Any(build, rest.v)};
}

Decomposition fractionAndWhole(Float number) {
  GraphBuilder &build = *number.b;
  ScalarBuilder floats{build.builder, build.loc, build.builder.getF64Type()};
  Element a = Element::raw(floats, number.v), whole = trunc(a);
  Element rest = select(isInf(a), constant(floats, 0), a - whole);
  return {Any(build, copySign(rest, a).v), Any(build, whole.v)};
}

Any numberFromTensor(Tensor self, Type to) {
  Tensor item = self.b->op<aten::ItemOp>(self);
  Type from = item.v.getType();
  if (from == to || isa<NumberType>(to))
    return item;
  if (isa<ComplexType>(from)) {
    emitError(self.b->loc, "expected a real number, got an element of a complex tensor");
    self.b->failed = true;
    return item;
  }
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

/// The operand that an operator fills a tensor with, if that is all that it does; null otherwise.
static Value filledWith(Operation *op) {
  if (isa<NumToTensorScalarOp, NumToTensorBoolOp, TensorIntOp, TensorFloatOp, TensorBoolOp,
          ScalarTensorOp>(op))
    return op->getOperand(0);
  return isa<FullOp>(op) ? op->getOperand(1) : Value();
}

/// True for an operator whose result has the elements of its first operand in the same order.
static bool keepsElements(Operation *op) {
  auto type = dyn_cast<TensorType>(op->getResult(0).getType());
  auto from = dyn_cast<TensorType>(op->getOperand(0).getType());
  auto isOne = [](TensorType type) {
    return type && type.hasRank() &&
           llvm::all_of(type.getSizes(), [](int64_t s) { return s == 1; });
  };
  return isOne(type) && isOne(from) &&
         isa<ViewOpInterface, DerefineOp, CloneOp, ToCopyOp, TypeAsOp>(op);
}

static bool isNumber(Type type) { return type && type.isIntOrFloat(); }

static Type dtypeOf(Value tensor) { return TensorInfo(tensor).dtype(); }

/// How many operators a number is looked for through.
static constexpr unsigned maxItemDepth = 16;

/// True if one element of `tensor` can be computed from numbers alone. Where a write may reach its
/// memory it is not what it was made as.
static bool isMadeOfNumbers(Value tensor, unsigned depth = 0) {
  Operation *op = tensor.getDefiningOp();
  if (!op || depth == maxItemDepth || op->getNumResults() != 1 || !isNumber(dtypeOf(tensor)) ||
      isWrittenInPlace(tensor))
    return false;
  if (Value number = filledWith(op))
    return isNumber(number.getType());
  if (auto pointwise = dyn_cast<PointwiseOpInterface>(op))
    return isNumber(pointwise.computeType()) && llvm::all_of(op->getOperands(), [&](Value operand) {
             return !isa<TensorType>(operand.getType()) || isMadeOfNumbers(operand, depth + 1);
           });
  return op->getNumOperands() > 0 && keepsElements(op) &&
         isMadeOfNumbers(op->getOperand(0), depth + 1);
}

/// One element of `tensor`, which is made of numbers, in its element type.
static Value elementIn(Value tensor, PatternRewriter &rewriter, Location loc) {
  Operation *op = tensor.getDefiningOp();
  Type dtype = dtypeOf(tensor);
  if (Value number = filledWith(op))
    return convertScalar(rewriter, loc, number, number.getType(), dtype);
  auto pointwise = dyn_cast<PointwiseOpInterface>(op);
  if (!pointwise) {
    Value self = op->getOperand(0);
    return convertScalar(rewriter, loc, elementIn(self, rewriter, loc), dtypeOf(self), dtype);
  }
  SmallVector<Value> elements;
  for (Value operand : op->getOperands())
    elements.push_back(isa<TensorType>(operand.getType()) ? elementIn(operand, rewriter, loc)
                                                          : operand);
  Value value = pointwise.emitScalar(rewriter, loc, elements);
  // A predicate gives i1, anything else the type it computes in, which may be unsigned.
  Type computed = value.getType().isInteger(1) ? value.getType() : pointwise.computeType();
  return convertScalar(rewriter, loc, value, computed, dtype);
}

LogicalResult ItemOp::canonicalize(ItemOp op, PatternRewriter &rewriter) {
  if (isComplexTensor(op.getSelf().getType())) {
    GraphBuilder build{rewriter, op.getLoc()};
    Value number = elementOf(Tensor(build, op.getSelf())).v;
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), number, op.getType()));
    return success();
  }
  if (!op.getType().isIntOrFloat())
    return rewriter.notifyMatchFailure(op, "expected a known element type");
  if (!isMadeOfNumbers(op.getSelf()))
    return rewriter.notifyMatchFailure(op, "expected a tensor that is made from numbers");
  Value element = elementIn(op.getSelf(), rewriter, op.getLoc());
  rewriter.replaceOp(
      op, convertScalar(rewriter, op.getLoc(), element, dtypeOf(op.getSelf()), op.getType()));
  return success();
}

} // namespace aten
} // namespace jit
