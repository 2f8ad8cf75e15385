//===- SidePlaces.cpp - places on the sides of a product ------------------===//
#include "Kernels/SidePlaces.h"
#include "Kernels/Launch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

void jit::codegen::setPlace(OpBuilder &b, Location loc, const Side &side,
                            MutableArrayRef<Value> point, Value at) {
  for (auto [dim, value] : llvm::zip(side.dims, delinearize(b, loc, at, side.sizes)))
    point[dim] = value;
}

Value jit::codegen::isInside(OpBuilder &b, Location loc, const Side &side, Value at, int64_t tile) {
  if (side.count % tile == 0)
    return nullptr;
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at,
                               constantIndex(b, loc, side.count));
}

Value jit::codegen::isInside(OpBuilder &b, Location loc, ArrayRef<SidePlace> places) {
  Value inside;
  for (const SidePlace &place : places)
    if (Value here = isInside(b, loc, place.side, place.at, place.tile))
      inside = inside ? arith::AndIOp::create(b, loc, inside, here) : here;
  return inside;
}
