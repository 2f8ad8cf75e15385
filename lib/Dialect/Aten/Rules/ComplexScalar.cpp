//===- ComplexScalar.cpp - builders for the rules of ComplexScalar.td -----===//

#include "Rules/ComplexScalar.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Creation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

ComplexNumber::ComplexNumber(Float re, Float im)
    : Any(*re.b, ComplexOp::create(re.b->builder, re.b->loc, re.v, im.v)) {}

static Float asFloat(Any number) {
  GraphBuilder &build = *number.b;
  return {build, convertScalar(build.builder, build.loc, number.v, number.v.getType(),
                               build.builder.getF64Type())};
}

static Float part(const ComplexNumber &number, bool isImaginary) {
  GraphBuilder &build = *number.b;
  if (!isa<ComplexType>(number.v.getType()))
    return isImaginary ? build.f(0) : asFloat(number);
  if (auto whole = number.v.getDefiningOp<ComplexOp>())
    return {build, isImaginary ? whole.getIm() : whole.getRe()};
  auto parts = ComplexPartsOp::create(build.builder, build.loc, number.v);
  return {build, isImaginary ? parts.getIm() : parts.getRe()};
}

Float ComplexNumber::re() const { return part(*this, false); }
Float ComplexNumber::im() const { return part(*this, true); }

ComplexNumber fromParts(ComplexNumber x, ComplexNumber y) { return {x.re(), y.re()}; }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename OpTy> static Float arithmetic(Float a, Float c) {
  return {*a.b, a.b->builder.createOrFold<OpTy>(a.b->loc, a.v, c.v)};
}
static Float operator+(Float a, Float c) { return arithmetic<arith::AddFOp>(a, c); }
static Float operator-(Float a, Float c) { return arithmetic<arith::SubFOp>(a, c); }
static Float operator*(Float a, Float c) { return arithmetic<arith::MulFOp>(a, c); }

ComplexNumber operator+(ComplexNumber a, ComplexNumber c) {
  return {a.re() + c.re(), a.im() + c.im()};
}
ComplexNumber operator-(ComplexNumber a, ComplexNumber c) {
  return {a.re() - c.re(), a.im() - c.im()};
}
ComplexNumber operator*(ComplexNumber a, ComplexNumber c) {
  return {a.re() * c.re() - a.im() * c.im(), a.re() * c.im() + a.im() * c.re()};
}
ComplexNumber operator/(ComplexNumber a, ComplexNumber c) {
  return elementOf(asTensor(a) / asTensor(c));
}
ComplexNumber operator-(ComplexNumber a) {
  auto negated = [&](Float x) {
    return Float(*x.b, x.b->builder.createOrFold<arith::NegFOp>(x.b->loc, x.v));
  };
  return {negated(a.re()), negated(a.im())};
}

ComplexNumber power(ComplexNumber base, ComplexNumber exponent) {
  return elementOf(base.b->op<aten::PowTensorTensorOp>(asTensor(base), asTensor(exponent)));
}

Any areEqual(ComplexNumber a, ComplexNumber c) {
  GraphBuilder &build = *a.b;
  return build.op<aten::AndBoolOp>(build.op<aten::EqFloatOp>(a.re(), c.re()),
                                   build.op<aten::EqFloatOp>(a.im(), c.im()));
}
Any differ(ComplexNumber a, ComplexNumber c) { return a.b->op<aten::NotOp>(areEqual(a, c)); }

Decomposition sumOfComplex(AnyList list) {
  GraphBuilder &build = *list.b;
  auto elements = list.elements();
  if (!elements)
    return build.notYet("the elements of the list");
  ComplexNumber sum(build.f(0), build.f(0));
  for (Value element : *elements)
    sum = sum + ComplexNumber(build, element);
  return sum;
}

//===----------------------------------------------------------------------===//
// By way of tensors
//===----------------------------------------------------------------------===//

Tensor asTensor(ComplexNumber number) {
  auto tensor = [](Float part) -> Tensor {
    Any none = part.b->none();
    return part.b->op<aten::ScalarTensorOp>(part, int64_t(ScalarType::Double), none, none, none);
  };
  return number.b->op<aten::ComplexOp>(tensor(number.re()), tensor(number.im()));
}

ComplexNumber elementOf(Tensor tensor) {
  GraphBuilder &build = *tensor.b;
  auto item = [&](Tensor part) { return asFloat(build.op<aten::ItemOp>(part)); };
  if (!isComplexTensor(tensor.v.getType()))
    return {item(tensor), build.f(0)};
  return {item(build.op<aten::RealOp>(tensor)), item(build.op<aten::ImagOp>(tensor))};
}

ComplexNumber logOf(ComplexNumber a) {
  GraphBuilder &build = *a.b;
  if (isa<ComplexType>(a.v.getType()))
    return functionOf<aten::LogOp>(a);
  return {Float(build, Any(build.op<aten::LogFloatOp>(a.re())).v), build.f(0)};
}

Any magnitudeOf(ComplexNumber a) {
  return a.b->op<aten::ItemOp>(a.b->op<aten::AbsOp>(asTensor(a)));
}
Any angleOf(ComplexNumber a) { return a.b->op<aten::ItemOp>(a.b->op<aten::AngleOp>(asTensor(a))); }

ComplexNumber fromPolar(ComplexNumber length, ComplexNumber angle) {
  GraphBuilder &build = *length.b;
  auto times = [&](Any share) { return length.re() * Float(build, share.v); };
  return {times(build.op<aten::CosFloatOp>(angle.re())),
          times(build.op<aten::SinFloatOp>(angle.re()))};
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

Decomposition complexFrom(Any number) {
  GraphBuilder &build = *number.b;
  if (TensorInfo info(number.v); info)
    return info.dtype() ? Decomposition(elementOf(Tensor(build, number.v)))
                        : build.notYet("the element type of the tensor");
  if (isa<NumberType>(number.v.getType()))
    return build.notYet("the kind of the number");
  ComplexNumber known(build, number.v);
  return ComplexNumber(known.re(), known.im());
}

Decomposition complexFrom(Any x, Any y) {
  GraphBuilder &build = *x.b;
  SmallVector<Float> parts;
  for (Any number : {x, y}) {
    if (TensorInfo info(number.v); info) {
      if (!info.dtype() || isa<ComplexType>(info.dtype()))
        return build.notYet("a real element type of the tensor");
      number = build.op<aten::ItemOp>(Tensor(build, number.v));
    }
    parts.push_back(asFloat(number));
  }
  return ComplexNumber(parts[0], parts[1]);
}

} // namespace jit
