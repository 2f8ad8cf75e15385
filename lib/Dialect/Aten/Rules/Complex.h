//===- Complex.h - builders for the rules of Complex.td ---------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_COMPLEX_H
#define JIT_LIB_DIALECT_ATEN_RULES_COMPLEX_H

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Layout.h"

namespace jit {

// ---- Types ----
mlir::Type viewedAsReal(TypeRules &infer, TensorInfo self);
mlir::Type viewedAsComplex(TypeRules &infer, TensorInfo self);
/// The type of either part; a real tensor's own.
mlir::Type partOf(TypeRules &infer, TensorInfo self);
/// The same, an error for a real tensor.
mlir::Type imaginaryPart(TypeRules &infer, TensorInfo self);
/// Of two parts, which broadcast.
mlir::Type complexOf(TypeRules &infer, mlir::ValueRange parts);

// ---- Graphs ----
/// The tensor where its elements are real; not yet where they are complex.
Decomposition ifReal(Tensor self);
/// `self` with other real parts; the parts themselves where `self` is real.
Tensor withRealPart(Tensor self, Tensor written);
/// Complex numbers of a length and an angle.
Decomposition ofPolar(Tensor length, Tensor angle);
/// conj_physical copies complex numbers; a real tensor is itself.
ViewOf physicalView(const Layout &base, Tensor self);
/// resolve_conj and resolve_neg copy what PyTorch keeps as a view that is yet to be conjugated, or
/// whose sign is yet to be changed; all else is the tensor itself.
ViewOf resolvedView(const Layout &base, Tensor self);
/// The matrices transposed and conjugated: a view.
Decomposition adjoint(Tensor self);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_COMPLEX_H
