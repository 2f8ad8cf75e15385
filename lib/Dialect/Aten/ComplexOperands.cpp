//===- ComplexOperands.cpp - which operators take complex tensors ---------===//

#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Aten/TypeRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace jit {

bool isComplexTensor(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa_and_nonnull<ComplexType>(tensor.getDtype());
}

bool isConjugation(Operation *op) {
  return isa_and_present<aten::ConjOp, aten::LazyConjOp>(op) &&
         isComplexTensor(op->getOperand(0).getType());
}

std::optional<bool> isConjugated(Value value) {
  bool isOdd = false;
  while (true) {
    Operation *op = value.getDefiningOp();
    bool ofComplex = op && op->getNumOperands() && isComplexTensor(op->getOperand(0).getType());
    if (ofComplex && isa<aten::RealOp, aten::ViewAsRealOp>(op))
      return isOdd;
    isOdd ^= isConjugation(op);
    Value viewed = viewedValue(value);
    bool isGiven = !op && isa<func::FuncOp>(value.getParentBlock()->getParentOp());
    if (!viewed)
      return isGiven || makesMemory(op) ? std::optional(isOdd) : std::nullopt;
    value = viewed;
  }
}

static bool isComplex(Type type) { return isComplexTensor(type) || isa<ComplexType>(type); }

bool takesComplex(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    auto elements = ListInfo(operand).elements;
    return isComplex(operand.getType()) || (elements && llvm::any_of(*elements, [](Value element) {
                                              return isComplex(element.getType());
                                            }));
  });
}

/// Operators, without the name of the dialect, whose body is made of operators that take complex
/// tensors, and means the same for them.
static const llvm::StringSet<> &bodiesForAll() {
  static const llvm::StringSet<> names = {
      // Copies and conversions.
      "alias", "lift_fresh", "lift_fresh_copy", "clone", "contiguous", "data", "cpu", "to.device",
      "to.dtype_layout", "to.other", "to.prim_Device", "to.prim_dtype", "to.prim_other", "_to_copy",
      "type_as", "resolve_conj", "resolve_neg", "positive", "as_tensor", "copy", "fill.Tensor",
      // Of one number.
      "zeros", "ones", "empty.memory_format", "zeros_like", "ones_like", "empty_like", "full_like",
      "new_zeros", "new_ones", "new_empty", "new_full", "zero", "fill.Scalar", "scalar_tensor",
      "tensor.float", "tensor.int", "tensor.bool", "tensor.complex", "as_tensor.complex",
      "NumToTensor.Scalar",
      // Elements in other places.
      "alias_copy", "as_strided_copy", "diagonal_copy", "expand_copy", "narrow_copy",
      "permute_copy", "select_copy.int", "slice_copy.Tensor", "squeeze_copy", "squeeze_copy.dim",
      "squeeze_copy.dims", "t_copy", "transpose_copy.int", "unfold_copy", "unsqueeze_copy",
      "view_copy", "_unsafe_view", "atleast_1d", "atleast_2d", "atleast_3d", "hstack", "vstack",
      "dstack", "column_stack", "row_stack", "concat", "concatenate", "stack", "tile", "fliplr",
      "flipud", "rot90", "fft_fftshift", "fft_ifftshift", "diag_embed", "diag", "diagflat", "trace",
      "mH", "matrix_H", "adjoint", "take", "index_copy", "index_add", "pad", "block_diag",
      "cartesian_prod", "combinations", "masked_select", "masked_scatter", "take_along_dim",
      "_chunk_cat", "repeat_interleave.self_int", "repeat_interleave.self_Tensor", "fill_diagonal",
      "pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "empty_strided", "new_empty_strided",
      "empty_permuted",
      // Sums and products.
      "isreal", "sum", "mean", "mean.dim", "square", "outer", "ger", "inner", "tensordot", "einsum",
      "kron", "linalg_vector_norm", "norm.Scalar", "norm.ScalarOpt_dim", "frobenius_norm.dim",
      "dist", "addr", "addbmm", "linalg_multi_dot", "chain_matmul", "matrix_power",
      "linalg_matrix_power", "cross", "linalg_cross", "diff", "vander", "linalg_vander",
      "ldexp.Tensor", "trapezoid.x", "trapezoid.dx", "trapz.x", "trapz.dx",
      "cumulative_trapezoid.x", "cumulative_trapezoid.dx", "_grad_sum_to_size", "sum_to_size",
      // Spectra.
      "fft_fft", "fft_fft2", "fft_fftn", "fft_ifft", "fft_ifft2", "fft_ifftn", "fft_irfft",
      "fft_irfft2", "fft_irfftn", "fft_hfft", "fft_hfft2", "fft_hfftn", "stft", "stft.center",
      "istft", "linalg_eig", "linalg_eigvals", "_linalg_eigvals"};
  return names;
}

static StringRef nameOf(Operation *op) { return op->getName().stripDialect(); }

bool decomposesForComplex(Operation *op) {
  return isa<ViewOpInterface>(op) || op->hasTrait<PicksElement>() ||
         bodiesForAll().contains(nameOf(op));
}

std::optional<ArrayRef<unsigned>> operandsByParts(Operation *op) {
  static const llvm::StringMap<SmallVector<unsigned>> places = {{"cat", {0}},
                                                                {"flip", {0}},
                                                                {"roll", {0}},
                                                                {"repeat", {0}},
                                                                {"index_select", {0}},
                                                                {"gather", {0}},
                                                                {"tril", {0}},
                                                                {"triu", {0}},
                                                                {"index.Tensor", {0}},
                                                                {"index_put", {0, 2}},
                                                                {"slice_scatter", {0, 1}},
                                                                {"select_scatter", {0, 1}},
                                                                {"diagonal_scatter", {0, 1}},
                                                                {"as_strided_scatter", {0, 1}},
                                                                {"scatter.src", {0, 3}},
                                                                {"scatter_add", {0, 3}},
                                                                {"where.self", {1, 2}},
                                                                {"index_fill.int_Tensor", {0, 3}},
                                                                {"neg", {0}},
                                                                {"negative", {0}},
                                                                {"detach_copy", {0}},
                                                                {"_with_elements", {0, 1}},
                                                                {"unfold_backward", {0}},
                                                                {"im2col", {0}},
                                                                {"col2im", {0}},
                                                                {"masked_fill.Tensor", {0, 2}}};
  static const SmallVector<unsigned> first = {0};
  if (auto found = places.find(nameOf(op)); found != places.end())
    return ArrayRef<unsigned>(found->second);
  // Conversions are views to those who write in place.
  bool isConversion =
      nameOf(op).starts_with("to.") || nameOf(op) == "type_as" || nameOf(op) == "as_tensor";
  if (isa<ViewOpInterface>(op) && !isConversion)
    return ArrayRef<unsigned>(first);
  return std::nullopt;
}

} // namespace jit
