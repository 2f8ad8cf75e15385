//===- Resize.cpp - builders for the rules of Resize.td -------------------===//
//
// Every interpolation goes dimension by dimension: a few elements for each new one, weighted by
// where it lies between them.
//
//===----------------------------------------------------------------------===//

#include "Rules/Resize.h"
#include "Rules/ByteImages.h"
#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;

namespace jit {

namespace {

/// One dimension and its new size.
struct Axis {
  Tensor image;
  int64_t dim;
  Int size;
  std::optional<double> scale; // new over old, where it is not that of the sizes

  Int oldSize() const { return sizeOf(image, dim); }
  bool isKnown() const { return size.known() && oldSize().known(); }
  bool isUnchanged() const { return isKnown() && *size.known() == *oldSize().known(); }

  /// Old elements per new one, of known sizes or by a scale. PyTorch has it in single precision
  /// for what only picks elements.
  double step(bool isSingle) const {
    if (scale)
      return isSingle ? float(1.0 / *scale) : 1.0 / *scale;
    int64_t from = *oldSize().known(), to = *size.known();
    return isSingle ? float(from) / float(to) : double(from) / double(to);
  }
  /// The same where the first and the last elements stay in their places.
  double cornerStep() const {
    int64_t from = *oldSize().known(), to = *size.known();
    return to > 1 ? double(from - 1) / double(to - 1) : 0.0;
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
    Int old = oldSize(), last = old.known() ? build.i(*old.known() - 1) : old - build.i(1);
    Tensor index = build.op<aten::ClampOp>(converted(places, i64), 0, last);
    return build.op<aten::IndexSelectOp>(image, dim, index);
  }
  /// A weight for each new element, to go with the image.
  Tensor along(Tensor weights) const {
    GraphBuilder &build = *image.b;
    SmallVector<Int> sizes(image.info().rank(), build.i(1));
    sizes[dim] = size;
    return converted(build.op<aten::ViewOp>(weights, build.list(sizes)), image.info().dtype());
  }
};

} // namespace

static Tensor floor(Tensor t) { return t.b->op<aten::FloorOp>(t); }

static Tensor clampMin(Tensor t, double least) { return t.b->op<aten::ClampMinOp>(t, least); }

/// An element of a list of sizes; a constant where it is known.
static Int asInt(GraphBuilder &build, Value size) {
  auto known = IntInfo(size).known;
  return known ? build.i(*known) : Int(build, size);
}

/// A size that the call or data tell, as a tensor of one element.
static Tensor asTensor(Int size, Type dtype) {
  GraphBuilder &build = *size.b;
  Any none = build.none();
  return build.op<aten::ScalarTensorOp>(size, int64_t(*typeToDtype(dtype)), none, none, none);
}

/// `count` new elements, numbers of `type`, in old ones.
static Tensor inOldElements(const Axis &axis, Tensor count, Type type) {
  if (axis.isKnown())
    return count * axis.step(type.isF32());
  Tensor from = asTensor(axis.oldSize(), type), to = asTensor(axis.size, type);
  if (!axis.scale)
    return count * (from / to);
  // PyTorch leaves a dimension as it is whose size a scale does not change.
  double step = axis.step(type.isF32());
  return count * where(from == to, from / to, step);
}

static Tensor nearest(const Axis &axis, bool isExact) {
  Type type = Float32Type::get(axis.image.b->builder.getContext());
  Tensor place = axis.counting(type);
  if (isExact)
    place = place + 0.5;
  return axis.picked(floor(inOldElements(axis, place, type)));
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
  if (!alignCorners)
    return inOldElements(axis, count + 0.5, type) - 0.5;
  if (axis.isKnown())
    return count * axis.cornerStep();
  Tensor from = asTensor(axis.oldSize(), type), to = asTensor(axis.size, type);
  return count * ((from - 1.0) / clampMin(to - 1.0, 1));
}

static Tensor linear(const Axis &axis, bool alignCorners) {
  Tensor place = clampMin(places(axis, alignCorners), 0);
  Tensor before = floor(place);
  Tensor low = axis.picked(before), high = axis.picked(before + 1.0);
  Tensor weight = place - before;
  return low * axis.along(1.0 - weight) + high * axis.along(weight);
}

/// The two halves of the cubic filter: by elements nearer than one, and by those beyond.
struct CubicFilter {
  double a;
  Tensor near(Tensor x) const { return ((a + 2) * x - (a + 3)) * x * x + 1.0; }
  Tensor far(Tensor x) const { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; }
};

static Tensor cubic(const Axis &axis, bool alignCorners) {
  CubicFilter filter{-0.75};
  Tensor place = places(axis, alignCorners);
  Tensor before = floor(place), t = place - before;
  Tensor weights[] = {filter.far(t + 1.0), filter.near(t), filter.near(1.0 - t),
                      filter.far(2.0 - t)};
  std::optional<Tensor> sum;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    Tensor part = axis.picked(before + (double(i) - 1)) * axis.along(weight);
    sum = sum ? *sum + part : part;
  }
  return *sum;
}

