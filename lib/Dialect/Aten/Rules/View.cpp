//===- View.cpp - builders for the `type` rules of View.td ----------------===//

#include "Rules/View.h"
#include "jit/Dialect/Aten/AffineInt.h"
#include "jit/Dialect/Aten/Sizes.h"

using namespace mlir;

namespace jit {

static constexpr int64_t kDynamic = TensorType::kDynamic;

Type allUnknown(TypeRules &b, TensorInfo self, int64_t rank) {
  return b.tensor(SmallVector<int64_t>(rank, kDynamic), self.dtype());
}

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

/// Replaces a -1 in `sizes` so that their product is `count`; false after an error.
static bool settleSizes(TypeRules &b, SmallVectorImpl<int64_t> &sizes, int64_t count) {
  auto inferred = llvm::find(sizes, -1);
  if (inferred == sizes.end()) {
    int64_t have = product(sizes).value;
    if (count == kDynamic || have == kDynamic || have == count)
      return true;
    b.error("expected sizes of " + Twine(count) + " elements, got sizes of " + Twine(have));
    return false;
  }
  *inferred = 1;
  int64_t others = product(sizes).value;
  *inferred = kDynamic;
  if (count == kDynamic || others == kDynamic)
    return true;
  if (others == 0 || count % others != 0) {
    b.error("expected sizes that divide " + Twine(count) + " elements, got a product of " +
            Twine(others));
    return false;
  }
  *inferred = count / others;
  return true;
}

Type viewed(TypeRules &b, TensorInfo self, ListInfo list) {
  auto sizes = list.ints();
  if (!sizes)
    return b.unranked(self.dtype());
  int64_t count = self.hasRank() ? product(self.sizes()).value : kDynamic;
  if (!settleSizes(b, *sizes, count))
    return {};
  return b.tensor(*sizes, self.dtype());
}

Type viewedAs(TypeRules &b, TensorInfo self, TensorInfo other) {
  Size have = self.hasRank() ? product(self.sizes()) : Size(kDynamic);
  Size want = other.hasRank() ? product(other.sizes()) : Size(kDynamic);
  if (have.value != kDynamic && want.value != kDynamic && have.value != want.value)
    return b.error("expected sizes of " + Twine(have.value) + " elements, got sizes of " +
                   Twine(want.value));
  return sizedAs(b, self, other);
}

Type sizedAs(TypeRules &b, TensorInfo self, TensorInfo other) {
  return other.hasRank() ? b.tensor(other.sizes(), self.dtype()) : b.unranked(self.dtype());
}

Type flattened(TypeRules &b, TensorInfo self, IntInfo start, IntInfo end) {
  if (!self.hasRank() || !start.known || !end.known)
    return b.unranked(self.dtype());
  if (self.rank() == 0)
    return b.tensor({1}, self.dtype());
  auto first = b.wrapDim(*start.known, self.rank()), last = b.wrapDim(*end.known, self.rank());
  if (!first || !last)
    return {};
  if (*first > *last)
    return b.error("expected start_dim before end_dim, got " + Twine(*first) + " and " +
                   Twine(*last));
  SmallVector<int64_t> sizes(self.sizes().take_front(*first));
  sizes.push_back(product(self.sizes().slice(*first, *last - *first + 1)).value);
  sizes.append(self.sizes().begin() + *last + 1, self.sizes().end());
  return b.tensor(sizes, self.dtype());
}

Type raveled(TypeRules &b, TensorInfo self) {
  return b.tensor({self.hasRank() ? product(self.sizes()).value : kDynamic}, self.dtype());
}

Type unflattened(TypeRules &b, TensorInfo self, IntInfo dim, ListInfo list) {
  auto sizes = list.ints();
  if (!self.hasRank() || !dim.known || !sizes)
    return b.unranked(self.dtype());
  if (self.rank() == 0)
    return b.error("expected a tensor with at least one dimension");
  auto at = b.wrapDim(*dim.known, self.rank());
  if (!at || !settleSizes(b, *sizes, self.size(*at)))
    return {};
  sizes->insert(sizes->begin(), self.sizes().begin(), self.sizes().begin() + *at);
  sizes->append(self.sizes().begin() + *at + 1, self.sizes().end());
  return b.tensor(*sizes, self.dtype());
}

/// Without those of the given dimensions whose size is 1. An open size is taken not to be 1
/// (guardSqueezedSizes).
static Type squeezed(TypeRules &b, TensorInfo self, ArrayRef<int64_t> dims) {
  SmallVector<bool> drop(self.rank(), false);
  for (int64_t dim : dims) {
    auto at = b.wrapDim(dim, self.rank());
    if (!at)
      return {};
    if (self.rank() == 0)
      continue;
    drop[*at] = self.size(*at) == 1;
  }
  SmallVector<int64_t> sizes;
  for (auto [size, dropped] : llvm::zip(self.sizes(), drop))
    if (!dropped)
      sizes.push_back(size);
  return b.tensor(sizes, self.dtype());
}

Type squeezed(TypeRules &b, TensorInfo self) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  return squeezed(b, self, llvm::to_vector(llvm::seq(self.rank())));
}

