//===- Complex.cpp - builders for the rules of Complex.td -----------------===//

#include "Rules/Complex.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Type viewedAsReal(TypeRules &infer, TensorInfo self) {
  auto dtype = dyn_cast_or_null<ComplexType>(self.dtype());
  if (self.dtype() && !dtype)
    return infer.error("expected a tensor of complex elements, got " + typeText(self.tensor));
  Type part = dtype ? dtype.getElementType() : Type();
  if (!self.hasRank())
    return infer.unranked(part);
  SmallVector<int64_t> sizes(self.sizes());
  sizes.push_back(2);
  return infer.tensor(sizes, part);
}

Type viewedAsComplex(TypeRules &infer, TensorInfo self) {
  if (self.dtype() && !isa<FloatType>(self.dtype()))
    return infer.error("expected a tensor of floating point elements, got " +
                       typeText(self.tensor));
  Type dtype = self.dtype() ? Type(ComplexType::get(self.dtype())) : Type();
  if (!self.hasRank())
    return infer.unranked(dtype);
  if (self.rank() == 0 || (self.size(-1) != 2 && self.size(-1) != TensorType::kDynamic))
    return infer.error("expected a tensor whose last dimension has size 2, got " +
                       typeText(self.tensor));
  return infer.tensor(self.sizes().drop_back(), dtype);
}

Type partOf(TypeRules &, TensorInfo self) {
  auto dtype = dyn_cast_or_null<ComplexType>(self.dtype());
  return dtype ? self.tensor.withDtype(dtype.getElementType()) : self.tensor;
}

Type imaginaryPart(TypeRules &infer, TensorInfo self) {
  if (self.dtype() && !isa<ComplexType>(self.dtype()))
    return infer.error("expected a tensor of complex elements, got " + typeText(self.tensor));
  return partOf(infer, self);
}

Type complexOf(TypeRules &infer, ValueRange parts) {
  auto type =
      dyn_cast_or_null<TensorType>(infer.pointwise(parts, {parts[0], parts[1]}, /*toFloat=*/false));
  if (!type || !type.hasDtype())
    return type;
  if (!isa<FloatType>(type.getDtype()))
    return infer.error("expected parts of floating point elements, got " + typeText(type));
  return type.withDtype(ComplexType::get(type.getDtype()));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Decomposition ifReal(Tensor self) {
  Type dtype = self.info().dtype();
  return dtype && !isa<ComplexType>(dtype) ? Decomposition(self)
                                           : self.b->notYet("a real element type of self");
}

Tensor withRealPart(Tensor self, Tensor written) {
  if (Type dtype = self.info().dtype(); dtype && !isa<ComplexType>(dtype))
    return written;
  return self.b->op<aten::ComplexOp>(written, self.b->op<aten::ImagOp>(self));
}

Decomposition ofPolar(Tensor length, Tensor angle) {
  GraphBuilder &build = *length.b;
  // PyTorch's gradient is along the sign of the result: none where the length is zero, and
  // backwards where it is negative.
  Tensor fixed = build.op<aten::DetachOp>(length);
  Tensor backwards = where(length < 0.0, fixed * 2.0 - length, length);
  length = where(length == 0.0, fixed, backwards);
  return build.op<aten::ComplexOp>(length * cos(angle), length * sin(angle));
}

static ViewOf copiedIf(std::optional<bool> copies, const Layout &base, Tensor self) {
  if (!self.info().dtype() || !copies)
    return ViewOf::unknown();
  if (!*copies)
    return ViewOf::shares(base);
  bool isRowMajor = self.info().hasRank() && base.isRowMajor(self.info().sizes()).value_or(false);
  return ViewOf::copies(isRowMajor ? Layout::rowMajor() : Layout::unknown());
}

ViewOf physicalView(const Layout &base, Tensor self) {
  return copiedIf(isComplexTensor(self.v.getType()), base, self);
}

ViewOf resolvedView(const Layout &base, Tensor self) {
  return copiedIf(isConjugated(self.v), base, self);
}

Decomposition adjoint(Tensor self) {
  if (!self.info().hasRank() || !self.info().dtype())
    return self.b->notYet("the rank of self and the element type of self");
  Tensor turned = self.info().rank() == 0 ? self : self.b->op<aten::MTOp>(self);
  return isa<ComplexType>(self.info().dtype()) ? self.b->op<aten::ConjOp>(turned) : turned;
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

namespace aten {

OpFoldResult ViewAsRealOp::fold(FoldAdaptor) {
  auto inverse = getSelf().getDefiningOp<ViewAsComplexOp>();
  return inverse && inverse.getSelf().getType() == getType() ? inverse.getSelf() : Value();
}

OpFoldResult ViewAsComplexOp::fold(FoldAdaptor) {
  auto inverse = getSelf().getDefiningOp<ViewAsRealOp>();
  return inverse && inverse.getSelf().getType() == getType() ? inverse.getSelf() : Value();
}

} // namespace aten
} // namespace jit
