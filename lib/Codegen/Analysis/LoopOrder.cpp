//===- LoopOrder.cpp - stride-one innermost, reductions in registers ------===//
#include "Analysis/LoopOrder.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;

/// Where a stride is not known, a large one is the safe guess.
static constexpr int64_t unknownStride = 1 << 20;

int64_t jit::codegen::guessedSize(int64_t size) { return ShapedType::isDynamic(size) ? 128 : size; }

/// The value of an affine expression at one point.
static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> point) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return cast<AffineConstantExpr>(expr).getValue();
  case AffineExprKind::DimId:
    return point[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return 0;
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluate(binary.getLHS(), point), b = evaluate(binary.getRHS(), point);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::FloorDiv:
    return b == 0 ? 0 : llvm::divideFloorSigned(a, b);
  case AffineExprKind::CeilDiv:
    return b == 0 ? 0 : llvm::divideCeilSigned(a, b);
  default:
    return b == 0 ? 0 : llvm::mod(a, b);
  }
}

/// Nothing where they are not known. MLIR derives those of dense memory from affine expressions,
/// which was a sixtieth of a network's whole compilation.
static std::optional<SmallVector<int64_t>> stridesOf(MemRefType type) {
  if (type.getLayout().isIdentity() && type.hasStaticShape() && type.getNumElements() != 0)
    return computeStrides(type.getShape());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  return strides;
}

int64_t jit::codegen::strideAlong(linalg::LinalgOp op, OpOperand &operand, unsigned dim) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return 0;
  std::optional<SmallVector<int64_t>> strides = stridesOf(type);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> zero(map.getNumDims(), 0), one(map.getNumDims(), 0);
  one[dim] = 1;
  int64_t total = 0;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    int64_t step = evaluate(expr, one) - evaluate(expr, zero);
    if (step == 0)
      continue;
    if (!strides || ShapedType::isDynamic((*strides)[i]))
      return unknownStride;
    total += step * (*strides)[i];
  }
  return total;
}

/// How badly `dim` suits the innermost loop; 0 is best.
static int64_t innermostCost(linalg::LinalgOp op, unsigned dim, int64_t size) {
  int64_t cost = size < 8 ? 4 : 0;
  for (OpOperand &operand : op->getOpOperands()) {
    int64_t stride = std::abs(jit::codegen::strideAlong(op, operand, dim));
    bool output = op.isDpsInit(&operand);
    if (stride > 1)
      cost += output ? 16 : 8;
    else if (stride == 0 && output)
      cost += 1;
  }
  return cost;
}

/// True if no reduction leads to another element of an output: its loops keep them in registers.
static bool keepsOutputs(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return llvm::none_of(reductions, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  });
}

jit::codegen::LoopOrder jit::codegen::chooseLoopOrder(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto isReduction = [&](unsigned dim) { return iterators[dim] == utils::IteratorType::reduction; };
  // The order of reductions shows where the body asks for indices (arg max takes the first).
  std::optional<unsigned> lastReduction;
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (isReduction(dim) && sizes[dim] != 1)
      lastReduction = dim;

  LoopOrder order;
  int64_t best = 0;
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] == 1 || (isReduction(dim) && op.hasIndexSemantics() && dim != lastReduction))
      continue;
    int64_t cost = innermostCost(op, dim, guessedSize(sizes[dim]));
    if (!order.innermost || cost <= best) {
      order.innermost = dim;
      best = cost;
    }
  }
  if (!order.innermost)
    return order;
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] == 1 || dim == *order.innermost)
      continue;
    (isReduction(dim) ? order.middle : order.outer).push_back(dim);
  }
  order.accumulates = isReduction(*order.innermost) && keepsOutputs(op);
  // Plain elementwise loops: nothing stands between the outer loops and the innermost one, which
  // can be shared by threads itself if it is the only one.
  if (!isReduction(*order.innermost) && order.middle.empty() && order.outer.empty()) {
    order.outer.push_back(*order.innermost);
    order.innermost.reset();
  }
  return order;
}

/// True if `operand` walks along `dim` as far with one step as along the next dimension with all of
/// its `size` steps.
static bool isOneRun(linalg::LinalgOp op, OpOperand &operand, unsigned dim, int64_t size) {
  int64_t stride = jit::codegen::strideAlong(op, operand, dim + 1);
  if (ShapedType::isDynamic(size) || stride == unknownStride) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    return type && type.getLayout().isIdentity();
  }
  return jit::codegen::strideAlong(op, operand, dim) == stride * size;
}

SmallVector<ReassociationIndices> jit::codegen::contiguousGroups(linalg::LinalgOp op) {
  SmallVector<ReassociationIndices> groups;
  if (op.hasIndexSemantics())
    return groups;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return groups;
  auto joins = [&](unsigned dim) {
    if (iterators[dim] != iterators[dim + 1])
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      std::optional<unsigned> a = map.getResultPosition(getAffineDimExpr(dim, op->getContext()));
      std::optional<unsigned> b =
          map.getResultPosition(getAffineDimExpr(dim + 1, op->getContext()));
      if (!a && !b)
        continue;
      if (!a || !b || *b != *a + 1)
        return false;
      if (!isOneRun(op, operand, dim, sizes[dim + 1]))
        return false;
    }
    return true;
  };
  for (unsigned dim = 0; dim + 1 < sizes.size(); ++dim) {
    ReassociationIndices group = {static_cast<int64_t>(dim)};
    while (dim + 1 < sizes.size() && joins(dim))
      group.push_back(++dim);
    if (group.size() > 1)
      groups.push_back(group);
  }
  return groups;
}

linalg::LinalgOp jit::codegen::collapseContiguous(linalg::LinalgOp op, IRRewriter &rewriter) {
  SmallVector<ReassociationIndices> groups = contiguousGroups(op);
  if (groups.empty())
    return op;
  rewriter.setInsertionPoint(op);
  if (!isa<linalg::GenericOp>(op)) {
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return op;
    op = *generic;
    rewriter.setInsertionPoint(op);
  }
  FailureOr<linalg::CollapseResult> result = linalg::collapseOpIterationDims(op, groups, rewriter);
  if (failed(result))
    return op;
  rewriter.eraseOp(op);
  return result->collapsedOp;
}
