//===- LinearOperand.cpp - places in memory as sums by loops --------------===//
#include "Kernels/LinearOperand.h"
#include "Analysis/LoopOrder.h"
#include "Kernels/Launch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using jit::codegen::LinearOperand, jit::codegen::LinearSide;

static bool isLinear(AffineMap map) {
  bool divides = false;
  map.walkExprs([&](AffineExpr expr) {
    divides |= expr.getKind() == AffineExprKind::Mod ||
               expr.getKind() == AffineExprKind::FloorDiv ||
               expr.getKind() == AffineExprKind::CeilDiv;
  });
  return !divides && map.getNumSymbols() == 0;
}

std::optional<LinearOperand> LinearOperand::of(linalg::LinalgOp op, OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> strides;
  LinearOperand result;
  if (!type || !isLinear(map) || failed(type.getStridesAndOffset(strides, result.first)) ||
      ShapedType::isDynamic(result.first) || llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> zeros(map.getNumDims(), getAffineConstantExpr(0, context));
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
    result.first += cast<AffineConstantExpr>(expr.replaceDims(zeros)).getValue() * stride;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    result.strides.push_back(strideAlong(op, operand, dim));
  return result;
}

LinearSide::LinearSide(const Side &side, ArrayRef<int64_t> all) {
  for (auto [dim, size] : llvm::zip_equal(side.dims, side.sizes)) {
    if (size == 1)
      continue;
    if (!sizes.empty() && strides.back() == all[dim] * size) {
      sizes.back() *= size;
      strides.back() = all[dim];
    } else {
      sizes.push_back(size);
      strides.push_back(all[dim]);
    }
  }
}

std::optional<int64_t> LinearSide::stride() const {
  if (sizes.size() > 1 || (sizes.size() == 1 && strides.front() < 0))
    return std::nullopt;
  return sizes.empty() ? 0 : strides.front();
}

bool LinearSide::isOfVectors(int64_t width) const {
  auto isWhole = [&](int64_t stride) { return stride % width == 0; };
  return !sizes.empty() && strides.back() == 1 && sizes.back() % width == 0 &&
         llvm::all_of(ArrayRef(strides).drop_back(), isWhole);
}

bool LinearSide::isWhole(int64_t width) const {
  return llvm::all_of(strides, [&](int64_t stride) { return stride % width == 0; });
}

int64_t LinearSide::lowest() const {
  int64_t sum = 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    sum += std::min<int64_t>(0, (size - 1) * stride);
  return sum;
}

Value LinearSide::offsetOf(OpBuilder &b, Location loc, Value at) const {
  Value offset = constantIndex(b, loc, -lowest());
  for (auto [place, stride] : llvm::zip(delinearize(b, loc, at, sizes), strides)) {
    Value step = arith::MulIOp::create(b, loc, place, constantIndex(b, loc, stride));
    offset = arith::AddIOp::create(b, loc, offset, step);
  }
  return offset;
}

Value jit::codegen::viewFrom(OpBuilder &b, Location loc, Value buffer, Value first, int64_t count,
                             int64_t stride) {
  auto type = cast<MemRefType>(buffer.getType());
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {stride});
  auto view = MemRefType::get({count}, type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(b, loc, view, buffer, OpFoldResult(first),
                                           ArrayRef<OpFoldResult>{b.getIndexAttr(count)},
                                           ArrayRef<OpFoldResult>{b.getIndexAttr(stride)});
}