/// Each new element is a mean of all old ones by their distance: as many count as lie closer than
/// two new ones do (of a cubic filter, four).
static Tensor antialiased(const Axis &axis, bool isCubic, bool alignCorners) {
  GraphBuilder &build = *axis.image.b;
  Type type = placeType(axis.image);
  double step = alignCorners ? axis.cornerStep() : axis.step(type.isF32());
  double width = std::max(step, 1.0), reach = isCubic ? 2 * width : width;
  Tensor center = unsqueeze((axis.counting(type) + 0.5) * step, 1);
  Tensor place = converted(counting(build, *axis.oldSize().known()), type);
  Tensor first = floor(center + (0.5 - reach)), end = floor(center + (0.5 + reach));
  Tensor distance = abs((place - center + 0.5) / width);
  CubicFilter filter{-0.5};
  Tensor near = isCubic ? where(distance < 1.0, filter.near(distance),
                                where(distance < 2.0, filter.far(distance), 0.0))
                        : clampMin(1.0 - distance, 0);
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
  case Interpolation::AntialiasedCubic:
    return antialiased(axis, how == Interpolation::AntialiasedCubic, alignCorners);
  }
}

static bool isAntialiased(Interpolation how) {
  return how == Interpolation::Antialiased || how == Interpolation::AntialiasedCubic;
}

/// Whether interpolation leaves a dimension as it is.
static bool isCopy(const Axis &axis, Interpolation how, bool alignCorners) {
  if (!axis.isUnchanged())
    return false;
  if (how == Interpolation::Linear || isAntialiased(how))
    return true;
  return how == Interpolation::Cubic && (!axis.scale || alignCorners);
}

/// Ends the call unless an open size is one or more.
static void guardSize(Int size) {
  GraphBuilder &build = *size.b;
  if (size.known())
    return;
  Value isSize = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sge, size.v,
                                       build.i(1).v);
  GuardOp::create(build.builder, build.loc, isSize, "builtins.RuntimeError",
                  "expected sizes of 1 or more, got {}", size.v);
}

/// Ends the call if the size becomes `factor` times the old one.
static void guardUnlike(const Axis &axis, int64_t factor) {
  GraphBuilder &build = *axis.size.b;
  Int size = axis.size, kept = axis.oldSize() * build.i(factor);
  Value isOther =
      arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::ne, size.v, kept.v);
  GuardOp::create(build.builder, build.loc, isOther, "builtins.RuntimeError",
                  "expected a scale that does not round to a size of {}, where the memory format "
                  "tells which elements are nearest",
                  size.v);
}

/// Whether the elements that a scale picks are those that the two sizes pick.
static bool isScaleOfSizes(const Axis &axis) {
  Axis bySizes = axis;
  bySizes.scale = std::nullopt;
  auto place = [](int64_t i, float step) { return int64_t(std::floor(float(i) * step)); };
  float step = float(axis.step(true)), other = float(bySizes.step(true));
  // Steps that differ soon pick other elements, however large the image says it is.
  return step == other || llvm::all_of(llvm::seq(*axis.size.known()), [&](int64_t i) {
           return place(i, step) == place(i, other);
         });
}

/// In two dimensions PyTorch's nearest elements are those of the sizes where a size stays or
/// doubles, whatever the scale says; of large images so in one memory format alone. False where
/// that is not known.
static bool settleScales(Tensor self, MutableArrayRef<Axis> axes) {
  bool isKnown = llvm::all_of(axes, [](const Axis &axis) { return axis.isKnown(); });
  constexpr int64_t largest = 128; // _use_vectorized_kernel_cond_2d in PyTorch's UpSampleKernel.cpp
  bool isSmall = isKnown && *axes[0].size.known() + *axes[1].size.known() <= largest;
  for (Axis &axis : axes) {
    if (!axis.scale)
      continue;
    if (!isKnown) {
      for (int64_t factor : {1, 2})
        if (*axis.scale != factor)
          guardUnlike(axis, factor);
      continue;
    }
    int64_t from = *axis.oldSize().known(), to = *axis.size.known();
    if ((to != from && to != 2 * from) || isScaleOfSizes(axis))
      continue;
    if (isSmall)
      axis.scale = std::nullopt;
    else if (self.info().size(1) == TensorType::kDynamic || self.info().size(1) > 3)
      return false;
  }
  return true;
}

