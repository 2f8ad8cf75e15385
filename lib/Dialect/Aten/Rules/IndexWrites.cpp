//===- IndexWrites.cpp - builders for writes along a dimension ------------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/Layout.h"
#include "Rules/Rearrange.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

static Tensor view(Tensor t, ArrayRef<int64_t> sizes) {
  return t.info().sizes() == sizes ? t : t.b->op<aten::ViewOp>(t, t.b->ints(sizes));
}

/// index_put at `index` along dimension `dim`, all of the others.
static Tensor putAlong(Tensor self, int64_t dim, Tensor index, Tensor values, bool adds) {
  GraphBuilder &build = *self.b;
  SmallVector<Any> indices(dim, build.none());
  indices.push_back(index);
  return build.op<aten::IndexPutOp>(self, optionals(build, indices), values, adds);
}

/// Whether the parts along a dimension have no elements: PyTorch does not look at indices then.
static bool hasEmptyParts(Tensor self, int64_t dim) {
  for (auto [i, size] : llvm::enumerate(self.info().sizes()))
    if (size == 0 && int64_t(i) != dim)
      return true;
  return false;
}

/// The same for sizes that only the call knows: `index`, all zeros where the parts are without
/// elements, so that none of it is out of range.
static Tensor withoutEmptyParts(Tensor index, Tensor self, int64_t dim) {
  GraphBuilder &build = *self.b;
  std::optional<Int> hasElements;
  for (auto [i, size] : llvm::enumerate(self.info().sizes())) {
    if (!ShapedType::isDynamic(size) || int64_t(i) == dim)
      continue;
    Int one = build.intOp<aten::MinIntOp>(sizeOf(self, i), build.i(1));
    hasElements = hasElements ? *hasElements * one : one;
  }
  return hasElements ? Tensor(build.op<aten::MulScalarOp>(index, *hasElements)) : index;
}

/// Whether a source has a part along `dim` for each index, and these the other sizes of `self`.
static bool isPartForEach(Tensor self, int64_t dim, Tensor index, Tensor source) {
  if (source.info().rank() != self.info().rank() || index.info().rank() != 1)
    return false;
  for (int64_t at = 0; at < self.info().rank(); ++at)
    if (at == dim ? !haveEqualSize(source, at, index, 0) : !haveEqualSize(source, at, self, at))
      return false;
  return true;
}

/// Where sizes are open: an index of one dimension, and neither self nor source of rank 0.
static Decomposition writtenAlongOpen(Tensor self, Int dim, Tensor index, Tensor source,
                                      bool adds) {
  GraphBuilder &build = *self.b;
  bool hasRanks = self.info().hasRank() && index.info().hasRank() && source.info().hasRank();
  auto at = hasRanks ? wrapped(dim, self.info().rank()) : std::nullopt;
  if (!at || !isPartForEach(self, *at, index, source))
    return build.notYet("a constant dim of self, an index of one dimension, and a source of its "
                        "size there and the sizes of self");
  Tensor rows = build.op<aten::CloneOp>(self, int64_t(Contiguous));
  return fromFront(putAlong(rows, *at, withoutEmptyParts(index, self, *at), source, adds));
}

Decomposition writtenAlong(Tensor self, Int dim, Tensor index, Tensor source, bool adds) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !isStatic(index) || !isStatic(source))
    return writtenAlongOpen(self, dim, index, source, adds);
  SmallVector<int64_t> sizes(self.info().sizes());
  int64_t rank = std::max<int64_t>(1, sizes.size());
  auto at = wrapped(dim, rank);
  if (!at)
    return build.notYet("a constant dim of self");
  if (hasEmptyParts(self, *at))
    return self;
  // PyTorch writes to a copy in rows. Rank 0 counts as one element.
  Tensor rows = build.op<aten::CloneOp>(self, int64_t(Contiguous));
  Tensor base = sizes.empty() ? view(rows, {1}) : rows;
  SmallVector<int64_t> written(base.info().sizes());
  written[*at] = ShapedType::getNumElements(index.info().sizes());
  Tensor result =
      fromFront(putAlong(base, *at, view(index, {written[*at]}), view(source, written), adds));
  return sizes.empty() ? view(result, {}) : result;
}

/// Where `index` names places of a dimension of `size`, as a mask: one that is there twice counts
/// once.
static Tensor placesOf(Int size, Tensor index) {
  GraphBuilder &build = *index.b;
  int64_t isBool = int64_t(*typeToDtype(IntegerType::get(build.builder.getContext(), 1)));
  Any none = build.none();
  auto full = [&](ArrayRef<Int> sizes, bool element) -> Tensor {
    return build.op<aten::FullOp>(build.list(sizes), element, isBool, none, none, none);
  };
  if (index.info().rank() != 1)
    index = view(index, {ShapedType::getNumElements(index.info().sizes())});
  return putAlong(full(size, false), 0, index, full({}, true), false);
}

Decomposition filledAlong(Tensor self, Int dim, Tensor index, Any value) {
  GraphBuilder &build = *self.b;
  bool isRow = index.info().hasRank() && (index.info().rank() == 1 || isStatic(index));
  if (!isRow || !self.info().hasRank())
    return build.notYet("the rank of self, and an index of one dimension or of known sizes");
  int64_t rank = self.info().rank();
  auto at = wrapped(dim, std::max<int64_t>(1, rank));
  if (!at)
    return build.notYet("a constant dim of self");
  if (hasEmptyParts(self, *at))
    return self;
  Int places = rank == 0 ? build.i(1) : sizeOf(self, *at);
  Tensor filled = placesOf(places, withoutEmptyParts(index, self, *at));
  if (rank == 0)
    filled = view(filled, {});
  for (int64_t behind = *at + 1; behind < rank; ++behind)
    filled = build.op<aten::UnsqueezeOp>(filled, -1);
  // What a mask fills is in rows, and this has the strides of self.
  Tensor result = isa<TensorType>(value.v.getType())
                      ? Tensor(build.op<aten::MaskedFillTensorOp>(self, filled, value))
                      : Tensor(build.op<aten::MaskedFillScalarOp>(self, filled, value));
  return build.op<aten::CopyOp>(zerosLike(self), result, false);
}

} // namespace jit
