//===- ProductKernel.cpp - sums of products, tile by tile -----------------===//
//
// A block computes a square tile of the output, each of its threads squares of 4 by 4 in registers.
// Of both operands the slices that a few steps of the sum need go through shared memory; while one
// is multiplied the next is on its way to registers. Where the tiles are fewer than the device has
// multiprocessors, a long sum is cut into pieces, each a block's, and a second kernel adds these
// up.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopOrder.h"
#include "Kernels/FactorSlice.h"
#include "Kernels/Launch.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/SidePlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
/// Slices that a piece of a sum has at least, and blocks that a multiprocessor is given then.
static constexpr int64_t slicesOfPiece = 8, blocksOfMultiprocessor = 2;

namespace {
class ProductEmitter {
public:
  /// `groups` by `groups` squares a thread.
  ProductEmitter(jit::codegen::ProductGroup &group, OpBuilder &b, int64_t groups,
                 int64_t multiprocessors)
      : group(group), op(group.product), shape(group.shape), b(b), loc(op.getLoc()), element(op, b),
        groups(groups), tile(smallTile * groups),
        factors{FactorSlice(b, op, storesRows() ? 1 : 0, shape, tile, threads),
                FactorSlice(b, op, storesRows() ? 0 : 1, shape, tile, threads)},
        multiprocessors(multiprocessors) {
    cutSum();
  }

  void emit();
  /// Tiles of the output.
  int64_t tiles() const;

private:
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
  bool storesRows();
  int64_t sumsOfSide() const { return groups * FactorSlice::group; }
  Type sumType() { return getElementTypeOrSelf(op.getDpsInits().front()); }
  void cutSum();
  void emitTiles();
  void locate(jit::codegen::Launch &launch);
  /// Number `number` of the thread's places along a side of the tile.
  Value placeOf(int64_t side, int64_t number);
  /// What the thread brings of both factors.
  SmallVector<Value> load(Value slice);
  void store(Value slice, ValueRange elements);
  SmallVector<Value> goOn(Value slice, Value last, ValueRange sums);
  SmallVector<Value> multiply(Value stage, ValueRange sums);
  SmallVector<Value> pointOf(Value batch, ArrayRef<Value> places);
  void finish(ValueRange sums);
  void storePiece(Value sum, ArrayRef<Value> places);
  /// Adds up the pieces of each sum, and goes on with it.
  void joinPieces();

