//===- ProductKernel.cpp - sums of products, tile by tile -----------------===//
//
// A block computes a square tile of the output, each of its threads squares of 4 by 4 in registers.
// Of both operands the slices that a few steps of the sum need go through shared memory; while one
// is multiplied the next is on its way to registers.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopOrder.h"
#include "Kernels/FactorSlice.h"
#include "Kernels/Launch.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/SidePlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using jit::codegen::FactorSlice, jit::codegen::warpSize;

static constexpr int64_t threads = 256, stages = 2;
/// A warp's threads, and a block's warps, along the tile's first side and along its second.
static constexpr int64_t lanesDown = 4, lanesAcross = 8, warpsDown = 4, warpsAcross = 2;
/// The side of a tile of which each thread has one group by one.
static constexpr int64_t smallTile = FactorSlice::group * lanesDown * warpsDown;
static_assert(smallTile == FactorSlice::group * lanesAcross * warpsAcross);
static_assert(threads == warpSize * warpsDown * warpsAcross);
/// Of a thread with four squares, so that two blocks share a multiprocessor.
static constexpr int64_t registersOfLarge = 128;

namespace {
class ProductEmitter {
public:
  /// `groups` by `groups` squares a thread.
  ProductEmitter(jit::codegen::ProductGroup &group, OpBuilder &b, int64_t groups)
      : group(group), op(group.product), shape(group.shape), b(b), loc(op.getLoc()), element(op, b),
        groups(groups), tile(smallTile * groups),
        factors{FactorSlice(b, op, storesRows() ? 1 : 0, shape, tile, threads),
                FactorSlice(b, op, storesRows() ? 0 : 1, shape, tile, threads)} {}

  void emit();
  int64_t blocks() const;

private:
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
  bool storesRows();
  int64_t sumsOfSide() const { return groups * FactorSlice::group; }
  void locate(jit::codegen::Launch &launch);
  /// Number `number` of the thread's places along a side of the tile.
  Value placeOf(int64_t side, int64_t number);
  /// What the thread brings of both factors.
  SmallVector<Value> load(Value slice);
  void store(Value slice, ValueRange elements);
  SmallVector<Value> goOn(Value slice, int64_t slices, ValueRange sums);
  SmallVector<Value> multiply(Value stage, ValueRange sums);
  void finish(ValueRange sums);

  jit::codegen::ProductGroup &group;
  linalg::LinalgOp op;
  const jit::codegen::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  jit::codegen::ElementEmitter element;
  int64_t groups, tile;
  /// The second one has the side along which the output's elements are neighbours.
  FactorSlice factors[2];
  /// Where the block's tile begins, and where the thread's first square begins in it, by side.
  Value batchAt, origins[2], parts[2];
};
} // namespace

/// Whether the rows of the product, and not its columns, are neighbours in the output: of
/// convolutions, whose rows are places of an image, they are.
bool ProductEmitter::storesRows() {
  OpOperand &output = *op.getDpsInitOperand(0);
  auto isContiguous = [&](const jit::codegen::Side &side) {
    return !side.dims.empty() && jit::codegen::strideAlong(op, output, side.dims.back()) == 1;
  };
  return isContiguous(shape.rows) && !isContiguous(shape.columns);
}

int64_t ProductEmitter::blocks() const {
  return shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tile) *
         llvm::divideCeilSigned(shape.columns.count, tile);
}

void ProductEmitter::locate(jit::codegen::Launch &launch) {
  SmallVector<int64_t> tiles = {shape.batch.count};
  for (const FactorSlice &factor : factors)
    tiles.push_back(llvm::divideCeilSigned(factor.getSide().count, tile));
  SmallVector<Value> at = jit::codegen::delinearize(b, loc, launch.blockId(), tiles);
  batchAt = at[0];
  Value warp = div(launch.threadId(), warpSize), lane = rem(launch.threadId(), warpSize);
  auto partOf = [&](Value warpAt, Value laneAt, int64_t lanes) {
    return add(mul(warpAt, sumsOfSide() * lanes), mul(laneAt, FactorSlice::group));
  };
  parts[0] = partOf(div(warp, warpsAcross), div(lane, lanesAcross), lanesDown);
  parts[1] = partOf(rem(warp, warpsAcross), rem(lane, lanesAcross), lanesAcross);
  for (int64_t side : {0, 1}) {
    origins[side] = mul(at[side + 1], tile);
    factors[side].locate(launch, stages, batchAt, origins[side]);
  }
}

