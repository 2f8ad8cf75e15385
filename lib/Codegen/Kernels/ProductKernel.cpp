//===- ProductKernel.cpp - sums of products, tile by tile -----------------===//
//
// A block computes a square tile of the output, each of its threads squares of 4 by 4 in registers.
// Of both operands the slices that a few steps of the sum need go through shared memory; while one
// is multiplied the next is on its way to registers. Tiles and pieces of long sums are chosen by
// the time of the multiprocessor that has the most of them.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopOrder.h"
#include "Kernels/FactorSlice.h"
#include "Kernels/Launch.h"
#include "Kernels/PaddedWindow.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/SidePlaces.h"
#include "Kernels/SumPieces.h"

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
/// What a multiplication takes of the time of a fused operation, with all that is done beside it:
/// where a thread has one square of sums, two, or four.
static constexpr double overheads[] = {1.4, 1.3, 1.2};

namespace {
class ProductEmitter {
public:
  /// `groups` by `groups` squares a thread.
  ProductEmitter(jit::codegen::ProductGroup &group, OpBuilder &b, int64_t groups,
                 int64_t multiprocessors, ArrayRef<const jit::codegen::PaddedWindow *> windows)
      : group(group), op(group.product), shape(group.shape), b(b), loc(op.getLoc()), element(op, b),
        groups(groups), tile(smallTile * groups),
        factors{FactorSlice(b, op, storesRows() ? 1 : 0, shape, tile, threads,
                            windows[storesRows() ? 1 : 0]),
                FactorSlice(b, op, storesRows() ? 0 : 1, shape, tile, threads,
                            windows[storesRows() ? 0 : 1])},
        slices(factors[0].slices()), pieces(group, work(), multiprocessors, storesRows()) {}

  void emit();
  double time() const { return pieces.time(); }

private:
  jit::codegen::TileWork work() const;
  /// Tiles of the output.
  int64_t tiles() const;
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
  bool storesRows();
  int64_t sumsOfSide() const { return groups * FactorSlice::group; }
  Type sumType() { return getElementTypeOrSelf(op.getDpsInits().front()); }
  void emitTiles();
  void locate(jit::codegen::Launch &launch);
  /// Number `number` of the thread's places along a side of the tile.
  Value placeOf(int64_t side, int64_t number);
  /// What the thread brings of both factors.
  SmallVector<Value> load(Value slice, bool mayBeFirst);
  /// Slices whose places are written at a time; 0 where no factor has a table of them.
  int64_t slicesOfTable();
  void writeTables(Value first);
  void goOnTables(Value slice);
  void store(Value slice, ValueRange elements);
  SmallVector<Value> goOn(Value slice, Value last, ValueRange sums);
  SmallVector<Value> multiply(Value stage, ValueRange sums);
  void finish(ValueRange sums);
  /// By the places along the factors' sides.
  jit::codegen::SumPlace placeAt(ArrayRef<Value> places);

