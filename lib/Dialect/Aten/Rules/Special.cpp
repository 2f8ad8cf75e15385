//===- Special.cpp - builders for the rules of Special.td -----------------===//

#include "Rules/Special.h"
#include "ElementTypes.h"
#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

Element entropy(Element x) {
  Element below = constant(*x.b, -INFINITY);
  Element other = select(x == 0.0, constant(*x.b, 0), select(isNan(x), x, below));
  return select(x > 0.0, -x * log(x), other);
}

Element normalDistribution(Element x) { return erfc(x * -std::numbers::sqrt2 * 0.5) * 0.5; }

Element angle(Element x) {
  Element positive = select(isNan(x), x, constant(*x.b, 0));
  return select(x < 0.0, constant(*x.b, std::numbers::pi), positive);
}

Element xLog1pY(Element x, Element y) {
  Element product = select(x == 0.0, constant(*x.b, 0), x * log1p(y));
  return select(isNan(y), y, product);
}

Element logAddExp2(Element a, Element c) {
  Element larger = max(a, c);
  Element sum = larger + log2(1.0 + exp2(-abs(a - c)));
  // Two equal infinities have no difference.
  return select(logicalAnd(isInf(a), a == c), a, sum);
}

Element nextAfter(Element a, Element c) {
  ScalarBuilder &b = *a.b;
  // The neighbours of a half are halves, whatever they are computed in.
  Type type = b.promoted ? b.promoted : b.compute;
  Type bits = b.builder.getIntegerType(type.getIntOrFloatBitWidth());
  ScalarBuilder whole{b.builder, b.loc, bits};
  auto bitsOf = [&](Element e) {
    Value stored = convertScalar(b.builder, b.loc, e.v, b.compute, type);
    return Element::raw(whole, b.builder.createOrFold<arith::BitcastOp>(b.loc, bits, stored));
  };
  auto floatOf = [&](Element e) {
    Value stored = b.builder.createOrFold<arith::BitcastOp>(b.loc, type, e.v);
    return Element::raw(b, convertScalar(b.builder, b.loc, stored, type, b.compute));
  };
  // Floats of one sign are in the order of their bits; from zero on the way is by its sign.
  Element one = constant(whole, 1), here = bitsOf(a);
  Element isAway = (a < c) == (a > 0.0);
  Element next = floatOf(select(isAway, here + one, here - one));
  Element least = copySign(floatOf(one), c);
  Element moved = select(a == 0.0, least, next);
  return select(a == c, c, select(logicalOr(isNan(a), isNan(c)), a + c, moved));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Tensor xLog1pGradOfSelf(Tensor self, Any other, Tensor grad) {
  auto y = knownNumber(other);
  if (!y) {
    self.b->failed = true;
    return grad;
  }
  Tensor flowing = grad * std::log1p(*y);
  return *y <= -1 ? where(self == 0.0, 0.0, flowing) : flowing;
}

Tensor inDouble(Tensor t) { return converted(t, Float64Type::get(t.b->builder.getContext())); }

/// The power of two that brings a double's exponent near to 0, if it is not that of smaller floats.
static Tensor scaleOf(Tensor size) {
  Tensor ofLarge = where(size > 0x1p500, -600.0, zerosLike(size));
  return where(size < 0x1p-500, 600.0, ofLarge);
}

Decomposition mantissaAndExponent(Tensor self) {
  GraphBuilder &build = *self.b;
  if (!self.info().dtype() || !isa<FloatType>(self.info().dtype()))
    return build.notYet("a float element type of self");
  auto power = [&](Tensor exponent) -> Tensor {
    return build.op<aten::PowScalarOp>(2.0, exponent);
  };
  Tensor x = inDouble(self), size = abs(x);
  Tensor isUsual = isFinite(x) && size > 0.0;
  size = where(isUsual, size, 0.5);
  // Double precision holds every smaller float, and its powers of two on either side of one.
  std::optional<Tensor> scale;
  if (self.info().dtype().isF64()) {
    scale = scaleOf(size);
    x = x * power(*scale), size = size * power(*scale);
  }
  Tensor near = build.op<aten::FloorOp>(build.op<aten::Log2Op>(size));
  // The logarithm of what is next to a power of two may fall on its other side.
  Tensor isAbove = size < power(near), isBelow = size >= power(near + 1.0);
  Tensor exponent = near + 1.0 - isAbove + isBelow;
  Tensor mantissa = where(isUsual, x * power(-exponent), x);
  if (scale)
    exponent = exponent - *scale;
  Type i32 = build.builder.getI32Type();
  return {converted(mantissa, self.info().dtype()), converted(where(isUsual, exponent, 0.0), i32)};
}

/// x * 2^n for doubles and whole n. Of powers that doubles do not hold the smaller step comes
/// first, so that a result without all digits is rounded by the last step alone.
static Tensor scaledInSteps(Tensor x, Tensor n) {
  GraphBuilder &build = *x.b;
  auto power = [&](Tensor exponent) -> Tensor {
    return build.op<aten::PowScalarOp>(2.0, exponent);
  };
  Tensor bounded = build.op<aten::ClampOp>(n, -2200.0, 2200.0);
  Tensor rest = build.op<aten::FmodScalarOp>(bounded, 1000.0), half = (bounded - rest) / 2.0;
  return x * power(rest) * power(half) * power(half);
}

/// The type in which PyTorch takes 2 to powers that are no whole numbers: that of the power, unless
/// its rank is 0. Then it is as if 2 were a tensor of the type of `self`, but for f32, and there is
/// no complex number of bf16 in any rank.
static Type typeOfPower(Type self, TensorInfo other) {
  auto complex = dyn_cast<ComplexType>(self);
  Type kind = other.dtype(), part = complex ? complex.getElementType() : self;
  bool asTensors = other.rank() == 0 && isa<FloatType>(part) && !self.isF32();
  if (asTensors)
    return promotePair(part, kind);
  return complex && kind.isBF16() ? Float32Type::get(self.getContext()) : kind;
}

Decomposition scaledByPower(Tensor self, Tensor other) {
  GraphBuilder &build = *self.b;
  Type dtype = promotedType({self.v, other.v}, /*toFloat=*/true), kind = other.info().dtype();
  if (!dtype || !kind || !other.info().hasRank())
    return build.notYet("the element types of self and other, and the rank of other");
  auto power = [&](Tensor exponent) -> Tensor {
    return build.op<aten::PowScalarOp>(2.0, exponent);
  };
  if (isa<FloatType>(kind))
    return self * power(converted(other, typeOfPower(self.info().dtype(), other.info())));
  if (isa<ComplexType>(kind))
    return self * power(other);
  if (auto complex = dyn_cast<ComplexType>(dtype))
    return self * power(converted(other, complex.getElementType()));
  // Doubles hold what 2^n is where `dtype` does not.
  Tensor x = inDouble(self), n = inDouble(other);
  if (dtype.isF64())
    return scaledInSteps(x, n);
  return converted(x * power(build.op<aten::ClampOp>(n, -400.0, 400.0)), dtype);
}

Decomposition roundedTo(Tensor self, Int decimals) {
  GraphBuilder &build = *self.b;
  if (!decimals.known() || !self.info().dtype())
    return build.notYet("the value of decimals and the element type of self");
  if (!isa<FloatType>(self.info().dtype()))
    return self;
  // No gradient goes back: one through a large power would be NaN.
  self = build.op<aten::DetachOp>(self);
  double ten = std::pow(10.0, double(std::abs(*decimals.known())));
  // Of 16 bits it is a power that they may not hold.
  Type dtype = self.info().dtype();
  bool isNarrow = dtype.getIntOrFloatBitWidth() == 16;
  Tensor x = isNarrow ? converted(self, build.builder.getF32Type()) : self;
  Tensor rounded = *decimals.known() < 0 ? Tensor(build.op<aten::RoundOp>(x / ten)) * ten
                                         : Tensor(build.op<aten::RoundOp>(x * ten)) / ten;
  return isNarrow ? converted(rounded, dtype) : rounded;
}

Decomposition safeSoftmax(Tensor self, Int dim, Any dtype) {
  GraphBuilder &build = *self.b;
  Tensor isOut = build.op<aten::AllDimOp>(self == -INFINITY, dim, true);
  // Something finite instead, through which no NaN comes back as a gradient.
  return where(isOut, 0.0, build.op<aten::SoftmaxIntOp>(where(isOut, 0.0, self), dim, dtype));
}

} // namespace jit
