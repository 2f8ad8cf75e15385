//===- ConvGrads.cpp - builders for the `grads` rules of Conv.td ----------===//
//
// All three gradients are convolutions again: that of the input is the transposed one, that of the
// weight takes the gradient for a weight, with batch and channels swapped.
//
//===----------------------------------------------------------------------===//

#include "Rules/Conv.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Conv.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {

/// A convolution with all of its numbers known, but for how many images there are and, in an open
/// one, how large they are.
struct KnownConv {
  GraphBuilder &build;
  Tensor input, weight, grad;
  SmallVector<Window> windows;
  SmallVector<int64_t> stride, padding, dilation;
  int64_t groups;
  bool isTransposed, isBatch, isOpen;

  Tensor convolved(Tensor image, Tensor kernel, bool transposed, ArrayRef<int64_t> outputPadding) {
    return build.op<aten::ConvolutionOp>(image, kernel, build.none(), build.ints(stride),
                                         build.ints(padding), build.ints(dilation), transposed,
                                         build.ints(outputPadding), groups);
  }
};

} // namespace

/// Of an image, whose sizes but for that of the batch are `count`.
static bool hasKnownChannels(Tensor t, int64_t count) {
  TensorInfo info = t.info();
  return info.hasRank() && info.dtype() && info.rank() >= count &&
         !ShapedType::isDynamic(info.size(-count));
}

static std::optional<KnownConv> knownConv(const ConvHandles &conv, Tensor grad) {
  if (!isStatic(conv.weight) || !conv.transposed.known() || !conv.groups.known())
    return std::nullopt;
  int64_t ofImage = conv.weight.info().rank() - 1;
  if (!hasKnownChannels(conv.input, ofImage) || !hasKnownChannels(grad, ofImage))
    return std::nullopt;
  bool isOpen = !areLastKnown(conv.input, ofImage) || !areLastKnown(grad, ofImage);
  auto windows = windowsOf({conv.input.v, conv.weight.v, conv.stride.v, conv.padding.v,
                            conv.dilation.v, conv.outputPadding.v, conv.groups.v});
  if (!windows)
    return std::nullopt;
  KnownConv known{*grad.b,
                  conv.input,
                  conv.weight,
                  grad,
                  *windows,
                  {},
                  {},
                  {},
                  *conv.groups.known(),
                  *conv.transposed.known(),
                  conv.input.info().rank() == int64_t(windows->size()) + 2,
                  isOpen};
  for (const Window &window : *windows) {
    known.stride.push_back(window.stride);
    known.padding.push_back(window.before);
    known.dilation.push_back(window.dilation);
  }
  if (!known.isBatch) {
    known.input = unsqueeze(known.input, 0);
    known.grad = unsqueeze(known.grad, 0);
  }
  return known;
}

/// The first elements of every dimension of an image, as many as `sizes` says.
static Tensor cropped(Tensor image, ArrayRef<int64_t> sizes) {
  for (auto [i, size] : llvm::enumerate(sizes))
    if (image.info().size(2 + i) != size)
      image = slice(image, 2 + i, 0, size);
  return image;
}

/// Along open sizes: as much more as a step of the windows may leave out, cropped again.
static Tensor openGradInput(KnownConv &known) {
  GraphBuilder &build = known.build;
  SmallVector<int64_t> more(known.windows.size(), 0);
  if (!known.isTransposed)
    for (auto [size, window] : llvm::zip(more, known.windows))
      size = window.stride - 1;
  Tensor result = known.convolved(known.grad, known.weight, !known.isTransposed, more);
  for (auto [i, window] : llvm::enumerate(known.windows))
    if (window.stride > 1)
      result = build.op<aten::SliceTensorOp>(result, int64_t(2 + i), 0,
                                             sizeOf(known.input, 2 + int64_t(i)), 1);
  return known.isBatch ? result : squeeze(result, 0);
}

Gradient convolutionGradInput(const ConvHandles &conv, Tensor grad) {
  auto known = knownConv(conv, grad);
  if (!known)
    return failure();
  if (known->isOpen)
    return openGradInput(*known);
  ArrayRef<int64_t> sizes = known->input.info().sizes().drop_front(2);
  // A forward convolution may leave out the end of its input: zeros there.
  SmallVector<int64_t> left(sizes.size(), 0);
  if (!known->isTransposed)
    for (auto [i, window] : llvm::enumerate(known->windows))
      left[i] = sizes[i] - window.spread(known->grad.info().size(2 + i), 0);
  Tensor result =
      cropped(known->convolved(known->grad, known->weight, !known->isTransposed, left), sizes);
  return known->isBatch ? result : squeeze(result, 0);
}