Type squeezed(TypeRules &b, TensorInfo self, IntInfo dim) {
  if (!self.hasRank() || !dim.known)
    return b.unranked(self.dtype());
  return squeezed(b, self, ArrayRef(*dim.known));
}

Type squeezed(TypeRules &b, TensorInfo self, ListInfo list) {
  auto dims = list.ints();
  if (!self.hasRank() || !dims || llvm::is_contained(*dims, kDynamic))
    return b.unranked(self.dtype());
  return squeezed(b, self, ArrayRef(*dims));
}

Type unsqueezed(TypeRules &b, TensorInfo self, IntInfo dim) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  if (!dim.known)
    return allUnknown(b, self, self.rank() + 1);
  auto at = b.wrapDim(*dim.known, self.rank() + 1);
  if (!at)
    return {};
  SmallVector<int64_t> sizes(self.sizes());
  sizes.insert(sizes.begin() + *at, 1);
  return b.tensor(sizes, self.dtype());
}

//===----------------------------------------------------------------------===//
// Repetition and parts
//===----------------------------------------------------------------------===//

Type oneSize(TypeRules &b, TensorInfo self, IntInfo dim) {
  if (self.hasRank() && self.rank() == 0)
    return b.error("expected a tensor with at least one dimension");
  if (self.hasRank() && dim.known && !b.wrapDim(*dim.known, self.rank()))
    return {};
  return b.i64();
}

Type expandedTo(TypeRules &b, TensorInfo self, SmallVector<int64_t> sizes) {
  int64_t added = int64_t(sizes.size()) - self.rank();
  if (added < 0)
    return b.error("expected at least " + Twine(self.rank()) + " sizes, got " +
                   Twine(sizes.size()));
  for (int64_t i = 0, rank = sizes.size(); i < rank; ++i) {
    int64_t have = i < added ? 1 : self.size(i - added), &want = sizes[i];
    if (want == -1 && i >= added)
      want = have;
    else if (want < 0 && want != kDynamic)
      return b.error("expected a size for new dimension " + Twine(i) + ", got " + Twine(want));
    else if (have != 1 && have != kDynamic && want != kDynamic && have != want)
      return b.error("expected size " + Twine(have) + " or -1 for dimension " + Twine(i) +
                     ", got " + Twine(want));
  }
  return b.tensor(sizes, self.dtype());
}

Type expandedAs(TypeRules &b, TensorInfo self, TensorInfo other) {
  if (!other.hasRank())
    return b.unranked(self.dtype());
  return self.hasRank() ? expandedTo(b, self, SmallVector<int64_t>(other.sizes()))
                        : b.tensor(other.sizes(), self.dtype());
}

Type expanded(TypeRules &b, TensorInfo self, ListInfo list) {
  auto sizes = list.ints();
  if (!sizes)
    return b.unranked(self.dtype());
  if (self.hasRank())
    return expandedTo(b, self, std::move(*sizes));
  llvm::replace(*sizes, int64_t(-1), kDynamic);
  return b.tensor(*sizes, self.dtype());
}

/// The sizes of `self` with that of dimension `dim` replaced; all unknown where `dim` is.
static std::optional<SmallVector<int64_t>> sizesWith(TypeRules &b, TensorInfo self, IntInfo dim,
                                                     llvm::function_ref<int64_t(int64_t)> change) {
  if (!dim.known)
    return SmallVector<int64_t>(self.rank(), kDynamic);
  if (self.rank() == 0) {
    b.error("expected a tensor with at least one dimension");
    return std::nullopt;
  }
  auto at = b.wrapDim(*dim.known, self.rank());
  if (!at)
    return std::nullopt;
  SmallVector<int64_t> sizes(self.sizes());
  sizes[*at] = change(sizes[*at]);
  return sizes;
}

Type windows(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo size, IntInfo step) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  if (size.valueOr(0) < 0 || step.valueOr(1) <= 0)
    return b.error("expected windows of no negative size and a positive step, got size " +
                   Twine(size.valueOr(0)) + " and step " + Twine(step.valueOr(1)));
  bool fits = true;
  if (self.rank() == 0) // one window of the only element
    return size.valueOr(1) > 1 ? b.error("expected windows that fit into the dimension, got size " +
                                         Twine(*size.known))
                               : b.tensor({size.orDynamic()}, self.dtype());
  auto sizes = sizesWith(b, self, dim, [&](int64_t have) {
    if (have == kDynamic || !size.known || !step.known)
      return kDynamic;
    fits = *size.known <= have;
    return (have - *size.known) / *step.known + 1;
  });
  if (!sizes)
    return {};
  if (!fits)
    return b.error("expected windows that fit into the dimension, got size " + Twine(*size.known));
  sizes->push_back(size.orDynamic());
  return b.tensor(*sizes, self.dtype());
}

