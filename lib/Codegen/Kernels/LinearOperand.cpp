//===- LinearOperand.cpp - places in memory as sums by loops --------------===//
#include "Kernels/LinearOperand.h"
#include "Kernels/Launch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using jit::codegen::LinearOperand, jit::codegen::LinearSide;

bool jit::codegen::isLinear(AffineMap map) {
  bool divides = false;
  map.walkExprs([&](AffineExpr expr) {
    divides |= expr.getKind() == AffineExprKind::Mod ||
               expr.getKind() == AffineExprKind::FloorDiv ||
               expr.getKind() == AffineExprKind::CeilDiv;
  });
  return !divides && map.getNumSymbols() == 0;
}

/// The value where one loop has taken a step, or none has.
static int64_t valueAt(AffineExpr expr, unsigned loops, std::optional<unsigned> stepped) {
  SmallVector<AffineExpr> point(loops, getAffineConstantExpr(0, expr.getContext()));
  if (stepped)
    point[*stepped] = getAffineConstantExpr(1, expr.getContext());
  return cast<AffineConstantExpr>(expr.replaceDims(point)).getValue();
}

int64_t jit::codegen::firstOf(AffineExpr expr, unsigned loops) {
  return valueAt(expr, loops, std::nullopt);
}

SmallVector<int64_t> jit::codegen::stepsOf(AffineExpr expr, unsigned loops) {
  SmallVector<int64_t> steps;
  for (unsigned loop = 0; loop < loops; ++loop)
    steps.push_back(valueAt(expr, loops, loop) - firstOf(expr, loops));
  return steps;
}

std::optional<LinearOperand> LinearOperand::of(linalg::LinalgOp op, OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return type ? of(map, type, SmallVector<int64_t>(type.getRank(), 0)) : std::nullopt;
}

std::optional<LinearOperand> LinearOperand::of(AffineMap map, MemRefType type,
                                               ArrayRef<int64_t> before) {
  SmallVector<int64_t> strides;
  LinearOperand result;
  if (!isLinear(map) || failed(type.getStridesAndOffset(strides, result.first)) ||
      ShapedType::isDynamic(result.first) || llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  unsigned loops = map.getNumDims();
  result.strides.assign(loops, 0);
  for (auto [expr, stride, less] : llvm::zip_equal(map.getResults(), strides, before)) {
    result.first += (firstOf(expr, loops) - less) * stride;
    for (auto [sum, step] : llvm::zip_equal(result.strides, stepsOf(expr, loops)))
      sum += step * stride;
  }
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
