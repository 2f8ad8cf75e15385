//===- Layout.cpp - builders for the `view` rules of records --------------===//

#include "Rules/Layout.h"
#include "Rules/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace jit {

static std::optional<SmallVector<int64_t>> stridesOf(const Layout &base, Tensor self) {
  if (!self.info().hasRank())
    return std::nullopt;
  return base.strides(self.info().sizes());
}

static std::optional<int64_t> moved(std::optional<int64_t> offset, std::optional<int64_t> by) {
  return offset && by ? std::optional(*offset + *by) : std::nullopt;
}

/// A view of known strides.
static ViewOf shares(const Strided &view, std::optional<int64_t> offset) {
  bool isRowMajor = !llvm::is_contained(view.sizes, TensorType::kDynamic) &&
                    view.strides == rowMajorStrides(view.sizes);
  return ViewOf::shares(isRowMajor ? Layout::rowMajor(offset)
                                   : Layout::strided(view.strides, offset));
}

static ViewOf sharesUnknown() { return ViewOf::shares(Layout::unknown()); }

bool mayOverlap(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 0)
      return false;
    if (size != 1)
      dims.push_back({stride, size});
  }
  llvm::sort(dims);
  int64_t reach = 0;
  for (auto [stride, size] : dims) {
    if (stride <= reach)
      return true;
    reach += stride * (size - 1);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Reshaping and reordering
//===----------------------------------------------------------------------===//

/// The strides under which memory shows the same elements in the same order as `sizes`; nullopt if
/// there are none. Dimensions that lie one after the other form a run; each of the new sizes has to
/// be a part of one.
static std::optional<SmallVector<int64_t>> regroupedStrides(const Strided &old,
                                                            ArrayRef<int64_t> sizes) {
  if (llvm::is_contained(old.sizes, 0))
    return old.sizes == sizes ? old.strides : rowMajorStrides(sizes);
  SmallVector<int64_t> strides(sizes.size(), 1);
  int64_t next = int64_t(sizes.size()) - 1, run = 1, left = 1;
  int64_t base = old.strides.empty() ? 1 : old.strides.back();
  for (size_t dim = old.sizes.size(); dim-- > 0;) {
    run *= old.sizes[dim];
    bool ends = dim == 0 || (old.sizes[dim - 1] != 1 && old.strides[dim - 1] != run * base);
    if (!ends)
      continue;
    while (next >= 0 && (left < run || sizes[next] == 1)) {
      strides[next] = left * base;
      left *= sizes[next--];
    }
    if (left != run)
      return std::nullopt;
    if (dim > 0) {
      base = old.strides[dim - 1];
      run = left = 1;
    }
  }
  while (next >= 0 && sizes[next] == 1)
    --next;
  return next < 0 ? std::optional(strides) : std::nullopt;
}

/// Whether a tensor of sizes `from` can be seen under the sizes `to` whatever its strides are. One
/// dimension can be cut into any; dimensions of size 1 come and go between others that stay.
static bool isAlwaysSeen(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  auto isNotOne = [](int64_t size) { return size != 1; };
  auto before = llvm::filter_to_vector(from, isNotOne),
       after = llvm::filter_to_vector(to, isNotOne);
  // Of two sizes that are open neither is known to be the same as before.
  return before.size() <= 1 || (before == after && llvm::count(before, TensorType::kDynamic) <= 1 &&
                                !llvm::is_contained(before, 0));
}

ViewOf reshapedView(const Layout &base, Tensor self, Value result) {
  auto type = cast<TensorType>(result.getType());
  if (!self.info().hasRank() || !type.hasRank())
    return ViewOf::unknown();
  auto strides = stridesOf(base, self);
  if (!strides || !self.info().tensor.hasStaticSizes() || !type.hasStaticSizes()) {
    // What has no elements keeps its strides under the sizes that it has.
    if (strides && llvm::is_contained(self.info().sizes(), 0))
      return sharesUnknown();
    if (base.isRowMajor(self.info().sizes()).value_or(false))
      return ViewOf::shares(Layout::rowMajor(base.offset()));
    return isAlwaysSeen(self.info().sizes(), type.getSizes()) ? sharesUnknown() : ViewOf::unknown();
  }
  Strided old{SmallVector<int64_t>(self.info().sizes()), *strides};
  if (auto regrouped = regroupedStrides(old, type.getSizes()))
    return shares({SmallVector<int64_t>(type.getSizes()), *regrouped}, base.offset());
  return ViewOf::copies(Layout::rowMajor());
}

ViewOf raveledView(const Layout &base, Tensor self) {
  if (!self.info().hasRank())
    return ViewOf::unknown();
  std::optional<bool> isRowMajor = base.isRowMajor(self.info().sizes());
  if (!isRowMajor)
    return ViewOf::unknown();
  return *isRowMajor ? ViewOf::shares(Layout::rowMajor(base.offset()))
                     : ViewOf::copies(Layout::rowMajor());
}

ViewOf sharedView(const Layout &base, Tensor self, Value result) {
  ViewOf view = reshapedView(base, self, result);
  return view.kind == ViewOf::Kind::Shares ? view : sharesUnknown();
}

ViewOf flattenedView(const Layout &base, Tensor self, Value result) {
  auto type = cast<TensorType>(result.getType());
  bool isSelf = self.info().hasRank() && type.hasRank() && self.info().rank() == type.getRank();
  return isSelf ? ViewOf::shares(base) : reshapedView(base, self, result);
}

/// The strides of `self` without those of `dims`, if these have size 1.
static ViewOf squeezedView(const Layout &base, Tensor self, ArrayRef<int64_t> dims) {
  auto strides = stridesOf(base, self);
  if (!strides)
    return base.isRowMajor(self.info().sizes()).value_or(false)
               ? ViewOf::shares(Layout::rowMajor(base.offset()))
               : sharesUnknown();
  int64_t rank = self.info().rank();
  SmallVector<bool> drop(rank, false);
  for (int64_t dim : dims) {
    int64_t at = dim < 0 ? dim + rank : dim;
    if (rank == 0)
      continue;
    if (self.info().size(at) == TensorType::kDynamic)
      return sharesUnknown();
    drop[at] = self.info().size(at) == 1;
  }
  Strided kept;
  for (auto [size, stride, dropped] : llvm::zip_equal(self.info().sizes(), *strides, drop))
    if (!dropped) {
      kept.sizes.push_back(size);
      kept.strides.push_back(stride);
    }
  return shares(kept, base.offset());
}

ViewOf squeezedView(const Layout &base, Tensor self) {
  if (!self.info().hasRank())
    return sharesUnknown();
  return squeezedView(base, self, llvm::to_vector(llvm::seq<int64_t>(self.info().rank())));
}

ViewOf squeezedView(const Layout &base, Tensor self, Int dim) {
  if (!self.info().hasRank() || !dim.known())
    return sharesUnknown();
  return squeezedView(base, self, ArrayRef(*dim.known()));
}

ViewOf squeezedView(const Layout &base, Tensor self, IntList list) {
  auto dims = list.known();
  return self.info().hasRank() && dims ? squeezedView(base, self, *dims) : sharesUnknown();
}

ViewOf unsqueezedView(const Layout &base, Tensor self, Int dim) {
  auto strides = stridesOf(base, self);
  if (!strides && self.info().hasRank() && base.isRowMajor(self.info().sizes()).value_or(false))
    return ViewOf::shares(Layout::rowMajor(base.offset()));
  if (!strides || !dim.known())
    return sharesUnknown();
  int64_t rank = self.info().rank(), at = *dim.known() < 0 ? *dim.known() + rank + 1 : *dim.known();
  int64_t size = at < rank ? self.info().size(at) : 1;
  if (size == TensorType::kDynamic)
    return sharesUnknown();
  strides->insert(strides->begin() + at, at < rank ? size * (*strides)[at] : 1);
  SmallVector<int64_t> sizes(self.info().sizes());
  sizes.insert(sizes.begin() + at, 1);
  return shares({sizes, *strides}, base.offset());
}

static ViewOf permutedView(const Layout &base, Tensor self, ArrayRef<int64_t> dims) {
  int64_t rank = dims.size();
  auto isDim = [&](int64_t dim) { return -rank <= dim && dim < rank; };
  ViewOf view = sharesUnknown();
  if (!self.info().hasRank() || self.info().rank() != rank || !llvm::all_of(dims, isDim))
    return view;
  view.order.emplace();
  for (int64_t dim : dims)
    view.order->push_back(dim < 0 ? dim + rank : dim);
  if (auto strides = stridesOf(base, self); strides && strides->size() == dims.size()) {
    SmallVector<int64_t> permuted;
    for (int64_t dim : *view.order)
      permuted.push_back((*strides)[dim]);
    view.layout = Layout::strided(permuted, base.offset());
  }
  return view;
}

ViewOf permutedView(const Layout &base, Tensor self, IntList list) {
  auto dims = list.known();
  return dims ? permutedView(base, self, *dims) : sharesUnknown();
}

ViewOf swappedView(const Layout &base, Tensor self, std::optional<int64_t> dim0,
                   std::optional<int64_t> dim1) {
  if (!self.info().hasRank() || !dim0 || !dim1)
    return sharesUnknown();
  int64_t rank = self.info().rank();
  if (rank == 0)
    return ViewOf::shares(base);
  auto dims = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::swap(dims[*dim0 < 0 ? *dim0 + rank : *dim0], dims[*dim1 < 0 ? *dim1 + rank : *dim1]);
  return permutedView(base, self, dims);
}

ViewOf reversedView(const Layout &base, Tensor self) {
  if (!self.info().hasRank())
    return sharesUnknown();
  return permutedView(base, self,
                      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(self.info().rank()))));
}

