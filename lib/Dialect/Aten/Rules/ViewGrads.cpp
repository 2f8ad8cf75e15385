//===- ViewGrads.cpp - builders for the `grads` rules of View.td ----------===//

#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Pool.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

Gradient unfoldGrad(Tensor self, Int dim, Int size, Int step, Tensor grad) {
  if (!self.info().hasRank())
    return failure();
  if (self.info().rank() == 0)
    return size.known() == 0 ? zerosLike(self) : viewAs(grad, self);
  return grad.b->op<aten::UnfoldBackwardOp>(grad, sizesOf(self), dim, size, step);
}

/// `t` with zeros behind it in its last dimension, up to `size`.
static Tensor filledTo(Tensor t, int64_t size) {
  int64_t missing = size - t.info().size(-1);
  return missing == 0 ? t : t.b->op<aten::ConstantPadNdOp>(t, t.b->ints({0, missing}), 0);
}

/// The gradient as the rows (or, below the main diagonal, the columns) of a matrix, of which only
/// the diagonal is kept.
Gradient diagonalGrad(Tensor self, Int offset, Int dim1, Int dim2, Tensor grad) {
  GraphBuilder &build = *grad.b;
  TensorInfo info = self.info();
  if (!info.hasRank() || !info.tensor.hasStaticSizes() || !grad.info().hasRank() ||
      !grad.info().tensor.hasStaticSizes() || !offset.known() || !dim1.known() || !dim2.known())
    return failure();
  int64_t rank = info.rank(), below = *offset.known() < 0;
  int64_t first = *dim1.known() + (*dim1.known() < 0 ? rank : 0);
  int64_t second = *dim2.known() + (*dim2.known() < 0 ? rank : 0);
  int64_t rows = info.size(first), columns = info.size(second);
  Any none = build.none();
  auto counting = [&](int64_t end) {
    return build.op<aten::ArangeOp>(end, none, none, none, none);
  };
  Tensor matrix = unsqueeze(filledTo(grad, below ? columns : rows), below ? -2 : -1);
  Tensor places = counting(columns) - unsqueeze(counting(rows), 1);
  Tensor placed = where(places == Any(offset), matrix, 0.0);
  auto order = movingPermutation(rank, {rank - 2, rank - 1}, {first, second});
  return order ? Gradient(permute(placed, *order)) : Gradient(failure());
}

} // namespace jit
