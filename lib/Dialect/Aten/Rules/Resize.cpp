//===- Resize.cpp - builders for the rules of Resize.td -------------------===//
//
// Every interpolation goes dimension by dimension: a few elements for each new one, weighted by
// where it lies between them.
//
//===----------------------------------------------------------------------===//

#include "Rules/Resize.h"
#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {

/// One dimension and its new size.
struct Axis {
  Tensor image;
  int64_t dim, size;
  std::optional<double> scale; // new over old, where it is not that of the sizes

  int64_t oldSize() const { return image.info().size(dim); }

  /// Old elements per new one. PyTorch has it in single precision for what only picks elements.
  double step(bool isSingle) const {
    if (isSingle)
      return scale ? float(1.0 / *scale) : float(oldSize()) / float(size);
    return scale ? 1.0 / *scale : double(oldSize()) / double(size);
  }
  /// 0, 1, ... in `dtype`.
  Tensor counting(Type dtype) const {
    Any none = image.b->none();
    int64_t number = int64_t(*typeToDtype(dtype));
    return image.b->op<aten::ArangeOp>(size, number, none, none, none);
  }
  /// The elements at places that are kept within the image.
  Tensor picked(Tensor places) const {
    GraphBuilder &build = *image.b;
    Type i64 = IntegerType::get(build.builder.getContext(), 64);
    Tensor index = build.op<aten::ClampOp>(converted(places, i64), 0, oldSize() - 1);
    return build.op<aten::IndexSelectOp>(image, dim, index);
  }
  /// A weight for each new element, to go with the image.
  Tensor along(Tensor weights) const {
    SmallVector<int64_t> sizes(image.info().rank(), 1);
    sizes[dim] = size;
    return converted(image.b->op<aten::ViewOp>(weights, image.b->ints(sizes)),
                     image.info().dtype());
  }
};

} // namespace

static Tensor floor(Tensor t) { return t.b->op<aten::FloorOp>(t); }

static Tensor nearest(const Axis &axis, bool isExact) {
  Tensor place = axis.counting(Float32Type::get(axis.image.b->builder.getContext()));
  if (isExact)
    place = place + 0.5;
  return axis.picked(floor(place * axis.step(/*isSingle=*/true)));
}

/// The type that places and weights are computed in.
static Type placeType(Tensor image) {
  MLIRContext *context = image.b->builder.getContext();
  return image.info().dtype().isF64() ? Type(Float64Type::get(context))
                                      : Type(Float32Type::get(context));
}

/// Where the new elements lie among the old ones.
static Tensor places(const Axis &axis, bool alignCorners) {
  Type type = placeType(axis.image);
  Tensor count = axis.counting(type);
  if (alignCorners)
    return count * (axis.size > 1 ? double(axis.oldSize() - 1) / double(axis.size - 1) : 0.0);
  return (count + 0.5) * axis.step(type.isF32()) - 0.5;
}

static Tensor linear(const Axis &axis, bool alignCorners) {
  Tensor place = axis.image.b->op<aten::ClampMinOp>(places(axis, alignCorners), 0);
  Tensor before = floor(place);
  Tensor low = axis.picked(before), high = axis.picked(before + 1.0);
  return low + (high - low) * axis.along(place - before);
}

static Tensor cubic(const Axis &axis, bool alignCorners) {
  constexpr double a = -0.75;
  Tensor place = places(axis, alignCorners);
  Tensor before = floor(place), t = place - before;
  auto near = [&](Tensor x) { return ((a + 2) * x - (a + 3)) * x * x + 1.0; };
  auto far = [&](Tensor x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  Tensor weights[] = {far(t + 1.0), near(t), near(1.0 - t), far(2.0 - t)};
  std::optional<Tensor> sum;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    Tensor part = axis.picked(before + (double(i) - 1)) * axis.along(weight);
    sum = sum ? *sum + part : part;
  }
  return *sum;
}

/// Each new element is a mean of all old ones by their distance: as many count as lie closer than
/// two new ones do.
static Tensor antialiased(const Axis &axis, bool alignCorners) {
  GraphBuilder &build = *axis.image.b;
  Type type = placeType(axis.image);
  double corners = axis.size > 1 ? double(axis.oldSize() - 1) / double(axis.size - 1) : 0.0;
  double step = alignCorners ? corners : axis.step(type.isF32()), reach = std::max(step, 1.0);
  Tensor center = unsqueeze((axis.counting(type) + 0.5) * step, 1);
  Tensor place = converted(counting(build, axis.oldSize()), type);
  Tensor first = floor(center + (0.5 - reach)), end = floor(center + (0.5 + reach));
  Tensor distance = abs((place - center + 0.5) / reach);
  Tensor near = build.op<aten::ClampMinOp>(1.0 - distance, 0);
  Tensor weights = where(place >= first && place < end, near, 0.0);
  weights = converted(weights / sum(weights, {1}, true), axis.image.info().dtype());
  Tensor rows = matmul(transpose(axis.image, axis.dim, -1), transpose(weights, 0, 1));
  return transpose(rows, axis.dim, -1);
}