  jit::codegen::ProductGroup &group;
  linalg::LinalgOp op;
  const jit::codegen::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  jit::codegen::ElementEmitter element;
  int64_t groups, tile;
  /// The second one has the side along which the output's elements are neighbours.
  FactorSlice factors[2];
  int64_t slices;
  jit::codegen::SumPieces pieces;
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

jit::codegen::TileWork ProductEmitter::work() const {
  // A thread's second square along a side is left out by LLVM where it lies beyond it in all tiles.
  int64_t used = 1, doubled = 0;
  for (auto [factor, lanes] :
       {std::pair(&factors[0], lanesDown), std::pair(&factors[1], lanesAcross)}) {
    bool isDoubled = groups > 1 && factor->getSide().count > FactorSlice::group * lanes;
    used *= isDoubled ? tile : smallTile;
    doubled += isDoubled ? 1 : 0;
  }
  auto products = static_cast<double>(used * factors[0].summands());
  return {tiles(), slices, products * overheads[doubled], jit::codegen::movedByThreads};
}

int64_t ProductEmitter::tiles() const {
  return shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tile) *
         llvm::divideCeilSigned(shape.columns.count, tile);
}

void ProductEmitter::locate(jit::codegen::Launch &launch) {
  SmallVector<int64_t> counts = {pieces.count(), shape.batch.count};
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

SmallVector<Value> ProductEmitter::load(Value slice, bool mayBeFirst) {
  SmallVector<Value> elements;
  for (FactorSlice &factor : factors)
    llvm::append_range(elements, factor.load(slice, mayBeFirst));
  return elements;
}

int64_t ProductEmitter::slicesOfTable() {
  bool hasTable = factors[0].table() || factors[1].table();
  return hasTable ? threads / factors[0].summands() : 0;
}

void ProductEmitter::writeTables(Value first) {
  for (FactorSlice &factor : factors)
    if (jit::codegen::DepthOffsets *table = factor.table())
      table->write(first, factor.missing());
}

/// While `slice` is multiplied the next one is loaded, so what is written now is for the one behind
/// it, in place of what nobody reads any more.
void ProductEmitter::goOnTables(Value slice) {
  int64_t each = slicesOfTable();
  if (each == 0 || slices <= 2 * each)
    return;
  Value coming = add(slice, index(2));
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rem(coming, each), index(0));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scf::IfOp::create(b, loc, isFirst).thenBlock());
  writeTables(coming);
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
  goOnTables(slice);
  // Behind the last one it is brought once more, and not used; of one slice it is the first, too.
  SmallVector<Value> coming =
      load(arith::MinUIOp::create(b, loc, next, last), /*mayBeFirst=*/slices == 1);
  SmallVector<Value> result = multiply(rem(slice, stages), sums);
  store(next, coming);
  return result;
}

jit::codegen::SumPlace ProductEmitter::placeAt(ArrayRef<Value> places) {
  if (storesRows())
    return {batchAt, places[1], places[0]};
  return {batchAt, places[0], places[1]};
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
    if (pieces.isCut())
      pieces.store(b, sum, pieceAt, placeAt(places));
    else
      jit::codegen::finishSum(group, b, sum, jit::codegen::pointOf(group, b, placeAt(places)));
  }
}

void ProductEmitter::emitTiles() {
  jit::codegen::Launch launch(b, loc, "product", pieces.count() * tiles(), threads);
  if (groups > 1)
    launch.allowRegisters(registersOfLarge);
  locate(launch);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType()));
  SmallVector<Value> init(static_cast<size_t>(sumsOfSide() * sumsOfSide()), zero);
  auto [first, count] = pieces.slicesOf(b, pieceAt);
  Value end = pieces.isCut() ? add(first, count) : count;
  if (int64_t each = slicesOfTable()) {
    Value begin = mul(div(first, each), each);
    writeTables(begin);
    writeTables(add(begin, index(each)));
    gpu::BarrierOp::create(b, loc);
  }
  store(first, load(first, /*mayBeFirst=*/true));
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
  pieces.allocate(b);
  emitTiles();
  pieces.join(b);
}

void jit::codegen::emitProduct(ProductGroup &group, OpBuilder &b, const GpuMachine &machine) {
  constexpr unsigned widestOfLarge = 32;
  Type type = getElementTypeOrSelf(group.product.getDpsInits().front());
  std::optional<PaddedWindow> windows[] = {PaddedWindow::of(group, 0), PaddedWindow::of(group, 1)};
  SmallVector<const PaddedWindow *> found;
  for (std::optional<PaddedWindow> &window : windows)
    found.push_back(window ? &*window : nullptr);
  ProductEmitter large(group, b, 2, machine.multiprocessors, found);
  ProductEmitter small(group, b, 1, machine.multiprocessors, found);
  // Sums of four squares have to fit into registers, and there have to be more than one.
  bool fits = type.getIntOrFloatBitWidth() <= widestOfLarge &&
              std::max(group.shape.rows.count, group.shape.columns.count) > smallTile;
  (fits && large.time() < small.time() ? large : small).emit();
  for (const PaddedWindow *window : found)
    for (Operation *stored : window ? window->padding().ops : SmallVector<Operation *>())
      stored->erase();
}