ViewOf movedView(const Layout &base, Tensor self, std::optional<SmallVector<int64_t>> from,
                 std::optional<SmallVector<int64_t>> to) {
  if (!self.info().hasRank() || !from || !to)
    return sharesUnknown();
  auto dims = movingPermutation(self.info().rank(), *from, *to);
  return dims ? permutedView(base, self, *dims) : sharesUnknown();
}

ViewOf movedView(const Layout &base, Tensor self, Int from, Int to) {
  if (!from.known() || !to.known())
    return sharesUnknown();
  return movedView(base, self, SmallVector<int64_t>{*from.known()},
                   SmallVector<int64_t>{*to.known()});
}

ViewOf expandedView(const Layout &base, Tensor self, Value result) {
  auto strides = stridesOf(base, self);
  auto type = cast<TensorType>(result.getType());
  if (!strides || !type.hasRank())
    return sharesUnknown();
  if (self.info().sizes() == type.getSizes())
    return ViewOf::shares(base);
  SmallVector<int64_t> expanded(type.getRank(), 0);
  size_t added = expanded.size() - strides->size();
  for (auto [dim, stride] : llvm::enumerate(*strides))
    if (self.info().sizes()[dim] != 1 || type.getSizes()[dim + added] == 1)
      expanded[dim + added] = stride;
  return ViewOf::shares(Layout::strided(expanded, base.offset()));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The strides of `self` with `dim` counted from the front; nullopt where something is open.
static std::optional<SmallVector<int64_t>> stridesAt(const Layout &base, Tensor self, Int dim,
                                                     int64_t &at) {
  auto strides = stridesOf(base, self);
  if (!strides || !dim.known())
    return std::nullopt;
  at = *dim.known() < 0 ? *dim.known() + int64_t(strides->size()) : *dim.known();
  return at >= 0 && at < int64_t(strides->size()) ? strides : std::nullopt;
}

ViewOf unfoldedView(const Layout &base, Tensor self, Int dim, Int size, Int step) {
  int64_t at;
  auto strides = stridesAt(base, self, dim, at);
  if (!strides || !step.known())
    return sharesUnknown();
  strides->push_back((*strides)[at]);
  (*strides)[at] *= *step.known();
  return ViewOf::shares(Layout::strided(*strides, base.offset()));
}

/// How far from the first element number `index` of a dimension lies.
static std::optional<int64_t> distance(Tensor self, int64_t dim, int64_t stride, OptInt index) {
  if (!index.isSettled())
    return std::nullopt;
  if (index.isNone())
    return 0;
  auto known = (*index).known();
  int64_t size = self.info().size(dim);
  if (!known || (size == TensorType::kDynamic && *known != 0))
    return std::nullopt;
  int64_t place = *known < 0 ? *known + size : *known;
  return std::clamp<int64_t>(place, 0, std::max<int64_t>(size, 0)) * stride;
}

ViewOf selectedView(const Layout &base, Tensor self, Int dim, Int index) {
  int64_t at;
  auto strides = stridesAt(base, self, dim, at);
  if (!strides)
    return sharesUnknown();
  auto by = distance(self, at, (*strides)[at], OptInt(*self.b, index.v));
  strides->erase(strides->begin() + at);
  return ViewOf::shares(Layout::strided(*strides, moved(base.offset(), by)));
}

ViewOf slicedView(const Layout &base, Tensor self, Int dim, OptInt start, Int step) {
  int64_t at;
  auto strides = stridesAt(base, self, dim, at);
  if (!strides || !step.known())
    return sharesUnknown();
  auto by = distance(self, at, (*strides)[at], start);
  (*strides)[at] *= *step.known();
  return ViewOf::shares(Layout::strided(*strides, moved(base.offset(), by)));
}

/// The place of the first element of the diagonal `by` above that of a matrix of these sizes, which
/// lies at `start`: PyTorch leaves a diagonal without elements there.
static std::optional<int64_t> diagonalStart(std::optional<int64_t> start, int64_t rows,
                                            int64_t columns, int64_t by, int64_t ofRow,
                                            int64_t ofColumn) {
  if (by == 0)
    return start;
  int64_t across = by < 0 ? rows : columns, along = by < 0 ? columns : rows;
  if (across == TensorType::kDynamic || along == TensorType::kDynamic)
    return std::nullopt;
  bool isEmpty = along == 0 || across <= std::abs(by);
  return isEmpty ? start : moved(start, by < 0 ? -by * ofRow : by * ofColumn);
}

ViewOf diagonalView(const Layout &base, Tensor self, Int offset, Int dim1, Int dim2) {
  int64_t a, b;
  auto strides = stridesAt(base, self, dim1, a);
  if (!strides || !stridesAt(base, self, dim2, b) || !offset.known())
    return sharesUnknown();
  int64_t by = *offset.known(), first = (*strides)[a], second = (*strides)[b];
  std::optional<int64_t> start =
      diagonalStart(base.offset(), self.info().size(a), self.info().size(b), by, first, second);
  strides->erase(strides->begin() + std::max(a, b));
  strides->erase(strides->begin() + std::min(a, b));
  strides->push_back(first + second);
  return ViewOf::shares(Layout::strided(*strides, start));
}

ViewOf stridedView(const Layout &base, IntList list, OptInt offset, bool fromStart) {
  auto strides = list.known();
  if (!strides || !offset.isSettled())
    return sharesUnknown();
  std::optional<int64_t> place = offset ? (*offset).known() : base.offset();
  if (fromStart)
    place = place && base.offset() ? std::optional(*base.offset() + *place) : std::nullopt;
  return ViewOf::shares(Layout::strided(*strides, place));
}

//===----------------------------------------------------------------------===//
// The tensor itself, or a copy
//===----------------------------------------------------------------------===//

ViewOf inFormat(const Layout &base, Tensor self, OptInt format) {
  if (!format.isSettled() || !self.info().hasRank() || (format && !(*format).known()))
    return ViewOf::unknown();
  int64_t wanted = format ? *(*format).known() : Preserve;
  if (wanted == Preserve)
    return ViewOf::shares(base);
  ArrayRef<int64_t> sizes = self.info().sizes();
  if (wanted == Contiguous) {
    auto isRowMajor = base.isRowMajor(sizes);
    if (!isRowMajor)
      return ViewOf::unknown();
    return *isRowMajor ? ViewOf::shares(base) : ViewOf::copies(Layout::rowMajor());
  }
  auto strides = stridesOf(base, self);
  if (!strides || !self.info().tensor.hasStaticSizes() ||
      sizes.size() != (wanted == ChannelsLast ? 4 : 5))
    return ViewOf::unknown();
  SmallVector<int64_t> channelsLast = channelsLastStrides(sizes);
  return agree(sizes, *strides, channelsLast) ? ViewOf::shares(base)
                                              : ViewOf::copies(Layout::strided(channelsLast, 0));
}

MemoryFormat suggestedFormat(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  size_t rank = sizes.size();
  if ((rank != 4 && rank != 5) || strides[1] == 0 || llvm::is_contained(sizes, 0))
    return Contiguous;
  SmallVector<size_t> fastestFirst = {1};
  for (size_t dim = rank; dim-- > 2;)
    fastestFirst.push_back(dim);
  fastestFirst.push_back(0);
  int64_t least = 0;
  for (size_t dim : fastestFirst) {
    if (strides[dim] < least || (dim == 0 && least == strides[1]))
      return Contiguous;
    least = strides[dim] * sizes[dim];
  }
  return rank == 4 ? ChannelsLast : ChannelsLast3d;
}

/// to(memory_format): the tensor itself if that is the format it is taken for, unlike contiguous().
static ViewOf inSuggestedFormat(const Layout &base, Tensor self, OptInt format) {
  if (!format.isSettled() || !self.info().hasRank() || (format && !(*format).known()))
    return ViewOf::unknown();
  int64_t wanted = format ? *(*format).known() : Preserve;
  if (wanted == Preserve)
    return ViewOf::shares(base);
  auto strides = stridesOf(base, self);
  if (!strides || !self.info().tensor.hasStaticSizes())
    return base.isRowMajor(self.info().sizes()).value_or(false) && wanted == Contiguous
               ? ViewOf::shares(base)
               : ViewOf::unknown();
  if (suggestedFormat(self.info().sizes(), *strides) == wanted)
    return ViewOf::shares(base);
  if (wanted == Contiguous)
    return ViewOf::copies(Layout::rowMajor());
  if (self.info().rank() != (wanted == ChannelsLast ? 4 : 5))
    return ViewOf::unknown();
  return ViewOf::copies(Layout::strided(channelsLastStrides(self.info().sizes()), 0));
}

ViewOf convertedView(const Layout &base, Tensor self, Value result, std::optional<Bool> copy,
                     std::optional<OptInt> format) {
  Type from = self.info().dtype(), to = cast<TensorType>(result.getType()).getDtype();
  if (!from || !to || !self.info().hasRank() || (copy && !copy->known()))
    return ViewOf::unknown();
  if (from == to && !(copy && *copy->known()))
    return format ? inSuggestedFormat(base, self, *format) : ViewOf::shares(base);
  bool keepsFormat = !format || (format->isSettled() &&
                                 (!*format || (**format).known().value_or(Contiguous) == Preserve));
  auto strides = stridesOf(base, self);
  if (keepsFormat && strides && self.info().tensor.hasStaticSizes())
    return ViewOf::copies(keptLayout(self.info().sizes(), *strides));
  bool isRowMajor = base.isRowMajor(self.info().sizes()).value_or(false);
  return ViewOf::copies(isRowMajor && keepsFormat ? Layout::rowMajor() : Layout::unknown());
}

//===----------------------------------------------------------------------===//
// Complex numbers: two real ones, one after the other
//===----------------------------------------------------------------------===//

static std::optional<int64_t> twice(std::optional<int64_t> offset) {
  return offset ? std::optional(2 * *offset) : std::nullopt;
}

ViewOf partsView(const Layout &base, Tensor self) {
  auto strides = stridesOf(base, self);
  if (!strides)
    return sharesUnknown();
  for (int64_t &stride : *strides)
    stride *= 2;
  strides->push_back(1);
  return ViewOf::shares(Layout::strided(*strides, twice(base.offset())));
}

ViewOf joinedPartsView(const Layout &base, Tensor self) {
  auto strides = stridesOf(base, self);
  if (!strides || strides->empty())
    return sharesUnknown();
  strides->pop_back();
  for (int64_t &stride : *strides)
    stride /= 2;
  auto offset = base.offset();
  return ViewOf::shares(
      Layout::strided(*strides, offset ? std::optional(*offset / 2) : std::nullopt));
}

ViewOf partView(const Layout &base, Tensor self, int64_t part) {
  if (!isa_and_present<ComplexType>(self.info().dtype()))
    return part == 0 && self.info().dtype() ? ViewOf::shares(base) : ViewOf::unknown();
  ViewOf parts = partsView(base, self);
  auto strides = parts.layout.strides(self.info().sizes());
  if (!strides)
    return parts;
  strides->pop_back();
  return ViewOf::shares(Layout::strided(*strides, moved(parts.layout.offset(), part)));
}

} // namespace jit
