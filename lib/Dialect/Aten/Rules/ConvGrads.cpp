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
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {

/// A convolution with all of its numbers known, but for how many images there are.
struct KnownConv {
  GraphBuilder &build;
  Tensor input, weight, grad;
  SmallVector<Window> windows;
  SmallVector<int64_t> stride, padding, dilation;
  int64_t groups;
  bool isTransposed, isBatch;

  Tensor convolved(Tensor image, Tensor kernel, bool transposed, ArrayRef<int64_t> outputPadding) {
    return build.op<aten::ConvolutionOp>(image, kernel, build.none(), build.ints(stride),
                                         build.ints(padding), build.ints(dilation), transposed,
                                         build.ints(outputPadding), groups);
  }
};

} // namespace

static std::optional<KnownConv> knownConv(const ConvHandles &conv, Tensor grad) {
  if (!isStatic(conv.weight) || !conv.transposed.known() || !conv.groups.known())
    return std::nullopt;
  int64_t ofImage = conv.weight.info().rank() - 1;
  if (!areLastKnown(conv.input, ofImage) || !areLastKnown(grad, ofImage))
    return std::nullopt;
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
                  conv.input.info().rank() == int64_t(windows->size()) + 2};
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

Gradient convolutionGradInput(const ConvHandles &conv, Tensor grad) {
  auto known = knownConv(conv, grad);
  if (!known)
    return failure();
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

Gradient convolutionGradWeight(const ConvHandles &conv, Tensor grad) {
  auto known = knownConv(conv, grad);
  if (!known)
    return failure();
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
