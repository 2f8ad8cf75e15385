//===- Factor.cpp - one operand of a product, as kernels read it ----------===//
#include "Kernels/Factor.h"
#include "Kernels/SidePlaces.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using jit::codegen::Factor;

Factor::Factor(OpBuilder &b, linalg::LinalgOp product, unsigned operand, const ProductShape &shape,
               int64_t tile, int64_t slice)
    : b(b), product(product), loc(product.getLoc()), operand(product.getDpsInputOperand(operand)),
      shape(shape), side(operand == 0 ? shape.rows : shape.columns),
      type(getElementTypeOrSelf(this->operand->get())), element(product, b), tile(tile),
      slice(slice) {}

/// True if a loop goes along neighbours in memory whose groups of `width` are aligned wherever a
/// window begins.
static bool isWindowOfVectors(linalg::LinalgOp op, OpOperand &operand, unsigned loop,
                              int64_t width) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (map.getNumResults() == 0 ||
      failed(cast<MemRefType>(operand.get().getType()).getStridesAndOffset(strides, offset)) ||
      map.getResults().back() != getAffineDimExpr(loop, op.getContext()) || strides.back() != 1)
    return false;
  auto isOther = [&](AffineExpr expr) { return !expr.isFunctionOfDim(loop); };
  auto isWhole = [&](int64_t stride) {
    return !ShapedType::isDynamic(stride) && stride % width == 0;
  };
  return llvm::all_of(map.getResults().drop_back(), isOther) &&
         llvm::all_of(ArrayRef(strides).drop_back(), isWhole) && isWhole(offset);
}

bool Factor::isVectorAlong(const Side &along, int64_t width) {
  if (along.dims.empty() || along.sizes.back() % width != 0)
    return false;
  unsigned loop = along.dims.back();
  return accessAlong(product, *operand, loop, width) == Access::Vector ||
         isWindowOfVectors(product, *operand, loop, width);
}

Value Factor::insideOf(Value depthAt, Value otherAt) {
  return isInside(b, loc, {{shape.depth, depthAt, slice}, {side, otherAt, tile}});
}

SmallVector<Value> Factor::pointOf(Value depthAt, Value otherAt) {
  SmallVector<Value> point(product.getNumLoops(), index(0));
  setPlace(b, loc, shape.batch, point, batchAt);
  setPlace(b, loc, shape.depth, point, depthAt);
  setPlace(b, loc, side, point, otherAt);
  return point;
}

Value Factor::add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
Value Factor::mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
Value Factor::div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
Value Factor::rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
