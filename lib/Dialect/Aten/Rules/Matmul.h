//===- Matmul.h - builders for the rules of Matmul.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_MATMUL_H
#define JIT_LIB_DIALECT_ATEN_RULES_MATMUL_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// The type of a @ b.
mlir::Type multiplied(TypeRules &infer, TensorInfo a, TensorInfo b);
/// The same of integers of 8 bits, signed or not, each; sums are int32.
/// The same of halves, with elements of f32.
mlir::Type multipliedWide(TypeRules &infer, TensorInfo a, TensorInfo b);
mlir::Type multipliedBytes(TypeRules &infer, TensorInfo a, TensorInfo b);
mlir::Type linear(TypeRules &infer, TensorInfo input, TensorInfo weight);
/// `product`; an error where a tensor that is added does not broadcast to it.
mlir::Type addedTo(TypeRules &infer, mlir::Value tensor, mlir::Type product);

/// Every element of one vector times every element of another.
mlir::Type outer(TypeRules &infer, TensorInfo a, TensorInfo b);
Decomposition outer(Tensor a, Tensor b);
mlir::Type scaledProduct(TypeRules &infer, TensorInfo self, TensorInfo mat2, IntInfo dtype);
Decomposition scaledProduct(Tensor self, Tensor mat2, Tensor scaleSelf, Tensor scaleMat2,
                            OptTensor bias, OptTensor scaleResult, OptInt dtype);

/// The gradients of self and other in self @ other, of whatever ranks.
Gradient matmulGradSelf(Tensor self, Tensor other, Tensor grad);
Gradient matmulGradOther(Tensor self, Tensor other, Tensor grad);
Gradient linearGradInput(Tensor weight, Tensor grad);
Gradient linearGradWeight(Tensor input, Tensor weight, Tensor grad);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_MATMUL_H
