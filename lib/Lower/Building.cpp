//===- Building.cpp - the loops that several families build ---------------===//

#include "Lower.h"
#include "Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

Value constantOf(OpBuilder &b, Location loc, Type type, double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, int64_t(value)));
}

Value extremeOf(OpBuilder &b, Location loc, Type dtype, bool isLowest) {
  if (auto type = dyn_cast<FloatType>(dtype))
    return arith::ConstantOp::create(
        b, loc, b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(), isLowest)));
  unsigned width = dtype.getIntOrFloatBitWidth();
  bool isUnsigned = width == 1 || dtype.isUnsignedInteger();
  APInt value = isLowest
                    ? (isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width))
                    : (isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width));
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(width), value));
}

Value filled(OpBuilder &b, Location loc, RankedTensorType type, ArrayRef<OpFoldResult> sizes,
             Value element) {
  return linalg::FillOp::create(b, loc, element, emptyOf(b, loc, type, sizes)).getResult(0);
}

Value filled(OpBuilder &b, Location loc, RankedTensorType type, Value element) {
  return filled(b, loc, type, staticSizes(type), element);
}

Value filled(OpBuilder &b, Location loc, RankedTensorType type, double value) {
  return filled(b, loc, type, constantOf(b, loc, type.getElementType(), value));
}

AffineMap broadcastMap(MLIRContext *context, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<AffineExpr> exprs;
  size_t missing = to.size() - from.size();
  for (auto [i, size] : llvm::enumerate(from))
    exprs.push_back(size == 1 && to[missing + i] != 1 ? getAffineConstantExpr(0, context)
                                                      : getAffineDimExpr(missing + i, context));
  return AffineMap::get(to.size(), 0, exprs, context);
}

/// `input` with the sizes of what is computed from it where its own are open: guards say that they
/// are these. Upstream's patterns may find other ones for it, which guards refuse as well, and
/// would then make an op of sizes that contradict each other.
static Value withKnownSizes(OpBuilder &b, Location loc, Value input, ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> known(type.getShape());
  for (auto [own, size] : llvm::zip(known, sizes.take_back(known.size())))
    if (ShapedType::isDynamic(own))
      own = size;
  if (type.getShape() == ArrayRef(known))
    return input;
  return tensor::CastOp::create(b, loc, type.clone(known), input);
}

/// Of inputs that guards let through.
static SmallVector<Value> guardedElementwise(OpBuilder &b, Location loc,
                                             ArrayRef<RankedTensorType> types,
                                             ArrayRef<OpFoldResult> extents, ValueRange given,
                                             ElementsBody body) {
  ArrayRef<int64_t> sizes = types.front().getShape();
  SmallVector<Value> inputs;
  for (Value input : given)
    inputs.push_back(withKnownSizes(b, loc, input, sizes));
  SmallVector<AffineMap> maps;
  for (Value input : inputs)
    maps.push_back(
        broadcastMap(b.getContext(), cast<RankedTensorType>(input.getType()).getShape(), sizes));
  maps.append(types.size(), b.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> iterators(sizes.size(), utils::IteratorType::parallel);
  SmallVector<Value> empties;
  SmallVector<Type> results;
  for (RankedTensorType type : types) {
    empties.push_back(emptyOf(b, loc, type, extents));
    results.push_back(type);
  }
  auto generic = linalg::GenericOp::create(b, loc, results, inputs, empties, maps, iterators,
                                           [&](OpBuilder &b, Location loc, ValueRange args) {
                                             linalg::YieldOp::create(b, loc, body(b, loc, args));
                                           });
  return SmallVector<Value>(generic.getResults());
}

SmallVector<Value> elementwise(OpBuilder &b, Location loc, ArrayRef<RankedTensorType> types,
                               ValueRange inputs, ElementsBody body) {
  Sizes sizes = broadcastSizes(b, loc, types.front(), inputs);
  return guardedElementwise(b, loc, types, sizes, inputs, body);
}

Value elementwise(OpBuilder &b, Location loc, RankedTensorType type, ValueRange inputs,
                  ElementBody body) {
  auto elements = [&](OpBuilder &b, Location loc, ValueRange args) {
    return SmallVector<Value>{body(b, loc, args)};
  };
  return elementwise(b, loc, ArrayRef(type), inputs, elements).front();
}

Value elementwise(OpBuilder &b, Location loc, RankedTensorType type, ArrayRef<OpFoldResult> extents,
                  ValueRange inputs, ElementBody body) {
  for (Value input : inputs)
    guardBroadcasts(b, loc, input, extents);
  auto elements = [&](OpBuilder &b, Location loc, ValueRange args) {
    return SmallVector<Value>{body(b, loc, args)};
  };
  return guardedElementwise(b, loc, ArrayRef(type), extents, inputs, elements).front();
}

Value convertedTensor(OpBuilder &b, Location loc, Value tensor, Type from, Type to) {
  if (from == to)
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType()).clone(storageType(to));
  return elementwise(b, loc, type, tensor, [&](OpBuilder &b, Location loc, ValueRange args) {
    return convertedElement(b, loc, args[0], from, to);
  });
}

