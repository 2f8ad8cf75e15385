//===- Windows.cpp - the geometry of convolutions and pooling -------------===//

#include "jit/Dialect/Aten/Windows.h"
#include "jit/Dialect/Aten/Sizes.h"

using namespace mlir;

namespace jit {

std::optional<SmallVector<int64_t>> perDimension(Value list, unsigned dimensions,
                                                 int64_t otherwise) {
  if (!list || isa<NoneType>(list.getType()))
    return SmallVector<int64_t>(dimensions, otherwise);
  auto ints = ListInfo(list).ints();
  if (!ints || llvm::is_contained(*ints, TensorType::kDynamic))
    return std::nullopt;
  if (ints->empty())
    return SmallVector<int64_t>(dimensions, otherwise);
  if (ints->size() == 1)
    return SmallVector<int64_t>(dimensions, ints->front());
  return ints->size() == dimensions ? ints : std::nullopt;
}

int64_t Window::count(int64_t input, bool isCeil) const {
  int64_t room = input + before + after - extent();
  if (room < 0)
    return room + (isCeil ? stride : 0) >= 0 ? 1 : 0;
  int64_t count = (room + (isCeil ? stride - 1 : 0)) / stride + 1;
  if (isCeil && (count - 1) * stride >= input + before)
    --count;
  return count;
}

int64_t Window::spread(int64_t input, int64_t outputPadding) const {
  return ((Size(input) - 1) * stride - before - after + extent() + outputPadding).value;
}

/// Padding by number on both sides, or by name.
static bool setPadding(MutableArrayRef<Window> windows, Value padding) {
  if (auto name = StrInfo(padding).known) {
    for (Window &window : windows) {
      int64_t total = *name == "same" ? window.extent() - 1 : 0;
      window.before = total / 2;
      window.after = total - window.before;
    }
    return true;
  }
  if (isa<StrType>(padding.getType()))
    return false;
  auto numbers = perDimension(padding, windows.size(), 0);
  if (!numbers)
    return false;
  for (auto [window, number] : llvm::zip(windows, *numbers))
    window.before = window.after = number;
  return true;
}

static std::optional<SmallVector<Window>> windowsOf(ArrayRef<int64_t> sizes, Value stride,
                                                    Value padding, Value dilation) {
  auto dilations = perDimension(dilation, sizes.size(), 1);
  auto strides = perDimension(stride, sizes.size(), 1);
  if (!dilations || !strides)
    return std::nullopt;
  SmallVector<Window> windows(sizes.size());
  for (auto [window, size, step, spacing] : llvm::zip(windows, sizes, *strides, *dilations)) {
    window.size = size;
    window.stride = step;
    window.dilation = spacing;
    Size reach = (Size(size) - 1) * spacing;
    if (size < 1 || step < 1 || spacing < 1 || !reach.isKnown() ||
        std::max(reach.value, step) >= maxElements)
      return std::nullopt;
  }
  if (!setPadding(windows, padding))
    return std::nullopt;
  for (const Window &window : windows)
    for (int64_t added : {window.before, window.after})
      if (added <= -maxElements || added >= maxElements)
        return std::nullopt;
  return windows;
}

std::optional<SmallVector<Window>> windowsOf(const ConvOperands &operands) {
  TensorInfo weight(operands.weight);
  if (!weight.hasRank() || weight.rank() < 3)
    return std::nullopt;
  return windowsOf(weight.sizes().drop_front(2), operands.stride, operands.padding,
                   operands.dilation);
}

std::optional<SmallVector<Window>> windowsOf(unsigned dimensions, Value size, Value stride,
                                             Value padding, Value dilation) {
  auto sizes = perDimension(size, dimensions, 1);
  if (!sizes)
    return std::nullopt;
  ListInfo steps(stride);
  bool isSize = steps.elements && steps.elements->empty();
  return windowsOf(*sizes, isSize ? size : stride, padding, dilation);
}

} // namespace jit
