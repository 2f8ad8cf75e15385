//===- Index.cpp - builders for the `type` rules of Index.td --------------===//

#include "Rules/Index.h"
#include "Rules/Mask.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Sizes.h"

using namespace mlir;

namespace jit {

static constexpr int64_t kDynamic = TensorType::kDynamic;

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// The type of one element of the piece; how many there are in `count`.
static TensorType elementOf(TypeRules &b, const ListPiece &piece, int64_t &count) {
  auto type = dyn_cast<TensorType>(piece.tensor.getType());
  count = 1;
  if (!type)
    return b.tensor();
  if (!piece.isSlab)
    return type;
  count = type.hasRank() && type.getRank() > 0 ? type.getSizes()[0] : kDynamic;
  return type.hasRank() && type.getRank() > 0 ? type.withSizes(type.getSizes().drop_front())
                                              : type.withSizes(std::nullopt);
}

static Type dtypeOfPieces(ArrayRef<ListPiece> pieces) {
  auto tensors = llvm::map_to_vector(pieces, [](const ListPiece &piece) { return piece.tensor; });
  return promotedType(tensors, /*toFloat=*/false);
}

/// PyTorch skips empty vectors among the tensors of cat, whatever the rank of the others.
static bool isSkipped(TensorType type) {
  return type.hasRank() && type.getRank() == 1 && type.getSizes()[0] == 0;
}

Type joined(TypeRules &b, ListInfo list, IntInfo dim) {
  auto pieces = listPieces(list.value);
  if (!pieces || pieces->empty())
    return b.tensor();
  Type dtype = dtypeOfPieces(*pieces);
  std::optional<SmallVector<int64_t>> sizes;
  for (const ListPiece &piece : *pieces) {
    int64_t count;
    TensorType type = elementOf(b, piece, count);
    if (isSkipped(type))
      continue;
    if (!type.hasRank() || !dim.known)
      return b.unranked(dtype);
    auto at = b.wrapDim(*dim.known, type.getRank());
    if (!at)
      return {};
    SmallVector<int64_t> own(type.getSizes());
    if (own.empty())
      return b.error("expected tensors with at least one dimension to join");
    own[*at] = (Size(own[*at]) * count).value;
    if (!sizes) {
      sizes = own;
      continue;
    }
    // PyTorch skips a vector without elements, which one of unknown size may be.
    auto mayBeSkipped = [](ArrayRef<int64_t> of) { return of.size() == 1 && of[0] == kDynamic; };
    if (own.size() != sizes->size() && (mayBeSkipped(own) || mayBeSkipped(*sizes)))
      return b.unranked(dtype);
    if (own.size() != sizes->size())
      return b.error("expected tensors of one rank to join, got " + Twine(sizes->size()) + " and " +
                     Twine(own.size()));
    for (auto [i, size, more] : llvm::enumerate(*sizes, own)) {
      if (int64_t(i) == *at)
        size = (Size(size) + more).value;
      else if (size == kDynamic)
        size = more;
      else if (more != kDynamic && more != size)
        return b.error("expected equal sizes in dimension " + Twine(i) + ", got " + Twine(size) +
                       " and " + Twine(more));
    }
  }
  return b.tensor(sizes ? *sizes : SmallVector<int64_t>{0}, dtype);
}

Type stacked(TypeRules &b, ListInfo list, IntInfo dim) {
  auto pieces = listPieces(list.value);
  if (!pieces || pieces->empty())
    return b.tensor();
  Type dtype = dtypeOfPieces(*pieces);
  TensorType common = b.tensor();
  Size total = 0;
  for (const ListPiece &piece : *pieces) {
    int64_t count;
    TensorType type = elementOf(b, piece, count).withDtype(Type());
    auto met = dyn_cast_or_null<TensorType>(meetTypes(common, type));
    if (!met)
      return b.error("expected tensors of equal sizes to stack");
    common = met;
    total = total + count;
  }
  if (!common.hasRank() || !dim.known)
    return b.unranked(dtype);
  auto at = b.wrapDim(*dim.known, common.getRank() + 1);
  if (!at)
    return {};
  SmallVector<int64_t> sizes(common.getSizes());
  sizes.insert(sizes.begin() + *at, total.value);
  return b.tensor(sizes, dtype);
}

Type joinedAtLeast(TypeRules &b, ListInfo list, int64_t rank) {
  auto pieces = listPieces(list.value);
  if (!pieces || pieces->empty())
    return b.tensor();
  Type dtype = dtypeOfPieces(*pieces);
  SmallVector<int64_t> sizes;
  for (const ListPiece &piece : *pieces) {
    auto type = dyn_cast<TensorType>(piece.tensor.getType());
    if (!type || !type.hasRank() || piece.isSlab)
      return b.unranked(dtype);
    SmallVector<int64_t> own(type.getSizes());
    while (int64_t(own.size()) < rank)
      own.insert(own.begin(), 1);
    if (sizes.empty()) {
      sizes = own;
      continue;
    }
    if (own.size() != sizes.size())
      return b.error("expected tensors of one rank to join");
    int64_t &joined = sizes[rank == 1 && own.size() > 1], more = own[rank == 1 && own.size() > 1];
    joined = (Size(joined) + more).value;
  }
  return b.tensor(sizes, dtype);
}

//===----------------------------------------------------------------------===//
// Picking
//===----------------------------------------------------------------------===//

Type triangular(TypeRules &b, TensorInfo self) {
  if (self.hasRank() && self.rank() < 2)
    return b.error("expected a tensor of two dimensions or more, got " + Twine(self.rank()));
  return self.tensor;
}

Type indexed(TypeRules &b, TensorInfo self, ListInfo list) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  std::string problem;
  auto plan = planIndex(self.rank(), list.value, problem);
  if (!problem.empty())
    return b.error(problem);
  if (!plan)
    return b.unranked(self.dtype());
  SmallVector<int64_t> sizes;
  for (auto [index, size] : llvm::zip(plan->indices, self.sizes()))
    if (!index)
      sizes.push_back(size);
  sizes.insert(sizes.begin() + plan->place, plan->sizes.begin(), plan->sizes.end());
  return b.tensor(sizes, self.dtype());
}

