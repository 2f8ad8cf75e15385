//===- ProductKernel.cpp - sums of products, tile by tile -----------------===//
//
// A block computes a square tile of the output, each of its threads a smaller square in registers.
// The slices of both operands that one step of the sum needs go through shared memory.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopOrder.h"
#include "Kernels/Launch.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/SidePlaces.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// The sides of a block's tile, of a slice, and of a thread's part.
static constexpr int64_t tileSize = 64, slice = 16, part = 4;
static constexpr int64_t perSide = tileSize / part, threads = perSide * perSide;

namespace {
class ProductEmitter {
public:
  ProductEmitter(jit::codegen::ProductGroup &group, OpBuilder &b)
      : group(group), op(group.product), shape(group.shape), b(b), loc(op.getLoc()),
        element(op, b) {}

  void emit();

private:
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  /// Both are below the counts of their sides; null where that is certain.
  Value inside(Value x, const jit::codegen::Side &xs, int64_t xStep, Value y,
               const jit::codegen::Side &ys, int64_t yStep);
  Value guarded(Value condition, Type type, llvm::function_ref<Value()> load);
  void locate(jit::codegen::Launch &launch);
  /// Brings a slice of `operand`, from `depth` on, to `memory`.
  void loadSlice(OpOperand &operand, Value memory, const jit::codegen::Side &other, Value origin,
                 Value depth);
  SmallVector<Value> zeros();
  void storeParts(ValueRange sums);
  SmallVector<Value> multiplySlice(ValueRange sums);
  SmallVector<Value> pointOf(int64_t i, int64_t j);

  jit::codegen::ProductGroup &group;
  linalg::LinalgOp op;
  const jit::codegen::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  jit::codegen::ElementEmitter element;
  /// Where the block's tile begins, where the thread's part begins in it.
  Value batchAt, rowOrigin, columnOrigin, thread, rowPart, columnPart;
  Value leftMemory, rightMemory;
};
} // namespace

Value ProductEmitter::inside(Value x, const jit::codegen::Side &xs, int64_t xStep, Value y,
                             const jit::codegen::Side &ys, int64_t yStep) {
  Value first = jit::codegen::isInside(b, loc, xs, x, xStep),
        second = jit::codegen::isInside(b, loc, ys, y, yStep);
  if (!first || !second)
    return first ? first : second;
  return arith::AndIOp::create(b, loc, first, second);
}

Value ProductEmitter::guarded(Value condition, Type type, llvm::function_ref<Value()> load) {
  if (!condition)
    return load();
  auto branch = scf::IfOp::create(b, loc, type, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, load());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, arith::ConstantOp::create(b, loc, b.getZeroAttr(type)).getResult());
  return branch.getResult(0);
}

void ProductEmitter::locate(jit::codegen::Launch &launch) {
  int64_t columnTiles = llvm::divideCeilSigned(shape.columns.count, tileSize);
  int64_t rowTiles = llvm::divideCeilSigned(shape.rows.count, tileSize);
  SmallVector<Value> at = jit::codegen::delinearize(b, loc, launch.blockId(),
                                                    {shape.batch.count, rowTiles, columnTiles});
  batchAt = at[0];
  rowOrigin = mul(at[1], tileSize);
  columnOrigin = mul(at[2], tileSize);
  thread = launch.threadId();
  rowPart = mul(arith::DivUIOp::create(b, loc, thread, index(perSide)), part);
  columnPart = mul(arith::RemUIOp::create(b, loc, thread, index(perSide)), part);
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  for (auto [i, memory] : {std::pair(0, &leftMemory), std::pair(1, &rightMemory)})
    *memory = launch.shared(MemRefType::get({slice, tileSize},
                                            getElementTypeOrSelf(op.getDpsInputOperand(i)->get()),
                                            MemRefLayoutAttrInterface(), space));
}