Value ProductEmitter::placeOf(int64_t side, int64_t number) {
  int64_t apart = FactorSlice::group * (side == 0 ? lanesDown : lanesAcross);
  int64_t at = number / FactorSlice::group * apart + number % FactorSlice::group;
  return add(parts[side], index(at));
}

SmallVector<Value> ProductEmitter::load(Value slice) {
  SmallVector<Value> elements;
  for (FactorSlice &factor : factors)
    llvm::append_range(elements, factor.load(mul(slice, factor.summands())));
  return elements;
}

void ProductEmitter::store(Value slice, ValueRange elements) {
  Value stage = rem(slice, stages);
  factors[0].store(stage, elements.take_front(FactorSlice::group));
  factors[1].store(stage, elements.take_back(FactorSlice::group));
  gpu::BarrierOp::create(b, loc);
}

/// Adds what the slice in shared memory contributes.
SmallVector<Value> ProductEmitter::multiply(Value stage, ValueRange before) {
  SmallVector<Value> sums(before);
  for (int64_t depth = 0; depth < factors[0].summands(); ++depth) {
    SmallVector<Value> values[2];
    for (int64_t side : {0, 1})
      for (int64_t i = 0; i < sumsOfSide(); i += FactorSlice::group)
        llvm::append_range(values[side], factors[side].read(stage, depth, placeOf(side, i)));
    for (auto [number, sum] : llvm::enumerate(sums)) {
      auto read = [&, number = number](OpOperand &operand) {
        int64_t at = static_cast<int64_t>(number);
        return &operand == &factors[0].getOperand() ? values[0][at / sumsOfSide()]
                                                    : values[1][at % sumsOfSide()];
      };
      sum = element.emitBody({}, sum, read).front();
    }
  }
  return sums;
}

/// The next slice is stored where nobody reads any more: all were behind the one before at the last
/// barrier.
SmallVector<Value> ProductEmitter::goOn(Value slice, int64_t slices, ValueRange sums) {
  Value next = add(slice, index(1));
  // Behind the last one it is brought once more, and not used.
  SmallVector<Value> coming = load(arith::MinUIOp::create(b, loc, next, index(slices - 1)));
  SmallVector<Value> result = multiply(rem(slice, stages), sums);
  store(next, coming);
  return result;
}

void ProductEmitter::finish(ValueRange sums) {
  for (auto [number, sum] : llvm::enumerate(sums)) {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> point(op.getNumLoops());
    jit::codegen::setPlace(b, loc, shape.batch, point, batchAt);
    Value inside;
    for (int64_t side : {0, 1}) {
      int64_t at = static_cast<int64_t>(number);
      Value place =
          add(origins[side], placeOf(side, side == 0 ? at / sumsOfSide() : at % sumsOfSide()));
      const jit::codegen::Side &along = factors[side].getSide();
      jit::codegen::setPlace(b, loc, along, point, place);
      if (Value here = jit::codegen::isInside(b, loc, along, place, tile))
        inside = inside ? arith::AndIOp::create(b, loc, inside, here) : here;
    }
    if (inside)
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
    jit::codegen::finishSum(group, b, sum, point);
  }
}

void ProductEmitter::emit() {
  jit::codegen::Launch launch(b, loc, "product", blocks(), threads);
  if (groups > 1)
    launch.allowRegisters(registersOfLarge);
  locate(launch);
  Type type = getElementTypeOrSelf(op.getDpsInits().front());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  int64_t slices = llvm::divideCeilSigned(shape.depth.count, factors[0].summands());
  SmallVector<Value> init(static_cast<size_t>(sumsOfSide() * sumsOfSide()), zero);
  store(index(0), load(index(0)));
  auto loop = scf::ForOp::create(b, loc, index(0), index(slices), index(1), init);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(b, loc, goOn(loop.getInductionVar(), slices, loop.getRegionIterArgs()));
  }
  finish(loop.getResults());
}

/// Large tiles where they have work for the whole device, and sums of four squares fit into
/// registers.
void jit::codegen::emitProduct(ProductGroup &group, OpBuilder &b, const GpuMachine &machine) {
  constexpr unsigned widestOfLarge = 32;
  Type type = getElementTypeOrSelf(group.product.getDpsInits().front());
  ProductEmitter large(group, b, 2);
  if (type.getIntOrFloatBitWidth() <= widestOfLarge && large.blocks() >= machine.multiprocessors)
    return large.emit();
  ProductEmitter(group, b, 1).emit();
}
