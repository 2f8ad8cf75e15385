//===- ComplexRules.cpp - what operators give of complex tensors ----------===//

#include "ComplexParts.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;

namespace jit {

using Call = const ComplexCall &;
using Given = std::optional<Parts>;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Parts scaled(const Parts &a, Any number) {
  return each(a, [&](Tensor t) { return t * number; });
}

static Given sum(Call call) { return call[0] + scaled(call[1], call.value(2)); }
static Given difference(Call call) { return call[0] - scaled(call[1], call.value(2)); }
static Given reversedDifference(Call call) { return call[1] - scaled(call[0], call.value(2)); }

/// alpha * other, for a number: it changes the real part alone.
static Tensor shift(Call call) {
  Any other = call.value(1), alpha = call.value(2);
  return fullLike(call[0].re, other) * alpha;
}
static Given sumWithNumber(Call call) { return call[0] + Parts{shift(call)}; }
static Given differenceWithNumber(Call call) { return call[0] - Parts{shift(call)}; }
static Given reversedDifferenceWithNumber(Call call) {
  return Parts{fullLike(call[0].re, call.value(1))} - scaled(call[0], call.value(2));
}

static Given product(Call call) { return call[0] * call[1]; }
static Given productWithNumber(Call call) { return scaled(call[0], call.value(1)); }
static Given quotient(Call call) { return call[0] / call[1]; }
static Given quotientWithNumber(Call call) {
  return each(call[0], [&](Tensor t) { return t / call.value(1); });
}
static Given reciprocal(Call call) { return Parts{onesLike(call[0].re)} / call[0]; }
static Given weightedProduct(Call call) {
  return call[0] + scaled(call[1] * call[2], call.value(3));
}

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

static Parts exponential(const Parts &a) {
  Tensor length = exp(a.re), angle = imaginary(a);
  return {length * cos(angle), length * sin(angle)};
}

static Parts logarithm(const Parts &a) { return {log(magnitude(a)), phase(a)}; }

/// The root whose real part is not negative.
static Parts root(const Parts &a) {
  Tensor y = imaginary(a), half = sqrt((abs(a.re) + magnitude(a)) * 0.5);
  Tensor isZero = half == 0.0, other = where(isZero, 0.0, y / (where(isZero, 1.0, half) * 2.0));
  Tensor isRight = a.re >= 0.0;
  Tensor signedHalf = a.re.b->op<aten::CopysignTensorOp>(half, y);
  return {where(isRight, half, abs(other)), where(isRight, other, signedHalf)};
}

/// A whole power by products, as long as they are few.
static std::optional<Parts> smallPower(const Parts &a, double exponent) {
  if (exponent != std::floor(exponent) || exponent < 1 || exponent > 8)
    return std::nullopt;
  Parts power = a;
  for (int i = 1; i < int(exponent); ++i)
    power = power * a;
  return power;
}

static Given power(Call call) {
  auto exponent = knownNumber(call.value(1));
  if (!exponent)
    return std::nullopt;
  if (*exponent == 0)
    return Parts{onesLike(call[0].re)};
  if (*exponent == 0.5)
    return root(call[0]);
  if (auto small = smallPower(call[0], *exponent))
    return small;
  if (auto small = smallPower(call[0], -*exponent))
    return Parts{onesLike(call[0].re)} / *small;
  return exponential(each(logarithm(call[0]), [&](Tensor t) { return t * *exponent; }));
}

static Given sine(Call call) {
  Tensor y = imaginary(call[0]);
  return Parts{sin(call[0].re) * cosh(y), cos(call[0].re) * sinh(y)};
}
static Given cosine(Call call) {
  Tensor y = imaginary(call[0]);
  return Parts{cos(call[0].re) * cosh(y), -(sin(call[0].re) * sinh(y))};
}
static Given hyperbolicSine(Call call) {
  Tensor y = imaginary(call[0]);
  return Parts{sinh(call[0].re) * cos(y), cosh(call[0].re) * sin(y)};
}
static Given hyperbolicCosine(Call call) {
  Tensor y = imaginary(call[0]);
  return Parts{cosh(call[0].re) * cos(y), sinh(call[0].re) * sin(y)};
}

/// z / |z|; 0 for 0.
static Given direction(Call call) {
  Tensor length = magnitude(call[0]), isZero = length == 0.0;
  Tensor divisor = where(isZero, 1.0, length);
  return each(call[0], [&](Tensor t) { return t / divisor; });
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static Given equal(Call call) {
  return Parts{call[0].re == call[1].re && imaginary(call[0]) == imaginary(call[1])};
}
static Given unequal(Call call) { return Parts{!equal(call)->re}; }
static Given equalNumber(Call call) {
  return Parts{call[0].re == call.value(1) && imaginary(call[0]) == 0.0};
}
static Given unequalNumber(Call call) { return Parts{!equalNumber(call)->re}; }

static Given eitherIsNan(Call call) {
  return Parts{isNan(call[0].re) || isNan(imaginary(call[0]))};
}
static Given bothAreFinite(Call call) {
  return Parts{isFinite(call[0].re) && isFinite(imaginary(call[0]))};
}
static Given eitherIsInfinite(Call call) {
  auto test = [](Tensor t) -> Tensor { return t.b->op<aten::IsinfOp>(t); };
  return Parts{test(call[0].re) || test(imaginary(call[0]))};
}

//===----------------------------------------------------------------------===//
// Parts and elements
//===----------------------------------------------------------------------===//

static Given realPart(Call call) { return Parts{call[0].re}; }
static Given imaginaryPart(Call call) { return Parts{imaginary(call[0])}; }
static Given fromParts(Call call) { return Parts{call[0].re, call[1].re}; }
static Given conjugate(Call call) { return conj(call[0]); }

/// [..., 2].
static Given inMemory(Call call) {
  Tensor parts[] = {unsqueeze(call[0].re, -1), unsqueeze(imaginary(call[0]), -1)};
  return Parts{call.build.op<aten::CatOp>(call.build.list(parts), -1)};
}

static Type resultDtype(Call call) { return TensorInfo(call.op->getResult(0)).dtype(); }

/// To other parts what a rule gives is converted anyway; to real numbers they lose the imaginary
/// one.
static Given conversion(Call call) {
  bool toBool = resultDtype(call).isInteger(1);
  return toBool ? Parts{call[0].re != 0.0 || imaginary(call[0]) != 0.0} : call[0];
}

/// A sum in the element type of the result.
static Parts inResultDtype(Call call) {
  auto dtype = cast<ComplexType>(resultDtype(call)).getElementType();
  return each(call[0], [&](Tensor t) -> Tensor {
    return call.build.op<aten::ToDTypeOp>(t, int64_t(*typeToDtype(dtype)), false, false,
                                          call.build.none());
  });
}
static Given sumAlong(Call call) {
  if (!isa<ComplexType>(resultDtype(call)))
    return std::nullopt;
  return each(inResultDtype(call), [&](Tensor t) -> Tensor {
    return call.build.op<aten::SumDimIntListOp>(t, call.value(1), call.value(2), call.build.none());
  });
}
static Given runningSum(Call call) {
  if (!isa<ComplexType>(resultDtype(call)))
    return std::nullopt;
  return each(inResultDtype(call), [&](Tensor t) -> Tensor {
    return call.build.op<aten::CumsumOp>(t, call.value(1), call.build.none());
  });
}

static Given ofOneNumber(Call call) {
  auto dtype = cast<ComplexType>(resultDtype(call));
  return Parts{call.build.op<aten::FullOp>(call.value(0), call.value(1),
                                           int64_t(*typeToDtype(dtype.getElementType())),
                                           call.value(3), call.value(4), call.value(5))};
}

static Given sizeOfPart(Call call) {
  Int size = call.build.intOp<aten::SizeIntOp>(call[0].re, call.value(1));
  return Parts{Tensor(call.build, size.v)};
}

static Given padding(Call call) {
  auto pad = [&](Tensor t, Any value) -> Tensor {
    return call.build.op<aten::ConstantPadNdOp>(t, call.value(1), value);
  };
  return Parts{pad(call[0].re, call.value(2)), pad(imaginary(call[0]), call.build.i(0))};
}

static Given filledByMask(Call call) {
  auto fill = [&](Tensor t, Any value) -> Tensor {
    return call.build.op<aten::MaskedFillScalarOp>(t, call[1].re, value);
  };
  return Parts{fill(call[0].re, call.value(2)), fill(imaginary(call[0]), call.build.i(0))};
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

template <typename OpTy> static Given matrixProduct(Call call) {
  return bilinear(call[0], call[1],
                  [](Tensor a, Tensor b) -> Tensor { return a.b->op<OpTy>(a, b); });
}
static Given hermitianProduct(Call call) {
  return bilinear(conj(call[0]), call[1],
                  [](Tensor a, Tensor b) -> Tensor { return a.b->op<aten::DotOp>(a, b); });
}

ComplexRule complexRule(Operation *op) {
  static const llvm::StringMap<ComplexRule> rules = {
      {"add.Tensor", sum},
      {"add.Scalar", sumWithNumber},
      {"sub.Tensor", difference},
      {"sub.Scalar", differenceWithNumber},
      {"subtract.Tensor", difference},
      {"subtract.Scalar", differenceWithNumber},
      {"rsub.Tensor", reversedDifference},
      {"rsub.Scalar", reversedDifferenceWithNumber},
      {"mul.Tensor", product},
      {"mul.Scalar", productWithNumber},
      {"multiply.Tensor", product},
      {"multiply.Scalar", productWithNumber},
      {"div.Tensor", quotient},
      {"div.Scalar", quotientWithNumber},
      {"divide.Tensor", quotient},
      {"divide.Scalar", quotientWithNumber},
      {"true_divide.Tensor", quotient},
      {"true_divide.Scalar", quotientWithNumber},
      {"reciprocal", reciprocal},
      {"addcmul", weightedProduct},
      {"abs", [](Call call) -> Given { return Parts{magnitude(call[0])}; }},
      {"absolute", [](Call call) -> Given { return Parts{magnitude(call[0])}; }},
      {"angle", [](Call call) -> Given { return Parts{phase(call[0])}; }},
      {"exp", [](Call call) -> Given { return exponential(call[0]); }},
      {"log", [](Call call) -> Given { return logarithm(call[0]); }},
      {"sqrt", [](Call call) -> Given { return root(call[0]); }},
      {"pow.Tensor_Scalar", power},
      {"sin", sine},
      {"cos", cosine},
      {"sinh", hyperbolicSine},
      {"cosh", hyperbolicCosine},
      {"sgn", direction},
      {"eq.Tensor", equal},
      {"ne.Tensor", unequal},
      {"eq.Scalar", equalNumber},
      {"ne.Scalar", unequalNumber},
      {"isnan", eitherIsNan},
      {"isinf", eitherIsInfinite},
      {"isfinite", bothAreFinite},
      {"real", realPart},
      {"imag", imaginaryPart},
      {"complex", fromParts},
      {"conj", conjugate},
      {"_conj", conjugate},
      {"conj_physical", conjugate},
      {"_conj_physical", conjugate},
      {"view_as_real", inMemory},
      {"to.dtype", conversion},
      {"sum.dim_IntList", sumAlong},
      {"cumsum", runningSum},
      {"full", ofOneNumber},
      {"size.int", sizeOfPart},
      {"constant_pad_nd", padding},
      {"masked_fill.Scalar", filledByMask},
      {"mm", matrixProduct<aten::MmOp>},
      {"bmm", matrixProduct<aten::BmmOp>},
      {"mv", matrixProduct<aten::MvOp>},
      {"dot", matrixProduct<aten::DotOp>},
      {"matmul", matrixProduct<aten::MatmulOp>},
      {"vdot", hermitianProduct},
      {"_fft_c2c", complexToComplex},
      {"_fft_r2c", realToComplex},
      {"_fft_c2r", complexToReal}};
  return rules.lookup(op->getName().stripDialect());
}

} // namespace jit