Value reshaped(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == sizes)
    return tensor;
  auto result = type.clone(sizes);
  if (auto indices = getReassociationIndicesForReshape(type, result))
    return type.getRank() > result.getRank()
               ? Value(tensor::CollapseShapeOp::create(b, loc, result, tensor, *indices))
               : Value(tensor::ExpandShapeOp::create(b, loc, result, tensor, *indices));
  // Through one dimension that holds everything.
  auto flat = type.clone({type.getNumElements()});
  auto all = [](int64_t rank) {
    SmallVector<ReassociationIndices> indices(1);
    for (int64_t i = 0; i < rank; ++i)
      indices[0].push_back(i);
    return indices;
  };
  if (type.getRank() != 1)
    tensor =
        type.getRank() == 0
            ? Value(tensor::ExpandShapeOp::create(b, loc, flat, tensor,
                                                  ArrayRef<ReassociationIndices>()))
            : Value(tensor::CollapseShapeOp::create(b, loc, flat, tensor, all(type.getRank())));
  if (result.getRank() == 1)
    return tensor;
  if (result.getRank() == 0)
    return tensor::CollapseShapeOp::create(b, loc, result, tensor,
                                           ArrayRef<ReassociationIndices>());
  return tensor::ExpandShapeOp::create(b, loc, result, tensor, all(result.getRank()));
}

/// Those dimensions of one type that make up dimensions of the other, if each has one size that is
/// open at most; guards that they do.
static std::optional<SmallVector<ReassociationIndices>>
guardedReassociation(OpBuilder &b, Location loc, RankedTensorType from, RankedTensorType to,
                     ArrayRef<OpFoldResult> fromSizes, ArrayRef<OpFoldResult> toSizes) {
  auto groups = getReassociationIndicesForReshape(from, to);
  if (!groups)
    return std::nullopt;
  bool collapses = from.getRank() > to.getRank();
  // One size may be open in a group that a dimension is divided into: what follows computes it from
  // the others.
  auto isOpen = [&](int64_t part) { return to.isDynamicDim(part); };
  if (!collapses && llvm::any_of(*groups, [&](ArrayRef<int64_t> group) {
        return llvm::count_if(group, isOpen) > 1;
      }))
    return std::nullopt;
  for (auto [dim, group] : llvm::enumerate(*groups)) {
    Sizes parts;
    for (int64_t part : group)
      parts.push_back(collapses ? fromSizes[part] : toSizes[part]);
    guardEqual(b, loc, productOf(b, loc, parts), collapses ? toSizes[dim] : fromSizes[dim]);
  }
  return groups;
}

/// Between a number and a tensor of open sizes, which then has to have one element.
static Value guardedElement(OpBuilder &b, Location loc, Value tensor, RankedTensorType to,
                            ArrayRef<OpFoldResult> fromSizes, ArrayRef<OpFoldResult> toSizes) {
  OpFoldResult one = b.getIndexAttr(1);
  guardEqual(b, loc, productOf(b, loc, Sizes(fromSizes)), productOf(b, loc, Sizes(toSizes)));
  if (to.getRank() > 0) {
    Value ones = reshaped(b, loc, tensor, SmallVector<int64_t>(to.getRank(), 1));
    return tensor::CastOp::create(b, loc, to, ones);
  }
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  Sizes first(rank, b.getIndexAttr(0)), ones(rank, one);
  return tensor::ExtractSliceOp::create(b, loc, to, tensor, first, ones, ones);
}

Value reshaped(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> sizes,
               ArrayRef<OpFoldResult> extents) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto result = type.clone(sizes);
  if (type.hasStaticShape() && result.hasStaticShape())
    return reshaped(b, loc, tensor, sizes);
  Sizes from = sizesOf(b, loc, tensor);
  if (type == result) {
    for (auto [have, want] : llvm::zip(from, extents))
      guardEqual(b, loc, have, want);
    return tensor;
  }
  // A size of what has no elements may be open here and known where it is used, which no reshape of
  // buffers takes; and upstream divides by the size 0 to tell an open one.
  if (llvm::is_contained(type.getShape(), 0) || llvm::is_contained(sizes, 0)) {
    guardEqual(b, loc, productOf(b, loc, from), productOf(b, loc, extents));
    return emptyOf(b, loc, result, extents);
  }
  if (type.getRank() == 0 || result.getRank() == 0)
    return guardedElement(b, loc, tensor, result, from, extents);
  if (auto groups = guardedReassociation(b, loc, type, result, from, extents))
    return type.getRank() > result.getRank()
               ? Value(tensor::CollapseShapeOp::create(b, loc, result, tensor, *groups))
               : Value(tensor::ExpandShapeOp::create(b, loc, result, tensor, *groups,
                                                     SmallVector<OpFoldResult>(extents)));
  guardEqual(b, loc, productOf(b, loc, from), productOf(b, loc, extents));
  SmallVector<Value> values;
  for (OpFoldResult extent : extents)
    values.push_back(asIndex(b, loc, extent));
  Value shape = tensor::FromElementsOp::create(b, loc, values);
  return tensor::ReshapeOp::create(b, loc, result, tensor, shape);
}

Value atLeastVector(OpBuilder &b, Location loc, Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank() ? tensor
                                                            : reshaped(b, loc, tensor, {1});
}

std::optional<SmallVector<Value>> loweredElements(ConversionPatternRewriter &rewriter, Value list) {
  auto op = list.getDefiningOp<ListOp>();
  SmallVector<Value> values;
  if (!op || failed(rewriter.getRemappedValues(op.getElements(), values)))
    return std::nullopt;
  return values;
}

} // namespace jit