Type overwrittenAt(TypeRules &b, TensorInfo self, ListInfo indices, TensorInfo values,
                   BoolInfo accumulate) {
  auto places = cast_or_null<TensorType>(indexed(b, self, indices));
  if (!places)
    return {};
  bool fills = !accumulate.known.value_or(true) && hasOneElement(values) && onlyMask(indices);
  bool isKnown = places.hasRank() && values.hasRank();
  if (isKnown && !fills && !expandedTo(b, values, SmallVector<int64_t>(places.getSizes())))
    return {};
  return Type(self);
}

Type indexSelected(TypeRules &b, TensorInfo self, int64_t dim, TensorInfo index) {
  if (!self.hasRank() || !index.hasRank() || self.rank() == 0)
    return b.unranked(self.dtype());
  auto at = b.wrapDim(dim, self.rank());
  if (!at)
    return {};
  SmallVector<int64_t> sizes(self.sizes());
  sizes.erase(sizes.begin() + *at);
  sizes.insert(sizes.begin() + *at, index.sizes().begin(), index.sizes().end());
  return b.tensor(sizes, self.dtype());
}

Type indexSelected(TypeRules &b, TensorInfo self, IntInfo dim, TensorInfo index) {
  if (!dim.known || !index.hasRank() || index.rank() > 1)
    return b.unranked(self.dtype());
  if (self.hasRank() && self.rank() == 0)
    return self;
  if (index.rank() == 1)
    return indexSelected(b, self, *dim.known, index);
  // One index keeps the dimension, with size 1.
  Type picked = indexSelected(b, self, *dim.known, index);
  auto type = dyn_cast_or_null<TensorType>(picked);
  if (!type || !type.hasRank())
    return picked;
  SmallVector<int64_t> sizes(self.sizes());
  sizes[*b.wrapDim(*dim.known, self.rank())] = 1;
  return b.tensor(sizes, self.dtype());
}

Type sizedLike(TypeRules &b, TensorInfo sizes, TensorInfo dtype) {
  return sizes.hasRank() ? b.tensor(sizes.sizes(), dtype.dtype()) : b.unranked(dtype.dtype());
}

Type takenAlong(TypeRules &b, TensorInfo self, TensorInfo indices, IntInfo dim) {
  if (dim.isNone() && indices.hasRank())
    return b.tensor({product(indices.sizes()).value}, self.dtype());
  if (!self.hasRank() || !indices.hasRank() || !dim.known || self.rank() != indices.rank())
    return b.unranked(self.dtype());
  auto at = b.wrapDim(*dim.known, self.rank());
  if (!at)
    return {};
  SmallVector<int64_t> sizes(indices.sizes());
  for (int64_t i = 0; i < self.rank(); ++i)
    if (i != *at)
      sizes[i] = broadcastDim(self.size(i), indices.size(i)).value_or(kDynamic);
  return b.tensor(sizes, self.dtype());
}

