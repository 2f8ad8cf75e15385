//===- Pool.cpp - builders for the rules of Pool.td -----------------------===//

#include "Rules/Pool.h"

using namespace mlir;

namespace jit {

static constexpr int64_t unknown = TensorType::kDynamic;

/// True, or an error, unless the tensor has the pooled dimensions and channels, with or without a
/// batch.
static bool isRankValid(TypeRules &infer, TensorInfo self, unsigned dimensions) {
  int64_t rank = self.rank();
  if (rank == dimensions + 1 || rank == dimensions + 2)
    return true;
  infer.error("expected a tensor of rank " + Twine(dimensions + 1) + " or " +
              Twine(dimensions + 2) + ", got rank " + Twine(rank));
  return false;
}

Type pooled(TypeRules &infer, TensorInfo self, unsigned dimensions, const PoolOperands &operands,
            BoolInfo isCeil, Type dtype) {
  if (!self.hasRank())
    return infer.unranked(dtype);
  if (!isRankValid(infer, self, dimensions))
    return {};
  auto windows =
      windowsOf(dimensions, operands.size, operands.stride, operands.padding, operands.dilation);
  SmallVector<int64_t> sizes(self.sizes());
  for (unsigned i = 0; i < dimensions; ++i) {
    int64_t &size = sizes[sizes.size() - dimensions + i];
    if (!windows || !isCeil.known || size == unknown) {
      size = unknown;
      continue;
    }
    int64_t input = size;
    size = (*windows)[i].count(input, *isCeil.known);
    if (size <= 0)
      return infer.error("expected an input no smaller than the window of " +
                         Twine((*windows)[i].extent()) + ", got size " + Twine(input));
  }
  return infer.tensor(sizes, dtype);
}

Type resized(TypeRules &infer, TensorInfo self, unsigned dimensions, ListInfo sizes, Type dtype) {
  if (!self.hasRank())
    return infer.unranked(dtype);
  if (!isRankValid(infer, self, dimensions))
    return {};
  auto wanted = sizes.ints();
  SmallVector<int64_t> result(self.sizes().drop_back(dimensions));
  for (unsigned i = 0; i < dimensions; ++i) {
    bool isOne = wanted && wanted->size() == 1;
    bool fits = wanted && (isOne || wanted->size() == dimensions);
    result.push_back(fits ? (*wanted)[isOne ? 0 : i] : unknown);
  }
  return infer.tensor(result, dtype);
}

Type unfolded(TypeRules &infer, TensorInfo windows, ListInfo sizes) {
  auto known = sizes.ints();
  return known ? infer.tensor(*known, windows.dtype()) : infer.unranked(windows.dtype());
}

} // namespace jit
