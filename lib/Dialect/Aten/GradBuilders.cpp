//===- GradBuilders.cpp - the builders of `grads` rules -------------------===//

#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/ReductionDims.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Tensor operator-(Tensor a) { return a.b->op<aten::NegOp>(a); }
Tensor operator-(Tensor a, double c) { return a.b->op<aten::SubScalarOp>(a, c, 1); }
Tensor operator-(double a, Tensor c) { return c.b->op<aten::RsubScalarOp>(c, a, 1); }
Tensor operator+(double a, Tensor c) { return c + a; }
Tensor operator*(double a, Tensor c) { return c * a; }
Tensor operator/(Tensor a, double c) { return a.b->op<aten::DivScalarOp>(a, c); }
Tensor operator/(double a, Tensor c) {
  Tensor inverse = c.b->op<aten::ReciprocalOp>(c);
  return a == 1.0 ? inverse : inverse * a;
}

/// Whole numbers become floats by a product with 1.0.
static bool isNeutralFactor(Tensor a, Any number) {
  return knownNumber(number) == 1.0 && isa_and_nonnull<FloatType>(a.info().dtype());
}

Tensor operator*(Tensor a, Any number) {
  return isNeutralFactor(a, number) ? a : a.b->op<aten::MulScalarOp>(a, number);
}
Tensor operator/(Tensor a, Any number) {
  return isNeutralFactor(a, number) ? a : a.b->op<aten::DivScalarOp>(a, number);
}
Tensor operator+(Tensor a, Any number) { return a.b->op<aten::AddScalarOp>(a, number, 1); }
Tensor operator-(Tensor a, Any number) { return a.b->op<aten::SubScalarOp>(a, number, 1); }

