//===- PoolGrads.cpp - builders for the `grads` rules of Pool.td ----------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Pool.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Pool.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// One dimension as two, of which the first has size 1
//===----------------------------------------------------------------------===//

/// [n] as [first, n]; an empty list stays one.
static IntList inTwo(int64_t first, IntList numbers) {
  GraphBuilder &build = *numbers.b;
  auto elements = numbers.elements();
  build.failed |= !elements;
  SmallVector<Int> both;
  if (elements && !elements->empty())
    both = {build.i(first), Int(build, elements->front())};
  return build.list(both);
}

Tensor maxPool1dGrad(Tensor grad, Tensor self, IntList size, IntList stride, IntList padding,
                     IntList dilation, Bool isCeil, Tensor indices) {
  Tensor result = grad.b->op<aten::MaxPool2dWithIndicesBackwardOp>(
      unsqueeze(grad, -2), unsqueeze(self, -2), inTwo(1, size), inTwo(1, stride), inTwo(0, padding),
      inTwo(1, dilation), isCeil, unsqueeze(indices, -2));
  return squeeze(result, -2);
}

Tensor avgPool1dGrad(Tensor grad, Tensor self, IntList size, IntList stride, IntList padding,
                     Bool isCeil, Bool countsPadding) {
  Tensor result = grad.b->op<aten::AvgPool2dBackwardOp>(
      unsqueeze(grad, -2), unsqueeze(self, -2), inTwo(1, size), inTwo(1, stride), inTwo(0, padding),
      isCeil, countsPadding, grad.b->none());
  return squeeze(result, -2);
}

//===----------------------------------------------------------------------===//
// To a given size
//===----------------------------------------------------------------------===//

/// Each slice along a dimension `count` times.
static Tensor repeated(Tensor t, int64_t dim, int64_t count) {
  GraphBuilder &build = *t.b;
  bool isOne = t.info().size(dim) == 1;
  if (!isOne)
    t = unsqueeze(t, dim + 1);
  SmallVector<int64_t> sizes(t.info().sizes());
  // Expanding to -1 leaves a size as it is.
  llvm::replace(sizes, TensorType::kDynamic, int64_t(-1));
  sizes[isOne ? dim : dim + 1] = count;
  t = build.op<aten::ExpandOp>(t, build.ints(sizes), false);
  return isOne ? t : build.op<aten::FlattenUsingIntsOp>(t, dim, dim + 1);
}

/// [output, input]: what each of the input has to do with the mean of each window.
static Tensor shares(Tensor like, Int input, int64_t output) {
  GraphBuilder &build = *like.b;
  auto over = [&](Tensor t) {
    return build.op<aten::DivScalarModeOp>(t, output, build.str("floor"));
  };
  Tensor scaled = build.op<aten::MulScalarOp>(unsqueeze(counting(build, output), 1), input);
  Tensor begin = over(scaled);
  Tensor end = over(build.op<aten::AddScalarOp>(scaled, input + build.i(output - 1), 1));
  Tensor place = counting(input);
  Tensor isInside = begin <= place && place < end;
  return typeAs(isInside, like) / typeAs(end - begin, like);
}

/// One slice along a dimension as `count` of which each has its share.
static Tensor spreadOver(Tensor t, int64_t dim, Int count) {
  GraphBuilder &build = *t.b;
  SmallVector<Int> sizes(t.info().rank(), build.i(-1));
  sizes[dim] = count;
  Tensor all = build.op<aten::ExpandOp>(t, build.list(sizes), false);
  return build.op<aten::DivScalarOp>(all, count);
}

Gradient adaptiveAvgPoolGrad(Tensor grad, Tensor self, int64_t dimensions) {
  TensorInfo info = self.info();
  if (!info.hasRank() || !areLastKnown(grad, dimensions) || grad.info().rank() != info.rank())
    return failure();
  int64_t count = 1;
  for (int64_t dim = info.rank() - dimensions; dim < info.rank(); ++dim) {
    int64_t input = info.size(dim), output = grad.info().size(dim);
    if (ShapedType::isDynamic(input) && output == 1) {
      grad = spreadOver(grad, dim, sizeOf(self, dim));
      continue;
    }
    if (!ShapedType::isDynamic(input) && output > 0 && input % output == 0) {
      grad = input == output ? grad : repeated(grad, dim, input / output);
      count *= input / output;
      continue;
    }
    Tensor spread = matmul(transpose(grad, dim, -1), shares(grad, sizeOf(self, dim), output));
    grad = transpose(spread, dim, -1);
  }
  return count == 1 ? grad : grad / double(count);
}

/// The last dimensions as one.
static Tensor flat(Tensor t, int64_t dimensions) {
  return dimensions == 1 ? t : t.b->op<aten::FlattenUsingIntsOp>(t, -dimensions, -1);
}

Tensor adaptiveMaxPoolGrad(Tensor self, Tensor indices, int64_t dimensions, Tensor grad) {
  Tensor zeros = flat(zerosLike(self), dimensions);
  Tensor sums =
      grad.b->op<aten::ScatterAddOp>(zeros, -1, flat(indices, dimensions), flat(grad, dimensions));
  return dimensions == 1 ? sums : viewAs(sums, self);
}

//===----------------------------------------------------------------------===//
// Second gradients
//===----------------------------------------------------------------------===//

Tensor pickedByIndices(Tensor t, Tensor indices, int64_t dimensions) {
  Tensor picked =
      t.b->op<aten::GatherOp>(flat(t, dimensions), -1, flat(indices, dimensions), false);
  return viewAs(picked, indices);
}

Tensor unfolded(Tensor t, Int dim, Int size, Int step) {
  return t.b->op<aten::UnfoldOp>(t, dim, size, step);
}

} // namespace jit
