//===- View.cpp - words for the rules of View.td --------------------------===//

#include "Rules/View.h"

using namespace mlir;

namespace jit {

bool isSizeKnown(Tensor t, int64_t dim) {
  TensorInfo info = t.info();
  return info.hasRank() && dim >= -info.rank() && dim < info.rank() &&
         info.size(dim) != TensorType::kDynamic;
}

Type transposed(TypeRules &b, TensorInfo self, IntInfo dim0, IntInfo dim1) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  SmallVector<int64_t> sizes(self.sizes());
  if (!dim0.known || !dim1.known) {
    sizes.assign(self.rank(), TensorType::kDynamic);
    return b.tensor(sizes, self.dtype());
  }
  auto first = b.wrapDim(*dim0.known, self.rank()), second = b.wrapDim(*dim1.known, self.rank());
  if (!first || !second)
    return {};
  if (self.rank() > 0)
    std::swap(sizes[*first], sizes[*second]);
  return b.tensor(sizes, self.dtype());
}

} // namespace jit
