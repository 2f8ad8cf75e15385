//===- NewLayout.cpp - the strides of new memory --------------------------===//
//
// What PyTorch's TensorIterator and empty_like give results of operands that have strides of their
// own. A dimension of size 1 counts: its stride decides on an order, and programs may ask for it.
//
//===----------------------------------------------------------------------===//

#include "Rules/Layout.h"
#include "jit/Dialect/Aten/Lists.h"

#include <numeric>

using namespace mlir;

namespace jit {

namespace {
/// What is known of whether one dimension is faster than another.
enum class Speed { Faster, Slower, Ambiguous };
} // namespace

/// The dimensions, fastest first, as PyTorch finds them: an insertion sort from the last one on, as
/// not every pair can be told apart. `compare` gets two of them.
static SmallVector<size_t> fastestFirst(size_t rank,
                                        llvm::function_ref<Speed(size_t, size_t)> compare) {
  SmallVector<size_t> order;
  for (size_t dim = rank; dim-- > 0;)
    order.push_back(dim);
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t at = i, before = i; before-- > 0;) {
      Speed speed = compare(order[before], order[at]);
      if (speed == Speed::Faster)
        break;
      if (speed == Speed::Slower) {
        std::swap(order[before], order[at]);
        at = before;
      }
    }
  return order;
}

/// So that layouts which are alike are equal.
static Layout layoutWith(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  return strides == ArrayRef(rowMajorStrides(sizes))
             ? Layout::rowMajor()
             : Layout::strided(SmallVector<int64_t>(strides), 0);
}

/// The strides without gaps under which dimensions have such an order. A size of 0 makes those of
/// slower dimensions 0 where the order is not that of rows.
static Layout denseLayout(ArrayRef<int64_t> sizes, ArrayRef<size_t> fastestFirst) {
  if (llvm::is_sorted(fastestFirst, std::greater<>()))
    return Layout::rowMajor();
  SmallVector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t dim : fastestFirst) {
    strides[dim] = stride;
    stride *= sizes[dim];
  }
  return layoutWith(sizes, strides);
}

bool isDense(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (llvm::is_contained(sizes, 0))
    return true;
  SmallVector<size_t> dims;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] != 1)
      dims.push_back(dim);
  llvm::sort(dims, [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  int64_t expected = 1;
  for (size_t dim : dims) {
    if (strides[dim] != expected)
      return false;
    expected *= sizes[dim];
  }
  return true;
}

bool agree(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, ArrayRef<int64_t> wanted) {
  return llvm::all_of(llvm::seq<size_t>(sizes.size()),
                      [&](size_t dim) { return sizes[dim] == 1 || strides[dim] == wanted[dim]; });
}

SmallVector<int64_t> channelsLastStrides(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  int64_t stride = std::max<int64_t>(sizes[1], 1);
  strides[1] = 1;
  for (size_t dim = sizes.size(); dim-- > 2;) {
    strides[dim] = stride;
    stride *= std::max<int64_t>(sizes[dim], 1);
  }
  strides[0] = stride;
  return strides;
}

/// The layout of a result whose operands all have its sizes, where they agree on one; dimensions
/// of size 1 may have any strides in these.
static std::optional<Layout> commonLayout(ArrayRef<int64_t> sizes, ArrayRef<Strided> operands) {
  auto haveAll = [&](ArrayRef<int64_t> strides) {
    return llvm::all_of(
        operands, [&](const Strided &operand) { return agree(sizes, operand.strides, strides); });
  };
  if (operands.empty() || haveAll(rowMajorStrides(sizes)))
    return Layout::rowMajor();
  if (sizes.size() == 4 && haveAll(channelsLastStrides(sizes)))
    return Layout::strided(channelsLastStrides(sizes), 0);
  const SmallVector<int64_t> &first = operands.front().strides;
  bool areAllFirst =
      llvm::all_of(operands, [&](const Strided &operand) { return operand.strides == first; });
  return areAllFirst && isDense(sizes, first) ? std::optional(Layout::strided(first, 0))
                                              : std::nullopt;
}

/// The strides of an operand that is broadcast to `sizes`.
static SmallVector<int64_t> broadcastStrides(const Strided &operand, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size(), 0);
  size_t missing = sizes.size() - operand.sizes.size();
  for (auto [dim, size, stride] : llvm::enumerate(operand.sizes, operand.strides))
    if (size != 1 || sizes[missing + dim] == 1)
      strides[missing + dim] = stride;
  return strides;
}

Layout pointwiseLayout(ArrayRef<int64_t> sizes, ArrayRef<Strided> operands) {
  bool haveItsSizes = llvm::all_of(
      operands, [&](const Strided &operand) { return ArrayRef(operand.sizes) == sizes; });
  if (haveItsSizes && llvm::is_contained(sizes, 0))
    return Layout::rowMajor();
  if (haveItsSizes)
    if (std::optional<Layout> common = commonLayout(sizes, operands))
      return *common;
  SmallVector<SmallVector<int64_t>> strides;
  for (const Strided &operand : operands)
    strides.push_back(broadcastStrides(operand, sizes));
  auto compare = [&](size_t a, size_t b) {
    for (ArrayRef<int64_t> of : strides) {
      if (of[a] == 0 || of[b] == 0)
        continue;
      if (of[a] != of[b])
        return of[a] < of[b] ? Speed::Faster : Speed::Slower;
      if (sizes[a] > sizes[b])
        return Speed::Slower;
    }
    return Speed::Ambiguous;
  };
  return denseLayout(sizes, fastestFirst(sizes.size(), compare));
}

