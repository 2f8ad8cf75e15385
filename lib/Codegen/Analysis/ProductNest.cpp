//===- ProductNest.cpp - a product as loops with constant steps -----------===//

#include "Analysis/ProductNest.h"
#include "Analysis/ProductBody.h"

using namespace mlir;

namespace jit::codegen {

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

//===----------------------------------------------------------------------===//
// Sizes and strides
//===----------------------------------------------------------------------===//

/// Iterations by which tiles of an open loop are chosen: most sizes of a tile divide it.
static constexpr int64_t likelyExtent = 120;

/// The sizes of the op's dimensions, each from any operand that knows it.
static SmallVector<int64_t> sizesOf(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &operand : op->getOpOperands())
    for (auto [expr, size] :
         llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(), op.getShape(&operand)))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && !ShapedType::isDynamic(size))
        sizes[dim.getPosition()] = size;
  return sizes;
}

static bool isDim(AffineExpr expr, unsigned position) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim && dim.getPosition() == position;
}

/// Whether the map reads any of `dims`.
static bool reads(AffineMap map, ArrayRef<unsigned> dims) {
  return llvm::any_of(dims, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// Whether the map has `dims` side by side in this order and nowhere else, or none of them.
static bool walksAsOne(AffineMap map, ArrayRef<unsigned> dims) {
  if (!reads(map, dims))
    return true;
  ArrayRef<AffineExpr> results = map.getResults();
  auto first = llvm::find_if(results, [&](AffineExpr e) { return isDim(e, dims.front()); });
  size_t at = first - results.begin();
  if (at + dims.size() > results.size())
    return false;
  for (auto [i, expr] : llvm::enumerate(results)) {
    bool inside = i >= at && i < at + dims.size();
    if (inside ? !isDim(expr, dims[i - at])
               : llvm::any_of(dims, [&](unsigned dim) { return expr.isFunctionOfDim(dim); }))
      return false;
  }
  return true;
}

/// The longest run of dimensions that ends with the last open one, holds all others, and is one
/// loop to all operands; empty where there is none.
static SmallVector<unsigned> openRun(linalg::LinalgOp op, ArrayRef<int64_t> sizes) {
  auto isOpen = [](int64_t size) { return ShapedType::isDynamic(size); };
  unsigned firstOpen = llvm::find_if(sizes, isOpen) - sizes.begin();
  unsigned end = sizes.size() - (llvm::find_if(llvm::reverse(sizes), isOpen) - sizes.rbegin());
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (unsigned first = 0; first <= firstOpen; ++first) {
    auto run = llvm::to_vector(llvm::seq(first, end));
    bool isParallel = llvm::all_of(
        run, [&](unsigned dim) { return iterators[dim] == utils::IteratorType::parallel; });
    if (isParallel && llvm::all_of(op.getIndexingMapsArray(),
                                   [&](AffineMap map) { return walksAsOne(map, run); }))
      return run;
  }
  return {};
}

FailureOr<SmallVector<int64_t>> stridesFor(ShapedType type, AffineMap map,
                                           const ProductNest &nest) {
  auto isOpen = [&](unsigned dim) { return llvm::is_contained(nest.openDims, dim); };
  auto sizeAt = [&](int64_t i) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(i));
    if (!dim)
      return type.getDimSize(i);
    return isOpen(dim.getPosition()) ? ShapedType::kDynamic : nest.loops[dim.getPosition()].extent;
  };
  if (!walksAsOne(map, nest.openDims))
    return failure();
  SmallVector<int64_t> strides(type.getRank(), 1);
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && !memref.getLayout().isIdentity()) {
    int64_t offset;
    bool isOneDim = nest.openDims.size() <= 1 || !reads(map, nest.openDims);
    strides.clear(); // they are appended
    if (!isOneDim || failed(memref.getStridesAndOffset(strides, offset)))
      return failure();
  } else {
    for (int64_t i = type.getRank() - 2; i >= 0; --i) {
      bool isKnown =
          !ShapedType::isDynamic(strides[i + 1]) && !ShapedType::isDynamic(sizeAt(i + 1));
      strides[i] = isKnown ? strides[i + 1] * sizeAt(i + 1) : ShapedType::kDynamic;
    }
  }
  for (int64_t i = 0; i < type.getRank(); ++i) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(i));
    bool isOuter = dim && isOpen(dim.getPosition()) && dim.getPosition() != nest.openDims.back();
    if (isOuter || (ShapedType::isDynamic(strides[i]) && sizeAt(i) == 1))
      strides[i] = 0;
    else if (ShapedType::isDynamic(strides[i]))
      return failure();
  }
  return strides;
}

//===----------------------------------------------------------------------===//
// The nest
//===----------------------------------------------------------------------===//

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
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !multipliesAndAdds(*op.getBlock()))
    return failure();
  ProductNest nest;
  nest.element = cast<FloatType>(op.getBlock()->getArgument(Out).getType());
  for (Operand side : {Lhs, Rhs})
    nest.stored[side] = op.getBlock()->getArgument(side).getType();
  if (!op.getIndexingMapsArray()[Out].isProjectedPermutation())
    return failure();

  SmallVector<int64_t> sizes = sizesOf(op);
  if (llvm::any_of(sizes, ShapedType::isDynamic)) {
    nest.openDims = openRun(op, sizes);
    if (nest.openDims.empty())
      return failure();
  }
  for (auto [dim, size, kind] : llvm::enumerate(sizes, op.getIteratorTypesArray())) {
    bool isInRun = llvm::is_contained(nest.openDims, dim);
    bool open = isInRun && dim == nest.openDims.back();
    int64_t extent = open ? likelyExtent : isInRun ? 1 : size;
    if (extent <= 0)
      return failure();
    nest.loops.push_back({extent, kind == utils::IteratorType::reduction, open});
  }
  std::array<StepCollector, 3> collectors = {StepCollector{nest, Lhs}, StepCollector{nest, Rhs},
                                             StepCollector{nest, Out}};
  for (StepCollector &collector : collectors) {
    OpOperand &operand = op->getOpOperand(collector.operand);
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto strides = type ? stridesFor(type, map, nest) : FailureOr<SmallVector<int64_t>>();
    if (failed(strides))
      return failure();
    for (auto [expr, stride] : llvm::zip_equal(map.getResults(), *strides))
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
  if (op.getNumReductionLoops() == 0)
    return false;
  FailureOr<ProductNest> nest = matchProduct(op);
  return succeeded(nest) && nest->openDims.empty();
}

std::string describe(const ProductNest &nest) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << nest.element;
  if (nest.stored[Lhs] != nest.element || nest.stored[Rhs] != nest.element)
    os << '[' << nest.stored[Lhs] << ',' << nest.stored[Rhs] << ']';
  for (const NestLoop &loop : nest.loops)
    os << (loop.reduction ? " r" : " p") << loop.extent << '(' << loop.step[Lhs] << ','
       << loop.step[Rhs] << ',' << loop.step[Out] << ')';
  return text;
}

static bool joins(const NestLoop &outer, const NestLoop &inner) {
  if (outer.reduction != inner.reduction || outer.block != 0 || inner.block != 0 || outer.open ||
      inner.open)
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

} // namespace jit::codegen
