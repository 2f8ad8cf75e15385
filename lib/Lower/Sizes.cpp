//===- Sizes.cpp - sizes that only a call tells ---------------------------===//

#include "Sizes.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

Sizes sizesOf(OpBuilder &b, Location loc, Value tensor) {
  return tensor::getMixedSizes(b, loc, tensor);
}

Sizes staticSizes(RankedTensorType type) {
  return getAsIndexOpFoldResult(type.getContext(), type.getShape());
}

Sizes sizesLike(OpBuilder &b, Location loc, RankedTensorType type, Value like) {
  Sizes sizes = staticSizes(type);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      size = tensor::getMixedSize(b, loc, like, dim);
  return sizes;
}

Value asIndex(OpBuilder &b, Location loc, OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(b, loc, size);
}

OpFoldResult productOf(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes) {
  int64_t known = 1;
  Value open;
  for (OpFoldResult size : sizes) {
    if (auto constant = getConstantIntValue(size)) {
      known *= *constant;
      continue;
    }
    Value value = cast<Value>(size);
    open = open ? Value(arith::MulIOp::create(b, loc, open, value)) : value;
  }
  if (!open)
    return b.getIndexAttr(known);
  if (known == 1)
    return open;
  Value factor = arith::ConstantIndexOp::create(b, loc, known);
  return arith::MulIOp::create(b, loc, open, factor).getResult();
}

OpFoldResult sumOf(OpBuilder &b, Location loc, OpFoldResult left, OpFoldResult right) {
  auto known = getConstantIntValue(left), more = getConstantIntValue(right);
  if (known && more)
    return b.getIndexAttr(*known + *more);
  if (known == 0 || more == 0)
    return known == 0 ? right : left;
  return arith::AddIOp::create(b, loc, asIndex(b, loc, left), asIndex(b, loc, right)).getResult();
}

/// Whether both are the size of one dimension of one tensor.
static bool areOneDimension(OpFoldResult left, OpFoldResult right) {
  auto a = dyn_cast<Value>(left), c = dyn_cast<Value>(right);
  auto own = a ? a.getDefiningOp<tensor::DimOp>() : tensor::DimOp(),
       other = c ? c.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  return own && other && own.getSource() == other.getSource() && own.getConstantIndex() &&
         own.getConstantIndex() == other.getConstantIndex();
}

void guardEqual(OpBuilder &b, Location loc, OpFoldResult left, OpFoldResult right) {
  if (isEqualConstantIntOrValue(left, right) || areOneDimension(left, right))
    return;
  auto asInt = [&](OpFoldResult size) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), asIndex(b, loc, size));
  };
  Value a = asInt(left), c = asInt(right);
  Value isEqual = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, a, c);
  GuardOp::create(b, loc, isEqual, sizeGuardClass, "expected equal sizes, got {} and {}",
                  ValueRange{a, c});
}

Value guardedCast(OpBuilder &b, Location loc, Value tensor, RankedTensorType type) {
  auto from = cast<RankedTensorType>(tensor.getType());
  if (from == type)
    return tensor;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (from.isDynamicDim(dim) && !type.isDynamicDim(dim))
      guardEqual(b, loc, tensor::getMixedSize(b, loc, tensor, dim),
                 b.getIndexAttr(type.getDimSize(dim)));
  return tensor::CastOp::create(b, loc, type, tensor);
}

void guardBroadcasts(OpBuilder &b, Location loc, Value input, ArrayRef<OpFoldResult> sizes) {
  ArrayRef<int64_t> own = cast<RankedTensorType>(input.getType()).getShape();
  for (auto [dim, size] : llvm::enumerate(sizes.take_back(own.size())))
    if (own[dim] != 1)
      guardEqual(b, loc, size, tensor::getMixedSize(b, loc, input, dim));
}

Value emptyOf(OpBuilder &b, Location loc, RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> open;
  for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
    if (ShapedType::isDynamic(known))
      open.push_back(asIndex(b, loc, size));
  return tensor::EmptyOp::create(b, loc, type, open);
}

Sizes broadcastSizes(OpBuilder &b, Location loc, RankedTensorType type, ValueRange inputs) {
  Sizes sizes = staticSizes(type);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    OpFoldResult common = type.isDynamicDim(dim) ? OpFoldResult() : sizes[dim];
    for (Value input : inputs) {
      auto from = cast<RankedTensorType>(input.getType());
      int64_t own = dim - (type.getRank() - from.getRank());
      if (own < 0 || from.getDimSize(own) == 1)
        continue;
      if (!from.isDynamicDim(own) && !type.isDynamicDim(dim))
        continue;
      OpFoldResult size = tensor::getMixedSize(b, loc, input, own);
      if (common)
        guardEqual(b, loc, common, size);
      else
        common = size;
    }
    sizes[dim] = common;
  }
  return sizes;
}

Sizes loopSizes(OpBuilder &b, Location loc, unsigned loops, ValueRange inputs,
                ArrayRef<AffineMap> maps) {
  Sizes sizes(loops);
  for (auto [input, map] : llvm::zip_equal(inputs, maps))
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      OpFoldResult size = tensor::getMixedSize(b, loc, input, dim);
      OpFoldResult &known = sizes[loop.getPosition()];
      if (known)
        guardEqual(b, loc, known, size);
      else
        known = size;
    }
  return sizes;
}

} // namespace jit
