//===- Rearrange.h - builders for the rules of Rearrange.td -----*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_REARRANGE_H
#define JIT_LIB_DIALECT_ATEN_RULES_REARRANGE_H

#include "Rules/DerivedView.h"
#include "Rules/Index.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

namespace jit {

// ---- Joining ----
mlir::Type broadcastList(TypeRules &infer, ListInfo tensors);
Decomposition broadcastTogether(TensorList tensors);
/// With dimensions of size 1 added, up to `rank`.
Decomposition atLeast(Tensor self, int64_t rank);
Decomposition allAtLeast(TensorList tensors, int64_t rank);
Decomposition columnStack(TensorList tensors);
Decomposition depthStack(TensorList tensors);
Decomposition blockDiagonal(TensorList tensors);
Decomposition cartesianProduct(TensorList tensors);

/// Each tensor padded with zeros and cut into equal chunks along a dimension; the chunks of all in
/// a row.
Decomposition chunksJoined(TensorList tensors, Int dim, Int chunks);

/// Sequences of several lengths, padded with a value to the longest.
Decomposition paddedSequences(TensorList sequences, Bool batchFirst, Float value, Str side);

/// The dimension that numpy calls horizontal.
Int columnDim(Tensor self);

// ---- Turning ----
Decomposition turned(Tensor self, Int quarters, IntList dims);
/// Rolled by half of each dimension, so that the first element comes to the middle, or back.
Decomposition halfShifted(Tensor self, OptIntList dims, bool isForward);

// ---- Diagonals ----
/// The trace of a matrix, of which this is the diagonal. PyTorch sums up floats in double.
Decomposition traceOf(Tensor diagonal);
Decomposition diagonalEmbedded(Tensor self, Int offset, Int dim1, Int dim2);
/// `value` where all places of an element are equal; of a tall matrix, `wrap` begins the diagonal
/// again after its end.
Decomposition diagonalFilled(Tensor self, Scalar value, Bool wrap);
Decomposition diagonalWritten(Tensor self, Tensor source, Int offset, Int dim1, Int dim2);

/// Each tensor of a list of views, copied in rows.
Decomposition eachCopied(GraphBuilder &build, Decomposition views);

// ---- Channels ----
/// [..., C * r * r, H, W] as [..., C, H * r, W * r], and back.
Decomposition pixelsFromChannels(Tensor self, Int factor);
Decomposition channelsFromPixels(Tensor self, Int factor);
Decomposition channelsShuffled(Tensor self, Int groups);

// ---- Writing ----
/// self with `source` written to, or added to, the places of `index` along a dimension.
Decomposition writtenAlong(Tensor self, Int dim, Tensor index, Tensor source, bool adds);
Decomposition filledAlong(Tensor self, Int dim, Tensor index, Any value);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_REARRANGE_H
