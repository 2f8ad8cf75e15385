//===- ProductShape.cpp - the loops of sums of products -------------------===//
#include "Analysis/ProductShape.h"
#include "Analysis/LoopOrder.h"
#include "Analysis/LoopSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

void jit::codegen::Side::add(unsigned dim, int64_t size) {
  dims.push_back(dim);
  sizes.push_back(size);
  count *= size;
}

std::optional<int64_t> jit::codegen::strideOf(linalg::LinalgOp op, OpOperand &operand,
                                              const Side &side) {
  std::optional<int64_t> stride;
  int64_t next = 0;
  for (auto [dim, size] : llvm::reverse(llvm::zip_equal(side.dims, side.sizes))) {
    if (size == 1)
      continue;
    int64_t own = strideAlong(op, operand, dim);
    if (stride && own != next)
      return std::nullopt;
    stride = stride.value_or(own);
    next = own * size;
  }
  return stride.value_or(0);
}

/// The operand of which `value` is an element, perhaps as a wider number; -1 for other values.
static int64_t factorNumber(Value value) {
  if (auto wider = value.getDefiningOp<arith::ExtFOp>())
    value = wider.getIn();
  auto element = dyn_cast<BlockArgument>(value);
  return element && element.getArgNumber() < 2 ? int64_t(element.getArgNumber()) : -1;
}

/// True if the op adds the product of its two operands to its output.
static bool addsProduct(linalg::LinalgOp op) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  Operation *sum = yielded.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  BlockArgument old = op.getRegionOutputArgs().front();
  Value other = sum->getOperand(0) == old ? sum->getOperand(1) : sum->getOperand(0);
  Operation *product = other.getDefiningOp();
  return llvm::is_contained(sum->getOperands(), old) && old.hasOneUse() &&
         isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) &&
         factorNumber(product->getOperand(0)) + factorNumber(product->getOperand(1)) == 1 &&
         factorNumber(product->getOperand(0)) >= 0 && factorNumber(product->getOperand(1)) >= 0;
}

std::optional<jit::codegen::ProductShape> jit::codegen::ProductShape::of(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.hasIndexSemantics() ||
      op.getNumReductionLoops() == 0 || !addsProduct(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps[2].isProjectedPermutation())
    return std::nullopt;
  ProductShape shape;
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    bool inFirst = maps[0].isFunctionOfDim(dim), inSecond = maps[1].isFunctionOfDim(dim);
    if (!maps[2].isFunctionOfDim(dim))
      shape.depth.add(dim, size);
    else
      (inFirst == inSecond ? shape.batch : inFirst ? shape.rows : shape.columns).add(dim, size);
  }
  return shape;
}

bool jit::codegen::isOpenProduct(linalg::LinalgOp op) {
  std::optional<ProductShape> shape = hasOpenSizes(op) ? ProductShape::of(op) : std::nullopt;
  return shape && !shape->rows.dims.empty() && !shape->columns.dims.empty();
}
