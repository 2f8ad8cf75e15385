//===- Pool.h - builders for the rules of Pool.td ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_POOL_H
#define JIT_LIB_DIALECT_ATEN_RULES_POOL_H

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Windows.h"

namespace jit {

/// The operands of pooling; `dilation` may be null.
struct PoolOperands {
  mlir::Value size, stride, padding, dilation;
};

/// One element for each window over the last `dimensions`.
mlir::Type pooled(TypeRules &infer, TensorInfo self, unsigned dimensions,
                  const PoolOperands &operands, BoolInfo isCeil, mlir::Type dtype);
/// The last `dimensions` with the given sizes, None for a size as it is.
mlir::Type resized(TypeRules &infer, TensorInfo self, unsigned dimensions, ListInfo sizes,
                   mlir::Type dtype);
/// Of the sizes of the list and the element type of its windows.
mlir::Type unfolded(TypeRules &infer, TensorInfo windows, ListInfo sizes);

/// The largest element of each of `output` windows, which begin where a sample of [0, 1) for each
/// image and dimension says.
Decomposition fractionalMaxPool(Tensor self, IntList size, IntList output, Tensor samples);

// ---- Gradients ----
Tensor maxPool1dGrad(Tensor grad, Tensor self, IntList size, IntList stride, IntList padding,
                     IntList dilation, Bool isCeil, Tensor indices);
Tensor avgPool1dGrad(Tensor grad, Tensor self, IntList size, IntList stride, IntList padding,
                     Bool isCeil, Bool countsPadding);
/// Sizes have to be known.
Gradient adaptiveAvgPoolGrad(Tensor grad, Tensor self, int64_t dimensions);
Tensor adaptiveMaxPoolGrad(Tensor self, Tensor indices, int64_t dimensions, Tensor grad);
/// The elements at indices into all of the last `dimensions`.
Tensor pickedByIndices(Tensor t, Tensor indices, int64_t dimensions);
Tensor unfolded(Tensor t, Int dim, Int size, Int step);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_POOL_H