/// For each pair of a channel of `kernel` and one of the same group of `image`: how they go
/// together at each tap, summed over the batch.
static Tensor correlated(KnownConv &known, Tensor image, Tensor kernel) {
  GraphBuilder &build = known.build;
  Int batch = sizeOf(image, 0), groups = build.i(known.groups),
      channels = build.i(image.info().size(1) / known.groups);
  SmallVector<int64_t> order = {1, 0};
  SmallVector<Int> split = {batch, groups, channels}, joined = {channels, groups * batch};
  for (int64_t dim = 2; dim < image.info().rank(); ++dim) {
    split.push_back(sizeOf(image, dim));
    joined.push_back(split.back());
  }
  if (known.groups != 1) {
    image = build.op<aten::ViewOp>(image, build.list(split));
    order = {2, 1, 0};
  }
  for (int64_t dim = order.size(), rank = image.info().rank(); dim < rank; ++dim)
    order.push_back(dim);
  image = permute(image, order);
  if (known.groups != 1)
    image = build.op<aten::ViewOp>(image, build.list(joined));
  // A step of the window in the forward pass is a step between taps here, and the other way round.
  std::swap(known.stride, known.dilation);
  SmallVector<int64_t> none(known.windows.size(), 0);
  Tensor result = known.convolved(image, transpose(kernel, 0, 1), false, none);
  std::swap(known.stride, known.dilation);
  return transpose(result, 0, 1);
}

/// What windows read of a padded image at one tap: an element for each position.
static Tensor readAtTap(KnownConv &known, Tensor image, Tensor positions, ArrayRef<int64_t> tap) {
  GraphBuilder &build = known.build;
  for (auto [i, window] : llvm::enumerate(known.windows)) {
    Int first = build.i(tap[i] * window.dilation), count = sizeOf(positions, 2 + int64_t(i));
    Int end = first + (count - build.i(1)) * build.i(window.stride) + build.i(1);
    image =
        build.op<aten::SliceTensorOp>(image, int64_t(2 + i), first, end, build.i(window.stride));
  }
  return image;
}

/// The same as correlated(), of open sizes: a product for each tap, summed over all positions.
static Tensor correlatedByTaps(KnownConv &known, Tensor image, Tensor kernel) {
  GraphBuilder &build = known.build;
  int64_t groups = known.groups, dimensions = known.windows.size();
  SmallVector<int64_t> pads;
  SmallVector<int64_t> tap(dimensions, 0), sizes;
  for (const Window &window : llvm::reverse(known.windows))
    pads.append({window.before, window.before});
  for (const Window &window : known.windows)
    sizes.push_back(window.size);
  int64_t inputs = image.info().size(1) / groups, outputs = kernel.info().size(1) / groups;
  image = build.op<aten::ConstantPadNdOp>(image, build.ints(pads), 0.0);
  Int batch = sizeOf(kernel, 0), positions = build.i(1);
  for (int64_t dim = 0; dim < dimensions; ++dim)
    positions = positions * sizeOf(kernel, 2 + dim);
  // [groups, channels, batch and positions]
  auto rows = [&](Tensor t, int64_t channels) -> Tensor {
    IntList split = build.list({batch, build.i(groups), build.i(channels), positions});
    IntList joined = build.list({build.i(groups), build.i(channels), batch * positions});
    Tensor parts = permute(build.op<aten::ReshapeOp>(t, split), {1, 2, 0, 3});
    return build.op<aten::ReshapeOp>(parts, joined);
  };
  Tensor right = rows(kernel, outputs);
  SmallVector<Tensor> taps;
  for (int64_t count = ShapedType::getNumElements(sizes), at = 0; at < count; ++at) {
    for (int64_t dim = dimensions - 1, rest = at; dim >= 0; rest /= sizes[dim--])
      tap[dim] = rest % sizes[dim];
    Tensor left = rows(readAtTap(known, image, kernel, tap), inputs);
    taps.push_back(matmul(right, transpose(left, -2, -1)));
  }
  Tensor all = build.op<aten::StackOp>(build.list(taps), -1);
  SmallVector<int64_t> shape = {groups * outputs, inputs};
  llvm::append_range(shape, sizes);
  return build.op<aten::ReshapeOp>(all, build.ints(shape));
}

Gradient convolutionGradWeight(const ConvHandles &conv, Tensor grad) {
  auto known = knownConv(conv, grad);
  if (!known)
    return failure();
  if (known->isOpen)
    return known->isTransposed ? correlatedByTaps(*known, known->grad, known->input)
                               : correlatedByTaps(*known, known->input, known->grad);
  Tensor result = known->isTransposed ? correlated(*known, known->grad, known->input)
                                      : correlated(*known, known->input, known->grad);
  return cropped(result, known->weight.info().sizes().drop_front(2));
}

Gradient convolutionGradBias(Tensor input, Tensor weight, Tensor grad) {
  if (!input.info().hasRank() || !weight.info().hasRank())
    return failure();
  int64_t rank = input.info().rank(), channel = rank - (weight.info().rank() - 2) - 1;
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != channel)
      dims.push_back(dim);
  return sum(grad, dims, false);
}

Decomposition convolutionBackward(const ConvHandles &conv, Tensor grad) {
  Gradient input = convolutionGradInput(conv, grad), weight = convolutionGradWeight(conv, grad),
           bias = convolutionGradBias(conv.input, conv.weight, grad);
  if (failed(input.values) || failed(weight.values) || failed(bias.values))
    return failure();
  GraphBuilder &build = *grad.b;
  return {Any(build, input.values->front()), Any(build, weight.values->front()),
          Any(build, bias.values->front())};
}

} // namespace jit
