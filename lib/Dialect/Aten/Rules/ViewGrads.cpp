//===- ViewGrads.cpp - builders for the `grads` rules of View.td ----------===//

#include "Rules/Backward.h"
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
static Tensor filledTo(Tensor t, Int size) {
  GraphBuilder &build = *t.b;
  int64_t own = t.info().size(-1);
  if (own == size.known())
    return t;
  if (own != TensorType::kDynamic && size.known())
    return build.op<aten::ConstantPadNdOp>(t, build.ints({0, *size.known() - own}), 0);
  SmallVector<Int> sizes;
  for (int64_t dim = 0; dim + 1 < t.info().rank(); ++dim)
    sizes.push_back(sizeOf(t, dim));
  sizes.push_back(size - sizeOf(t, -1));
  return build.op<aten::CatOp>(build.list({t, zerosOf(t, build.list(sizes))}), -1);
}

/// The gradient as the rows (or, below the main diagonal, the columns) of a matrix, of which only
/// the diagonal is kept.
Gradient diagonalGrad(Tensor self, Int offset, Int dim1, Int dim2, Tensor grad) {
  GraphBuilder &build = *grad.b;
  TensorInfo info = self.info();
  if (!info.hasRank() || !grad.info().hasRank() || !offset.known() || !dim1.known() ||
      !dim2.known())
    return failure();
  int64_t rank = info.rank(), below = *offset.known() < 0;
  int64_t first = *dim1.known() + (*dim1.known() < 0 ? rank : 0);
  int64_t second = *dim2.known() + (*dim2.known() < 0 ? rank : 0);
  Int rows = sizeOf(self, first), columns = sizeOf(self, second);
  Any none = build.none();
  auto counting = [&](Int end) { return build.op<aten::ArangeOp>(end, none, none, none, none); };
  Tensor matrix = unsqueeze(filledTo(grad, below ? columns : rows), below ? -2 : -1);
  Tensor places = counting(columns) - unsqueeze(counting(rows), 1);
  Tensor placed = where(places == Any(offset), matrix, 0.0);
  auto order = movingPermutation(rank, {rank - 2, rank - 1}, {first, second});
  return order ? Gradient(permute(placed, *order)) : Gradient(failure());
}

} // namespace jit
