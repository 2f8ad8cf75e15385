//===- Quantize.cpp - builders for the rules of Quantize.td ---------------===//

#include "Rules/Quantize.h"
#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

/// A number as a tensor of rank 0, which decides no element type; a tensor of channels along
/// theirs. Both in single precision, as PyTorch has them.
static std::optional<Tensor> beside(Tensor self, Any given, std::optional<Int> axis) {
  GraphBuilder &build = *self.b;
  Any none = build.none();
  Type single = build.builder.getF32Type();
  if (!isa<TensorType>(given.v.getType()))
    return Tensor(
        build.op<aten::ScalarTensorOp>(given, int64_t(ScalarType::Float), none, none, none));
  Tensor t(build, given.v);
  if (!isStatic(t) || !self.info().hasRank())
    return std::nullopt;
  SmallVector<int64_t> sizes;
  if (axis) {
    auto at = wrapped(*axis, self.info().rank());
    if (!at)
      return std::nullopt;
    sizes.assign(self.info().rank(), 1);
    sizes[*at] = -1;
  }
  return converted(Tensor(build.op<aten::ReshapeOp>(t, build.ints(sizes))), single);
}

namespace {
/// The whole number that stands for each element, before it is clamped.
struct Numbers {
  Tensor number, step, zero;
};
} // namespace

static std::optional<Numbers> numbersOf(Tensor self, const Grid &grid) {
  auto step = beside(self, grid.step, grid.axis), zero = beside(self, grid.zero, grid.axis);
  if (!step || !zero || !self.info().dtype() || !grid.least.known() || !grid.most.known())
    return std::nullopt;
  Tensor number = self.b->op<aten::RoundOp>(self * (1.0 / *step));
  return Numbers{number + *zero, *step, *zero};
}

static Tensor isWithin(const Numbers &numbers, const Grid &grid) {
  return numbers.number >= Any(grid.least) && numbers.number <= Any(grid.most);
}

Decomposition onGrid(Tensor self, const Grid &grid, bool withMask) {
  auto numbers = numbersOf(self, grid);
  if (!numbers)
    return self.b->notYet("the range of numbers and sizes of scale and zero_point that fit");
  Tensor clamped = self.b->op<aten::ClampOp>(numbers->number, grid.least, grid.most);
  Tensor value = (clamped - numbers->zero) * numbers->step;
  // Of one step for all elements PyTorch rounds to single precision, of one for each channel not.
  if (!grid.axis)
    value = converted(value, self.b->builder.getF32Type());
  value = converted(value, self.info().dtype());
  return withMask ? Decomposition{value, isWithin(*numbers, grid)} : Decomposition(value);
}

Gradient gradOnGrid(Tensor self, const Grid &grid, Tensor grad) {
  auto numbers = numbersOf(self, grid);
  return numbers
             ? Gradient(where(isWithin(*numbers, grid), grad, 0.0))
             : self.b->notYet("the range of numbers and sizes of scale and zero_point that fit");
}

} // namespace jit
