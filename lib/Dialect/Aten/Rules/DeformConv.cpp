//===- DeformConv.cpp - convolutions whose taps are moved -----------------===//
//
// A matrix product, as of any convolution by unfolded images; but each tap is read where an offset
// moves it to, between four pixels.
//
//===----------------------------------------------------------------------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Vision.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {
/// One dimension of the image.
struct MovedDim {
  int64_t size, taps, stride, padding, dilation, output;
};
/// All sizes.
struct MovedSizes {
  int64_t batch, channels, results, groups, offsetGroups;
  MovedDim rows, columns;

  int64_t taps() const { return rows.taps * columns.taps; }
  int64_t places() const { return rows.output * columns.output; }
};
/// A pixel beside a place along one dimension: which, how much it counts, whether it is there.
struct Beside {
  Tensor place, share, isInside;
};
} // namespace

static Tensor shaped(Tensor t, ArrayRef<int64_t> sizes) {
  return t.b->op<aten::ReshapeOp>(t, t.b->ints(sizes));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

DeformedConvInfo convInfo(ValueRange operands) {
  auto tensor = [&](unsigned i) { return TensorInfo(operands[i]); };
  auto number = [&](unsigned i) { return IntInfo(operands[i]); };
  return {tensor(0),
          tensor(1),
          tensor(2),
          tensor(3),
          tensor(4),
          BoolInfo(operands[13]),
          {number(5), number(7), number(9)},
          {number(6), number(8), number(10)},
          number(11),
          number(12)};
}

static std::optional<MovedDim> dimOf(int64_t size, int64_t taps,
                                     const DeformedConvInfo::Steps &steps) {
  constexpr int64_t most = int64_t(1) << 31; // so that no product of two overflows
  MovedDim dim{size, taps, *steps.stride.known, *steps.padding.known, *steps.dilation.known, 0};
  for (int64_t least1 : {dim.size, dim.taps, dim.stride, dim.dilation})
    if (least1 < 1 || least1 >= most)
      return std::nullopt;
  if (dim.padding < 0 || dim.padding >= most)
    return std::nullopt;
  int64_t room = size + 2 * dim.padding - (dim.dilation * (taps - 1) + 1);
  if (room < 0)
    return std::nullopt;
  dim.output = room / dim.stride + 1;
  return dim;
}

static bool isKnown(const DeformedConvInfo &conv) {
  for (const TensorInfo &t : {conv.input, conv.weight, conv.offset, conv.mask, conv.bias})
    if (!t.tensor.isStatic() || !t.dtype())
      return false;
  for (const DeformedConvInfo::Steps &steps : {conv.rows, conv.columns})
    if (!steps.stride.known || !steps.padding.known || !steps.dilation.known)
      return false;
  return conv.groups.known && conv.offsetGroups.known && conv.usesMask.known;
}

/// Of a convolution of which all is known: the sizes, if they fit.
static std::optional<MovedSizes> sizesOf(const DeformedConvInfo &conv) {
  Type dtype = conv.input.dtype();
  for (const TensorInfo &t : {conv.input, conv.weight, conv.offset, conv.mask, conv.bias})
    if (t.dtype() != dtype || !(dtype.isF32() || dtype.isF64()))
      return std::nullopt;
  if (conv.input.rank() != 4 || conv.weight.rank() != 4)
    return std::nullopt;
  auto image = conv.input.sizes(), weight = conv.weight.sizes();
  auto rows = dimOf(image[2], weight[2], conv.rows);
  auto columns = dimOf(image[3], weight[3], conv.columns);
  int64_t parts = *conv.groups.known, offsets = *conv.offsetGroups.known;
  if (!rows || !columns || parts < 1 || offsets < 1 || image[1] < 1 || weight[0] < 1 ||
      image[1] % parts != 0 || image[1] % offsets != 0 || weight[0] % parts != 0 ||
      weight[1] != image[1] / parts)
    return std::nullopt;
  MovedSizes sizes{image[0], image[1], weight[0], parts, offsets, *rows, *columns};
  int64_t moved = offsets * sizes.taps();
  SmallVector<int64_t> biases = {sizes.results},
                       moves = {image[0], 2 * moved, rows->output, columns->output},
                       shares = {image[0], moved, rows->output, columns->output};
  bool isFitting = conv.bias.sizes() == ArrayRef(biases) &&
                   conv.offset.sizes() == ArrayRef(moves) &&
                   (!*conv.usesMask.known || conv.mask.sizes() == ArrayRef(shares));
  return isFitting ? std::optional(sizes) : std::nullopt;
}

Type deformedConv(TypeRules &infer, const DeformedConvInfo &conv) {
  if (!isKnown(conv))
    return infer.unranked(conv.input.dtype());
  auto sizes = sizesOf(conv);
  if (!sizes)
    return infer.error("expected sizes, steps and groups of a convolution, with an offset for each "
                       "tap in two directions, and elements of f32 or f64 in all tensors");
  return infer.tensor({sizes->batch, sizes->results, sizes->rows.output, sizes->columns.output},
                      conv.input.dtype());
}

//===----------------------------------------------------------------------===//
// Pixels
//===----------------------------------------------------------------------===//

/// [taps, outputs]: where the taps of one dimension are before they are moved.
static Tensor unmoved(GraphBuilder &build, const MovedDim &dim, Type dtype) {
  auto steps = [&](int64_t count, int64_t step) -> Tensor {
    return build.op<aten::MulScalarOp>(counting(build, count), step);
  };
  Tensor places = unsqueeze(steps(dim.taps, dim.dilation), 1) + steps(dim.output, dim.stride);
  return converted(places - build.i(dim.padding), dtype);
}

/// The two pixels beside each place, which is outside if it is a whole pixel off the image.
static SmallVector<Beside, 2> pixelsBeside(Tensor place, const MovedDim &dim) {
  Tensor low = place.b->op<aten::FloorOp>(place), share = place - low;
  Tensor isNear = place > -1.0 && place < double(dim.size);
  SmallVector<Beside, 2> pixels;
  for (auto [at, part] : {std::pair(low, 1.0 - share), std::pair(low + 1.0, share)}) {
    Tensor isInside = isNear && at >= 0.0 && at <= double(dim.size - 1);
    Tensor pixel = place.b->op<aten::ClampOp>(where(isInside, at, 0.0), 0.0, double(dim.size - 1));
    pixels.push_back({pixel, part, isInside});
  }
  return pixels;
}

/// [batch, channels, taps, outputs]: what each tap reads.
static Tensor readMoved(const DeformedConv &conv, const MovedSizes &sizes, bool usesMask) {
  GraphBuilder &build = *conv.input.b;
  Type dtype = conv.input.info().dtype();
  auto [rows, columns] = std::pair(sizes.rows, sizes.columns);
  int64_t each = sizes.channels / sizes.offsetGroups, reads = sizes.taps() * sizes.places();
  Tensor offset = shaped(conv.offset, {sizes.batch, sizes.offsetGroups, rows.taps, columns.taps, 2,
                                       rows.output, columns.output});
  auto moved = [&](Tensor start, int64_t at) -> Tensor {
    return start + Tensor(build.op<aten::SelectIntOp>(offset, 4, at));
  };
  Tensor y = moved(shaped(unmoved(build, rows, dtype), {1, 1, rows.taps, 1, rows.output, 1}), 0);
  Tensor x =
      moved(shaped(unmoved(build, columns, dtype), {1, 1, 1, columns.taps, 1, columns.output}), 1);
  Tensor pixels =
      shaped(conv.input, {sizes.batch, sizes.offsetGroups, each, rows.size * columns.size});
  std::optional<Tensor> total;
  for (const Beside &row : pixelsBeside(y, rows))
    for (const Beside &column : pixelsBeside(x, columns)) {
      Type i64 = build.builder.getI64Type();
      Tensor number =
          converted(row.place, i64) * build.i(columns.size) + converted(column.place, i64);
      number = build.op<aten::ExpandOp>(shaped(number, {sizes.batch, sizes.offsetGroups, 1, reads}),
                                        build.ints({sizes.batch, sizes.offsetGroups, each, reads}),
                                        false);
      Tensor share = where(row.isInside && column.isInside, row.share * column.share, 0.0);
      Tensor value = Tensor(build.op<aten::GatherOp>(pixels, 3, number, false)) *
                     shaped(share, {sizes.batch, sizes.offsetGroups, 1, reads});
      total = total ? *total + value : value;
    }
  if (usesMask)
    total = *total * shaped(conv.mask, {sizes.batch, sizes.offsetGroups, 1, reads});
  return shaped(*total, {sizes.batch, sizes.channels, sizes.taps(), sizes.places()});
}

Decomposition deformedConv(const DeformedConv &conv, const DeformedConvInfo &info) {
  GraphBuilder &build = *conv.input.b;
  auto sizes = isKnown(info) ? sizesOf(info) : std::nullopt;
  if (!sizes)
    return build.notYet("all sizes and element types, and constant steps and groups");
  int64_t inputs = sizes->channels / sizes->groups, outputs = sizes->results / sizes->groups;
  Tensor taps = shaped(readMoved(conv, *sizes, *info.usesMask.known),
                       {sizes->batch, sizes->groups, inputs * sizes->taps(), sizes->places()});
  Tensor weight = shaped(conv.weight, {1, sizes->groups, outputs, inputs * sizes->taps()});
  Tensor result = shaped(matmul(weight, taps),
                         {sizes->batch, sizes->results, sizes->rows.output, sizes->columns.output});
  return result + shaped(conv.bias, {sizes->results, 1, 1});
}

} // namespace jit
