//===- Sampling.h - builders for the rules of Sampling.td -------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SAMPLING_H
#define JIT_LIB_DIALECT_ATEN_RULES_SAMPLING_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// An image [batch, channels, sizes...] at the places [batch, out..., dimensions] of a grid that
/// reaches from -1 to 1. The interpolation is linear, nearest or cubic, and what is outside counts
/// as zero, as the border or as a reflection.
Decomposition sampledAt(Tensor input, Tensor grid, Int interpolation, Int padding, Bool corners);

/// The places [batch, out..., dimensions] that affine maps [batch, dimensions, dimensions + 1] take
/// those of an image of these sizes to.
Decomposition affineGrid(Tensor theta, IntList size, Bool corners);

/// How rows of a table are put together: summed, averaged, or their largest elements.
struct Bagging {
  Int mode;
  OptTensor weights;
  Bool hasLastOffset;
  std::optional<OptInt> padding;
};
/// Each bag is the rows that `indices` names from its offset on; and the bag of each index, the
/// number of rows in each bag, and (where asked for) which row each largest element is from.
Decomposition bags(Tensor table, Tensor indices, Tensor offsets, const Bagging &how);

/// `self` with other sizes.
mlir::Type ofSizes(TypeRules &infer, TensorInfo self, ListInfo size);
/// The same at these strides, of which there are as many, none of them negative.
mlir::Type strided(TypeRules &infer, TensorInfo self, ListInfo size, ListInfo stride);
struct Strides {
  IntList size, stride;
  OptInt offset;
  bool isOfMemory = false; // the tensor is all of a memory, row by row
};
/// `shown`, if any, says which elements of the result take part in gradients.
Decomposition atStrides(Tensor self, const Strides &strides, mlir::DenseBoolArrayAttr shown);
Decomposition copiedAtStrides(Tensor self, IntList sizes, IntList strides, OptInt offset);
/// `self` after a write to such elements; null where some of them share a place.
Tensor writtenThroughStrides(Tensor self, Tensor written, const Strides &strides);
Decomposition writtenAtStrides(Tensor self, Tensor source, const Strides &strides);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_SAMPLING_H
