//===- TileStore.cpp - how a finished register tile reaches memory --------===//

#include "Products/FlatView.h"
#include "Products/RegisterTranspose.h"
#include "Products/TileKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace jit::codegen {

void TileKernel::store(ArrayRef<Value> sums, const Base &base, const TileShape &shape) {
  if (vector().reduction)
    return storeSums(sums, base, shape);
  if (vector().step[Out] == 1)
    return storeDirect(sums, base, shape);
  bool contiguous = !tile.points.empty() && shape.points.front() > 1 &&
                    nest.loops[tile.points.front().loop].step[Out] == 1;
  if (contiguous && llvm::isPowerOf2_64(tile.lanes))
    return storeTransposed(sums, base, shape);
  storeElements(sums, base, shape);
}

Steps TileKernel::offsetOf(ArrayRef<int64_t> point, int64_t lane) const {
  Steps offset;
  for (unsigned operand = 0; operand < maxOperands; ++operand)
    offset[operand] = pointOffset(point, Operand(operand)) +
                      (vector().reduction ? 0 : lane * vector().step[operand]);
  return offset;
}

void TileKernel::put(Value sum, const Base &base, const Steps &offset, unsigned along,
                     int64_t valid) {
  auto type = dyn_cast<VectorType>(sum.getType());
  auto read = [&](Operand operand) -> Value {
    Value position = at(base[operand], offset[operand]);
    if (type && nest.loops[along].step[operand] == 1)
      return loadLanes(builder, loc, flat[operand], position, type.getNumElements(), valid);
    Value element = memref::LoadOp::create(builder, loc, flat[operand], position);
    if (!type)
      return element;
    return vector::BroadcastOp::create(builder, loc, type.clone(element.getType()), element);
  };
  if (epilogue.accumulates())
    sum = arith::AddFOp::create(builder, loc, read(Out), sum);
  else
    sum = epilogue.apply(builder, loc, sum, read);
  Value position = at(base[Out], offset[Out]);
  if (type)
    storeLanes(builder, loc, sum, flat[Out], position, valid);
  else
    memref::StoreOp::create(builder, loc, sum, flat[Out], position);
}

void TileKernel::storeDirect(ArrayRef<Value> sums, const Base &base, const TileShape &shape) {
  unsigned next = 0;
  for (const auto &point : pointsOf(shape))
    for (int64_t v = 0, vectors = vectorsOf(shape); v < vectors; ++v)
      put(sums[next++], base, offsetOf(point, v * tile.lanes), tile.vectorLoop,
          shape.width - v * tile.lanes);
}

/// The innermost points are contiguous in the output: vectors across them are stored instead.
void TileKernel::storeTransposed(ArrayRef<Value> sums, const Base &base, const TileShape &shape) {
  int64_t vectors = vectorsOf(shape), run = shape.points.front();
  auto points = pointsOf(shape);
  for (int64_t first = 0; first < int64_t(points.size());) {
    int64_t rows = std::min(run - first % run, tile.lanes);
    int64_t lanes = llvm::PowerOf2Ceil(rows);
    for (int64_t v = 0; v < vectors; ++v) {
      Values block;
      for (int64_t row = 0; row < rows; ++row)
        block.push_back(sums[(first + row) * vectors + v]);
      Values columns = transposeRows(builder, loc, block);
      int64_t used = std::min(tile.lanes, shape.width - v * tile.lanes);
      for (int64_t column = 0; column < used; ++column) {
        Value value = columns[column];
        if (lanes < tile.lanes)
          value =
              vector::ExtractStridedSliceOp::create(builder, loc, value, ArrayRef<int64_t>{0},
                                                    ArrayRef<int64_t>{lanes}, ArrayRef<int64_t>{1});
        put(value, base, offsetOf(points[first], v * tile.lanes + column), tile.points.front().loop,
            rows);
      }
    }
    first += rows;
  }
}

void TileKernel::storeElements(ArrayRef<Value> sums, const Base &base, const TileShape &shape) {
  unsigned next = 0;
  for (const auto &point : pointsOf(shape))
    for (int64_t v = 0, vectors = vectorsOf(shape); v < vectors; ++v, ++next)
      for (int64_t lane = 0; lane < std::min(tile.lanes, shape.width - v * tile.lanes); ++lane)
        put(vector::ExtractOp::create(builder, loc, sums[next], lane), base,
            offsetOf(point, v * tile.lanes + lane), tile.vectorLoop, 1);
}

void TileKernel::storeSums(ArrayRef<Value> sums, const Base &base, const TileShape &shape) {
  for (auto [sum, point] : llvm::zip_equal(sums, pointsOf(shape))) {
    Value total = vector::ReductionOp::create(builder, loc, vector::CombiningKind::ADD, sum,
                                              arith::FastMathFlags::reassoc);
    put(total, base, offsetOf(point, 0), tile.vectorLoop, 1);
  }
}

//===----------------------------------------------------------------------===//
// Sums that are finished by a loop
//===----------------------------------------------------------------------===//

bool TileKernel::finishesByLoop() const {
  return epilogue.hasFunctions() && tile.points.size() == 1 && !vector().reduction &&
         vector().step[Out] == 1;
}

Value TileKernel::allocateSums() {
  int64_t vectors = llvm::divideCeilSigned(tile.width(), tile.lanes);
  auto type = MemRefType::get({tile.points.front().size * vectors * tile.lanes}, nest.element);
  return memref::AllocaOp::create(builder, loc, type, builder.getI64IntegerAttr(/*alignment=*/64));
}

void TileKernel::keep(ArrayRef<Value> sums, Value kept) {
  for (auto [i, sum] : llvm::enumerate(sums))
    storeLanes(builder, loc, sum, kept, index(i * tile.lanes), tile.lanes);
}

void TileKernel::storeKept(Value kept, Value rows, const Base &base, int64_t width) {
  TileShape row = {{1}, width};
  auto loop = scf::ForOp::create(builder, loc, index(0), rows, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value iteration = loop.getInductionVar();
  Value first = arith::MulIOp::create(builder, loc, iteration, index(vectorsOf(row) * tile.lanes));
  Values sums;
  for (int64_t v = 0, vectors = vectorsOf(row); v < vectors; ++v)
    sums.push_back(
        loadLanes(builder, loc, kept, at(first, v * tile.lanes), tile.lanes, tile.lanes));
  store(sums, advance(base, iteration, nest.loops[tile.points.front().loop].step), row);
}

bool canFinish(const ProductNest &nest, const RegisterTile &tile) {
  for (unsigned operand = FirstExtra; operand < maxOperands; ++operand) {
    if (nest.loops[tile.vectorLoop].step[operand] > 1 && nest.loops[tile.vectorLoop].step[Out] == 1)
      return false;
    if (!tile.points.empty() && nest.loops[tile.points.front().loop].step[operand] > 1 &&
        nest.loops[tile.points.front().loop].step[Out] == 1)
      return false;
  }
  return true;
}

} // namespace jit::codegen
