//===- RegisterTranspose.cpp - transpose rows held in vectors -------------===//

#include "Products/RegisterTranspose.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace jit::codegen {

/// Exchanges blocks of `width` elements between two rows that lie `width` apart: the upper right
/// block of the pair for the lower left one.
static std::pair<Value, Value> exchange(OpBuilder &builder, Location loc, Value upper, Value lower,
                                        int64_t width) {
  int64_t lanes = cast<VectorType>(upper.getType()).getNumElements();
  SmallVector<int64_t> left, right;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    bool odd = (lane & width) != 0;
    left.push_back(odd ? lanes + lane - width : lane);
    right.push_back(odd ? lanes + lane : lane + width);
  }
  return {vector::ShuffleOp::create(builder, loc, upper, lower, left),
          vector::ShuffleOp::create(builder, loc, upper, lower, right)};
}

SmallVector<Value> transposeRows(OpBuilder &builder, Location loc, ArrayRef<Value> rows) {
  auto type = cast<VectorType>(rows.front().getType());
  int64_t lanes = type.getNumElements();
  SmallVector<Value> square(rows);
  if (int64_t(square.size()) < lanes)
    square.resize(lanes, ub::PoisonOp::create(builder, loc, type));
  for (int64_t width = 1; width < lanes; width *= 2)
    for (int64_t row = 0; row < lanes; ++row)
      if ((row & width) == 0)
        std::tie(square[row], square[row + width]) =
            exchange(builder, loc, square[row], square[row + width], width);
  return square;
}

} // namespace jit::codegen