Type selected(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo index) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  if (self.rank() == 0)
    return b.error("expected a tensor with at least one dimension");
  if (!dim.known)
    return allUnknown(b, self, self.rank() - 1);
  auto at = b.wrapDim(*dim.known, self.rank());
  if (!at)
    return {};
  int64_t size = self.size(*at);
  if (index.known && size != kDynamic && (*index.known < -size || *index.known >= size))
    return b.error("expected an index from " + Twine(-size) + " to " + Twine(size - 1) + ", got " +
                   Twine(*index.known));
  SmallVector<int64_t> sizes(self.sizes());
  sizes.erase(sizes.begin() + *at);
  return b.tensor(sizes, self.dtype());
}

Type withPart(TypeRules &b, TensorInfo self, Type part, TensorInfo src) {
  auto type = dyn_cast_or_null<TensorType>(part);
  if (!type)
    return {};
  bool isKnown = type.hasRank() && src.hasRank();
  if (isKnown && type.getRank() != src.rank())
    return b.error("expected a source of " + Twine(type.getRank()) + " sizes, got " +
                   Twine(src.rank()));
  for (int64_t dim = 0; isKnown && dim < src.rank(); ++dim) {
    int64_t wanted = type.getSizes()[dim], given = src.size(dim);
    if (wanted != given && wanted != kDynamic && given != kDynamic)
      return b.error("expected a source with size " + Twine(wanted) + " in dimension " +
                     Twine(dim) + ", got " + Twine(given));
  }
  return self.tensor;
}

Type sliced(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo start, IntInfo end, IntInfo step) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  if (step.known && *step.known <= 0)
    return b.error("expected a positive step, got " + Twine(*step.known));
  auto sizes = sizesWith(b, self, dim, [&](int64_t size) {
    return sliceExtent(size, start.value, end.value, step.value).length;
  });
  return sizes ? Type(b.tensor(*sizes, self.dtype())) : Type();
}

/// Whether `length` elements from `start` on, which may count from the end, are a part of a
/// dimension, as far as that is known.
static bool mayBePart(int64_t size, IntInfo start, IntInfo length) {
  int64_t count = length.known.value_or(0), first = start.known.value_or(0);
  if (count < 0 || size == kDynamic)
    return count >= 0;
  return first >= -size && first <= size && count <= (first < 0 ? -first : size - first);
}

Type narrowed(TypeRules &b, TensorInfo self, IntInfo dim, IntInfo start, IntInfo length) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  bool isPart = true;
  auto sizes = sizesWith(b, self, dim, [&](int64_t size) {
    isPart = mayBePart(size, start, length);
    return length.orDynamic();
  });
  if (!isPart)
    return b.error("expected a part of the dimension, got " + Twine(length.known.value_or(0)) +
                   " elements from " + Twine(start.known.value_or(0)) + " on");
  return sizes ? Type(b.tensor(*sizes, self.dtype())) : Type();
}

/// A side that the diagonal does not reach says so whatever the other is.
static int64_t diagonalLength(int64_t rows, int64_t columns, int64_t offset) {
  auto left = [](int64_t size, int64_t before) {
    return size == kDynamic ? kDynamic : std::max<int64_t>(0, size - before);
  };
  int64_t down = left(rows, std::max<int64_t>(-offset, 0)),
          along = left(columns, std::max<int64_t>(offset, 0));
  if (down == 0 || along == 0)
    return 0;
  return down == kDynamic || along == kDynamic ? kDynamic : std::min(down, along);
}

Type diagonalOf(TypeRules &b, TensorInfo self, IntInfo offset, IntInfo dim1, IntInfo dim2) {
  if (!self.hasRank())
    return b.unranked(self.dtype());
  if (self.rank() < 2)
    return b.error("expected at least two dimensions, got " + Twine(self.rank()));
  if (!dim1.known || !dim2.known)
    return allUnknown(b, self, self.rank() - 1);
  auto first = b.wrapDim(*dim1.known, self.rank()), second = b.wrapDim(*dim2.known, self.rank());
  if (!first || !second || *first == *second)
    return b.error("expected two different dimensions");
  SmallVector<int64_t> sizes;
  for (int64_t i = 0; i < self.rank(); ++i)
    if (i != *first && i != *second)
      sizes.push_back(self.size(i));
  sizes.push_back(offset.known
                      ? diagonalLength(self.size(*first), self.size(*second), *offset.known)
                      : kDynamic);
  return b.tensor(sizes, self.dtype());
}

Type retyped(TypeRules &b, TensorInfo self, IntInfo dtype) {
  return self.tensor.withDtype(b.dtypeOr(dtype, self.dtype()));
}

} // namespace jit
