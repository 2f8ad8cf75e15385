//===- LibraryProduct.cpp - products that a library computes --------------===//
#include "Kernels/LibraryProduct.h"
#include "Analysis/BufferRoots.h"
#include "Kernels/LibraryCall.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using jit::runtime::MatrixProduct, jit::runtime::PlanMatrix, jit::codegen::ProductGroup;

/// Of sizes, which the library has in 32 bits.
static constexpr int64_t largestSize = int64_t(1) << 31;

/// An operand whose rows and columns are these sides; nothing where neither lies side by side.
static std::optional<PlanMatrix> matrixOf(linalg::LinalgOp op, OpOperand &operand,
                                          const jit::codegen::Side &batch,
                                          const jit::codegen::Side &rows,
                                          const jit::codegen::Side &columns) {
  bool isProgramConstant =
      jit::codegen::viewedBuffer(operand.get()).getDefiningOp<memref::GetGlobalOp>();
  if (isProgramConstant || !op.getMatchingIndexingMap(&operand).isProjectedPermutation())
    return std::nullopt;
  auto batchStride = jit::codegen::strideOf(op, operand, batch),
       rowStride = jit::codegen::strideOf(op, operand, rows);
  auto columnStride = jit::codegen::strideOf(op, operand, columns);
  if (!batchStride || !rowStride || !columnStride || *batchStride < 0)
    return std::nullopt;
  PlanMatrix matrix{.isTransposed = false, .stride = *rowStride, .batchStride = *batchStride};
  if (*columnStride == 1 || columns.count == 1)
    return *rowStride >= columns.count ? std::optional(matrix) : std::nullopt;
  matrix.isTransposed = true;
  matrix.stride = *columnStride;
  return *rowStride == 1 && *columnStride >= rows.count ? std::optional(matrix) : std::nullopt;
}

linalg::LinalgOp jit::codegen::conversionOf(ProductGroup &group) {
  if (group.epilogue.size() != 1)
    return nullptr;
  linalg::LinalgOp op = group.epilogue.front();
  OpOperand &sums = *group.product.getDpsInitOperand(0);
  Type factor = getElementTypeOrSelf(group.product.getDpsInputs()[0]);
  auto narrow = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::TruncFOp>();
  bool isAlone = op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && narrow &&
                 narrow.getType() == factor && narrow.getIn() == op.getBlock()->getArgument(0);
  if (!isAlone || !jit::codegen::isProductOfHalves(group.product) ||
      jit::codegen::isUsedOutside(jit::codegen::viewedBuffer(sums.get()), group.ops()))
    return nullptr;
  auto from = cast<MemRefType>(sums.get().getType());
  auto to = cast<MemRefType>(op.getDpsInits()[0].getType());
  bool isSame =
      op.getDpsInputs()[0] == sums.get() && from.getShape() == to.getShape() &&
      to.getLayout().isIdentity() && from.getLayout().isIdentity() &&
      llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
  return isSame ? op : nullptr;
}

/// What sums begin with: zero, or what is in memory.
static std::optional<bool> addsToMemory(ProductGroup &group) {
  if (!group.start)
    return true;
  if (!matchPattern(group.start.getInputs().front(), m_AnyZeroFloat()))
    return std::nullopt;
  return false;
}

static std::optional<MatrixProduct> describe(ProductGroup &group, bool allowsTf32) {
  linalg::LinalgOp op = group.product;
  const jit::codegen::ProductShape &shape = group.shape;
  std::optional<bool> adds = addsToMemory(group);
  if (!adds || (!jit::codegen::isProductOfHalves(op) && !jit::codegen::isProductOfFloats(op)) ||
      (!group.epilogue.empty() && (*adds || !conversionOf(group))))
    return std::nullopt;
  auto left = matrixOf(op, *op.getDpsInputOperand(0), shape.batch, shape.rows, shape.depth);
  auto right = matrixOf(op, *op.getDpsInputOperand(1), shape.batch, shape.depth, shape.columns);
  auto result = matrixOf(op, *op.getDpsInitOperand(0), shape.batch, shape.rows, shape.columns);
  auto isTooLarge = [](const jit::codegen::Side &side) { return side.count >= largestSize; };
  if (!left || !right || !result || result->isTransposed || isTooLarge(shape.batch) ||
      isTooLarge(shape.rows) || isTooLarge(shape.columns) || isTooLarge(shape.depth))
    return std::nullopt;
  Type factor = getElementTypeOrSelf(op.getDpsInputs()[0]);
  MatrixProduct product{.factors = *jit::typeToDtype(factor), .sums = jit::ScalarType::Float};
  if (!group.epilogue.empty())
    product.sums = product.factors;
  product.batches = shape.batch.count;
  product.rows = shape.rows.count;
  product.columns = shape.columns.count;
  product.depth = shape.depth.count;
  product.left = *left;
  product.right = *right;
  product.result = *result;
  product.adds = *adds;
  product.allowsTf32 = allowsTf32 && factor.isF32();
  return product;
}

/// In the order of the struct.
static SmallVector<int64_t> numbersOf(const MatrixProduct &product) {
  SmallVector<int64_t> numbers = {int64_t(product.factors), int64_t(product.sums),
                                  product.batches,          product.rows,
                                  product.columns,          product.depth};
  for (const PlanMatrix &matrix : {product.left, product.right, product.result})
    llvm::append_values(numbers, int64_t(matrix.isTransposed), matrix.stride, matrix.batchStride);
  llvm::append_values(numbers, int64_t(product.adds), int64_t(product.allowsTf32));
  return numbers;
}

MatrixProduct jit::codegen::libraryProductOf(Operation *op) {
  LibraryNumbers numbers(op, libraryProductAttrName);
  MatrixProduct product;
  product.factors = ScalarType(numbers.next());
  product.sums = ScalarType(numbers.next());
  for (int64_t *size : {&product.batches, &product.rows, &product.columns, &product.depth})
    *size = numbers.next();
  for (PlanMatrix *matrix : {&product.left, &product.right, &product.result}) {
    matrix->isTransposed = numbers.next() != 0;
    matrix->stride = numbers.next();
    matrix->batchStride = numbers.next();
  }
  product.adds = numbers.next() != 0;
  product.allowsTf32 = numbers.next() != 0;
  return product;
}

bool jit::codegen::emitLibraryProduct(ProductGroup &group, OpBuilder &b, bool allowsTf32) {
  std::optional<MatrixProduct> product = describe(group, allowsTf32);
  if (!product)
    return false;
  linalg::LinalgOp op = group.product;
  Value result =
      group.epilogue.empty() ? op.getDpsInits()[0] : group.epilogue.front().getDpsInits()[0];
  makeLibraryCall(b, op.getLoc(), op.getDpsInputs(), result, libraryProductAttrName,
                  numbersOf(*product));
  return true;
}
