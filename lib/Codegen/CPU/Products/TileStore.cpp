//===- TileStore.cpp - how a finished register tile reaches memory --------===//

#include "RegisterTranspose.h"
#include "TileKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace jit {

void TileKernel::store(const Values &sums, const Base &base, const TileShape &shape) {
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

void TileKernel::storeDirect(const Values &sums, const Base &base, const TileShape &shape) {
  unsigned next = 0;
  for (const auto &point : pointsOf(shape))
    for (int64_t v = 0, vectors = vectorsOf(shape); v < vectors; ++v)
      storeVector(sums[next++], base[Out], pointOffset(point, Out) + v * tile.lanes,
                  shape.width - v * tile.lanes);
}

/// The innermost points are contiguous in the output: vectors across them are stored instead.
void TileKernel::storeTransposed(const Values &sums, const Base &base, const TileShape &shape) {
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
        int64_t offset = (v * tile.lanes + column) * vector().step[Out];
        storeVector(value, base[Out], offset + pointOffset(points[first], Out), rows);
      }
    }
    first += rows;
  }
}

void TileKernel::storeElement(Value element, Value base, int64_t offset) {
  Value position = at(base, offset);
  if (accumulates)
    element = arith::AddFOp::create(
        builder, loc, memref::LoadOp::create(builder, loc, flat[Out], position), element);
  memref::StoreOp::create(builder, loc, element, flat[Out], position);
}

void TileKernel::storeElements(const Values &sums, const Base &base, const TileShape &shape) {
  unsigned next = 0;
  for (const auto &point : pointsOf(shape))
    for (int64_t v = 0, vectors = vectorsOf(shape); v < vectors; ++v, ++next)
      for (int64_t lane = 0; lane < std::min(tile.lanes, shape.width - v * tile.lanes); ++lane)
        storeElement(vector::ExtractOp::create(builder, loc, sums[next], lane), base[Out],
                     pointOffset(point, Out) + (v * tile.lanes + lane) * vector().step[Out]);
}

void TileKernel::storeSums(const Values &sums, const Base &base, const TileShape &shape) {
  for (auto [sum, point] : llvm::zip_equal(sums, pointsOf(shape))) {
    Value total = vector::ReductionOp::create(builder, loc, vector::CombiningKind::ADD, sum,
                                              arith::FastMathFlags::reassoc);
    storeElement(total, base[Out], pointOffset(point, Out));
  }
}

} // namespace jit
