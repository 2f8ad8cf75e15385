//===- Reordering.cpp - types of views with dimensions in another order ---===//

#include "Rules/View.h"

using namespace mlir;

namespace jit {

static constexpr int64_t kDynamic = TensorType::kDynamic;

static Type permutedBy(TypeRules &b, TensorInfo self, ArrayRef<int64_t> dims) {
  if (int64_t(dims.size()) != self.rank())
    return b.error("expected " + Twine(self.rank()) + " dimensions, got " + Twine(dims.size()));
  SmallVector<int64_t> sizes;
  SmallVector<bool> seen(self.rank(), false);
  for (int64_t dim : dims) {
    auto at = b.wrapDim(dim, self.rank());
    if (!at)
      return {};
    if (std::exchange(seen[*at], true))
      return b.error("expected each dimension once, got " + Twine(dim) + " twice");
    sizes.push_back(self.size(*at));
  }
  return b.tensor(sizes, self.dtype());
}

Type permuted(TypeRules &b, TensorInfo self, ListInfo list) {
  auto dims = list.ints();
  if (!self.hasRank())
    return dims ? allUnknown(b, self, dims->size()) : Type(b.unranked(self.dtype()));
  if (!dims || llvm::is_contained(*dims, kDynamic))
    return allUnknown(b, self, self.rank());
  return permutedBy(b, self, *dims);
}

Type transposed(TypeRules &b, TensorInfo self, int64_t dim0, int64_t dim1) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  auto first = b.wrapDim(dim0, self.rank()), second = b.wrapDim(dim1, self.rank());
  if (!first || !second)
    return {};
  SmallVector<int64_t> sizes(self.sizes());
  if (self.rank() > 0)
    std::swap(sizes[*first], sizes[*second]);
  return b.tensor(sizes, self.dtype());
}

Type transposed(TypeRules &b, TensorInfo self, IntInfo dim0, IntInfo dim1) {
  if (self.hasRank() && (!dim0.known || !dim1.known))
    return allUnknown(b, self, self.rank());
  return transposed(b, self, dim0.valueOr(0), dim1.valueOr(0));
}

Type reversed(TypeRules &b, TensorInfo self) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  return b.tensor(llvm::to_vector(llvm::reverse(self.sizes())), self.dtype());
}

Type matrixReversed(TypeRules &b, TensorInfo self) {
  if (self.hasRank() && self.rank() > 2)
    return b.error("expected a tensor of at most 2 dimensions, got " + Twine(self.rank()));
  return reversed(b, self);
}

Type matrixTransposed(TypeRules &b, TensorInfo self) {
  return self.hasRank() && self.rank() == 0 ? Type(self) : transposed(b, self, -2, -1);
}

std::optional<SmallVector<int64_t>> movingPermutation(int64_t rank, ArrayRef<int64_t> from,
                                                      ArrayRef<int64_t> to) {
  SmallVector<int64_t> result(rank, -1);
  SmallVector<bool> taken(rank, false);
  if (from.size() != to.size())
    return std::nullopt;
  for (auto [source, target] : llvm::zip(from, to)) {
    bool isOfNumber = rank == 0 && source >= -1 && source <= 0 && target >= -1 && target <= 0;
    if (isOfNumber)
      continue;
    int64_t first = source < 0 ? source + rank : source, last = target < 0 ? target + rank : target;
    if (first < 0 || first >= rank || last < 0 || last >= rank || taken[first] || result[last] >= 0)
      return std::nullopt;
    taken[first] = true;
    result[last] = first;
  }
  int64_t next = 0;
  for (int64_t &dim : result) {
    if (dim >= 0)
      continue;
    while (taken[next])
      ++next;
    dim = next++;
  }
  return result;
}

static Type movedBy(TypeRules &b, TensorInfo self, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  if (llvm::is_contained(from, kDynamic) || llvm::is_contained(to, kDynamic))
    return allUnknown(b, self, self.rank());
  auto dims = movingPermutation(self.rank(), from, to);
  if (!dims)
    return b.error("expected source and destination dimensions that are different and in range");
  return permutedBy(b, self, *dims);
}

Type moved(TypeRules &b, TensorInfo self, IntInfo from, IntInfo to) {
  return movedBy(b, self, {from.orDynamic()}, {to.orDynamic()});
}

Type moved(TypeRules &b, TensorInfo self, ListInfo from, ListInfo to) {
  auto first = from.ints(), last = to.ints();
  if (!first || !last)
    return movedBy(b, self, {kDynamic}, {kDynamic});
  return movedBy(b, self, *first, *last);
}

} // namespace jit
