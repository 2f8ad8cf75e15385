//===- Float8.cpp - floats of eight bits, in integer arithmetic -----------===//

#include "Float8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;

namespace jit {

namespace {

/// Integers of 32 bits, as PyTorch's formulas have them.
class Bits {
public:
  Bits(OpBuilder &b, Location loc, Value v) : b(&b), loc(loc), v(v) {}

  Bits constant(uint32_t value) const {
    auto attribute = IntegerAttr::get(b->getI32Type(), APInt(32, value));
    return {*b, loc, arith::ConstantOp::create(*b, loc, attribute)};
  }
  template <typename OpTy> Bits with(Bits other) const {
    return {*b, loc, b->createOrFold<OpTy>(loc, v, other.v)};
  }
  Value compare(arith::CmpIPredicate predicate, uint32_t other) const {
    return b->createOrFold<arith::CmpIOp>(loc, predicate, v, constant(other).v);
  }
  Value isLess(uint32_t other) const { return compare(arith::CmpIPredicate::ult, other); }
  Value is(uint32_t other) const { return compare(arith::CmpIPredicate::eq, other); }
  Bits select(Value condition, Bits otherwise) const {
    return {*b, loc, b->createOrFold<arith::SelectOp>(loc, condition, v, otherwise.v)};
  }
  Value asFloat() const { return b->createOrFold<arith::BitcastOp>(loc, b->getF32Type(), v); }

  OpBuilder *b;
  Location loc;
  Value v;
};

Bits operator&(Bits a, uint32_t c) { return a.with<arith::AndIOp>(a.constant(c)); }
Bits operator|(Bits a, Bits c) { return a.with<arith::OrIOp>(c); }
Bits operator+(Bits a, Bits c) { return a.with<arith::AddIOp>(c); }
Bits operator+(Bits a, uint32_t c) { return a + a.constant(c); }
Bits operator<<(Bits a, uint32_t c) { return a.with<arith::ShLIOp>(a.constant(c)); }
Bits operator>>(Bits a, uint32_t c) { return a.with<arith::ShRUIOp>(a.constant(c)); }

/// How a format lays a number out, beside the sign in front.
struct Format {
  explicit Format(FloatType type)
      : fraction(type.getFPMantissaWidth() - 1),
        bias(1 - APFloat::semanticsMinExponent(type.getFloatSemantics())),
        hasNegativeZero(!isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type)),
        hasInfinity(isa<Float8E5M2Type>(type)), nan(hasNegativeZero ? 0x7f : 0x80),
        beyond(hasInfinity       ? 0x7c
               : hasNegativeZero ? 0x7e
                                 : nan) {}

  unsigned fraction; ///< bits
  int bias;
  bool hasNegativeZero, hasInfinity;
  uint32_t nan;    ///< without a sign where there are two
  uint32_t beyond; ///< what is too large becomes
};

constexpr unsigned fractionOfF32 = 23;
constexpr int biasOfF32 = 127;
constexpr uint32_t infinityOfF32 = 0x7f800000, nanOfF32 = 0x7fc00000, signOfF32 = 0x80000000;

} // namespace

static Value floatOf(Bits like, double value) {
  return arith::ConstantOp::create(*like.b, like.loc,
                                   like.b->getF32FloatAttr(static_cast<float>(value)));
}

static Bits bitsOf(OpBuilder &b, Location loc, Value number) {
  return {b, loc, b.createOrFold<arith::BitcastOp>(loc, b.getI32Type(), number)};
}

/// What the bits behind the sign stand for, if they are a number: below the least normal one a
/// multiple of the step between them.
static Bits decodedNumber(Bits magnitude, const Format &format) {
  OpBuilder &b = *magnitude.b;
  Location loc = magnitude.loc;
  Bits normal = (magnitude << (fractionOfF32 - format.fraction)) +
                (uint32_t(biasOfF32 - format.bias) << fractionOfF32);
  Value count = b.createOrFold<arith::UIToFPOp>(loc, b.getF32Type(), magnitude.v);
  Value step = floatOf(magnitude, std::ldexp(1.0, 1 - format.bias - int(format.fraction)));
  Bits subnormal = bitsOf(b, loc, b.createOrFold<arith::MulFOp>(loc, count, step));
  return subnormal.select(magnitude.isLess(1u << format.fraction), normal);
}

Value decodeFloat8(OpBuilder &b, Location loc, Value bits, FloatType type) {
  Format format(type);
  Bits all(b, loc, b.createOrFold<arith::ExtUIOp>(loc, b.getI32Type(), bits));
  Bits magnitude = all & 0x7f, sign = (all & 0x80) << 24;
  Bits number = decodedNumber(magnitude, format);
  Bits nan = all.constant(nanOfF32);
  if (!format.hasNegativeZero)
    return nan.select(all.is(format.nan), number | sign).asFloat();
  if (format.hasInfinity) {
    number = all.constant(infinityOfF32).select(magnitude.is(0x7c), number);
    number = number.select(magnitude.isLess(0x7d), nan);
  } else {
    number = nan.select(magnitude.is(format.nan), number);
  }
  return (number | sign).asFloat();
}

/// Rounded where all bits of the fraction are there: half of the last one kept is added, less a bit
/// if that is even, and carries into the exponent as it should.
static Bits roundedNormal(Bits magnitude, const Format &format) {
  unsigned dropped = fractionOfF32 - format.fraction;
  Bits odd = (magnitude >> dropped) & 1;
  uint32_t rebias = uint32_t(format.bias - biasOfF32) << fractionOfF32;
  return (magnitude + odd + (rebias + (1u << (dropped - 1)) - 1)) >> dropped;
}

/// Rounded by the machine: beside a number whose last bit is the format's least step.
static Bits roundedSubnormal(Bits magnitude, const Format &format) {
  OpBuilder &b = *magnitude.b;
  uint32_t large = uint32_t(biasOfF32 - format.bias + int(fractionOfF32 - format.fraction) + 1)
                   << fractionOfF32;
  Value sum = b.createOrFold<arith::AddFOp>(magnitude.loc, magnitude.asFloat(),
                                            magnitude.constant(large).asFloat());
  return bitsOf(b, magnitude.loc, sum) + (0u - large);
}

Value encodeFloat8(OpBuilder &b, Location loc, Value number, FloatType type) {
  Format format(type);
  Bits all = bitsOf(b, loc, number);
  Bits magnitude = all & ~signOfF32, sign = (all >> 24) & 0x80;
  uint32_t leastNormal = uint32_t(biasOfF32 + 1 - format.bias) << fractionOfF32;
  Bits rounded = roundedSubnormal(magnitude, format)
                     .select(magnitude.isLess(leastNormal), roundedNormal(magnitude, format));
  rounded = rounded.with<arith::MinUIOp>(rounded.constant(format.beyond));
  if (format.beyond != format.nan)
    rounded = rounded.select(magnitude.isLess(infinityOfF32 + 1), rounded.constant(format.nan));
  Bits result = rounded | sign;
  if (!format.hasNegativeZero)
    result = rounded.select(rounded.is(0), result);
  return b.createOrFold<arith::TruncIOp>(loc, b.getI8Type(), result.v);
}

} // namespace jit
