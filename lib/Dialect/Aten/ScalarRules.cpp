//===- ScalarRules.cpp - conversion, arithmetic and comparison of elements ===//

#include "jit/Dialect/Aten/ScalarRules.h"

#include "Float8.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace jit {

static bool isUnsigned(Type type) { return type.isUnsignedInteger() || type.isInteger(1); }

/// The builtin type of a value whose graph type is `type`: integers are signless, and so are the
/// bits of floats of eight.
static Type signless(Type type) {
  return isa<IntegerType>(type) || isFloat8(type)
             ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth())
             : type;
}

/// A constant of any float or integer type, folded away where it can be.
static Value numberOf(OpBuilder &b, Location loc, Type type, double value) {
  type = signless(type);
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  if (type.isInteger(1))
    return arith::ConstantOp::create(b, loc, b.getBoolAttr(value != 0));
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, int64_t(value)));
}

/// 64 bits without a sign of a float; the upper half of them no signed integer has.
static Value toUnsigned64(OpBuilder &b, Location loc, Value value) {
  Type i64 = b.getI64Type();
  Value half = numberOf(b, loc, value.getType(), 0x1p63);
  Value isLower = b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::ULT, value, half);
  Value rest = b.createOrFold<arith::SubFOp>(loc, value, half);
  Value top = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(INT64_MIN));
  Value upper =
      b.createOrFold<arith::XOrIOp>(loc, b.createOrFold<arith::FPToSIOp>(loc, i64, rest), top);
  return b.createOrFold<arith::SelectOp>(loc, isLower,
                                         b.createOrFold<arith::FPToSIOp>(loc, i64, value), upper);
}

Value convertScalar(OpBuilder &b, Location loc, Value value, Type from, Type to) {
  if (from == to)
    return value;
  if (isFloat8(from)) {
    value = decodeFloat8(b, loc, value, cast<FloatType>(from));
    from = b.getF32Type();
  }
  if (isFloat8(to))
    return encodeFloat8(b, loc, convertScalar(b, loc, value, from, b.getF32Type()),
                        cast<FloatType>(to));
  Type target = signless(to);
  if (isa<FloatType>(from)) {
    if (isa<FloatType>(target)) {
      unsigned have = from.getIntOrFloatBitWidth(), want = target.getIntOrFloatBitWidth();
      if (have == want && from != target) { // f16 <-> bf16
        value = b.createOrFold<arith::ExtFOp>(loc, b.getF32Type(), value);
        return b.createOrFold<arith::TruncFOp>(loc, target, value);
      }
      if (have == want)
        return value;
      if (have > 32 && want < 32) // PyTorch rounds twice
        value = b.createOrFold<arith::TruncFOp>(loc, b.getF32Type(), value);
      return have < want ? b.createOrFold<arith::ExtFOp>(loc, target, value)
                         : b.createOrFold<arith::TruncFOp>(loc, target, value);
    }
    if (target.isInteger(1))
      return b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::UNE, value,
                                           numberOf(b, loc, from, 0));
    if (to.isUnsignedInteger(64) && from.getIntOrFloatBitWidth() >= 32)
      return toUnsigned64(b, loc, value);
    // What is beyond an integer is cut from the lowest of 32 bits, that of uint8 and wider ones
    // from 64: so PyTorch has it on an x86 CPU, whose conversion gives the lowest for NaN, too.
    bool isNarrow =
        to.isSignlessInteger() ? target.getIntOrFloatBitWidth() <= 32 : to.isUnsignedInteger(16);
    from = isNarrow ? b.getI32Type() : b.getI64Type();
    value = b.createOrFold<arith::FPToSIOp>(loc, from, value);
  }
  if (isa<FloatType>(target))
    return isUnsigned(from) ? b.createOrFold<arith::UIToFPOp>(loc, target, value)
                            : b.createOrFold<arith::SIToFPOp>(loc, target, value);
  unsigned have = from.getIntOrFloatBitWidth(), want = target.getIntOrFloatBitWidth();
  if (have == want)
    return value;
  if (target.isInteger(1))
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, value,
                                         numberOf(b, loc, from, 0));
  if (have > want)
    return b.createOrFold<arith::TruncIOp>(loc, target, value);
  return isUnsigned(from) ? b.createOrFold<arith::ExtUIOp>(loc, target, value)
                          : b.createOrFold<arith::ExtSIOp>(loc, target, value);
}

/// `value` of graph type `from` in the type `to`; as it is where either is no number's type.
static Value converted(ScalarBuilder &b, Value value, Type from, Type to) {
  if (auto tensor = dyn_cast<TensorType>(from))
    from = tensor.getDtype();
  bool areNumbers = from && from.isIntOrFloat() && to && to.isIntOrFloat();
  return areNumbers ? convertScalar(b.builder, b.loc, value, from, to) : value;
}

