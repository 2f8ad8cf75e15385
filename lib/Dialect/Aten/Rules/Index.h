//===- Index.h - builders for the rules of Index.td -------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_INDEX_H
#define JIT_LIB_DIALECT_ATEN_RULES_INDEX_H

#include "Rules/Counts.h"
#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

mlir::Type joined(TypeRules &b, ListInfo tensors, IntInfo dim);
mlir::Type stacked(TypeRules &b, ListInfo tensors, IntInfo dim);
/// hstack (rank 1: joined along the last dimension of vectors, else the second) and vstack (rank
/// 2).
mlir::Type joinedAtLeast(TypeRules &b, ListInfo tensors, int64_t rank);
mlir::Type indexed(TypeRules &b, TensorInfo self, ListInfo indices);
/// tril and triu take matrices.
mlir::Type triangular(TypeRules &b, TensorInfo self);
/// The type of `self` with `values` where `indices` pick, which have to fit there. One element that
/// replaces what a single mask picks fits whatever its rank is, as PyTorch fills by such a mask.
mlir::Type overwrittenAt(TypeRules &b, TensorInfo self, ListInfo indices, TensorInfo values,
                         BoolInfo accumulate);
mlir::Type indexSelected(TypeRules &b, TensorInfo self, IntInfo dim, TensorInfo index);
mlir::Type indexSelected(TypeRules &b, TensorInfo self, int64_t dim, TensorInfo index);
/// The sizes of one and the element type of the other.
mlir::Type sizedLike(TypeRules &b, TensorInfo sizes, TensorInfo dtype);
mlir::Type takenAlong(TypeRules &b, TensorInfo self, TensorInfo indices, IntInfo dim);
mlir::Type oneHot(TypeRules &b, TensorInfo self, IntInfo classes);
mlir::Type repeatedSizes(TypeRules &b, TensorInfo self, ListInfo repeats, bool isTile);
mlir::Type interleaved(TypeRules &b, TensorInfo self, IntInfo repeats, IntInfo dim);
mlir::Type padded(TypeRules &b, TensorInfo self, ListInfo pad);
mlir::Type topmost(TypeRules &b, TensorInfo self, IntInfo count, IntInfo dim);
/// The tensor type with another element type; null for null.
mlir::Type retypedAs(mlir::Type type, mlir::Type dtype);

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// A list of Optional tensors.
AnyList optionals(GraphBuilder &b, llvm::ArrayRef<Any> elements);
Decomposition stacked(TensorList tensors, Int dim);
Decomposition joinedAtLeast(TensorList tensors, int64_t rank);
/// What index.Tensor or index_put gives, which from here on take an index below 0 for an error.
Tensor fromFront(Tensor made);
/// self[:, ..., index] along a dimension from 0 on, where an index below 0 is an error.
Tensor pickedFromFront(Tensor self, int64_t dim, Tensor index);
Decomposition indexSelected(Tensor self, Int dim, Tensor index);
Decomposition takenAlong(Tensor self, Tensor indices, OptInt dim, mlir::Value result);
Decomposition oneHot(Tensor self, Int classes);
/// Both results of an operator.
Decomposition bothResults(GraphBuilder &b, mlir::Operation *op);
Decomposition rolled(Tensor self, IntList shifts, IntList dims);
Decomposition repeated(Tensor self, IntList repeats);
Decomposition interleaved(Tensor self, Int repeats, OptInt dim);
Decomposition padded(Tensor self, IntList pad, Str mode, OptFloat value);
/// Padding made of the tensor's own elements: `reflect`, `replicate` or `circular`.
Decomposition borderPadded(Tensor self, IntList pad, llvm::StringRef mode);

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The part of a joined tensor that each element of the list became.
Gradient cutApart(Tensor joined, TensorList tensors, Int dim);
Gradient embeddingGrad(Tensor weight, Tensor indices, Int paddingIndex, Bool scaleByFrequency,
                       Tensor grad);
/// The same for a weight of which only the number of rows is known.
Decomposition embeddingDenseBackward(Tensor grad, Tensor indices, Int rows, Int paddingIndex,
                                     Bool scaleByFrequency);
/// Of the tensor that values are put into: nothing flows to what they replace.
Gradient indexPutGrad(AnyList indices, Tensor values, Bool accumulate, Tensor grad);
/// Zeros like `self` with the gradient at the indices along a dimension, each of which occurs once.
Tensor scattered(Tensor self, Int dim, Tensor indices, Tensor grad);
/// With zeros behind it in each dimension, up to the sizes of `like`.
Gradient filledUp(Tensor grad, Tensor like);
/// Of each number of the list its negative.
IntList negated(IntList list);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_INDEX_H
