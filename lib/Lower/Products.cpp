//===- Products.cpp - sums of products, the loop of matmul and conv -------===//

#include "Lower.h"
#include "Sizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

Type accumulatorOf(Type dtype) {
  bool isHalf = isa<FloatType>(dtype) && dtype.getIntOrFloatBitWidth() == 16;
  return isHalf ? Type(Float32Type::get(dtype.getContext())) : dtype;
}

AffineMap leadingLoops(MLIRContext *context, unsigned loops, unsigned count) {
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < count; ++i)
    exprs.push_back(getAffineDimExpr(i, context));
  return AffineMap::get(loops, 0, exprs, context);
}

Value product(OpBuilder &b, Location loc, const Factor &lhs, const Factor &rhs,
              RankedTensorType type, AffineMap out, Type dtype, Value start) {
  Sizes loops = loopSizes(b, loc, out.getNumDims(), {lhs.tensor, rhs.tensor}, {lhs.map, rhs.map});
  Sizes sizes = staticSizes(type);
  for (auto [dim, expr] : llvm::enumerate(out.getResults()))
    if (type.isDynamicDim(dim))
      sizes[dim] = loops[cast<AffineDimExpr>(expr).getPosition()];
  return product(b, loc, lhs, rhs, type, sizes, out, dtype, start);
}

Value product(OpBuilder &b, Location loc, const Factor &lhs, const Factor &rhs,
              RankedTensorType type, ArrayRef<OpFoldResult> sizes, AffineMap out, Type dtype,
              Value start) {
  Type accumulator = accumulatorOf(dtype);
  auto sums = type.clone(storageType(accumulator));
  Type element = sums.getElementType();
  // Converted before it is repeated: there is less of it, and a bias never changes.
  if (start)
    start = convertedTensor(b, loc, start, dtype, accumulator);
  if (start && start.getType() == sums)
    guardBroadcasts(b, loc, start, sizes);
  if (start && start.getType() != sums)
    start = elementwise(b, loc, sums, sizes, start,
                        [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  if (!start)
    start = filled(b, loc, sums, sizes, constantOf(b, loc, element, 0));
  SmallVector<utils::IteratorType> kinds(out.getNumDims(), utils::IteratorType::reduction);
  for (AffineExpr expr : out.getResults())
    kinds[cast<AffineDimExpr>(expr).getPosition()] = utils::IteratorType::parallel;
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    ScalarBuilder build{b, loc, accumulator};
    Element x(build, args[0], lhs.dtype ? lhs.dtype : dtype);
    Element y(build, args[1], rhs.dtype ? rhs.dtype : dtype);
    linalg::YieldOp::create(b, loc, (Element::raw(build, args[2]) + x * y).v);
  };
  Value sum = linalg::GenericOp::create(b, loc, TypeRange(sums), ValueRange{lhs.tensor, rhs.tensor},
                                        start, ArrayRef{lhs.map, rhs.map, out}, kinds, body)
                  .getResult(0);
  return convertedTensor(b, loc, sum, accumulator, dtype);
}

Value broadcasted(OpBuilder &b, Location loc, Value tensor, RankedTensorType type) {
  return elementwise(b, loc, type, tensor,
                     [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

Value gathered(OpBuilder &b, Location loc, Value tensor, RankedTensorType type,
               ArrayRef<AffineExpr> reads) {
  return gathered(b, loc, tensor, type, staticSizes(type), reads);
}

Value gathered(OpBuilder &b, Location loc, Value tensor, RankedTensorType type,
               ArrayRef<OpFoldResult> sizes, ArrayRef<AffineExpr> reads) {
  unsigned rank = type.getRank();
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  Value empty = emptyOf(b, loc, type, sizes);
  AffineMap maps[] = {AffineMap::get(rank, 0, reads, b.getContext()),
                      b.getMultiDimIdentityMap(rank)};
  return linalg::GenericOp::create(b, loc, TypeRange(type), tensor, empty, maps, kinds,
                                   [](OpBuilder &b, Location loc, ValueRange args) {
                                     linalg::YieldOp::create(b, loc, args[0]);
                                   })
      .getResult(0);
}

} // namespace jit
