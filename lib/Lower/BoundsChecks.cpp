//===- BoundsChecks.cpp - checked indices ---------------------------------===//

#include "BoundsChecks.h"
#include "Lower.h"
#include "jit/Dialect/Aten/AffineInt.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace jit {

/// A size as a number of 64 bits.
static Value asCount(OpBuilder &b, Location loc, OpFoldResult size) {
  if (auto known = getConstantIntValue(size))
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(*known));
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), cast<Value>(size));
}

/// True for an index in [0, size), or in [-size, size).
static Value isInside(OpBuilder &b, Location loc, Value index, OpFoldResult size, bool negative) {
  Value count = asCount(b, loc, size);
  Value least = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  if (auto known = getConstantIntValue(size); known && negative)
    least = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(-*known));
  else if (negative)
    least = arith::SubIOp::create(b, loc, least, count);
  Value low = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, index, least);
  Value high = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, count);
  return arith::AndIOp::create(b, loc, low, high);
}

static Value asI64(OpBuilder &b, Location loc, Value index) {
  return index.getType().isInteger(64)
             ? index
             : Value(arith::ExtSIOp::create(b, loc, b.getI64Type(), index));
}

Value placeOf(OpBuilder &b, Location loc, Value index, OpFoldResult size) {
  index = asI64(b, loc, index);
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value count = asCount(b, loc, size);
  Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, zero);
  Value fromBack = arith::AddIOp::create(b, loc, index, count);
  Value place = arith::SelectOp::create(b, loc, isNegative, fromBack, index);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
}

OpFoldResult checkedPlace(OpBuilder &b, Operation *access, Value index, int64_t size) {
  Location loc = access->getLoc();
  if (auto known = IntInfo(index).known)
    return b.getIndexAttr(*known < 0 ? *known + size : *known);
  if (access->hasAttr(insideAttr))
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), index).getResult();
  Value count = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(size));
  OpFoldResult extent = b.getIndexAttr(size);
  GuardOp::create(b, loc, isInside(b, loc, index, extent, /*negative=*/true), "builtins.IndexError",
                  "index {} is out of range for a dimension of size {}", ValueRange{index, count});
  return placeOf(b, loc, index, extent);
}

Value checkedPlace(OpBuilder &b, Operation *access, Value index, Value size) {
  Location loc = access->getLoc();
  Value count = arith::IndexCastOp::create(b, loc, b.getI64Type(), size);
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value isFromEnd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, zero);
  Value place = arith::SelectOp::create(b, loc, isFromEnd,
                                        arith::AddIOp::create(b, loc, index, count), index);
  // As a number without sign one before the front is far behind the end.
  Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, count);
  GuardOp::create(b, loc, inside, "builtins.IndexError",
                  "index {} is out of range for a dimension of size {}", ValueRange{index, count});
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
}

//===----------------------------------------------------------------------===//
// Accesses that need no check
//===----------------------------------------------------------------------===//

static std::optional<int64_t> sizeAlong(Value tensor, Value dim) {
  TensorInfo info(tensor);
  IntInfo at(dim);
  if (!info.hasRank() || !at.known || *at.known < -info.rank() || *at.known >= info.rank())
    return std::nullopt;
  return info.size(*at.known);
}

/// `first` is the operand of the dimension; the index or the bounds follow it.
static void recordInside(Operation *op, unsigned first, bool isSlice) {
  auto size = sizeAlong(op->getOperand(0), op->getOperand(first));
  if (!size)
    return;
  int64_t count = 1;
  if (isSlice) {
    SliceExtent extent = sliceExtent(*size, op->getOperand(first + 1), op->getOperand(first + 2),
                                     op->getOperand(first + 3));
    if (extent.at || ShapedType::isDynamic(extent.length))
      return;
    count = extent.length;
  } else {
    auto range = AffineInt(op->getOperand(first + 1)).range();
    if (!range || range->first < 0 || range->second >= *size)
      return;
  }
  op->setAttr(insideAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 64), count));
}

void recordInsideAccesses(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<aten::SelectIntOp, aten::SliceTensorOp>(op))
      recordInside(op, 1, isa<aten::SliceTensorOp>(op));
    else if (isa<aten::SelectScatterOp, aten::SliceScatterOp>(op))
      recordInside(op, 2, isa<aten::SliceScatterOp>(op));
  });
}

static void guardNoLarger(OpBuilder &b, Location loc, OpFoldResult size, OpFoldResult most) {
  Value values[] = {asCount(b, loc, size), asCount(b, loc, most)};
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, values[0], values[1]);
  GuardOp::create(b, loc, fits, "builtins.RuntimeError",
                  "expected an index no larger than the tensor, got {} for {}", values);
}

bool checkNoLarger(OpBuilder &b, Location loc, Value indices, Value tensor, int64_t except) {
  auto index = cast<RankedTensorType>(indices.getType());
  auto type = cast<RankedTensorType>(tensor.getType());
  if (index.getRank() != type.getRank())
    return false;
  SmallVector<int64_t> open;
  for (int64_t dim = 0; dim < index.getRank(); ++dim) {
    if (dim == except)
      continue;
    if (index.isDynamicDim(dim) || type.isDynamicDim(dim))
      open.push_back(dim);
    else if (index.getDimSize(dim) > type.getDimSize(dim))
      return false;
  }
  for (int64_t dim : open)
    guardNoLarger(b, loc, tensor::getMixedSize(b, loc, indices, dim),
                  tensor::getMixedSize(b, loc, tensor, dim));
  return true;
}

/// Whether one of `others` is 0 and `size` is not; null where that is known not to be.
static Value choosesNothing(OpBuilder &b, Location loc, OpFoldResult size,
                            ArrayRef<OpFoldResult> others) {
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)), isEmpty;
  for (OpFoldResult other : others) {
    if (getConstantIntValue(other).value_or(0) != 0)
      continue;
    Value count = asCount(b, loc, other);
    Value isZero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count, zero);
    isEmpty = isEmpty ? Value(arith::OrIOp::create(b, loc, isEmpty, isZero)) : isZero;
  }
  if (!isEmpty)
    return {};
  Value isThere =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, asCount(b, loc, size), zero);
  return arith::AndIOp::create(b, loc, isEmpty, isThere);
}

void checkPlaces(OpBuilder &b, Location loc, Value indices, OpFoldResult size, bool negative,
                 ArrayRef<OpFoldResult> others) {
  auto type = cast<RankedTensorType>(indices.getType());
  auto flag = RankedTensorType::get({}, b.getI1Type());
  Value init = filled(b, loc, flag, 1);
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(type.getRank()),
                              AffineMap::get(type.getRank(), 0, {}, b.getContext())};
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::reduction);
  Value all =
      linalg::GenericOp::create(b, loc, flag, indices, init, maps, iterators,
                                [&](OpBuilder &b, Location loc, ValueRange args) {
                                  Value inside =
                                      isInside(b, loc, asI64(b, loc, args[0]), size, negative);
                                  Value both = arith::AndIOp::create(b, loc, inside, args[1]);
                                  linalg::YieldOp::create(b, loc, both);
                                })
          .getResult(0);
  Value ok = tensor::ExtractOp::create(b, loc, all, ValueRange());
  if (Value nothing = choosesNothing(b, loc, size, others))
    ok = arith::OrIOp::create(b, loc, ok, nothing);
  Value count = asCount(b, loc, size);
  GuardOp::create(b, loc, ok, "builtins.IndexError",
                  "an index is out of range for a dimension of size {}", ValueRange{count});
}

} // namespace jit
