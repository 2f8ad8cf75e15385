//===- Sampling.cpp - builders for the rules of Sampling.td ---------------===//

#include "Rules/Sampling.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/Layout.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Rearrange.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

static Tensor view(Tensor t, ArrayRef<int64_t> sizes) {
  return t.b->op<aten::ReshapeOp>(t, t.b->ints(sizes));
}
static Tensor floorOf(Tensor t) { return t.b->op<aten::FloorOp>(t); }
static Tensor clamped(Tensor t, double low, double high) {
  return t.b->op<aten::ClampOp>(t, low, high);
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

namespace {
enum class Outside { Zeros, Border, Reflection };

/// One dimension of an image, or of a volume, of which PyTorch samples otherwise.
struct Axis {
  double size;
  Outside outside;
  bool hasCorners, isOfVolume;
};

/// A place along one dimension, whole but a float, and what it counts.
struct Tap {
  Tensor place, weight;
};
} // namespace

/// From [-1, 1] to the numbers of the pixels.
static Tensor pixels(Tensor x, const Axis &axis) {
  if (axis.hasCorners)
    return (x + 1.0) * ((axis.size - 1) / 2);
  // Where one of them is too large for a float, the other is not.
  return axis.isOfVolume ? ((x + 1.0) * axis.size + -1.0) * 0.5
                         : (x + 1.0) * (axis.size / 2) + -0.5;
}

/// The places of the pixels along one dimension, from -1 to 1.
static Tensor placesAlong(Tensor like, int64_t size, bool corners) {
  GraphBuilder &build = *like.b;
  Any none = build.none();
  int64_t dtype = int64_t(*typeToDtype(like.info().dtype()));
  Tensor whole = build.op<aten::ArangeOp>(size, dtype, none, none, none);
  double steps = corners ? std::max<int64_t>(size - 1, 1) : size;
  double first = size == 1 ? 0 : corners ? -1 : 1 / steps - 1;
  return whole * (2 / steps) + first;
}

Decomposition affineGrid(Tensor theta, IntList size, Bool corners) {
  GraphBuilder &build = *theta.b;
  auto sizes = size.known();
  bool fits = sizes && theta.info().hasRank() && theta.info().dtype() && corners.known();
  if (!fits)
    return build.notYet(
        "the sizes, the rank and the element type of theta, and the value of align_corners");
  int64_t dims = sizes->size() - 2;
  SmallVector<int64_t> columnSizes(dims + 2, 1);
  columnSizes.front() = sizes->front(), columnSizes.back() = dims;
  auto column = [&](int64_t at) {
    return view(build.op<aten::SelectIntOp>(theta, 2, at), columnSizes);
  };
  Tensor grid = column(dims);
  for (int64_t i = 0; i < dims; ++i) {
    // x, the first of a place, is along the last dimension.
    SmallVector<int64_t> axis(dims + 2, 1);
    axis[dims - i] = (*sizes)[dims + 1 - i];
    grid = grid + column(i) * view(placesAlong(theta, axis[dims - i], *corners.known()), axis);
  }
  return grid;
}

/// Back and forth between the first and last pixel, or between their outer edges. The ways round
/// differ for what is infinite and for large numbers, of which few digits are left.
static Tensor reflected(Tensor x, const Axis &axis) {
  double low = axis.hasCorners ? 0 : -0.5, span = axis.hasCorners ? axis.size - 1 : axis.size;
  if (span == 0)
    return zerosLike(x);
  GraphBuilder &build = *x.b;
  Tensor apart = abs(x + -low);
  if (!axis.isOfVolume) {
    Tensor turns = build.op<aten::TruncOp>(apart / (2 * span)), extra = apart - turns * (2 * span);
    return where(extra > span, 2 * span - extra, extra) + low;
  }
  // Turns that no int of 32 bits holds count as even.
  Tensor extra = build.op<aten::FmodScalarOp>(apart, build.f(span)), turns = floorOf(apart / span);
  Tensor isOdd = build.op<aten::RemainderScalarOp>(turns, 2) == 1.0 && turns < 0x1p31;
  return where(isOdd, span - extra, extra) + low;
}

/// Outside of the image, a place on its border, which has no gradient. NaN is at the one end of an
/// image and at the other of a volume.
static Tensor kept(Tensor x, const Axis &axis) {
  if (axis.outside == Outside::Zeros)
    return x;
  if (axis.outside == Outside::Reflection)
    x = reflected(x, axis);
  double last = axis.size - 1;
  if (axis.isOfVolume)
    return where(x < last, where(x > 0.0, x, 0.0), last);
  return where(x > 0.0, where(x < last, x, last), 0.0);
}

/// The share of a neighbour at a distance of up to 2, by the cubic with slope -0.75.
static Tensor cubicShare(Tensor distance, bool isNear) {
  const double a = -0.75;
  Tensor x = distance;
  if (isNear)
    return ((x * (a + 2) + -(a + 3)) * x) * x + 1.0;
  return ((x * a + -5 * a) * x + 8 * a) * x + -4 * a;
}

static SmallVector<Tap> tapsOf(Tensor x, int64_t interpolation, const Axis &axis) {
  if (interpolation == 1) {
    Tensor nearest = x.b->op<aten::RoundOp>(kept(x, axis));
    return {{nearest, onesLike(x)}};
  }
  if (interpolation == 0) {
    Tensor place = kept(x, axis), low = floorOf(place), share = place - low;
    return {{low, 1.0 - share}, {low + 1.0, share}};
  }
  // Each neighbour is kept inside by itself.
  Tensor low = floorOf(x), share = x - low;
  return {{kept(low + -1.0, axis), cubicShare(share + 1.0, false)},
          {kept(low, axis), cubicShare(share, true)},
          {kept(low + 1.0, axis), cubicShare(1.0 - share, true)},
          {kept(low + 2.0, axis), cubicShare(2.0 - share, false)}};
}

namespace {
/// A pixel for each place of the grid, [batch, out...].
struct Pixel {
  Tensor index, weight, isInside;
};
} // namespace

/// All pixels that count, one from the taps of each dimension.
static SmallVector<Pixel> combined(ArrayRef<SmallVector<Tap>> taps, ArrayRef<int64_t> sizes) {
  SmallVector<Pixel> pixels;
  for (auto [axis, size] : llvm::zip(taps, sizes)) {
    SmallVector<Pixel> next;
    for (const Tap &tap : axis) {
      double last = double(size) - 1;
      Tensor isInside = tap.place >= 0.0 && tap.place <= last;
      Tensor place = clamped(where(isInside, tap.place, 0.0), 0, last);
      if (pixels.empty() && &axis == &taps.front())
        next.push_back({place, tap.weight, isInside});
      for (const Pixel &pixel : pixels)
        next.push_back({pixel.index * double(size) + place, pixel.weight * tap.weight,
                        pixel.isInside && isInside});
    }
    pixels = next;
  }
  return pixels;
}

Decomposition sampledAt(Tensor input, Tensor grid, Int interpolation, Int padding, Bool corners) {
  GraphBuilder &build = *input.b;
  if (!isStatic(input) || !isStatic(grid) || !interpolation.known() || !padding.known() ||
      !corners.known() || input.info().rank() != grid.info().rank() || input.info().rank() < 4)
    return build.notYet("the sizes of input and grid, of the same rank of 4 or more, and the "
                        "values of the modes and of align_corners");
  int64_t dims = input.info().rank() - 2;
  ArrayRef<int64_t> sizes = input.info().sizes().drop_front(2);
  if (grid.info().size(-1) != dims || elementCount(input) == 0)
    return build.notYet("a coordinate for each dimension, and elements to sample");
  SmallVector<SmallVector<Tap>> taps;
  for (int64_t dim = 0; dim < dims; ++dim) {
    // The grid names the last dimension first.
    Tensor x = build.op<aten::SelectIntOp>(grid, -1, dims - 1 - dim);
    Axis axis{double(sizes[dim]), Outside(*padding.known()), *corners.known(), dims > 2};
    taps.push_back(tapsOf(pixels(x, axis), *interpolation.known(), axis));
  }
  int64_t batch = input.info().size(0), channels = input.info().size(1);
  int64_t places = elementCount(grid) / (dims * std::max<int64_t>(batch, 1));
  Tensor flat = view(input, {batch, channels, -1});
  std::optional<Tensor> total;
  for (const Pixel &pixel : combined(taps, sizes)) {
    Tensor index = converted(pixel.index, IntegerType::get(build.builder.getContext(), 64));
    index = build.op<aten::ExpandOp>(view(index, {batch, 1, places}),
                                     build.ints({batch, channels, places}), false);
    Tensor value = build.op<aten::GatherOp>(flat, 2, index, false);
    // Of an image, what is outside is 0 and has a weight, which may be NaN; a volume has nothing
    // there.
    Tensor isInside = view(pixel.isInside, {batch, 1, places});
    Tensor weight = view(pixel.weight, {batch, 1, places});
    Tensor part =
        dims > 2 ? where(isInside, value * weight, 0.0) : where(isInside, value, 0.0) * weight;
    total = total ? *total + part : part;
  }
  SmallVector<int64_t> result{batch, channels};
  llvm::append_range(result, grid.info().sizes().drop_front(1).drop_back(1));
  return view(*total, result);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The row that no bag takes, counted from the front.
static std::optional<int64_t> leftOut(Tensor table, const Bagging &how) {
  if (!how.padding || !*how.padding)
    return std::nullopt;
  int64_t row = *(**how.padding).known();
  return row < 0 ? row + table.info().size(0) : row;
}

/// The offsets without the last, which has to be the number of indices: of an earlier one PyTorch
/// makes different things for each mode and element type.
static Tensor withoutEnd(Tensor offsets, int64_t count) {
  GraphBuilder &build = *offsets.b;
  int64_t last = offsets.info().size(0) - 1;
  Tensor end = build.op<aten::SelectIntOp>(offsets, 0, last);
  Value isAll = build.op<aten::ItemOp>(end == double(count)).v;
  GuardOp::create(build.builder, build.loc, isAll, "builtins.RuntimeError",
                  "expected the number of indices, {}, as the last offset of embedding_bag",
                  ValueRange{build.i(count).v});
  return slice(offsets, 0, 0, last);
}

/// The rows of each bag added up, those of halves in f32. A row that no bag takes adds nothing,
/// whatever it holds.
static Tensor sumsOf(Tensor rows, Tensor bag, int64_t bags, Tensor isTaken) {
  GraphBuilder &build = *rows.b;
  Type type = rows.info().dtype();
  Type wide = type.getIntOrFloatBitWidth() < 32 ? build.builder.getF32Type() : type;
  Any none = build.none();
  Tensor taken = converted(where(unsqueeze(isTaken, -1), rows, 0.0), wide);
  Tensor start = build.op<aten::ZerosOp>(build.ints({bags, rows.info().size(1)}),
                                         int64_t(*typeToDtype(wide)), none, none, none);
  Tensor place = build.op<aten::ClampMinOp>(bag, 0);
  return build.op<aten::IndexAddOp>(start, 0, place, taken, 1);
}

Decomposition bags(Tensor table, Tensor indices, Tensor offsets, const Bagging &how) {
  GraphBuilder &build = *table.b;
  bool isKnown = isStatic(table) && isStatic(indices) && isStatic(offsets) && how.mode.known() &&
                 how.weights.isSettled() && how.hasLastOffset.known() &&
                 (!how.padding || how.padding->isSettled()) &&
                 (!how.padding || !*how.padding || (**how.padding).known());
  if (!isKnown || indices.info().rank() != 1 || offsets.info().rank() != 1 ||
      elementCount(indices) == 0 || elementCount(offsets) == 0)
    return build.notYet("known modes, and indices and offsets of one dimension");
  Tensor place = counting(build, indices.info().size(0));
  if (*how.hasLastOffset.known())
    offsets = withoutEnd(offsets, indices.info().size(0));
  // The bag of an index is the last that starts no later.
  Tensor isStarted = unsqueeze(offsets, -1) <= place;
  Type int64 = IntegerType::get(build.builder.getContext(), 64);
  Tensor bag = converted(sum(isStarted, {0}, false) + -1.0, int64);
  Tensor number = unsqueeze(counting(build, offsets.info().size(0)), -1);
  Tensor isIn = bag == number; // [bags, indices]
  std::optional<int64_t> left = leftOut(table, how);
  Tensor isTaken = bag >= 0.0;
  if (left)
    isTaken = isTaken && !(indices == Any(build.i(*left)));
  isIn = isIn && isTaken;
  Tensor counts = sum(isIn, {1}, false);
  Type type = indices.info().dtype();
  bag = converted(bag, type);
  Tensor sizes = converted(counts, type);
  Tensor rows = pickedFromFront(table, 0, indices);
  if (how.weights)
    rows = rows * unsqueeze(*how.weights, -1);
  if (*how.mode.known() < 2) {
    Tensor total = sumsOf(rows, bag, offsets.info().size(0), isTaken);
    Tensor some = typeAs(build.op<aten::ClampMinOp>(counts, 1), total);
    if (*how.mode.known() == 1)
      return {typeAs(total / unsqueeze(some, -1), table), bag, sizes, sizes};
    total = typeAs(total, table);
    // PyTorch lists the bags of a sum only where it does not take the sums at once.
    if (!left && !table.info().dtype().isF64())
      bag = slice(bag, 0, 0, 0);
    Tensor none = zerosLike(sizes);
    return {total, bag, none, none};
  }
  Tensor each = where(unsqueeze(isIn, -1), rows, -std::numeric_limits<double>::infinity());
  Operation *largest = build.multi<aten::MaxDimOp>(each, 1, false);
  Tensor isEmpty = unsqueeze(counts == 0.0, -1);
  Tensor values(build, largest->getResult(0)), from(build, largest->getResult(1));
  Tensor chosen = build.op<aten::IndexTensorOp>(indices, optionals(build, {from}));
  chosen = where(isEmpty, zerosLike(chosen), chosen);
  return {where(isEmpty, 0.0, values), bag, sizes, chosen};
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

Type ofSizes(TypeRules &infer, TensorInfo self, ListInfo size) {
  auto sizes = size.ints();
  return sizes ? infer.tensor(*sizes, self.dtype()) : infer.unranked(self.dtype());
}

Type strided(TypeRules &infer, TensorInfo self, ListInfo size, ListInfo stride) {
  auto sizes = size.ints(), strides = stride.ints();
  if (sizes && strides && sizes->size() != strides->size())
    return infer.error("expected as many strides as sizes, got " + Twine(strides->size()) +
                       " and " + Twine(sizes->size()));
  if (strides &&
      llvm::any_of(*strides, [](int64_t by) { return by < 0 && by != TensorType::kDynamic; }))
    return infer.error("expected strides that are not negative");
  return ofSizes(infer, self, size);
}

/// Whether the elements of a tensor, row by row, are its memory from the start on.
static bool fillsItsMemory(Tensor self) {
  Layout layout = layoutOf(self.v);
  return layout.isRowMajor(self.info().sizes()).value_or(false) && layout.offset() == 0;
}

/// Whether `self` has an element of number `last`: where its size is open the call tells.
static bool hasElement(Tensor self, int64_t last) {
  if (self.info().tensor.hasStaticSizes())
    return last < elementCount(self);
  GraphBuilder &build = *self.b;
  Value count = build.intOp<aten::NumelOp>(self).v, number = build.i(last).v;
  Value isThere =
      arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::slt, number, count);
  GuardOp::create(build.builder, build.loc, isThere, sizeGuardClass,
                  "expected as_strided of at most {} elements, got the element {}",
                  ValueRange{count, number});
  return true;
}

/// The number of each element that strides name; nullopt where these are not known or leave the
/// tensor, or the tensor is a part of another one's memory.
static std::optional<Tensor> numbersOf(Tensor self, const Strides &strides) {
  GraphBuilder &build = *self.b;
  auto sizes = strides.size.known(), steps = strides.stride.known();
  if (!self.info().hasRank() || !self.info().dtype() || !sizes || !steps ||
      sizes->size() != steps->size() || !strides.offset.isSettled() ||
      !(strides.isOfMemory || fillsItsMemory(self)))
    return std::nullopt;
  int64_t offset = strides.offset ? (*strides.offset).known().value_or(-1) : 0, last = offset;
  bool isEmpty = llvm::is_contained(*sizes, 0);
  for (auto [size, step] : llvm::zip(*sizes, *steps)) {
    if (size < 0 || step < 0)
      return std::nullopt;
    last += (size - 1) * step;
  }
  if (offset < 0 || (!isEmpty && !hasElement(self, last)))
    return std::nullopt;
  Any none = build.none();
  Tensor number = build.op<aten::FullOp>(strides.size, offset, 4, none, none, none);
  for (auto [dim, size] : llvm::enumerate(*sizes)) {
    SmallVector<int64_t> along(sizes->size(), 1);
    along[dim] = size;
    Tensor place = view(counting(build, size), along);
    number = number + Tensor(build.op<aten::MulScalarOp>(place, (*steps)[dim]));
  }
  return number;
}

Decomposition copiedAtStrides(Tensor self, IntList sizes, IntList strides, OptInt offset) {
  Tensor view = self.b->op<aten::AsStridedOp>(self, sizes, strides, offset);
  return self.b->op<aten::CloneOp>(view, 0);
}

Decomposition atStrides(Tensor self, const Strides &strides, DenseBoolArrayAttr shown) {
  GraphBuilder &build = *self.b;
  auto number = numbersOf(self, strides);
  if (!number)
    return build.notYet("the sizes and strides of self");
  AnyList places = optionals(build, {*number});
  Tensor result = build.op<aten::IndexTensorOp>(view(self, {-1}), places);
  if (!shown)
    return result;
  SmallVector<Value> flags;
  for (bool flag : shown.asArrayRef())
    flags.push_back(build.flag(flag).v);
  auto listType = ListType::get(IntegerType::get(build.builder.getContext(), 1));
  AnyList list(build, ListOp::create(build.builder, build.loc, listType, flags));
  Any none = build.none();
  Tensor mask = build.op<aten::TensorOp>(list, none, none, false);
  Tensor others = build.op<aten::IndexTensorOp>(view(build.op<aten::DetachOp>(self), {-1}), places);
  return build.op<aten::WhereSelfOp>(view(mask, result.info().sizes()), result, others);
}

Tensor writtenThroughStrides(Tensor self, Tensor written, const Strides &strides) {
  auto sizes = strides.size.known(), steps = strides.stride.known();
  if (!sizes || !steps || mayOverlap(*sizes, *steps))
    return notWritable(self);
  Tensor result = self.b->op<aten::AsStridedScatterOp>(self, written, strides.size, strides.stride,
                                                       strides.offset);
  // What is written is the tensor at the end of all views.
  if (Operation *op = result.v.getDefiningOp())
    op->setAttr(ofMemoryAttr, UnitAttr::get(op->getContext()));
  return result;
}

Decomposition writtenAtStrides(Tensor self, Tensor source, const Strides &strides) {
  auto number = numbersOf(self, strides);
  if (!number)
    return self.b->notYet("the sizes and strides of self");
  Tensor written =
      self.b->op<aten::IndexPutOp>(view(self, {-1}), optionals(*self.b, {*number}), source, false);
  return viewAs(written, self);
}

} // namespace jit
