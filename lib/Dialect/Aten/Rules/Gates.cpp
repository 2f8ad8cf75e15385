//===- Gates.cpp - activations that need more than one element ------------===//

#include "Rules/Pointwise.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

Type gated(TypeRules &infer, TensorInfo self, IntInfo dim) {
  if (!self.hasRank() || !dim.known)
    return infer.unranked(self.dtype());
  if (self.rank() == 0)
    return infer.error("expected a tensor with at least one dimension");
  auto wrapped = infer.wrapDim(*dim.known, self.rank());
  if (!wrapped)
    return {};
  SmallVector<int64_t> sizes(self.sizes());
  int64_t &size = sizes[*wrapped];
  if (size != TensorType::kDynamic && size % 2 != 0)
    return infer.error("expected an even size to halve, got " + Twine(size));
  size = size == TensorType::kDynamic ? size : size / 2;
  return infer.tensor(sizes, self.dtype());
}

Decomposition gated(Tensor self, Int dim) {
  GraphBuilder &build = *self.b;
  TensorInfo info = self.info();
  if (!info.hasRank() || !dim.known() || info.size(*dim.known()) == TensorType::kDynamic)
    return failure();
  int64_t size = info.size(*dim.known());
  Tensor value = build.op<aten::SliceTensorOp>(self, dim, 0, size / 2, 1);
  Tensor gate = build.op<aten::SliceTensorOp>(self, dim, size / 2, size, 1);
  return value * build.op<aten::SigmoidOp>(gate);
}

Decomposition prelu(Tensor self, Tensor weight) {
  GraphBuilder &build = *self.b;
  TensorInfo info = self.info(), slopes = weight.info();
  if (!info.hasRank() || !slopes.hasRank() || !slopes.tensor.hasStaticSizes())
    return failure();
  // Channels are dimension 1, or the only one.
  SmallVector<int64_t> sizes(info.rank(), 1);
  if (slopes.rank() == 1 && info.rank() > 0)
    sizes[info.rank() > 1 ? 1 : 0] = slopes.size(0);
  Tensor slope = build.op<aten::ReshapeOp>(weight, build.ints(sizes));
  // What is above 0 has no part in the slopes' gradients, infinite or not.
  Tensor isAbove = self > 0.0, below = where(isAbove, zerosLike(self), self);
  return where(isAbove, self, below * slope);
}

} // namespace jit
