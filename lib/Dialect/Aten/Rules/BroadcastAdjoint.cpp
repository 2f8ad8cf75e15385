//===- BroadcastAdjoint.cpp - builders for the rules of _grad_sum_to_size -===//

#include "Rules/View.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

/// Whether two lists of sizes are the same; nullopt where that is not known.
static std::optional<bool> areEqual(ListInfo self, ListInfo other) {
  if (!self.elements || !other.elements)
    return std::nullopt;
  if (self.elements->size() != other.elements->size())
    return false;
  bool isSure = true;
  for (auto [a, b] : llvm::zip(*self.elements, *other.elements)) {
    if (a == b)
      continue;
    auto x = IntInfo(a).known, y = IntInfo(b).known;
    if (x && y && *x != *y)
      return false;
    isSure &= x && y;
  }
  return isSure ? std::optional(true) : std::nullopt;
}

Type sizeIfNotEqual(TypeRules &b, ListInfo self, ListInfo other) {
  Type list = b.list(b.i64());
  auto equal = areEqual(self, other);
  if (!equal)
    return OptionalType::get(list);
  return *equal ? Type(NoneType::get(b.context)) : list;
}

Decomposition sizeIfNotEqual(IntList self, IntList other) {
  auto equal = areEqual(ListInfo(self.v), ListInfo(other.v));
  if (!equal)
    return self.b->notYet("both lists of sizes");
  if (*equal)
    return self.b->none();
  return self;
}

/// Sums of integers are int64; what is not summed keeps its element type.
static Type typeOfSum(TypeRules &b, TensorInfo self, ArrayRef<int64_t> sizes) {
  if (!isa_and_present<IntegerType>(self.dtype()))
    return self.dtype();
  if (!self.hasRank())
    return {};
  bool isSummed = self.rank() == 0 || self.rank() != int64_t(sizes.size()) ||
                  llvm::any_of(llvm::zip(sizes, self.sizes()), [](auto pair) {
                    return std::get<0>(pair) == 1 && std::get<1>(pair) != 1;
                  });
  return isSummed ? b.i64() : self.dtype();
}

Type summedTo(TypeRules &b, TensorInfo self, ListInfo sizes) {
  if (sizes.isNone())
    return self.tensor;
  auto known = sizes.ints();
  if (!known)
    return self.tensor ? b.unranked(self.dtype()) : b.tensor();
  if (self.hasRank()) {
    int64_t extra = self.rank() - int64_t(known->size());
    if (extra < 0)
      return b.error("expected a size of at most " + Twine(self.rank()) + " dimensions, got " +
                     Twine(known->size()));
    for (auto [to, from] : llvm::zip(*known, self.sizes().drop_front(extra)))
      if (to != from && to != 1 && !ShapedType::isDynamic(to) && !ShapedType::isDynamic(from))
        return b.error("expected a size that broadcasts to " + Twine(from) + ", got " + Twine(to));
  }
  return b.tensor(*known, typeOfSum(b, self, *known));
}

Decomposition summedTo(Tensor self, OptIntList sizes) {
  GraphBuilder &b = *self.b;
  if (!sizes.isSettled())
    return b.notYet("whether sizes is None");
  if (sizes.isNone())
    return self;
  auto to = ListInfo(sizes.v).ints();
  if (!to || !self.info().hasRank())
    return b.notYet("the rank of self and the sizes to sum to");
  ArrayRef<int64_t> from = self.info().sizes();
  if (from == ArrayRef(*to))
    return self;
  // Dimensions that broadcasting added in front, then those that it stretched. A size that is open
  // is not stretched: see symbolicAttr.
  SmallVector<int64_t> dims;
  int64_t extra = int64_t(from.size()) - int64_t(to->size());
  for (int64_t dim = 0; dim < int64_t(from.size()); ++dim)
    if (dim < extra || (from[dim] != 1 && (*to)[dim - extra] == 1))
      dims.push_back(dim);
  Tensor sum = b.op<aten::SumDimIntListOp>(self, b.ints(dims), extra == 0, b.none());
  return extra == 0 ? sum : b.op<aten::ViewOp>(sum, *sizes);
}

Decomposition summedToSize(Tensor self, IntList sizes) {
  if (!self.info().hasRank())
    return self.b->notYet("the rank of self");
  if (self.info().rank() == 0)
    return self.b->op<aten::SumOp>(self, self.b->none());
  return self.b->op<aten::GradSumToSizeOp>(self, sizes);
}

} // namespace jit
