//===- LoopSizes.cpp - how far the loops of an op go ----------------------===//
#include "Analysis/LoopSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

bool jit::codegen::hasOpenSizes(linalg::LinalgOp op) {
  return llvm::any_of(op.getStaticLoopRanges(), ShapedType::isDynamic);
}

namespace {
/// A dimension of an operand.
struct Place {
  Value buffer;
  int64_t dim = 0;
};
} // namespace

/// Where the size of a loop is found.
static std::optional<Place> placeOf(linalg::LinalgOp op, unsigned loop) {
  AffineExpr expr = getAffineDimExpr(loop, op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (std::optional<unsigned> position = map.getResultPosition(expr))
      return Place{operand.get(), *position};
  }
  return std::nullopt;
}

FailureOr<SmallVector<OpFoldResult>> jit::codegen::loopSizes(OpBuilder &b, linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), op.getStaticLoopRanges());
  SmallVector<std::pair<unsigned, Place>> open;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (!ShapedType::isDynamic(size))
      continue;
    std::optional<Place> place = placeOf(op, loop);
    if (!place)
      return failure();
    open.emplace_back(loop, *place);
  }
  for (auto &[loop, place] : open)
    sizes[loop] = memref::DimOp::create(b, op.getLoc(), place.buffer, place.dim).getResult();
  return sizes;
}

Value jit::codegen::pointsOf(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes) {
  int64_t known = 1;
  Value open;
  for (OpFoldResult size : sizes) {
    if (auto constant = getConstantIntValue(size))
      known *= *constant;
    else if (auto value = cast<Value>(size); open)
      open = arith::MulIOp::create(b, loc, open, value);
    else
      open = value;
  }
  if (!open)
    return arith::ConstantIndexOp::create(b, loc, known);
  if (known == 1)
    return open;
  return arith::MulIOp::create(b, loc, open, arith::ConstantIndexOp::create(b, loc, known));
}