  jit::codegen::ProductGroup &group;
  linalg::LinalgOp op;
  const jit::codegen::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  jit::codegen::ElementEmitter element;
  int64_t groups, tile;
  /// The second one has the side along which the output's elements are neighbours.
  FactorSlice factors[2];
  int64_t multiprocessors;
  /// Of the sum: the pieces, and the slices of each but the last.
  int64_t pieces = 1, slicesOfEach = 0, slices = 0;
  /// What the pieces add up to: pieces by batches by the factors' sides.
  Value partial;
  /// Where the block's tile begins, and what the thread has of it, by side.
  Value pieceAt, batchAt, origins[2];
  FactorSlice::Reader readers[2];
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

void ProductEmitter::cutSum() {
  slices = llvm::divideCeilSigned(shape.depth.count, factors[0].summands());
  int64_t wanted =
      tiles() < multiprocessors ? blocksOfMultiprocessor * multiprocessors / tiles() : 1;
  int64_t most = std::max<int64_t>(std::min(wanted, slices / slicesOfPiece), 1);
  slicesOfEach = llvm::divideCeilSigned(slices, most);
  pieces = llvm::divideCeilSigned(slices, slicesOfEach);
}

int64_t ProductEmitter::tiles() const {
  return shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tile) *
         llvm::divideCeilSigned(shape.columns.count, tile);
}

void ProductEmitter::locate(jit::codegen::Launch &launch) {
  SmallVector<int64_t> counts = {pieces, shape.batch.count};
  for (const FactorSlice &factor : factors)
    counts.push_back(llvm::divideCeilSigned(factor.getSide().count, tile));
  SmallVector<Value> at = jit::codegen::delinearize(b, loc, launch.blockId(), counts);
  pieceAt = at[0];
  batchAt = at[1];
  Value warp = div(launch.threadId(), warpSize), lane = rem(launch.threadId(), warpSize);
  auto partOf = [&](Value warpAt, Value laneAt, int64_t lanes) {
    return add(mul(warpAt, sumsOfSide() * lanes), mul(laneAt, FactorSlice::group));
  };
  readers[0] = {partOf(div(warp, warpsAcross), div(lane, lanesAcross), lanesDown),
                FactorSlice::group * lanesDown, groups};
  readers[1] = {partOf(rem(warp, warpsAcross), rem(lane, lanesAcross), lanesAcross),
                FactorSlice::group * lanesAcross, groups};
  for (int64_t side : {0, 1}) {
    origins[side] = mul(at[side + 2], tile);
    factors[side].locate(launch, stages, batchAt, origins[side]);
  }
}

Value ProductEmitter::placeOf(int64_t side, int64_t number) {
  int64_t at = number / FactorSlice::group * readers[side].apart + number % FactorSlice::group;
  return add(readers[side].first, index(at));
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
      for (int64_t i = 0; i < groups; ++i)
        llvm::append_range(values[side], factors[side].read(stage, depth, readers[side], i));
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
SmallVector<Value> ProductEmitter::goOn(Value slice, Value last, ValueRange sums) {
  Value next = add(slice, index(1));
  // Behind the last one it is brought once more, and not used.
  SmallVector<Value> coming = load(arith::MinUIOp::create(b, loc, next, last));
  SmallVector<Value> result = multiply(rem(slice, stages), sums);
  store(next, coming);
  return result;
}

SmallVector<Value> ProductEmitter::pointOf(Value batch, ArrayRef<Value> places) {
  SmallVector<Value> point(op.getNumLoops());
  jit::codegen::setPlace(b, loc, shape.batch, point, batch);
  for (auto [factor, place] : llvm::zip(factors, places))
    jit::codegen::setPlace(b, loc, factor.getSide(), point, place);
  return point;
}

void ProductEmitter::finish(ValueRange sums) {
  for (auto [number, sum] : llvm::enumerate(sums)) {
    OpBuilder::InsertionGuard guard(b);
    int64_t at = static_cast<int64_t>(number);
    SmallVector<Value> places = {add(origins[0], placeOf(0, at / sumsOfSide())),
                                 add(origins[1], placeOf(1, at % sumsOfSide()))};
    Value inside = jit::codegen::isInside(
        b, loc, {{factors[0].getSide(), places[0], tile}, {factors[1].getSide(), places[1], tile}});
    if (inside)
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
    if (partial)
      storePiece(sum, places);
    else
      jit::codegen::finishSum(group, b, sum, pointOf(batchAt, places));
  }
}

void ProductEmitter::storePiece(Value sum, ArrayRef<Value> places) {
  memref::StoreOp::create(b, loc, sum, partial, ValueRange{pieceAt, batchAt, places[0], places[1]});
}

void ProductEmitter::joinPieces() {
  ArrayRef<int64_t> sizes = cast<MemRefType>(partial.getType()).getShape().drop_front();
  OpBuilder::InsertionGuard guard(b);
  jit::codegen::launchForEach(
      b, loc, "joined", llvm::product_of(sizes), multiprocessors, [&](Value number) {
        SmallVector<Value> at = jit::codegen::delinearize(b, loc, number, sizes);
        Value sum;
        for (int64_t piece = 0; piece < pieces; ++piece) {
          Value found = memref::LoadOp::create(b, loc, partial,
                                               ValueRange{index(piece), at[0], at[1], at[2]});
          if (!sum)
            sum = found;
          else if (isa<FloatType>(found.getType()))
            sum = arith::AddFOp::create(b, loc, sum, found);
          else
            sum = arith::AddIOp::create(b, loc, sum, found);
        }
        jit::codegen::finishSum(group, b, sum, pointOf(at[0], ArrayRef(at).drop_front()));
      });
}

void ProductEmitter::emitTiles() {
  jit::codegen::Launch launch(b, loc, "product", pieces * tiles(), threads);
  if (groups > 1)
    launch.allowRegisters(registersOfLarge);
  locate(launch);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType()));
  SmallVector<Value> init(static_cast<size_t>(sumsOfSide() * sumsOfSide()), zero);
  Value first = index(0), end = index(slices);
  if (partial) {
    first = mul(pieceAt, slicesOfEach);
    end = arith::MinUIOp::create(b, loc, add(first, index(slicesOfEach)), end);
  }
  store(first, load(first));
  auto loop = scf::ForOp::create(b, loc, first, end, index(1), init);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value last = arith::SubIOp::create(b, loc, end, index(1));
    scf::YieldOp::create(b, loc, goOn(loop.getInductionVar(), last, loop.getRegionIterArgs()));
  }
  finish(loop.getResults());
}

void ProductEmitter::emit() {
  if (pieces > 1)
    partial = memref::AllocOp::create(
        b, loc,
        MemRefType::get(
            {pieces, shape.batch.count, factors[0].getSide().count, factors[1].getSide().count},
            sumType()));
  emitTiles();
  if (partial)
    joinPieces();
}

/// Large tiles where they have work for the whole device, and sums of four squares fit into
/// registers.
void jit::codegen::emitProduct(ProductGroup &group, OpBuilder &b, const GpuMachine &machine) {
  constexpr unsigned widestOfLarge = 32;
  Type type = getElementTypeOrSelf(group.product.getDpsInits().front());
  ProductEmitter large(group, b, 2, machine.multiprocessors);
  if (type.getIntOrFloatBitWidth() <= widestOfLarge && large.tiles() >= machine.multiprocessors)
    return large.emit();
  ProductEmitter(group, b, 1, machine.multiprocessors).emit();
}
