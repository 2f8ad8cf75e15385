//===- Conv.cpp - builders for the rules of Conv.td -----------------------===//

#include "Rules/Conv.h"
#include "jit/Dialect/Aten/Conv.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Sizes.h"

using namespace mlir;

namespace jit {

static constexpr int64_t unknown = TensorType::kDynamic;

/// True, or an error, unless the input's channels may be those that the weight takes.
static bool areChannelsValid(TypeRules &infer, int64_t got, int64_t expected) {
  if (got == expected || got == unknown || expected == unknown)
    return true;
  infer.error("expected an input of " + Twine(expected) + " channels, got " + Twine(got));
  return false;
}

/// The sizes of the output along the dimensions of the windows; false after an error.
static bool appendSpatial(TypeRules &infer, const ConvOperands &operands, bool isTransposed,
                          SmallVectorImpl<int64_t> &sizes) {
  TensorInfo input(operands.input), weight(operands.weight);
  unsigned dimensions = weight.rank() - 2;
  auto windows = windowsOf(operands);
  auto outputPadding = perDimension(operands.outputPadding, dimensions, 0);
  ArrayRef<int64_t> spatial = input.sizes().take_back(dimensions);
  for (unsigned i = 0; i < dimensions; ++i) {
    bool isKnown = windows && outputPadding && spatial[i] != unknown;
    int64_t size = !isKnown       ? unknown
                   : isTransposed ? (*windows)[i].spread(spatial[i], (*outputPadding)[i])
                                  : (*windows)[i].count(spatial[i]);
    if (isKnown && size != unknown && size <= 0) {
      infer.error("expected an input no smaller than the window of " +
                  Twine((*windows)[i].extent()) + ", got size " + Twine(spatial[i]));
      return false;
    }
    sizes.push_back(size);
  }
  return true;
}

Type convolved(TypeRules &infer, const ConvOperands &operands, std::optional<bool> isTransposed) {
  TensorInfo input(operands.input), weight(operands.weight);
  Type dtype = input.dtype() ? input.dtype() : weight.dtype();
  if (!input.hasRank() || !weight.hasRank() || !isTransposed)
    return infer.unranked(dtype);
  int64_t dimensions = weight.rank() - 2;
  bool hasBatch = input.rank() == dimensions + 2;
  if (dimensions < 1 || (!hasBatch && input.rank() != dimensions + 1))
    return infer.error("expected an input of rank " + Twine(dimensions + 2) +
                       " for a weight of rank " + Twine(weight.rank()) + ", got rank " +
                       Twine(input.rank()));
  int64_t groups = IntInfo(operands.groups).orDynamic();
  int64_t grouped = (Size(weight.size(1)) * groups).value;
  if (!areChannelsValid(infer, input.size(hasBatch), *isTransposed ? weight.size(0) : grouped))
    return {};
  SmallVector<int64_t> sizes;
  if (hasBatch)
    sizes.push_back(input.size(0));
  sizes.push_back(*isTransposed ? grouped : weight.size(0));
  if (!appendSpatial(infer, operands, *isTransposed, sizes))
    return {};
  return infer.tensor(sizes, dtype);
}

Type windowColumns(TypeRules &infer, TensorInfo self, ListInfo size, ListInfo dilation,
                   ListInfo padding, ListInfo stride) {
  if (!self.hasRank())
    return infer.unranked(self.dtype());
  if (self.rank() != 3 && self.rank() != 4)
    return infer.error("expected an image of rank 3 or 4, got rank " + Twine(self.rank()));
  SmallVector<int64_t> sizes(self.sizes().drop_back(2));
  auto windows = windowsOf(2, size.value, stride.value, padding.value, dilation.value);
  Size area = unknown, count = unknown;
  if (windows) {
    area = Size((*windows)[0].size) * (*windows)[1].size;
    count = 1;
    for (auto [window, input] : llvm::zip(*windows, self.sizes().take_back(2)))
      count = count * (input == unknown ? unknown : window.count(input));
    if (count.isKnown() && count.value <= 0)
      return infer.error("expected an image no smaller than the window");
  }
  sizes.back() = (area * sizes.back()).value;
  sizes.push_back(count.value);
  return infer.tensor(sizes, self.dtype());
}

Decomposition convolutionByMode(Tensor input, Tensor weight, OptTensor bias, IntList stride,
                                Str padding, IntList dilation, Int groups) {
  GraphBuilder &build = *input.b;
  auto windows = windowsOf({input.v, weight.v, stride.v, padding.v, dilation.v, Value(), groups.v});
  if (!windows)
    return build.notYet(
        "the sizes of input and weight, and the values of stride, padding, dilation and groups");
  // What both ends have in common, and what one of them has beside it: last dimension first.
  SmallVector<int64_t> both, rest;
  for (const Window &window : *windows)
    both.push_back(std::min(window.before, window.after));
  for (auto [window, common] : llvm::reverse(llvm::zip_equal(*windows, both)))
    rest.append({window.before - common, window.after - common});
  if (llvm::any_of(rest, [](int64_t n) { return n != 0; }))
    input = build.op<aten::ConstantPadNdOp>(input, build.ints(rest), 0);
  return build.op<aten::ConvolutionOp>(input, weight, bias, stride, build.ints(both), dilation,
                                       false, build.ints({0}), groups);
}

Type columnImage(TypeRules &infer, TensorInfo columns, ListInfo sizes,
                 const std::optional<SmallVector<Window>> &windows) {
  auto wanted = sizes.ints();
  if (!columns.hasRank() || !wanted)
    return infer.unranked(columns.dtype());
  if (columns.rank() != 2 && columns.rank() != 3)
    return infer.error("expected columns of rank 2 or 3, got rank " + Twine(columns.rank()));
  if (wanted->size() != 2)
    return infer.error("expected 2 sizes, got " + Twine(wanted->size()));
  SmallVector<int64_t> image(columns.sizes().drop_back());
  Size area = unknown, count = unknown;
  if (windows) {
    area = Size((*windows)[0].size) * (*windows)[1].size;
    count = 1;
    for (auto [window, size] : llvm::zip(*windows, *wanted))
      count = count * (size == unknown ? unknown : window.count(size));
  }
  int64_t columnCount = columns.sizes().back();
  if (count.isKnown() && columnCount != unknown && count.value != columnCount)
    return infer.error("expected " + Twine(count.value) + " columns, got " + Twine(columnCount));
  int64_t &channels = image.back();
  if (!area.isKnown())
    channels = unknown;
  else if (channels != unknown && channels % area.value != 0)
    return infer.error("expected columns of a multiple of " + Twine(area.value) +
                       " elements, got " + Twine(channels));
  else if (channels != unknown)
    channels /= area.value;
  llvm::append_range(image, *wanted);
  return infer.tensor(image, columns.dtype());
}

} // namespace jit