Type oneHot(TypeRules &b, TensorInfo self, IntInfo classes) {
  if (!self.hasRank())
    return b.unranked(b.i64());
  SmallVector<int64_t> sizes(self.sizes());
  bool isCounted = classes.valueOr(0) < 0;
  if (isCounted && llvm::is_contained(sizes, 0))
    return b.error("expected num_classes to be given, or elements to count the classes of");
  sizes.push_back(isCounted ? kDynamic : classes.orDynamic());
  return b.tensor(sizes, b.i64());
}

//===----------------------------------------------------------------------===//
// Repetition and padding
//===----------------------------------------------------------------------===//

Type repeatedSizes(TypeRules &b, TensorInfo self, ListInfo list, bool isTile) {
  auto repeats = list.ints();
  if (!self.hasRank() || !repeats)
    return b.unranked(self.dtype());
  if (!isTile && int64_t(repeats->size()) < self.rank())
    return b.error("expected a number of repeats for each of " + Twine(self.rank()) +
                   " dimensions, got " + Twine(repeats->size()));
  int64_t rank = std::max<int64_t>(self.rank(), repeats->size());
  SmallVector<int64_t> sizes(rank, 1);
  for (int64_t i = 1; i <= rank; ++i) {
    Size have = i <= self.rank() ? self.size(-i) : 1;
    Size by = i <= int64_t(repeats->size()) ? (*repeats)[repeats->size() - i] : 1;
    sizes[rank - i] = (have * by).value;
  }
  return b.tensor(sizes, self.dtype());
}

Type interleaved(TypeRules &b, TensorInfo self, IntInfo repeats, IntInfo dim) {
  if (!self.hasRank() || (!dim.isNone() && !dim.known))
    return b.unranked(self.dtype());
  if (dim.isNone()) {
    Size count = product(self.sizes()) * repeats.orDynamic();
    return b.tensor({count.value}, self.dtype());
  }
  if (self.rank() == 0)
    return b.error("expected a tensor with at least one dimension");
  auto at = b.wrapDim(*dim.known, self.rank());
  if (!at)
    return {};
  SmallVector<int64_t> sizes(self.sizes());
  sizes[*at] = (Size(sizes[*at]) * repeats.orDynamic()).value;
  return b.tensor(sizes, self.dtype());
}

Type padded(TypeRules &b, TensorInfo self, ListInfo list) {
  auto pad = list.ints();
  if (!self.hasRank())
    return b.unranked(self.dtype());
  if (!pad)
    return b.tensor(SmallVector<int64_t>(self.rank(), kDynamic), self.dtype());
  if (pad->size() % 2 != 0 || int64_t(pad->size() / 2) > self.rank())
    return b.error("expected pairs of paddings for at most " + Twine(self.rank()) +
                   " dimensions, got " + Twine(pad->size()) + " numbers");
  SmallVector<int64_t> sizes(self.sizes());
  for (size_t i = 0; i < pad->size() / 2; ++i) {
    int64_t &size = sizes[sizes.size() - 1 - i];
    size = (Size(size) + (*pad)[2 * i] + (*pad)[2 * i + 1]).value;
    if (size < 0 && size != kDynamic)
      return b.error("expected padding that leaves a size of at least 0, got " + Twine(size));
  }
  return b.tensor(sizes, self.dtype());
}

//===----------------------------------------------------------------------===//
// Ordering
//===----------------------------------------------------------------------===//

Type topmost(TypeRules &b, TensorInfo self, IntInfo count, IntInfo dim) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  SmallVector<int64_t> sizes(self.sizes());
  if (!dim.known)
    return b.tensor(SmallVector<int64_t>(sizes.size(), kDynamic), self.dtype());
  auto at = b.wrapDim(*dim.known, self.rank());
  if (!at)
    return {};
  int64_t size = sizes.empty() ? 1 : sizes[*at];
  if (count.known && (*count.known < 0 || (size != kDynamic && *count.known > size)))
    return b.error("expected at most " + Twine(size) + " elements to take, got " +
                   Twine(*count.known));
  if (!sizes.empty())
    sizes[*at] = count.orDynamic();
  return b.tensor(sizes, self.dtype());
}

Type retypedAs(Type type, Type dtype) {
  return type ? Type(cast<TensorType>(type).withDtype(dtype)) : Type();
}

} // namespace jit
