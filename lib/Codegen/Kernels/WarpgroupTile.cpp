//===- WarpgroupTile.cpp - a block's sums by groups of four warps ---------===//
#include "Kernels/WarpgroupTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace jit::codegen;

int64_t jit::codegen::chooseTileColumns(const ProductShape &shape, int64_t multiprocessors) {
  for (auto [columns, fewest] :
       {std::pair(int64_t(256), multiprocessors), std::pair(int64_t(128), multiprocessors / 2)}) {
    int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tileRows) *
                     llvm::divideCeilSigned(shape.columns.count, columns);
    if (shape.columns.count > columns / 2 && blocks >= fewest)
      return columns;
  }
  return 64;
}

TileWork jit::codegen::workOfGroups(const ProductShape &shape, int64_t columns, int64_t slice) {
  int64_t tiles = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tileRows) *
                  llvm::divideCeilSigned(shape.columns.count, columns);
  // Floats, of which a slice has half as many, are multiplied at half the rate.
  double moved = movedByTensorCores * static_cast<double>(slice) / boxHalves;
  return {tiles, llvm::divideCeilSigned(shape.depth.count, slice),
          static_cast<double>(tileRows * columns * slice), moved};
}

bool jit::codegen::isForWarpgroups(const ProductGroup &group) {
  constexpr int64_t smallest = 64;
  return (isProductOfHalves(group.product) || group.isRounded) &&
         group.shape.rows.count >= smallest && group.shape.columns.count >= smallest;
}

static NVVM::WGMMATypes wgmmaType(Type type) {
  if (type.isF32())
    return NVVM::WGMMATypes::tf32;
  return type.isBF16() ? NVVM::WGMMATypes::bf16 : NVVM::WGMMATypes::f16;
}

Type jit::codegen::sumsOfGroup(OpBuilder &b, int64_t columns) {
  SmallVector<Type> numbers(static_cast<size_t>(columns / 2), b.getF32Type());
  return LLVM::LLVMStructType::getLiteral(b.getContext(), numbers);
}

Value jit::codegen::multiplySlices(OpBuilder &b, Location loc, const SharedSlice &left,
                                   const SharedSlice &right, int64_t summands, Value sums,
                                   NVVM::WGMMAScaleOut scale) {
  Value leftAt = left.factor.descriptor(b, loc, left.address);
  Value rightAt = right.factor.descriptor(b, loc, right.address);
  NVVM::WGMMATypes type = wgmmaType(left.factor.type());
  int64_t depth = left.factor.stepElements();
  auto shape = NVVM::MMAShapeAttr::get(b.getContext(), groupRows, right.factor.columns(), depth);
  NVVM::WgmmaFenceAlignedOp::create(b, loc);
  for (int64_t i = 0; i < summands / depth; ++i)
    sums = NVVM::WgmmaMmaAsyncOp::create(
        b, loc, sums.getType(), sums, left.factor.step(b, loc, leftAt, i),
        right.factor.step(b, loc, rightAt, i), shape, type, type, NVVM::WGMMATypes::f32,
        i == 0 ? scale : NVVM::WGMMAScaleOut::one, NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
        left.factor.isAlongDepth() ? NVVM::MMALayout::row : NVVM::MMALayout::col,
        right.factor.isAlongDepth() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::MMAIntOverflowAttr());
  NVVM::WgmmaGroupSyncAlignedOp::create(b, loc);
  return sums;
}

void jit::codegen::finishSums(SumPieces &pieces, OpBuilder &b, Value sums, Value warp, Value lane,
                              const TilePlace &tile, int64_t columns) {
  Location loc = sums.getLoc();
  const SumPlace &origin = tile.origin;
  auto index = [&](int64_t value) { return constantIndex(b, loc, value); };
  auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(b, loc, x, y); };
  auto mul = [&](Value x, int64_t y) -> Value {
    return arith::MulIOp::create(b, loc, x, index(y));
  };
  constexpr int64_t rowsOfWarp = 16, lanesOfRow = 4;
  Value down = arith::DivUIOp::create(b, loc, lane, index(lanesOfRow));
  Value across = arith::RemUIOp::create(b, loc, lane, index(lanesOfRow));
  Value row = add(add(origin.row, mul(warp, rowsOfWarp)), down);
  Value column = add(origin.column, mul(across, 2));
  for (int64_t i = 0; i < columns / 2; i += 2) {
    SmallVector<Value> pair = {LLVM::ExtractValueOp::create(b, loc, sums, i),
                               LLVM::ExtractValueOp::create(b, loc, sums, i + 1)};
    SumPlace place = {origin.batch, add(row, index(i / 2 % 2 * 8)), add(column, index(i / 4 * 8))};
    pieces.finish(b, pair, tile.piece, place, tileRows, columns);
  }
}
