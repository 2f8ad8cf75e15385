//===- View.h - builders for the rules of View.td ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_VIEW_H
#define JIT_LIB_DIALECT_ATEN_RULES_VIEW_H

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/ScalarRules.h"
#include "jit/Dialect/Aten/SparseProducts.h"

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `rank` sizes of which none is known.
mlir::Type allUnknown(TypeRules &b, TensorInfo self, int64_t rank);
/// The same elements under the sizes of a list, of which one may be -1.
mlir::Type viewed(TypeRules &b, TensorInfo self, ListInfo sizes);
/// The same with the sizes of `other`: `self` broadcast to them, or as many elements.
mlir::Type expandedAs(TypeRules &b, TensorInfo self, TensorInfo other);
mlir::Type viewedAs(TypeRules &b, TensorInfo self, TensorInfo other);
/// The sizes of `other` with the element type of `self`.
mlir::Type sizedAs(TypeRules &b, TensorInfo self, TensorInfo other);
mlir::Type flattened(TypeRules &b, TensorInfo self, IntInfo start, IntInfo end);
mlir::Type raveled(TypeRules &b, TensorInfo self);
mlir::Type unflattened(TypeRules &b, TensorInfo self, IntInfo dim, ListInfo sizes);
mlir::Type squeezed(TypeRules &b, TensorInfo self);
mlir::Type squeezed(TypeRules &b, TensorInfo self, IntInfo dim);
mlir::Type squeezed(TypeRules &b, TensorInfo self, ListInfo dims);
mlir::Type unsqueezed(TypeRules &b, TensorInfo self, IntInfo dim);
mlir::Type permuted(TypeRules &b, TensorInfo self, ListInfo dims);
mlir::Type transposed(TypeRules &b, TensorInfo self, IntInfo dim0, IntInfo dim1);
mlir::Type transposed(TypeRules &b, TensorInfo self, int64_t dim0, int64_t dim1);
mlir::Type reversed(TypeRules &b, TensorInfo self);
/// The same of a matrix, or less.
mlir::Type matrixReversed(TypeRules &b, TensorInfo self);
/// An int, where the tensor has the dimension.
mlir::Type oneSize(TypeRules &b, TensorInfo self, IntInfo dim);
/// The last two dimensions swapped; a tensor of none is itself.
mlir::Type matrixTransposed(TypeRules &b, TensorInfo self);
mlir::Type moved(TypeRules &b, TensorInfo self, IntInfo from, IntInfo to);
mlir::Type moved(TypeRules &b, TensorInfo self, ListInfo from, ListInfo to);
mlir::Type expanded(TypeRules &b, TensorInfo self, ListInfo sizes);
/// To known sizes, kDynamic where they are open; null, with an error, where `self` does not fit.
mlir::Type expandedTo(TypeRules &b, TensorInfo self, mlir::SmallVector<int64_t> sizes);
mlir::Type windows(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo size, IntInfo step);
mlir::Type selected(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo index);
/// That of `self` with a part of type `part` replaced by `src`, which has its sizes.
mlir::Type withPart(TypeRules &b, TensorInfo self, mlir::Type part, TensorInfo src);
mlir::Type sliced(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo start, IntInfo end,
                  IntInfo step);
mlir::Type narrowed(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo start, IntInfo length);
mlir::Type diagonalOf(TypeRules &b, TensorInfo self, IntInfo offset, IntInfo dim1, IntInfo dim2);
/// The same sizes with the element type of a dtype number; None leaves it as it is.
mlir::Type retyped(TypeRules &b, TensorInfo self, IntInfo dtype);

/// The first list of sizes, None where both say the same; both where not enough is known.
mlir::Type sizeIfNotEqual(TypeRules &b, ListInfo self, ListInfo other);
/// `self` summed to a list of sizes.
mlir::Type summedTo(TypeRules &b, TensorInfo self, ListInfo sizes);

/// The permutation that brings dimensions `from` to the places `to`; nullopt where it is not known
/// or they are no such pair.
std::optional<llvm::SmallVector<int64_t>>
movingPermutation(int64_t rank, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// True if the size of dimension `dim` is a constant.
bool isSizeKnown(Tensor t, int64_t dim);
/// The product of all sizes, which must be known.
int64_t elementCount(Tensor t);
/// PyTorch's strides of `t`, in elements, where they are known.
std::optional<llvm::SmallVector<int64_t>> stridesOf(Tensor t);
/// One of them.
Decomposition strideOf(Tensor self, Int dim);
/// Whether two tensors are the same view of the same memory; nullopt where that is not known.
std::optional<bool> showsTheSame(Tensor a, Tensor b);
/// The device that the function's tensors are on, and whether it is of a kind.
Any device(GraphBuilder &b);
Bool isOnDevice(GraphBuilder &b, llvm::StringRef kind);

/// A view of `self` with the sizes of `result`.
Decomposition reshaped(Tensor self, mlir::Value result);
/// `self` in the element type of `result`.
Decomposition converted(Tensor self, mlir::Value result);

Decomposition sizeIfNotEqual(IntList self, IntList other);
Decomposition summedTo(Tensor self, OptIntList sizes);
/// sum_to_size: as above, but one number is summed, too, and with that new.
Decomposition summedToSize(Tensor self, IntList sizes);

Tensor permute(Tensor self, llvm::ArrayRef<int64_t> dims);
/// The inverse of permute(self, dims).
Tensor unpermuted(Tensor written, IntList dims);
Decomposition swapped(Tensor self, Int dim0, Int dim1);
Decomposition reversed(Tensor self);
Decomposition matrixTransposed(Tensor self);
Decomposition moved(Tensor self, Int from, Int to);
Decomposition moved(Tensor self, IntList from, IntList to);

Tensor slice(Tensor self, int64_t dim, int64_t start, int64_t end, int64_t step = 1);

/// What `scatter` gives for a view that PyTorch does not let programs write through.
Tensor notWritable(Tensor self);

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

Gradient unfoldGrad(Tensor self, Int dim, Int size, Int step, Tensor grad);
Gradient diagonalGrad(Tensor self, Int offset, Int dim1, Int dim2, Tensor grad);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_VIEW_H
