//===- FractionalPool.cpp - windows that begin where samples say ----------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Pool.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {
/// One dimension of the image.
struct Extent {
  int64_t size, window, windows;
};
} // namespace

static Tensor wholeNumber(Tensor t) {
  return converted(t.b->op<aten::TruncOp>(t), t.b->builder.getI64Type());
}

/// [images, windows, window]: the places of one dimension that each window has.
static Tensor placesOf(Tensor sample, const Extent &extent) {
  GraphBuilder &build = *sample.b;
  sample = unsqueeze(sample, 1);
  Tensor count = counting(build, extent.windows);
  int64_t last = extent.size - extent.window;
  Tensor begin = count * double(0);
  if (extent.windows > 1) {
    double step = double(last) / double(extent.windows - 1);
    step = sample.info().dtype().isF32() ? double(float(last) / float(extent.windows - 1)) : step;
    Tensor number = converted(count, sample.info().dtype());
    begin = wholeNumber((number + sample) * step) - wholeNumber(sample * step);
  }
  Tensor isLast = build.op<aten::EqScalarOp>(count, extent.windows - 1);
  begin = build.op<aten::WhereScalarSelfOp>(isLast, last, begin);
  begin = converted(begin, build.builder.getI64Type());
  Tensor places = unsqueeze(begin, -1) + counting(build, extent.window);
  int64_t images = sample.info().size(0);
  return build.op<aten::ExpandOp>(places, build.ints({images, extent.windows, extent.window}),
                                  false);
}

/// [images, windows..., taps]: places in an image as a row, dimension by dimension.
static Tensor placesOfWindows(Tensor samples, ArrayRef<Extent> extents, bool isFirstInnermost) {
  GraphBuilder &build = *samples.b;
  int64_t rank = int64_t(extents.size()), images = samples.info().size(0);
  std::optional<Tensor> all;
  SmallVector<int64_t> sizes = {images}, taps;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    int64_t column = isFirstInnermost ? rank - 1 - int64_t(i) : int64_t(i);
    Tensor sample = build.op<aten::SelectIntOp>(samples, 1, column);
    SmallVector<int64_t> own(2 * rank + 1, 1);
    own[0] = images, own[1 + i] = extent.windows, own[1 + rank + i] = extent.window;
    Tensor places = build.op<aten::ReshapeOp>(placesOf(sample, extent), build.ints(own));
    all = all ? *all * build.i(extent.size) + places : places;
    sizes.push_back(extent.windows);
  }
  sizes.push_back(-1);
  return build.op<aten::ReshapeOp>(*all, build.ints(sizes));
}

/// [images, windows, 1]: the last of the taps that is NaN, where one is.
static Tensor lastNanOr(Tensor elements, Tensor otherwise) {
  GraphBuilder &build = *elements.b;
  Tensor number = counting(build, elements.info().size(2));
  Tensor nans = build.op<aten::WhereScalarOtherOp>(isNan(elements), number, -1);
  Tensor last(build, build.multi<aten::MaxDimOp>(nans, 2, true)->getResult(0));
  return where(last >= 0.0, last, otherwise);
}

Decomposition fractionalMaxPool(Tensor self, IntList size, IntList output, Tensor samples) {
  GraphBuilder &build = *self.b;
  auto windows = size.known(), results = output.known();
  if (!isStatic(self) || !isStatic(samples) || !windows || !results ||
      windows->size() != results->size() || samples.info().rank() != 3)
    return build.notYet(
        "the sizes of self and random_samples, and as many constant window sizes as output sizes");
  int64_t rank = int64_t(windows->size()), leading = self.info().rank() - rank;
  if (leading < 1 || samples.info().size(2) != rank)
    return build.notYet("dimensions before those that are pooled, and one sample for each that is");
  SmallVector<Extent> extents;
  SmallVector<int64_t> pooled(self.info().sizes().take_front(leading));
  int64_t images = ShapedType::getNumElements(pooled);
  if (samples.info().size(0) * samples.info().size(1) != images)
    return build.notYet("samples for each plane");
  for (auto [in, window, out] :
       llvm::zip(self.info().sizes().drop_front(leading), *windows, *results)) {
    if (out < 1 || window < 1 || out + window - 1 > in)
      return build.notYet("windows that fit as often as output_size says");
    extents.push_back({in, window, out});
  }
  llvm::append_range(pooled, *results);
  if (images == 0) {
    Any none = build.none(), sizes = build.ints(pooled);
    Tensor values = build.op<aten::NewZerosOp>(self, sizes, none, none, none, none);
    return {values, converted(values, build.builder.getI64Type())};
  }
  samples = build.op<aten::ReshapeOp>(samples, build.ints({images, rank}));
  // In two dimensions PyTorch's first sample is that of the columns.
  Tensor places = placesOfWindows(samples, extents, /*isFirstInnermost=*/rank == 2);
  int64_t taps = places.info().size(-1);
  Tensor rows = build.op<aten::ReshapeOp>(places, build.ints({images, -1}));
  Tensor flat = build.op<aten::ReshapeOp>(self, build.ints({images, -1}));
  Tensor elements = build.op<aten::ReshapeOp>(build.op<aten::GatherOp>(flat, 1, rows, false),
                                              build.ints({images, -1, taps}));
  Operation *largest = build.multi<aten::MaxDimOp>(elements, 2, true);
  Tensor tap = lastNanOr(elements, Tensor(build, largest->getResult(1)));
  Tensor choices = build.op<aten::ReshapeOp>(rows, build.ints({images, -1, taps}));
  Tensor chosen = build.op<aten::GatherOp>(choices, 2, tap, false);
  auto asPooled = [&](Value t) -> Tensor {
    return build.op<aten::ReshapeOp>(t, build.ints(pooled));
  };
  return {asPooled(largest->getResult(0)), asPooled(chosen.v)};
}

} // namespace jit
