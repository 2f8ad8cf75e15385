//===- Repeat.cpp - builders for rules that repeat elements ---------------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// Ends the call where a number of repeats that only the call tells is negative.
static void guardNotNegative(Int repeats) {
  if (repeats.known())
    return;
  GraphBuilder &build = *repeats.b;
  Value isCount = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sge,
                                        repeats.v, build.i(0).v);
  GuardOp::create(build.builder, build.loc, isCount, "builtins.RuntimeError",
                  "expected repeats of 0 or more, got {}", repeats.v);
}

/// [a, b] repeated [r, s] times: [1, a, 1, b] expanded to [r, a, s, b], seen as [r*a, s*b].
static Decomposition repeatedOpen(Tensor self, ArrayRef<Int> repeats) {
  GraphBuilder &build = *self.b;
  int64_t added = int64_t(repeats.size()) - self.info().rank();
  SmallVector<Int> spread, wide, result;
  for (auto [dim, by] : llvm::enumerate(repeats)) {
    guardNotNegative(by);
    Int size = int64_t(dim) < added ? build.i(1) : sizeOf(self, int64_t(dim) - added);
    spread.append({build.i(1), size});
    wide.append({by, size});
    result.push_back(by * size);
  }
  Tensor column = build.op<aten::ReshapeOp>(self, build.list(spread));
  Tensor all = build.op<aten::ExpandOp>(column, build.list(wide), false);
  return build.op<aten::ReshapeOp>(all, build.list(result));
}

Decomposition repeated(Tensor self, IntList list) {
  GraphBuilder &build = *self.b;
  auto elements = list.elements();
  if (!self.info().hasRank() || !elements)
    return build.notYet("the rank of self and how many repeats there are");
  SmallVector<Int> repeats(std::max<int64_t>(0, self.info().rank() - int64_t(elements->size())),
                           build.i(1));
  for (Value element : *elements)
    repeats.push_back(Int(build, element));
  if (!isStatic(self) || !list.known())
    return repeatedOpen(self, repeats);
  SmallVector<int64_t> sizes(self.info().sizes());
  while (sizes.size() < repeats.size())
    sizes.insert(sizes.begin(), 1);
  SmallVector<int64_t> spread, wide, result;
  for (auto [size, repeat] : llvm::zip(sizes, repeats)) {
    spread.append({1, size});
    wide.append({*repeat.known(), size});
    result.push_back(size * *repeat.known());
  }
  if (result == sizes)
    return viewAs(self, sizes);
  return viewAs(expandTo(viewAs(self, spread), wide), result);
}

/// The same where sizes are open: these need not be known.
static Decomposition interleavedOpen(Tensor self, Int repeats, OptInt dim) {
  GraphBuilder &build = *self.b;
  if (dim.isNone())
    self = build.op<aten::FlattenUsingIntsOp>(self, 0, -1);
  auto at = dim.isNone() ? 0 : wrapped(*dim, self.info().rank());
  if (!at)
    return build.notYet("a constant dim of self");
  Tensor column = build.op<aten::UnsqueezeOp>(self, *at + 1);
  SmallVector<Int> wide(column.info().rank(), build.i(-1));
  guardNotNegative(repeats);
  wide[*at + 1] = repeats;
  Tensor all = build.op<aten::ExpandOp>(column, build.list(wide), false);
  return build.op<aten::FlattenUsingIntsOp>(all, *at, *at + 1);
}

Decomposition interleaved(Tensor self, Int repeats, OptInt dim) {
  if (!self.info().hasRank() || !dim.isSettled())
    return self.b->notYet("the rank of self and whether dim is None");
  if (!isStatic(self) || !repeats.known())
    return interleavedOpen(self, repeats, dim);
  if (dim.isNone())
    self = viewAs(self, {elementCount(self)});
  auto at = dim.isNone() ? 0 : wrapped(*dim, self.info().rank());
  if (!at)
    return self.b->notYet("a constant dim of self");
  SmallVector<int64_t> sizes(self.info().sizes()), spread(sizes);
  spread.insert(spread.begin() + *at + 1, 1);
  Tensor column = viewAs(self, spread);
  spread[*at + 1] = *repeats.known();
  sizes[*at] *= *repeats.known();
  return viewAs(expandTo(column, spread), sizes);
}

} // namespace jit
