//===- Prims.h - builders for the rules of Prims.td -------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_PRIMS_H
#define JIT_LIB_DIALECT_ATEN_RULES_PRIMS_H

#include "jit/Dialect/Aten/Bessel.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Gamma.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Special.h"
#include "jit/Dialect/Aten/View.h"

namespace jit {

/// a / c, of integers without its fraction.
Decomposition quotient(Tensor a, Tensor c);
/// A tensor of `shape`, of which the dimensions named are those of \p a, in their order.
Decomposition broadcastInDim(Tensor a, IntList shape, IntList dims);

/// The largest or least elements along dimensions; along all of them for None.
template <typename OpTy> Decomposition extremeAlong(Tensor t, OptIntList dims, Any dtype) {
  if (!dims.isSettled() || !dtype.isNone())
    return t.b->notYet("whether dims is None, and None as output_dtype");
  Any all = dims ? Any(dims) : Any(t.b->ints({}));
  return t.b->op<OpTy>(t, all, false);
}

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_PRIMS_H
