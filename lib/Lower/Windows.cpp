//===- Windows.cpp - windows over padded tensors --------------------------===//

#include "Windows.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

LogicalResult checkWindowed(Operation *op, unsigned dimensions) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto tensor = dyn_cast<TensorType>(type);
    if (tensor && ShapedType::isDynamicShape(tensor.getSizes().take_back(dimensions)))
      return op->emitError("expected static sizes in the last ")
             << dimensions << " dimensions in " << operatorNameOf(op) << ", got " << type;
  }
  return success();
}

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
  auto type = cast<RankedTensorType>(tensor.getType());
  Sizes offsets(type.getRank(), b.getIndexAttr(0)), strides(type.getRank(), b.getIndexAttr(1));
  Sizes sizes = sizesOf(b, loc, tensor);
  for (size_t i = 0; i < low.size(); ++i) {
    size_t dim = type.getRank() - low.size() + i;
    int64_t before = std::max<int64_t>(0, -low[i]), after = std::max<int64_t>(0, -high[i]);
    offsets[dim] = b.getIndexAttr(before);
    sizes[dim] = b.getIndexAttr(type.getDimSize(dim) - before - after);
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
  SmallVector<int64_t> sizes;
  for (auto [size, l, h] : llvm::zip(type.getShape(), before, after))
    sizes.push_back(ShapedType::isDynamic(size) ? size : size + l + h);
  if (type.getShape() == ArrayRef(sizes))
    return tensor;
  return tensor::PadOp::create(b, loc, type.clone(sizes), tensor,
                               getAsIndexOpFoldResult(b.getContext(), before),
                               getAsIndexOpFoldResult(b.getContext(), after), value);
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
