//===- Windows.cpp - windows over padded tensors --------------------------===//

#include "Windows.h"
#include "Sizes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

void guardLeading(OpBuilder &b, Location loc, Value tensor, Value other, unsigned dimensions) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank - int64_t(dimensions); ++dim)
    guardEqual(b, loc, tensor::getMixedSize(b, loc, tensor, dim),
               tensor::getMixedSize(b, loc, other, dim));
}

/// Without the elements that negative padding takes away.
static Value cropped(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> low,
                     ArrayRef<int64_t> high) {
  auto isNegative = [](int64_t n) { return n < 0; };
  if (llvm::none_of(low, isNegative) && llvm::none_of(high, isNegative))
    return tensor;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  Sizes offsets(rank, b.getIndexAttr(0)), strides(rank, b.getIndexAttr(1));
  Sizes sizes = sizesOf(b, loc, tensor);
  for (size_t i = 0; i < low.size(); ++i) {
    size_t dim = rank - low.size() + i;
    int64_t before = std::max<int64_t>(0, -low[i]), after = std::max<int64_t>(0, -high[i]);
    offsets[dim] = b.getIndexAttr(before);
    sizes[dim] = sumOf(b, loc, sizes[dim], b.getIndexAttr(-before - after));
  }
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes, strides);
}

Value padded(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> low,
             ArrayRef<int64_t> high, Value value) {
  tensor = cropped(b, loc, tensor, low, high);
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> before(type.getRank() - low.size(), 0), after(before);
  for (auto [l, h] : llvm::zip(low, high)) {
    before.push_back(std::max<int64_t>(0, l));
    after.push_back(std::max<int64_t>(0, h));
  }
  auto isNone = [](int64_t n) { return n == 0; };
  if (llvm::all_of(before, isNone) && llvm::all_of(after, isNone))
    return tensor;
  SmallVector<int64_t> sizes;
  for (auto [size, l, h] : llvm::zip(type.getShape(), before, after))
    sizes.push_back(ShapedType::isDynamic(size) ? size : size + l + h);
  return tensor::PadOp::create(b, loc, type.clone(sizes), tensor,
                               getAsIndexOpFoldResult(b.getContext(), before),
                               getAsIndexOpFoldResult(b.getContext(), after), value);
}

void guardNotEmpty(OpBuilder &b, Location loc, OpFoldResult size) {
  if (getConstantIntValue(size))
    return;
  Value count = arith::IndexCastOp::create(b, loc, b.getI64Type(), asIndex(b, loc, size));
  Value one = constantOf(b, loc, b.getI64Type(), 1);
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, count, one);
  GuardOp::create(b, loc, isThere, "builtins.RuntimeError",
                  "expected a size of 1 or more along a dimension that is pooled, got {}", count);
}

OpFoldResult countWindows(OpBuilder &b, Location loc, const Window &window, OpFoldResult size) {
  if (auto known = getConstantIntValue(size))
    return b.getIndexAttr(window.count(*known));
  auto number = [&](int64_t n) -> Value { return arith::ConstantIndexOp::create(b, loc, n); };
  auto asInt = [&](Value n) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), n);
  };
  Value all = asIndex(b, loc, size), added = number(window.before + window.after);
  Value whole = arith::AddIOp::create(b, loc, all, added);
  Value room = arith::SubIOp::create(b, loc, whole, number(window.extent()));
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, room, number(0));
  GuardOp::create(b, loc, fits, "builtins.RuntimeError",
                  "expected an input no smaller than the window of {}, got size {}",
                  ValueRange{asInt(number(window.extent())), asInt(all)});
  Value steps = arith::DivSIOp::create(b, loc, room, number(window.stride));
  return arith::AddIOp::create(b, loc, steps, number(1)).getResult();
}

Value paddedFor(OpBuilder &b, Location loc, Value tensor, ArrayRef<Window> windows, Value value) {
  SmallVector<int64_t> low, high;
  for (const Window &window : windows) {
    low.push_back(window.before);
    high.push_back(window.after);
  }
  return padded(b, loc, tensor, low, high, value);
}

SmallVector<AffineExpr> windowReads(MLIRContext *context, ArrayRef<Window> windows,
                                    unsigned firstPosition, unsigned firstTap) {
  SmallVector<AffineExpr> reads;
  for (auto [i, window] : llvm::enumerate(windows))
    reads.push_back(getAffineDimExpr(firstPosition + i, context) * window.stride +
                    getAffineDimExpr(firstTap + i, context) * window.dilation);
  return reads;
}

} // namespace jit