Element::Element(ScalarBuilder &b, Value value, Type from) : b(&b), v(value) {
  if (b.promoted) {
    v = converted(b, v, from, b.promoted);
    from = b.promoted;
  }
  v = converted(b, v, from, b.compute);
}

Element inPromotedType(Element a) { return a.b->promoted ? Element(*a.b, a.v, a.b->compute) : a; }

Param::Param(ScalarBuilder &b, Value value, Type from)
    : Element(raw(b, converted(b, value, from, b.compute))) {}

static bool hasOneElement(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return !tensor || (tensor.hasRank() &&
                     llvm::all_of(tensor.getSizes(), [](int64_t size) { return size == 1; }));
}

OpmathElement::OpmathElement(ScalarBuilder &b, Value value, Type from)
    : Element(hasOneElement(from) ? Element(Param(b, value, from)) : Element(b, value, from)) {}

StrElement::StrElement(ScalarBuilder &, Value value, Type) {
  if (value)
    text = StrInfo(value).known;
}

Element constant(ScalarBuilder &b, double value) {
  return Element::raw(b, numberOf(b.builder, b.loc, b.compute, value));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename OpTy, typename... Args> static Element emit(Element like, Args... args) {
  return Element::raw(*like.b, like.b->builder.createOrFold<OpTy>(like.b->loc, args...));
}

static bool isFloat(Element a) { return isa<FloatType>(a.v.getType()); }
static bool isBool(Element a) { return a.v.getType().isInteger(1); }
static bool isUnsigned(Element a) { return isBool(a) || isUnsigned(a.b->compute); }

template <typename FloatOp, typename IntOp> static Element arithmetic(Element a, Element c) {
  return isFloat(a) ? emit<FloatOp>(a, a.v, c.v) : emit<IntOp>(a, a.v, c.v);
}

Element operator+(Element a, Element c) {
  return isBool(a) ? logicalOr(a, c) : arithmetic<arith::AddFOp, arith::AddIOp>(a, c);
}
Element operator-(Element a, Element c) { return arithmetic<arith::SubFOp, arith::SubIOp>(a, c); }
Element operator*(Element a, Element c) {
  return isBool(a) ? logicalAnd(a, c) : arithmetic<arith::MulFOp, arith::MulIOp>(a, c);
}
Element operator/(Element a, Element c) { return emit<arith::DivFOp>(a, a.v, c.v); }
Element operator-(Element a) {
  return isFloat(a)
             ? emit<arith::NegFOp>(a, a.v)
             : emit<arith::SubIOp>(a, numberOf(a.b->builder, a.b->loc, a.v.getType(), 0), a.v);
}

/// Integer division that never traps: by 0 and by -1 the machine's instruction may.
template <typename SignedOp, typename UnsignedOp>
static Element safeDivision(Element a, Element c, Element byMinusOne) {
  Element one = Element::raw(*a.b, numberOf(a.b->builder, a.b->loc, c.v.getType(), 1));
  Element zero = Element::raw(*a.b, numberOf(a.b->builder, a.b->loc, c.v.getType(), 0));
  if (isUnsigned(a)) {
    Element divisor = select(c == zero, one, c);
    return emit<UnsignedOp>(a, a.v, divisor.v);
  }
  Element minusOne = Element::raw(*a.b, numberOf(a.b->builder, a.b->loc, c.v.getType(), -1));
  Element divisor = select(logicalOr(c == zero, c == minusOne), one, c);
  return select(c == minusOne, byMinusOne, emit<SignedOp>(a, a.v, divisor.v));
}

Element truncDiv(Element a, Element c) {
  if (isFloat(a))
    return trunc(a / c);
  return safeDivision<arith::DivSIOp, arith::DivUIOp>(a, c, -a);
}
Element truncMod(Element a, Element c) {
  if (isFloat(a))
    return emit<arith::RemFOp>(a, a.v, c.v);
  return safeDivision<arith::RemSIOp, arith::RemUIOp>(a, c, a - a);
}

/// Python's // on floats: the quotient without the remainder is whole, but for rounding.
static Element floorDivFloats(Element a, Element c) {
  Element remainder = truncMod(a, c);
  Element quotient = (a - remainder) / c;
  Element wrongSign = logicalAnd(remainder != 0.0, (remainder < 0.0) != (c < 0.0));
  quotient = select(wrongSign, quotient - 1.0, quotient);
  Element down = floor(quotient);
  Element nearest = select(quotient - down > 0.5, down + 1.0, down);
  Element ratio = a / c, zero = emit<math::CopySignOp>(a, quotient.v, ratio.v);
  return select(c == 0.0, ratio, select(quotient == 0.0, zero, nearest));
}

Element floorDiv(Element a, Element c) {
  if (isFloat(a))
    return floorDivFloats(a, c);
  return safeDivision<arith::FloorDivSIOp, arith::DivUIOp>(a, c, -a);
}
Element floorMod(Element a, Element c) {
  Element remainder = truncMod(a, c);
  if (!isFloat(a) && isUnsigned(a))
    return remainder;
  Element zero = Element::raw(*a.b, numberOf(a.b->builder, a.b->loc, a.v.getType(), 0));
  Element wrongSign = logicalAnd(remainder != zero, (remainder < zero) != (c < zero));
  return select(wrongSign, remainder + c, remainder);
}
/// To a negative power integers are 0, but for 1 and -1.
static Element powerOfInts(Element a, Element c) {
  auto number = [&](double value) {
    return Element::raw(*a.b, numberOf(a.b->builder, a.b->loc, a.v.getType(), value));
  };
  if (isUnsigned(a))
    return emit<math::IPowIOp>(a, a.v, c.v);
  Element isNegative = c < number(0), exponent = select(isNegative, number(0), c);
  Element power = emit<math::IPowIOp>(a, a.v, exponent.v);
  Element alternating = select((c & number(1)) == number(0), number(1), number(-1));
  Element small = select(a == number(-1), alternating, number(0));
  return select(isNegative, select(a == number(1), number(1), small), power);
}
Element pow(Element a, Element c) {
  return isFloat(a) ? emit<math::PowFOp>(a, a.v, c.v) : powerOfInts(a, c);
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

static Element compare(Element a, Element c, arith::CmpFPredicate floats,
                       arith::CmpIPredicate signeds, arith::CmpIPredicate unsigneds) {
  if (isFloat(a))
    return emit<arith::CmpFOp>(a, floats, a.v, c.v);
  return emit<arith::CmpIOp>(a, isUnsigned(a) ? unsigneds : signeds, a.v, c.v);
}

using F = arith::CmpFPredicate;
using I = arith::CmpIPredicate;
Element operator==(Element a, Element c) { return compare(a, c, F::OEQ, I::eq, I::eq); }
Element operator!=(Element a, Element c) { return compare(a, c, F::UNE, I::ne, I::ne); }
Element operator<(Element a, Element c) { return compare(a, c, F::OLT, I::slt, I::ult); }
Element operator<=(Element a, Element c) { return compare(a, c, F::OLE, I::sle, I::ule); }
Element operator>(Element a, Element c) { return compare(a, c, F::OGT, I::sgt, I::ugt); }
Element operator>=(Element a, Element c) { return compare(a, c, F::OGE, I::sge, I::uge); }

Element min(Element a, Element c) {
  if (isFloat(a))
    return emit<arith::MinimumFOp>(a, a.v, c.v);
  return isUnsigned(a) ? emit<arith::MinUIOp>(a, a.v, c.v) : emit<arith::MinSIOp>(a, a.v, c.v);
}
Element max(Element a, Element c) {
  if (isFloat(a))
    return emit<arith::MaximumFOp>(a, a.v, c.v);
  return isUnsigned(a) ? emit<arith::MaxUIOp>(a, a.v, c.v) : emit<arith::MaxSIOp>(a, a.v, c.v);
}
Element select(Element condition, Element a, Element c) {
  return emit<arith::SelectOp>(a, condition.v, a.v, c.v);
}
Element truth(Element a) {
  return isBool(a) ? a
                   : a != Element::raw(*a.b, numberOf(a.b->builder, a.b->loc, a.v.getType(), 0));
}
Element logicalAnd(Element a, Element c) { return emit<arith::AndIOp>(a, truth(a).v, truth(c).v); }
Element logicalOr(Element a, Element c) { return emit<arith::OrIOp>(a, truth(a).v, truth(c).v); }
Element logicalNot(Element a) {
  Value truthy = truth(a).v;
  return emit<arith::XOrIOp>(a, truthy, numberOf(a.b->builder, a.b->loc, truthy.getType(), 1));
}
Element operator&(Element a, Element c) { return emit<arith::AndIOp>(a, a.v, c.v); }
Element operator|(Element a, Element c) { return emit<arith::OrIOp>(a, a.v, c.v); }
Element operator^(Element a, Element c) { return emit<arith::XOrIOp>(a, a.v, c.v); }
Element operator~(Element a) {
  double ones = isBool(a) ? 1 : -1;
  return emit<arith::XOrIOp>(a, a.v, numberOf(a.b->builder, a.b->loc, a.v.getType(), ones));
}

} // namespace jit
