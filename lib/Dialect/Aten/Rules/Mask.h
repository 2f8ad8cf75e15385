//===- Mask.h - builders for the rules of Mask.td ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_MASK_H
#define JIT_LIB_DIALECT_ATEN_RULES_MASK_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// [how many, rank]
mlir::Type placesOfNonzero(TypeRules &infer, TensorInfo self);
/// A list of the places in each dimension.
Decomposition placesByDimension(Tensor self);
/// The first `size` places; rows beyond them hold `fill`.
Decomposition firstPlaces(Tensor self, Int size, Int fill);

/// [2, how many]: the places of a matrix that are not on the other side of a diagonal.
Decomposition placesInTriangle(Int rows, Int columns, Int diagonal, Any dtype, bool isLower);

/// The places in each dimension where a mask of known rank holds.
llvm::SmallVector<Tensor> placesIn(Tensor mask);
/// Of each element of a row of bools: how many hold up to it.
Tensor countUpTo(Tensor mask);

/// The elements for which the mask holds, one after the other.
Decomposition chosen(Tensor self, Tensor mask);
/// Where the mask holds, the elements of `source` one after the other; the others as they are.
Decomposition filledInOrder(Tensor self, Tensor mask, Tensor source);

/// Each element once, in order; for each element of `self` its place there; how often each occurs.
Decomposition uniqueElements(Tensor self, Bool wantsInverse, Bool wantsCounts);
/// The same of what is along a dimension, in the order of its first elements that differ.
Decomposition uniqueSlices(Tensor self, Int dim);
/// The same of runs of equal elements, or of equal slices, in the order that they have.
Decomposition uniqueRuns(Tensor self, Bool wantsInverse, Bool wantsCounts, OptInt dim);

/// True for a tensor by which elements are chosen, not places named.
bool isMask(mlir::Value index);

/// Whether it is known to have one element, of any rank.
bool hasOneElement(TensorInfo tensor);

/// A mask that is the only index; before it are as many dimensions as `dim` says, taken whole.
struct OnlyMask {
  mlir::Value mask;
  int64_t dim;
};
/// nullopt where there is another index or what the indices are is not known.
std::optional<OnlyMask> onlyMask(ListInfo indices);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_MASK_H