void ProductEmitter::loadSlice(OpOperand &operand, Value memory, const jit::codegen::Side &other,
                               Value origin, Value depthOrigin) {
  // Threads go side by side along what is contiguous in memory.
  bool alongDepth = jit::codegen::strideAlong(op, operand, shape.depth.dims.back()) == 1;
  Type type = getElementTypeOrSelf(operand.get());
  for (int64_t i = 0; i < slice * tileSize / threads; ++i) {
    Value number = add(thread, index(i * threads));
    SmallVector<Value> at = jit::codegen::delinearize(
        b, loc, number,
        alongDepth ? ArrayRef<int64_t>{tileSize, slice} : ArrayRef<int64_t>{slice, tileSize});
    Value along = at[alongDepth ? 1 : 0], across = at[alongDepth ? 0 : 1];
    Value depthAt = add(depthOrigin, along), otherAt = add(origin, across);
    Value value = guarded(inside(depthAt, shape.depth, slice, otherAt, other, tileSize), type, [&] {
      SmallVector<Value> point(op.getNumLoops());
      jit::codegen::setPlace(b, loc, shape.batch, point, batchAt);
      jit::codegen::setPlace(b, loc, shape.depth, point, depthAt);
      jit::codegen::setPlace(b, loc, other, point, otherAt);
      return element.load(operand, point);
    });
    memref::StoreOp::create(b, loc, value, memory, ValueRange{along, across});
  }
}

SmallVector<Value> ProductEmitter::pointOf(int64_t i, int64_t j) {
  SmallVector<Value> point(op.getNumLoops());
  jit::codegen::setPlace(b, loc, shape.batch, point, batchAt);
  jit::codegen::setPlace(b, loc, shape.rows, point, add(rowOrigin, add(rowPart, index(i))));
  jit::codegen::setPlace(b, loc, shape.columns, point,
                         add(columnOrigin, add(columnPart, index(j))));
  return point;
}

SmallVector<Value> ProductEmitter::zeros() {
  Type type = getElementTypeOrSelf(op.getDpsInits().front());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return SmallVector<Value>(part * part, zero);
}

void ProductEmitter::storeParts(ValueRange sums) {
  for (int64_t i = 0; i < part; ++i)
    for (int64_t j = 0; j < part; ++j) {
      OpBuilder::InsertionGuard guard(b);
      Value row = add(rowOrigin, add(rowPart, index(i)));
      Value column = add(columnOrigin, add(columnPart, index(j)));
      if (Value condition = inside(row, shape.rows, tileSize, column, shape.columns, tileSize))
        b.setInsertionPointToStart(scf::IfOp::create(b, loc, condition).thenBlock());
      jit::codegen::finishSum(group, b, sums[i * part + j], pointOf(i, j));
    }
}

/// Adds what the slices in shared memory contribute.
SmallVector<Value> ProductEmitter::multiplySlice(ValueRange before) {
  auto loop = scf::ForOp::create(b, loc, index(0), index(slice), index(1), before);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> left, right;
  for (int64_t i = 0; i < part; ++i) {
    left.push_back(memref::LoadOp::create(
        b, loc, leftMemory, ValueRange{loop.getInductionVar(), add(rowPart, index(i))}));
    right.push_back(memref::LoadOp::create(
        b, loc, rightMemory, ValueRange{loop.getInductionVar(), add(columnPart, index(i))}));
  }
  SmallVector<Value> sums;
  for (int64_t i = 0; i < part; ++i)
    for (int64_t j = 0; j < part; ++j) {
      auto read = [&](OpOperand &operand) {
        return operand.getOperandNumber() == 0 ? left[i] : right[j];
      };
      sums.push_back(element.emitBody({}, loop.getRegionIterArgs()[i * part + j], read).front());
    }
  scf::YieldOp::create(b, loc, sums);
  return SmallVector<Value>(loop.getResults());
}

void ProductEmitter::emit() {
  int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tileSize) *
                   llvm::divideCeilSigned(shape.columns.count, tileSize);
  jit::codegen::Launch launch(b, loc, "product", blocks, threads);
  locate(launch);
  auto loop = scf::ForOp::create(b, loc, index(0), index(shape.depth.count), index(slice), zeros());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    loadSlice(*op.getDpsInputOperand(0), leftMemory, shape.rows, rowOrigin, at);
    loadSlice(*op.getDpsInputOperand(1), rightMemory, shape.columns, columnOrigin, at);
    gpu::BarrierOp::create(b, loc);
    SmallVector<Value> sums = multiplySlice(loop.getRegionIterArgs());
    gpu::BarrierOp::create(b, loc);
    scf::YieldOp::create(b, loc, sums);
  }
  storeParts(loop.getResults());
}

void jit::codegen::emitProduct(ProductGroup &group, OpBuilder &b) {
  ProductEmitter(group, b).emit();
}
