//===- DerivedView.h - builders for the rules of DerivedView.td -*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_DERIVEDVIEW_H
#define JIT_LIB_DIALECT_ATEN_RULES_DERIVEDVIEW_H

#include "Rules/View.h"
#include "jit/Dialect/Aten/View.h"

namespace jit {

/// `self` with `written` in place of `length` elements of `dim` from `start` on, which may count
/// from the back.
Tensor withPart(Tensor self, Tensor written, Int dim, Int start, Int length);

Decomposition narrowed(Tensor self, Int dim, Int start, Int length);
Decomposition chunked(Tensor self, Int chunks, Int dim);
Decomposition splitEvery(Tensor self, Int size, Int dim);
Decomposition splitInto(Tensor self, IntList sizes, Int dim);
/// Into parts of one size, or of two sizes that differ by one.
Decomposition splitEvenly(Tensor self, Int sections, Int dim);
/// Into parts of one size.
Decomposition splitEqually(Tensor self, Int sections, Int dim);
Decomposition splitAt(Tensor self, IntList indices, Int dim);
/// Of a tensor of rank 0 as many parts as it says, of one of rank 1 the parts between its numbers.
Decomposition splitByTensor(Tensor self, Tensor numbers, Int dim);
Decomposition unbound(Tensor self, Int dim);

/// The part at a place of what the operators above split a tensor into; none where it is not known
/// where that begins, or the place may be counted from the back.
Tensor partOfEvery(Tensor self, Int size, Int dim, Int at);
Tensor partOfChunks(Tensor self, Int chunks, Int dim, Int at);
Tensor partOfSizes(Tensor self, IntList sizes, Int dim, Int at);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_DERIVEDVIEW_H