static Tensor interpolated(const Axis &axis, Interpolation how, bool alignCorners) {
  switch (how) {
  case Interpolation::Nearest:
  case Interpolation::NearestExact:
    return nearest(axis, how == Interpolation::NearestExact);
  case Interpolation::Linear:
    return linear(axis, alignCorners);
  case Interpolation::Cubic:
    return cubic(axis, alignCorners);
  case Interpolation::Antialiased:
    return antialiased(axis, alignCorners);
  }
}

static Decomposition resized(Tensor self, ArrayRef<int64_t> sizes,
                             ArrayRef<std::optional<double>> scales, Interpolation how,
                             bool alignCorners) {
  if (self.info().rank() != int64_t(sizes.size()) + 2)
    return self.b->notYet("an output size for each dimension but the first two");
  bool isNearest = how == Interpolation::Nearest || how == Interpolation::NearestExact;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size < 1 || self.info().size(2 + i) < 1)
      return self.b->notYet("sizes of 1 or more");
    // Without a scale, and where corners meet, an unchanged size changes nothing.
    bool isSame = size == self.info().size(2 + i) && (!scales[i] || alignCorners) && !isNearest;
    if (!isSame)
      self = interpolated({self, int64_t(2 + i), size, scales[i]}, how, alignCorners);
  }
  return self;
}

Decomposition resized(Tensor self, IntList sizes, ArrayRef<OptFloat> scales, Interpolation how,
                      Bool alignCorners) {
  auto known = sizes.known();
  if (!isStatic(self) || !known || known->size() != scales.size() || !alignCorners.known())
    return self.b->notYet("the sizes of self, as many constant output sizes as it has such "
                          "dimensions, and the value of align_corners");
  SmallVector<std::optional<double>> factors;
  for (OptFloat scale : scales) {
    if (!scale.isSettled() || (scale && !(*scale).known()))
      return self.b->notYet("whether scale is None and the value of scale");
    factors.push_back(scale ? (*scale).known() : std::nullopt);
  }
  return resized(self, *known, factors, how, *alignCorners.known());
}

Decomposition resizedBy(Tensor self, OptIntList sizes, OptIntList scales, Interpolation how,
                        Bool alignCorners) {
  if (!isStatic(self) || !sizes.isSettled() || !scales.isSettled() || !alignCorners.known() ||
      bool(sizes) == bool(scales))
    return self.b->notYet(
        "the sizes of self, either sizes or scale factors, and the value of align_corners");
  if (sizes) {
    auto known = (*sizes).known();
    if (!known)
      return self.b->notYet("the values of output_size");
    SmallVector<std::optional<double>> none(known->size());
    return resized(self, *known, none, how, *alignCorners.known());
  }
  auto elements = (*scales).elements();
  if (!elements || int64_t(elements->size()) + 2 != self.info().rank())
    return self.b->notYet("a scale factor for each dimension but the first two");
  SmallVector<int64_t> to;
  SmallVector<std::optional<double>> factors;
  for (auto [i, element] : llvm::enumerate(*elements)) {
    auto factor = FloatInfo(element).known;
    if (!factor || *factor <= 0)
      return self.b->notYet("positive constant scale factors");
    factors.push_back(factor);
    to.push_back(int64_t(double(self.info().size(2 + i)) * *factor));
  }
  return resized(self, to, factors, how, *alignCorners.known());
}

Decomposition unpooled(Tensor self, Tensor indices, IntList sizes) {
  GraphBuilder &build = *self.b;
  auto known = sizes.known();
  if (!isStatic(self) || !isStatic(indices) || !known ||
      self.info().rank() < int64_t(known->size()))
    return build.notYet("the sizes of self and indices, and constant output sizes");
  SmallVector<int64_t> leading(self.info().sizes().drop_back(known->size())), flat(leading);
  SmallVector<int64_t> result(leading);
  llvm::append_range(result, *known);
  flat.push_back(-1);
  Tensor values = build.op<aten::ReshapeOp>(self, build.ints(flat));
  Tensor places = build.op<aten::ReshapeOp>(indices, build.ints(flat));
  flat.back() = ShapedType::getNumElements(*known);
  Any none = build.none();
  Tensor zeros = build.op<aten::NewZerosOp>(self, build.ints(flat), none, none, none, none);
  Tensor placed = build.op<aten::ScatterSrcOp>(zeros, -1, places, values);
  return build.op<aten::ViewOp>(placed, build.ints(result));
}

} // namespace jit
