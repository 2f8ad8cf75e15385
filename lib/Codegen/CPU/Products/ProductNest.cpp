//===- ProductNest.cpp - a product as loops with constant steps -----------===//

#include "ProductNest.h"
#include "jit/Codegen/Products/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

int64_t ProductNest::volume() const {
  int64_t volume = 1;
  for (const NestLoop &loop : loops)
    volume *= loop.extent;
  return volume;
}

/// Whether two loops meet the same element: the finer of them runs past one step of the coarser.
static bool overlap(const NestLoop &a, const NestLoop &b, Operand operand) {
  bool aIsFine = a.step[operand] < b.step[operand];
  const NestLoop &fine = aIsFine ? a : b, &coarse = aIsFine ? b : a;
  int64_t run = fine.block != 0 ? fine.block : fine.extent;
  return fine.step[operand] != 0 && run * fine.step[operand] > coarse.step[operand];
}

bool ProductNest::isWindow(unsigned k) const {
  return llvm::any_of(loops, [&](const NestLoop &other) {
    return !other.reduction && other.extent > 1 &&
           (overlap(loops[k], other, Lhs) || overlap(loops[k], other, Rhs));
  });
}

/// Whether the op's body is `out + a * b`, in any order of operands, without casts.
static bool multipliesAndAdds(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  if (body.getNumArguments() != 3 || body.getOperations().size() != 3)
    return false;
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  auto add = yield.getNumOperands() == 1 ? yield.getOperand(0).getDefiningOp<arith::AddFOp>()
                                         : arith::AddFOp();
  if (!add)
    return false;
  Value out = body.getArgument(2);
  Value term = add.getLhs() == out ? add.getRhs() : add.getRhs() == out ? add.getLhs() : Value();
  auto mul = term ? term.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!mul)
    return false;
  Value a = body.getArgument(0), b = body.getArgument(1);
  return (mul.getLhs() == a && mul.getRhs() == b) || (mul.getLhs() == b && mul.getRhs() == a);
}

/// Strides in elements; the offset of a memref is left to whoever reads it.
static LogicalResult getStrides(ShapedType type, SmallVectorImpl<int64_t> &strides) {
  if (!type.hasStaticShape())
    return failure();
  if (auto memref = dyn_cast<MemRefType>(type)) {
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)))
      return failure();
    return success(llvm::none_of(strides, ShapedType::isDynamic));
  }
  strides.assign(type.getRank(), 1);
  for (int64_t i = type.getRank() - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * type.getDimSize(i + 1);
  return success();
}

namespace {

/// Adds up what the results of one operand's map contribute to the steps.
struct StepCollector {
  ProductNest &nest;
  Operand operand;
  /// Loops that this operand reads by `floordiv` and `mod`.
  llvm::SmallDenseSet<unsigned> packed = {};

  LogicalResult add(AffineExpr expr, int64_t scale);

private:
  LogicalResult addBlocked(AffineBinaryOpExpr expr, int64_t scale);
};

} // namespace

LogicalResult StepCollector::addBlocked(AffineBinaryOpExpr expr, int64_t scale) {
  auto dim = dyn_cast<AffineDimExpr>(expr.getLHS());
  auto size = dyn_cast<AffineConstantExpr>(expr.getRHS());
  if (!dim || !size || size.getValue() <= 1)
    return failure();
  NestLoop &loop = nest.loops[dim.getPosition()];
  if (loop.block != 0 && loop.block != size.getValue())
    return failure();
  loop.block = size.getValue();
  packed.insert(dim.getPosition());
  auto &steps = expr.getKind() == AffineExprKind::Mod ? loop.step : loop.blockStep;
  steps[operand] += scale;
  return success();
}

LogicalResult StepCollector::add(AffineExpr expr, int64_t scale) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    nest.loops[dim.getPosition()].step[operand] += scale;
    return success();
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    nest.start[operand] += scale * constant.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return success(succeeded(add(binary.getLHS(), scale)) &&
                   succeeded(add(binary.getRHS(), scale)));
  case AffineExprKind::Mul:
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return add(binary.getLHS(), scale * factor.getValue());
    return failure();
  case AffineExprKind::FloorDiv:
  case AffineExprKind::Mod:
    return addBlocked(binary, scale);
  default:
    return failure();
  }
}

FailureOr<ProductNest> matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !multipliesAndAdds(op))
    return failure();
  ProductNest nest;
  nest.element = dyn_cast<FloatType>(op.getBlock()->getArgument(2).getType());
  if (!nest.element || !(nest.element.isF32() || nest.element.isF64()))
    return failure();
  if (!op.getIndexingMapsArray()[Out].isProjectedPermutation())
    return failure();

  for (auto [extent, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(extent) || extent <= 0)
      return failure();
    nest.loops.push_back({extent, kind == utils::IteratorType::reduction});
  }
  std::array<StepCollector, 3> collectors = {StepCollector{nest, Lhs}, StepCollector{nest, Rhs},
                                             StepCollector{nest, Out}};
  for (StepCollector &collector : collectors) {
    OpOperand &operand = op->getOpOperand(collector.operand);
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    SmallVector<int64_t> strides;
    if (!type || failed(getStrides(type, strides)))
      return failure();
    for (auto [expr, stride] :
         llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(), strides))
      if (failed(collector.add(expr, stride)))
        return failure();
  }
  for (auto [index, loop] : llvm::enumerate(nest.loops))
    for (StepCollector &collector : collectors)
      if (!collector.packed.contains(index))
        loop.blockStep[collector.operand] = loop.block * loop.step[collector.operand];
  for (const NestLoop &loop : nest.loops)
    if (llvm::any_of(loop.step, [](int64_t step) { return step < 0; }) ||
        (!loop.reduction && loop.extent > 1 && loop.step[Out] == 0))
      return failure();
  return nest;
}

bool isProduct(linalg::LinalgOp op) {
  return op.getNumReductionLoops() != 0 && succeeded(matchProduct(op));
}

std::string describe(const ProductNest &nest) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << nest.element;
  for (const NestLoop &loop : nest.loops)
    os << (loop.reduction ? " r" : " p") << loop.extent << '(' << loop.step[Lhs] << ','
       << loop.step[Rhs] << ',' << loop.step[Out] << ')';
  return text;
}

static bool joins(const NestLoop &outer, const NestLoop &inner) {
  if (outer.reduction != inner.reduction || outer.block != 0 || inner.block != 0)
    return false;
  for (unsigned operand = 0; operand < maxOperands; ++operand)
    if (outer.step[operand] != inner.step[operand] * inner.extent)
      return false;
  return true;
}

void simplify(ProductNest &nest) {
  llvm::erase_if(nest.loops,
                 [](const NestLoop &loop) { return loop.extent == 1 && loop.block == 0; });
  for (unsigned outer = 0; outer < nest.loops.size();) {
    bool joined = false;
    for (unsigned inner = 0; inner < nest.loops.size() && !joined; ++inner) {
      if (inner == outer || !joins(nest.loops[outer], nest.loops[inner]))
        continue;
      nest.loops[inner].extent *= nest.loops[outer].extent;
      nest.loops.erase(nest.loops.begin() + outer);
      joined = true;
    }
    outer = joined ? 0 : outer + 1;
  }
}

} // namespace jit
