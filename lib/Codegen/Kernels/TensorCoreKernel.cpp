//===- TensorCoreKernel.cpp - products on tensor cores --------------------===//
//
// A block has a tile of the output, each of its warps a part of it, in f32. Slices of both operands
// come to shared memory by asynchronous copies, two of them ahead of the one that is multiplied;
// operands whose elements do not lie side by side, as those of convolutions, element by element.
//
//===----------------------------------------------------------------------===//
#include "Kernels/FactorTile.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/SumPieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using jit::codegen::FactorTile, jit::codegen::mmaColumns, jit::codegen::mmaRows;

/// How much of the sums a slice is, in bytes of a row, and how many slices are on their way.
static constexpr int64_t sliceBytes = 64, stages = 3;
static constexpr int64_t warpsDown = 2;
/// Shared memory is the bound: about half of the tensor cores' peak.
static constexpr double overhead = 2;

/// Large tiles read less; small ones give work to more of the device.
static int64_t chooseTile(const jit::codegen::ProductShape &shape,
                          const jit::codegen::GpuMachine &machine) {
  constexpr int64_t large = 128, small = 64;
  int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, large) *
                   llvm::divideCeilSigned(shape.columns.count, large);
  return blocks * 2 >= machine.multiprocessors ? large : small;
}

namespace {
class TensorProduct {
public:
  TensorProduct(jit::codegen::ProductGroup &group, OpBuilder &b,
                const jit::codegen::GpuMachine &machine)
      : shape(group.shape), b(b), loc(group.product.getLoc()), tile(chooseTile(shape, machine)),
        warpsAcross(tile / 32),
        slice(sliceBytes * 8 /
              getElementTypeOrSelf(group.product.getDpsInputs()[0]).getIntOrFloatBitWidth()),
        left(b, group.product, 0, shape, tile, slice, group.isRounded),
        right(b, group.product, 1, shape, tile, slice, group.isRounded),
        pieces(group, work(), machine.multiprocessors) {}

  void emit();

private:
  int64_t tiles() const;
  jit::codegen::TileWork work() const;
  int64_t threads() const { return warpsDown * warpsAcross * jit::codegen::warpSize; }
  /// Matrices of the warp's part of the tile.
  int64_t down() const { return tile / warpsDown / mmaRows; }
  int64_t across() const { return tile / warpsAcross / mmaColumns; }
  void locate(jit::codegen::Launch &launch);
  SmallVector<Value> multiply(Value stage, ValueRange sums);
  SmallVector<Value> sumUp();
  void finish(ValueRange sums);

  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }

  const jit::codegen::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  int64_t tile, warpsAcross, slice;
  FactorTile left, right;
  jit::codegen::SumPieces pieces;
  Value lane, pieceAt, batchAt;
  /// Where the block's tile begins, and the warp's part of it.
  Value rowOrigin, columnOrigin, rowPart, columnPart;
};
} // namespace

int64_t TensorProduct::tiles() const {
  return shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tile) *
         llvm::divideCeilSigned(shape.columns.count, tile);
}

jit::codegen::TileWork TensorProduct::work() const {
  double products = static_cast<double>(tile * tile * slice) * overhead;
  // As many halves as bytes of a slice's row say; of f32 half as many, at half the rate.
  double moved = jit::codegen::movedByTensorCores * static_cast<double>(2 * slice) / sliceBytes;
  return {tiles(), llvm::divideCeilSigned(shape.depth.count, slice), products, moved};
}

void TensorProduct::locate(jit::codegen::Launch &launch) {
  int64_t rowTiles = llvm::divideCeilSigned(shape.rows.count, tile);
  int64_t columnTiles = llvm::divideCeilSigned(shape.columns.count, tile);
  SmallVector<Value> at = jit::codegen::delinearize(
      b, loc, launch.blockId(), {pieces.count(), shape.batch.count, rowTiles, columnTiles});
  pieceAt = at[0];
  batchAt = at[1];
  rowOrigin = mul(at[2], tile);
  columnOrigin = mul(at[3], tile);
  lane = rem(launch.threadId(), jit::codegen::warpSize);
  Value warp = div(launch.threadId(), jit::codegen::warpSize);
  rowPart = mul(div(warp, warpsAcross), tile / warpsDown);
  columnPart = mul(rem(warp, warpsAcross), tile / warpsAcross);
  for (FactorTile *factor : {&left, &right})
    factor->locate(launch, stages, threads(), batchAt);
}

SmallVector<Value> TensorProduct::multiply(Value stage, ValueRange sums) {
  SmallVector<Value> result(sums);
  for (int64_t step = 0; step < left.steps(); ++step) {
    SmallVector<Value> lefts, rights;
    for (int64_t i = 0; i < down(); ++i)
      llvm::append_range(lefts, left.loadMatrices(stage, add(rowPart, index(i * mmaRows)), step));
    for (int64_t j = 0; j < across(); j += 2)
      llvm::append_range(rights,
                         right.loadMatrices(stage, add(columnPart, index(j * mmaColumns)), step));
    for (int64_t i = 0; i < down(); ++i)
      for (int64_t j = 0; j < across(); ++j)
        jit::codegen::multiplyMatrices(b, loc, lefts[i], rights[j],
                                       MutableArrayRef(result).slice((i * across() + j) * 4, 4));
  }
  return result;
}

SmallVector<Value> TensorProduct::sumUp() {
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  auto [first, count] = pieces.slicesOf(b, pieceAt);
  auto bring = [&, first = first](Value stage, Value number) {
    Value depthAt = mul(add(first, number), slice);
    left.fill(stage, depthAt, rowOrigin);
    right.fill(stage, depthAt, columnOrigin);
  };
  return jit::codegen::runPipeline(
      b, loc, {.slices = pieces.mostSlices(), .stages = stages, .end = count},
      SmallVector<Value>(down() * across() * 4, zero), bring,
      [&](Value stage, Value, ValueRange sums) { return multiply(stage, sums); });
}

void TensorProduct::finish(ValueRange sums) {
  Value row = add(add(rowOrigin, rowPart), div(lane, 4));
  Value column = add(add(columnOrigin, columnPart), mul(rem(lane, 4), 2));
  for (int64_t i = 0; i < down(); ++i)
    for (int64_t j = 0; j < across(); ++j)
      for (int64_t k = 0; k < 4; k += 2) {
        jit::codegen::SumPlace place = {batchAt,
                                        add(row, index(i * mmaRows + k / 2 * (mmaRows / 2))),
                                        add(column, index(j * mmaColumns))};
        pieces.finish(b, sums.slice((i * across() + j) * 4 + k, 2), pieceAt, place, tile, tile);
      }
}

void TensorProduct::emit() {
  pieces.allocate(b);
  {
    jit::codegen::Launch launch(b, loc, "mma", pieces.count() * tiles(), threads());
    locate(launch);
    finish(sumUp());
  }
  pieces.join(b);
}

bool jit::codegen::emitTensorProduct(ProductGroup &group, OpBuilder &b, const GpuMachine &machine,
                                     bool allowsTf32) {
  bool isOfFloats = allowsTf32 && isProductOfFloats(group.product);
  if (!isProductOfHalves(group.product) && !isOfFloats)
    return false;
  TensorProduct(group, b, machine).emit();
  return true;
}
