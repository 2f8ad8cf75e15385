//===- Pointwise.cpp - builders for the rules of Pointwise.td -------------===//

#include "Rules/Pointwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type divided(TypeRules &infer, ArrayRef<Value> operands, StrInfo mode) {
  if (!mode.known && !mode.isNone())
    return infer.pointwise(operands, {}, false);
  return infer.pointwise(operands, operands, /*toFloat=*/mode.isNone());
}

Type integral(TypeRules &infer, Type type) {
  auto tensor = dyn_cast_or_null<TensorType>(type);
  Type dtype = tensor ? tensor.getDtype() : Type();
  if (!dtype || isa<IntegerType>(dtype))
    return type;
  std::string text;
  llvm::raw_string_ostream(text) << dtype;
  return infer.error("expected integers or bools, got " + text);
}

Type squared(TypeRules &infer, TensorInfo self) {
  bool isBool = self.dtype() && self.dtype().isInteger(1);
  return isBool ? self.tensor.withDtype(infer.i64()) : self.tensor;
}

Type selectedScalars(TypeRules &infer, TensorInfo condition, ArrayRef<Value> numbers) {
  Type dtype = promotedType(numbers, /*toFloat=*/false);
  if (dtype && dtype.isF64()) // a Python float: the default float type
    dtype = infer.f32();
  return condition.tensor.withDtype(dtype);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename OpTy, typename... Args> static Element emit(Element like, Args... args) {
  return Element::raw(*like.b, like.b->builder.createOrFold<OpTy>(like.b->loc, args...));
}

static bool isFloat(Element a) { return isa<FloatType>(a.v.getType()); }

Element divided(Element a, Element c, StrElement mode) {
  if (mode == "floor")
    return floorDiv(a, c);
  if (mode == "trunc")
    return truncDiv(a, c);
  if (isFloat(a))
    return a / c;
  auto toFloat = [&](Element e) {
    Type f32 = e.b->builder.getF32Type();
    return Element::raw(*e.b, convertScalar(e.b->builder, e.b->loc, e.v, e.b->compute, f32));
  };
  return toFloat(a) / toFloat(c);
}

/// The value of a constant element.
static std::optional<double> knownNumber(Element a) {
  APFloat number(0.0);
  APInt integer;
  if (matchPattern(a.v, m_ConstantFloat(&number)))
    return number.convertToDouble();
  if (matchPattern(a.v, m_ConstantInt(&integer)))
    return double(integer.getSExtValue());
  return std::nullopt;
}

/// A positive integer power by squaring.
static Element productOf(Element base, int64_t exponent) {
  if (exponent == 1)
    return base;
  Element half = productOf(base, exponent / 2);
  Element square = half * half;
  return exponent % 2 ? square * base : square;
}

Element power(Element base, Element exponent) {
  if (base.v.getType().isInteger(1)) // bool: 0 to the power of 1 alone is 0
    return logicalOr(base, logicalNot(exponent));
  std::optional<double> known = knownNumber(exponent);
  if (!known)
    return pow(base, exponent);
  bool isWhole = *known == std::trunc(*known);
  double limit = isFloat(base) ? 4 : 64;
  if (isWhole && *known == 0)
    return constant(*base.b, 1);
  if (isWhole && std::abs(*known) <= limit) {
    if (*known > 0)
      return productOf(base, int64_t(*known));
    if (isFloat(base))
      return 1.0 / productOf(base, int64_t(-*known));
  }
  if (isFloat(base) && *known == 0.5)
    return sqrt(base);
  if (isFloat(base) && *known == -0.5)
    return rsqrt(base);
  return pow(base, exponent);
}

Element lerp(Element start, Element end, Element weight) {
  // The form that is exact at the nearer end.
  return select(abs(weight) < 0.5, start + weight * (end - start),
                end - (end - start) * (1.0 - weight));
}

//===----------------------------------------------------------------------===//
// Infinities and signs
//===----------------------------------------------------------------------===//

static const double infinity = std::numeric_limits<double>::infinity();

static Element never(Element a) {
  return emit<arith::ConstantOp>(a, a.b->builder.getBoolAttr(false));
}

Element isInf(Element a) { return isFloat(a) ? abs(a) == infinity : never(a); }
Element isFinite(Element a) { return isFloat(a) ? abs(a) < infinity : logicalNot(never(a)); }
Element isPosInf(Element a) { return isFloat(a) ? a == infinity : never(a); }
Element isNegInf(Element a) { return isFloat(a) ? a == -infinity : never(a); }

Element signBit(Element a) {
  if (!isFloat(a))
    return a < 0.0;
  // The sign of -0.0 and of NaN counts too.
  return copySign(constant(*a.b, 1), a) < 0.0;
}
Element copySign(Element a, Element sign) { return emit<math::CopySignOp>(a, a.v, sign.v); }

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// True for a shift that the machine cannot do.
static Element isOut(Element by) {
  double width = by.v.getType().getIntOrFloatBitWidth();
  return logicalOr(by < 0.0, by >= width);
}

Element shiftLeft(Element a, Element by) {
  Element zero = constant(*a.b, 0);
  Element safe = select(isOut(by), zero, by);
  return select(isOut(by), zero, emit<arith::ShLIOp>(a, a.v, safe.v));
}

Element shiftRight(Element a, Element by) {
  Element safe = select(isOut(by), constant(*a.b, a.v.getType().getIntOrFloatBitWidth() - 1), by);
  if (!a.b->compute.isUnsignedInteger())
    return emit<arith::ShRSIOp>(a, a.v, safe.v);
  return select(isOut(by), constant(*a.b, 0), emit<arith::ShRUIOp>(a, a.v, safe.v));
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

Element atLeast(Element a, Element low) {
  return isFloat(a) ? select(logicalOr(a < low, isNan(low)), low, a) : max(a, low);
}
Element atMost(Element a, Element high) {
  return isFloat(a) ? select(logicalOr(a > high, isNan(high)), high, a) : min(a, high);
}
Element clamped(Element a, OptElement low, OptElement high) {
  if (low)
    a = atLeast(a, *low);
  return high ? atMost(a, *high) : a;
}

Element maxNumber(Element a, Element c) {
  return isFloat(a) ? emit<arith::MaxNumFOp>(a, a.v, c.v) : max(a, c);
}
Element minNumber(Element a, Element c) {
  return isFloat(a) ? emit<arith::MinNumFOp>(a, a.v, c.v) : min(a, c);
}

Element nanToNum(Element a, OptRaw nan, OptRaw posinf, OptRaw neginf, Type from) {
  if (!isFloat(a))
    return a;
  auto numberOr = [&](OptRaw given, double otherwise) {
    return given ? Element(*a.b, (*given).v, a.b->builder.getF64Type()) : constant(*a.b, otherwise);
  };
  if (auto tensor = dyn_cast<TensorType>(from))
    from = tensor.getDtype();
  auto &semantics = cast<FloatType>(from).getFloatSemantics();
  double largest = APFloat::getLargest(semantics).convertToDouble();
  Element result = select(isNan(a), numberOr(nan, 0), a);
  result = select(isPosInf(a), numberOr(posinf, largest), result);
  return select(isNegInf(a), numberOr(neginf, -largest), result);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Element exp2(Element a) { return emit<math::Exp2Op>(a, a.v); }
Element asinh(Element a) { return emit<math::AsinhOp>(a, a.v); }
Element acosh(Element a) { return emit<math::AcoshOp>(a, a.v); }
Element atanh(Element a) { return emit<math::AtanhOp>(a, a.v); }
Element erfc(Element a) { return emit<math::ErfcOp>(a, a.v); }

/// In twice the digits, or scaled, so that no square overflows.
static Element finiteHypot(Element a, Element c) {
  if (a.v.getType().isF32()) {
    ScalarBuilder wide{a.b->builder, a.b->loc, a.b->builder.getF64Type()};
    Element x(wide, a.v, a.v.getType()), y(wide, c.v, c.v.getType());
    return Element(*a.b, sqrt(x * x + y * y).v, wide.compute);
  }
  Element large = max(abs(a), abs(c)), small = min(abs(a), abs(c));
  Element ratio = small / large;
  return select(large == 0.0, large, large * sqrt(1.0 + ratio * ratio));
}

/// Of an infinity it is infinite, even beside NaN.
Element hypot(Element a, Element c) {
  Element infinity = select(isInf(a), abs(a), abs(c));
  return select(logicalOr(isInf(a), isInf(c)), infinity, finiteHypot(a, c));
}

Element sinc(Element a) {
  Element angle = a * M_PI;
  return select(a == 0.0, constant(*a.b, 1), sin(angle) / angle);
}

Element logAddExp(Element a, Element c) {
  Element sum = max(a, c) + log1p(exp(-abs(a - c)));
  // Of two equal infinities the difference is NaN.
  return select(logicalAnd(isInf(a), a == c), a, sum);
}

Element xLogY(Element x, Element y) {
  Element product = select(x == 0.0, constant(*x.b, 0), x * log(y));
  return select(isNan(y), y, product);
}

Element logit(Element a, OptRaw eps) {
  if (eps) {
    Element low(*a.b, (*eps).v, a.b->builder.getF64Type());
    a = select(low < 0.0, a, min(max(a, low), 1.0 - low));
  }
  return log(a / (1.0 - a));
}

Element selu(Element a) {
  const double scale = 1.0507009873554804934193349852946;
  const double alpha = 1.6732632423543772848170429916717;
  return select(a > 0.0, a * scale, expm1(a) * (alpha * scale));
}

Element gelu(Element a, bool isTanh) {
  if (!isTanh)
    return a * 0.5 * (1.0 + erf(a * M_SQRT1_2));
  Element inner = (a + a * a * a * 0.044715) * (M_SQRT2 * M_2_SQRTPI * 0.5);
  return a * 0.5 * (1.0 + tanh(inner));
}

} // namespace jit