#define JIT_COMPARISON(op_, Name)                                                                  \
  Tensor operator op_(Tensor a, Tensor c) { return a.b->op<aten::Name##TensorOp>(a, c); }          \
  Tensor operator op_(Tensor a, Any number) { return a.b->op<aten::Name##ScalarOp>(a, number); }   \
  Tensor operator op_(Tensor a, double c) { return a.b->op<aten::Name##ScalarOp>(a, c); }
JIT_COMPARISON(<, Lt)
JIT_COMPARISON(<=, Le)
JIT_COMPARISON(>, Gt)
JIT_COMPARISON(>=, Ge)
JIT_COMPARISON(==, Eq)
#undef JIT_COMPARISON
Tensor operator!=(Tensor a, double c) { return a.b->op<aten::NeScalarOp>(a, c); }
Tensor operator&&(Tensor a, Tensor c) { return a.b->op<aten::LogicalAndOp>(a, c); }
Tensor operator||(Tensor a, Tensor c) { return a.b->op<aten::LogicalOrOp>(a, c); }
Tensor operator!(Tensor a) { return a.b->op<aten::LogicalNotOp>(a); }

Tensor where(Tensor condition, Tensor a, Tensor c) {
  return a.b->op<aten::WhereSelfOp>(condition, a, c);
}
Tensor where(Tensor condition, Tensor a, double c) {
  return a.b->op<aten::WhereScalarOtherOp>(condition, a, c);
}
Tensor where(Tensor condition, double a, Tensor c) {
  return c.b->op<aten::WhereScalarSelfOp>(condition, a, c);
}

Tensor exp(Tensor a) { return a.b->op<aten::ExpOp>(a); }
Tensor log(Tensor a) { return a.b->op<aten::LogOp>(a); }
Tensor sin(Tensor a) { return a.b->op<aten::SinOp>(a); }
Tensor cos(Tensor a) { return a.b->op<aten::CosOp>(a); }
Tensor sinh(Tensor a) { return a.b->op<aten::SinhOp>(a); }
Tensor cosh(Tensor a) { return a.b->op<aten::CoshOp>(a); }
Tensor tanh(Tensor a) { return a.b->op<aten::TanhOp>(a); }
Tensor sigmoid(Tensor a) { return a.b->op<aten::SigmoidOp>(a); }
Tensor sqrt(Tensor a) { return a.b->op<aten::SqrtOp>(a); }
Tensor rsqrt(Tensor a) { return a.b->op<aten::RsqrtOp>(a); }
Tensor abs(Tensor a) { return a.b->op<aten::AbsOp>(a); }
Tensor sign(Tensor a) { return a.b->op<aten::SignOp>(a); }
Tensor square(Tensor a) { return a.b->op<aten::SquareOp>(a); }
Tensor pow(Tensor a, Tensor exponent) { return a.b->op<aten::PowTensorTensorOp>(a, exponent); }
Tensor pow(Tensor a, double exponent) { return a.b->op<aten::PowTensorScalarOp>(a, exponent); }
Tensor isNan(Tensor a) { return a.b->op<aten::IsnanOp>(a); }
Tensor isFinite(Tensor a) { return a.b->op<aten::IsfiniteOp>(a); }

//===----------------------------------------------------------------------===//
// Creation, sizes, sums
//===----------------------------------------------------------------------===//

Tensor zerosLike(Tensor a) {
  Any none = a.b->none();
  return a.b->op<aten::ZerosLikeOp>(a, none, none, none, none, none);
}
Tensor onesLike(Tensor a) {
  Any none = a.b->none();
  return a.b->op<aten::OnesLikeOp>(a, none, none, none, none, none);
}
Tensor fullLike(Tensor a, Any number) {
  Any none = a.b->none();
  return a.b->op<aten::FullLikeOp>(a, number, none, none, none, none, none);
}

Tensor typeAs(Tensor a, Tensor like) {
  bool isSame = a.info().dtype() && a.info().dtype() == like.info().dtype();
  return isSame ? a : a.b->op<aten::TypeAsOp>(a, like);
}
Tensor viewAs(Tensor a, Tensor like) { return a.b->op<aten::ViewAsOp>(a, like); }
Tensor expandAs(Tensor a, Tensor like) { return a.b->op<aten::ExpandAsOp>(a, like); }
Tensor sum(Tensor a, ArrayRef<int64_t> dims, bool keepdim) {
  return a.b->op<aten::SumDimIntListOp>(a, a.b->ints(dims), keepdim, a.b->none());
}
Tensor sum(Tensor a) { return a.b->op<aten::SumOp>(a, a.b->none()); }

static Any listOf(Any dims) {
  return dims.v.getType().isInteger(64) ? Any(dims.b->list(ArrayRef<Int>{Int(*dims.b, dims.v)}))
                                        : dims;
}
Tensor sumAlong(Tensor a, Any dims) {
  return a.b->op<aten::SumDimIntListOp>(a, listOf(dims), true, a.b->none());
}
Tensor sumFromEnd(Tensor a, Any dim) {
  if (a.info().hasRank() && a.info().rank() == 0)
    return a;
  Any dims = listOf(dim);
  Tensor sums = a.b->op<aten::CumsumOp>(a.b->op<aten::FlipOp>(a, dims), dim, a.b->none());
  return a.b->op<aten::FlipOp>(sums, dims);
}
Tensor unsqueeze(Tensor a, int64_t dim) { return a.b->op<aten::UnsqueezeOp>(a, dim); }
Tensor squeeze(Tensor a, int64_t dim) { return a.b->op<aten::SqueezeDimOp>(a, dim); }
Tensor transpose(Tensor a, int64_t dim0, int64_t dim1) {
  return a.b->op<aten::TransposeIntOp>(a, dim0, dim1);
}
Tensor matmul(Tensor a, Tensor c) { return a.b->op<aten::MatmulOp>(a, c); }

Tensor keepDims(Tensor reduced, Tensor self, Any dims, Bool keepdim) {
  if (keepdim.known() == true || !self.info().hasRank())
    return reduced;
  auto places = reducedDims(dims.v, self.info().rank());
  if (!places) {
    reduced.b->failed = true;
    return reduced;
  }
  for (int64_t dim : *places)
    reduced = unsqueeze(reduced, dim);
  return reduced;
}

} // namespace jit
