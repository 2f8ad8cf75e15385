//===- ByteImages.cpp - images of bytes in other sizes --------------------===//

#include "Rules/ByteImages.h"
#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

#include <cmath>

using namespace mlir;

namespace jit {

namespace {
/// The old elements from `first` on that make a new one.
struct Window {
  int64_t first;
  SmallVector<double> weights;
};
} // namespace

static double filtered(const ByteResize &how, double x) {
  x = std::abs(x);
  if (!how.isCubic)
    return x < 1 ? 1 - x : 0;
  double a = how.isAntialiased ? -0.5 : -0.75;
  if (x < 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

/// Old elements per new one.
static double stepOf(const ByteResize &how) {
  if (how.alignCorners)
    return how.newSize > 1 ? double(how.oldSize - 1) / double(how.newSize - 1) : 0;
  return how.scale ? 1 / *how.scale : double(how.oldSize) / double(how.newSize);
}

/// The two or four neighbours; those outside are the one at the border, which has their weights.
static Window neighbours(const ByteResize &how, int64_t i) {
  double center =
      how.alignCorners ? stepOf(how) * double(i) : stepOf(how) * (double(i) + 0.5) - 0.5;
  if (!how.isCubic)
    center = std::max(center, 0.0);
  int64_t count = how.isCubic ? 4 : 2, before = int64_t(std::floor(center)) - (count / 2 - 1);
  auto inside = [&](int64_t place) { return std::clamp<int64_t>(place, 0, how.oldSize - 1); };
  Window window{inside(before),
                SmallVector<double>(inside(before + count - 1) - inside(before) + 1)};
  for (int64_t place = before; place < before + count; ++place)
    window.weights[inside(place) - window.first] += filtered(how, double(place) - center);
  return window;
}

/// All elements that are closer than the filter reaches, which is wider where many make one.
static Window neighbourhood(const ByteResize &how, int64_t i) {
  double step = stepOf(how), width = std::max(step, 1.0), reach = (how.isCubic ? 2 : 1) * width;
  double center = step * (double(i) + 0.5);
  int64_t first = std::max<int64_t>(int64_t(center - reach + 0.5), 0);
  int64_t end = std::min(int64_t(center + reach + 0.5), how.oldSize);
  Window window{first, {}};
  double total = 0;
  for (int64_t place = first; place < end; ++place) {
    window.weights.push_back(filtered(how, (double(place) - center + 0.5) * (1 / width)));
    total += window.weights.back();
  }
  for (double &weight : window.weights)
    weight = total != 0 ? weight / total : weight;
  return window;
}

/// How many digits of the largest weight fit into 16 bits behind the binary point.
static int digitsOf(ArrayRef<Window> windows) {
  double largest = 0;
  for (const Window &window : windows)
    largest = std::max(largest, *llvm::max_element(window.weights));
  int digits = 0;
  while (digits < 22 && int64_t(0.5 + largest * double(1 << (digits + 1))) < (1 << 15))
    ++digits;
  return digits;
}

Tensor resizedBytes(Tensor image, int64_t dim, const ByteResize &how) {
  GraphBuilder &build = *image.b;
  auto windows = llvm::map_to_vector(llvm::seq(how.newSize), [&](int64_t i) {
    return how.isAntialiased ? neighbourhood(how, i) : neighbours(how, i);
  });
  size_t most = 0;
  for (const Window &window : windows)
    most = std::max(most, window.weights.size());
  int digits = digitsOf(windows);
  SmallVector<int64_t> places, weights;
  for (const Window &window : windows)
    for (size_t j = 0; j < most; ++j) {
      double weight = j < window.weights.size() ? window.weights[j] : 0;
      places.push_back(std::min<int64_t>(window.first + int64_t(j), how.oldSize - 1));
      weights.push_back(int64_t((weight < 0 ? -0.5 : 0.5) + weight * double(1 << digits)));
    }
  Any none = build.none();
  Type i32 = build.builder.getI32Type();
  Tensor at = build.op<aten::TensorOp>(build.ints(places), none, none, false);
  Tensor by = converted(build.op<aten::TensorOp>(build.ints(weights), none, none, false), i32);
  // [.., new, window]
  SmallVector<int64_t> split = {how.newSize, int64_t(most)};
  Tensor rows = transpose(converted(image, i32), dim, -1);
  SmallVector<Int> sizes;
  for (int64_t i = 0; i + 1 < image.info().rank(); ++i)
    sizes.push_back(sizeOf(rows, i));
  for (int64_t size : split)
    sizes.push_back(build.i(size));
  Tensor taken =
      build.op<aten::ReshapeOp>(build.op<aten::IndexSelectOp>(rows, -1, at), build.list(sizes));
  Tensor products = taken * Tensor(build.op<aten::ReshapeOp>(by, build.ints(split)));
  Tensor sum =
      build.op<aten::SumDimIntListOp>(products, build.ints({-1}), false, int64_t(ScalarType::Int));
  Tensor half = sum + build.i(int64_t(1) << (digits - 1));
  Tensor whole = build.op<aten::BitwiseRightShiftTensorScalarOp>(half, int64_t(digits));
  Tensor bytes = converted(build.op<aten::ClampOp>(whole, 0, 255), image.info().dtype());
  return transpose(bytes, dim, -1);
}

} // namespace jit