/// The last dimension is the first, whose bytes the other one takes.
static Decomposition resizedOfBytes(Tensor self, ArrayRef<Axis> axes, Interpolation how,
                                    bool alignCorners) {
  bool isKnown = llvm::all_of(axes, [](const Axis &axis) { return axis.isKnown(); });
  if (!self.info().dtype().isUnsignedInteger(8) || axes.size() != 2 || !isKnown)
    return self.b->notYet("floats, or bytes of images in two dimensions of known sizes");
  bool isCubic = how == Interpolation::Cubic || how == Interpolation::AntialiasedCubic;
  for (const Axis &axis : llvm::reverse(axes))
    if (!isCopy(axis, how, alignCorners))
      self = resizedBytes(self, axis.dim,
                          {*axis.oldSize().known(), *axis.size.known(), axis.scale, isCubic,
                           isAntialiased(how), alignCorners});
  return self;
}

static Decomposition resized(Tensor self, ArrayRef<Int> sizes,
                             ArrayRef<std::optional<double>> scales, Interpolation how,
                             bool alignCorners) {
  GraphBuilder &build = *self.b;
  if (self.info().rank() != int64_t(sizes.size()) + 2)
    return build.notYet("an output size for each dimension but the first two");
  SmallVector<Axis> axes;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    Axis axis{self, int64_t(2 + i), size, scales[i]};
    if (size.known().value_or(1) < 1 || axis.oldSize().known().value_or(1) < 1)
      return build.notYet("sizes of 1 or more");
    if (isAntialiased(how) && !axis.isKnown())
      return build.notYet("the sizes of self and constant output sizes for antialias");
    axes.push_back(axis);
  }
  if (how == Interpolation::Nearest && axes.size() == 2 && !settleScales(self, axes))
    return build.notYet("a scale that does not round to the size or its double, where the memory "
                        "format tells which elements are nearest");
  bool picks = how == Interpolation::Nearest || how == Interpolation::NearestExact;
  if (!picks && !isa<FloatType>(self.info().dtype()))
    return resizedOfBytes(self, axes, how, alignCorners);
  // Halves are weighted in f32, and rounded when all dimensions are done.
  Type dtype = self.info().dtype();
  if (!picks && dtype.getIntOrFloatBitWidth() < 32)
    self = converted(self, build.builder.getF32Type());
  for (Axis &axis : axes) {
    guardSize(axis.size);
    guardSize(axis.oldSize());
    if (build.failed)
      return failure();
    axis.image = self;
    if (!isCopy(axis, how, alignCorners))
      self = interpolated(axis, how, alignCorners);
  }
  return converted(self, dtype);
}

Decomposition resized(Tensor self, IntList sizes, ArrayRef<OptFloat> scales, Interpolation how,
                      Bool alignCorners) {
  auto elements = sizes.elements();
  if (!self.info().hasRank() || !self.info().dtype() || !elements ||
      elements->size() != scales.size() || !alignCorners.known())
    return self.b->notYet("the rank and dtype of self, as many output sizes as it has such "
                          "dimensions, and the value of align_corners");
  SmallVector<std::optional<double>> factors;
  for (OptFloat scale : scales) {
    if (!scale.isSettled() || (scale && !(*scale).known()))
      return self.b->notYet("whether scale is None and the value of scale");
    factors.push_back(scale ? (*scale).known() : std::nullopt);
  }
  auto to = llvm::map_to_vector(*elements, [&](Value size) { return asInt(*self.b, size); });
  return resized(self, to, factors, how, *alignCorners.known());
}

/// The size that a scale gives, rounded down.
static Int scaled(Int size, double factor) {
  GraphBuilder &build = *size.b;
  if (size.known())
    return build.i(int64_t(double(*size.known()) * factor));
  OpBuilder &b = build.builder;
  Value number = arith::SIToFPOp::create(b, build.loc, b.getF64Type(), size.v);
  Value product = arith::MulFOp::create(b, build.loc, number, build.f(factor).v);
  return Int(build, arith::FPToSIOp::create(b, build.loc, b.getI64Type(), product));
}

Decomposition resizedBy(Tensor self, OptIntList sizes, OptIntList scales, Interpolation how,
                        Bool alignCorners) {
  if (!self.info().hasRank() || !self.info().dtype() || !sizes.isSettled() || !scales.isSettled() ||
      !alignCorners.known() || bool(sizes) == bool(scales))
    return self.b->notYet("the rank and dtype of self, either sizes or scale factors, and the "
                          "value of align_corners");
  auto elements = sizes ? (*sizes).elements() : (*scales).elements();
  if (!elements || int64_t(elements->size()) + 2 != self.info().rank())
    return self.b->notYet("a size or scale factor for each dimension but the first two");
  SmallVector<Int> to;
  SmallVector<std::optional<double>> factors;
  for (auto [i, element] : llvm::enumerate(*elements)) {
    auto factor = sizes ? std::nullopt : FloatInfo(element).known;
    if (scales && (!factor || *factor <= 0))
      return self.b->notYet("positive constant scale factors");
    factors.push_back(factor);
    to.push_back(sizes ? asInt(*self.b, element) : scaled(sizeOf(self, 2 + i), *factor));
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
