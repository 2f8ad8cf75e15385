//===- Scalar.cpp - builders for the rules of Scalar.td -------------------===//

#include "Rules/Scalar.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

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

/// PyTorch rounds what it computes on to what fits C's int and float.
static Value inFewerBits(GraphBuilder &build, Value number) {
  OpBuilder &b = build.builder;
  if (number.getType().isF64())
    return arith::TruncFOp::create(b, build.loc, b.getF32Type(), number);
  Value narrow = arith::TruncIOp::create(b, build.loc, b.getI32Type(), number);
  return arith::ExtSIOp::create(b, build.loc, b.getI64Type(), narrow);
}

Decomposition mixedQuotientAndRemainder(Any x, Any y) {
  GraphBuilder &build = *x.b;
  Value narrowX = inFewerBits(build, x.v), narrowY = inFewerBits(build, y.v);
  ScalarBuilder singles{build.builder, build.loc, build.builder.getF32Type()};
  ScalarBuilder doubles{build.builder, build.loc, build.builder.getF64Type()};
  Element divisor(singles, narrowY, narrowY.getType());
  GuardOp::create(build.builder, build.loc, (divisor != 0.0).v, "builtins.ZeroDivisionError",
                  "float divmod()", ValueRange());
  Element quotient = floor(Element(singles, narrowX, narrowX.getType()) / divisor);
  Element wide(doubles, quotient.v, quotient.v.getType());
  Element rest = Element(doubles, narrowX, narrowX.getType()) -
                 wide * Element(doubles, narrowY, narrowY.getType());
  return {Any(build, wide.v), Any(build, rest.v)};
}

Decomposition quotientAndRemainder(Any x, Any y) {
  GraphBuilder &build = *x.b;
  bool isFloat = x.v.getType().isF64();
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

/// PyTorch takes a complex number for a real one where it has no imaginary part.
static Any numberFromComplex(Tensor self, Type to) {
  GraphBuilder &build = *self.b;
  auto isSet = [&](Tensor part) {
    return build.op<aten::ItemOp>(build.op<aten::NeScalarOp>(part, int64_t(0))).v;
  };
  if (to.isInteger(1))
    return Any(build, isSet(self));
  Value isReal = arith::XOrIOp::create(build.builder, build.loc,
                                       isSet(build.op<aten::ImagOp>(self)), build.flag(true).v);
  GuardOp::create(build.builder, build.loc, isReal, "builtins.RuntimeError",
                  "value cannot be converted without overflow", ValueRange());
  return numberFromTensor(build.op<aten::RealOp>(self), to);
}

Any numberFromTensor(Tensor self, Type to) {
  if (isa_and_present<ComplexType>(self.info().dtype()) && !isa<ComplexType, NumberType>(to))
    return numberFromComplex(self, to);
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

/// PyTorch takes what is a number in all but its type.
Decomposition implicitNumber(Tensor self, Type to) {
  GraphBuilder &build = *self.b;
  TensorInfo info = self.info();
  if (!info.dtype() || !info.hasRank())
    return build.notYet("the element type and the rank of a");
  StringRef wrong =
      info.rank() != 0 ? "Cannot input a tensor of dimension other than 0 as a scalar "
                         "argument"
      : to.isInteger(64) && (!isa<IntegerType>(info.dtype()) || info.dtype().isInteger(1))
          ? "Cannot input a tensor of another type as an integral argument"
          : "";
  if (wrong.empty())
    return numberFromTensor(self, to);
  GuardOp::create(build.builder, build.loc, build.flag(false).v, "builtins.RuntimeError", wrong,
                  ValueRange());
  Tensor instead = build.op<aten::NewZerosOp>(self, build.ints({}), build.none(), build.none(),
                                              build.none(), build.none());
  return numberFromTensor(instead, to);
}

} // namespace jit