Layout keptLayout(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (isDense(sizes, strides))
    return layoutWith(sizes, strides);
  auto compare = [&](size_t a, size_t b) {
    if (strides[a] == 0 || strides[b] == 0)
      return Speed::Ambiguous;
    if (strides[a] != strides[b])
      return strides[a] < strides[b] ? Speed::Faster : Speed::Slower;
    return sizes[a] > sizes[b] ? Speed::Slower : Speed::Ambiguous;
  };
  return denseLayout(sizes, fastestFirst(sizes.size(), compare));
}

std::optional<Layout> finiteLayout(Tensor self, StridedOf stridedOf) {
  auto given = stridedOf(self.v);
  Type dtype = self.info().dtype();
  if (!given || !dtype)
    return std::nullopt;
  ArrayRef<int64_t> sizes = given->sizes;
  if (!isa<FloatType>(dtype))
    return keptLayout(sizes, given->strides);
  auto of = [&](ArrayRef<Strided> operands) {
    return Strided{given->sizes, *pointwiseLayout(sizes, operands).strides(sizes)};
  };
  Strided isNumber = of({*given, *given}), isBounded = of({of({*given}), {}});
  return pointwiseLayout(sizes, {isNumber, isBounded});
}

std::optional<Layout> indexedLayout(Tensor self, Value indices, Value result, StridedOf stridedOf) {
  auto given = stridedOf(self.v);
  std::string problem;
  auto plan = given ? planIndex(given->sizes.size(), indices, problem) : std::nullopt;
  if (!plan || !problem.empty())
    return std::nullopt;
  SmallVector<int64_t> sizes(cast<TensorType>(result.getType()).getSizes());
  bool hasOnes = llvm::is_contained(sizes, 1);
  size_t place = plan->place;
  Strided picked{sizes, {}};
  for (auto [index, stride] : llvm::zip_equal(plan->indices, given->strides))
    if (!index)
      picked.strides.push_back(stride);
  picked.strides.insert(picked.strides.begin() + place, plan->sizes.size(), 0);
  SmallVector<Strided> operands = {picked};
  for (Value index : llvm::make_filter_range(plan->indices, [](Value v) { return bool(v); })) {
    auto own = stridedOf(index);
    bool isPlain = own && ArrayRef(own->sizes) == ArrayRef(plan->sizes) &&
                   own->strides == rowMajorStrides(own->sizes);
    if (!own || (hasOnes && !isPlain))
      return std::nullopt;
    // The dimensions before and behind it have size 1, and the strides of its reshape.
    Strided along{SmallVector<int64_t>(sizes.size(), 1), SmallVector<int64_t>(sizes.size(), 1)};
    int64_t all = std::accumulate(plan->sizes.begin(), plan->sizes.end(), int64_t(1),
                                  std::multiplies<int64_t>());
    std::fill_n(along.strides.begin(), place, all);
    SmallVector<int64_t> strides = broadcastStrides(*own, plan->sizes);
    llvm::copy(plan->sizes, along.sizes.begin() + place);
    llvm::copy(strides, along.strides.begin() + place);
    operands.push_back(along);
  }
  return pointwiseLayout(sizes, operands);
}

/// The layout of a cat of such tensors.
static Layout joinedLayout(ArrayRef<Strided> tensors, ArrayRef<int64_t> sizes) {
  MemoryFormat format = suggestedFormat(tensors[0].sizes, tensors[0].strides);
  bool isOne = llvm::all_of(tensors, [&](const Strided &tensor) {
    return suggestedFormat(tensor.sizes, tensor.strides) == format;
  });
  return isOne && format != Contiguous ? Layout::strided(channelsLastStrides(sizes), 0)
                                       : Layout::rowMajor();
}

std::optional<Layout> joinedLayout(Value tensors, Int dim, Value result, StridedOf stridedOf,
                                   bool stacks) {
  auto list = tensors.getDefiningOp<ListOp>();
  SmallVector<int64_t> sizes(cast<TensorType>(result.getType()).getSizes());
  if (!list || list.getElements().empty() || !dim.known() || llvm::is_contained(sizes, 0))
    return std::nullopt;
  SmallVector<Strided> all;
  for (Value tensor : list.getElements()) {
    auto given = stridedOf(tensor);
    if (!given)
      return std::nullopt;
    all.push_back(std::move(*given));
  }
  if (!stacks)
    return joinedLayout(all, sizes);
  // PyTorch joins them along the dimension behind the new one, which is split then; where there is
  // none, each has a last dimension of size 1.
  size_t rank = sizes.size() - 1,
         place = *dim.known() < 0 ? *dim.known() + sizes.size() : *dim.known();
  if (place == rank) {
    for (Strided &tensor : all) {
      tensor.sizes.push_back(1);
      tensor.strides.push_back(1);
    }
    return joinedLayout(all, sizes);
  }
  SmallVector<int64_t> joined(sizes);
  int64_t count = joined[place];
  joined.erase(joined.begin() + place);
  int64_t part = joined[place];
  joined[place] *= count;
  Layout layout = joinedLayout(all, joined);
  // A split gives a dimension of size 1 another stride.
  if (layout != Layout::rowMajor() && llvm::is_contained(sizes, 1))
    return Layout::unknown();
  auto strides = layout.strides(joined);
  strides->insert(strides->begin() + place, (*strides)[place] * part);
  return layoutWith(sizes, *strides);
}

} // namespace jit
