//===- ProductKernel.cpp - sums of products, tile by tile -----------------===//
//
// A block computes a tile of the output, each of its threads one, two or four squares of 4 by 4 in
// registers.
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
/// One side of the tiles: a thread has `groups` groups along it. Its factor comes as one slice, or,
/// where the other side has more groups or less, group by group, so that both have slices of as
/// many summands.
struct TileSide {
  int64_t groups, tile;
  std::vector<FactorSlice> parts;
  FactorSlice::Reader reader;
  /// Where the block's tile begins.
  Value origin;

  int64_t sums() const { return groups * FactorSlice::group; }
  const jit::codegen::Side &places() const { return parts[0].getSide(); }
  int64_t partTile() const { return tile / static_cast<int64_t>(parts.size()); }
  /// The place of sum number `number` from the thread's first one.
  int64_t placeOf(int64_t number) const {
    int64_t apart = parts.size() > 1 ? partTile() : reader.apart;
    return number / FactorSlice::group * apart + number % FactorSlice::group;
  }
};

class ProductEmitter {
public:
  /// A thread has so many groups along the side whose neighbours are apart in the output, and along
  /// the other one.
  ProductEmitter(jit::codegen::ProductGroup &group, OpBuilder &b,
                 std::pair<int64_t, int64_t> groups, int64_t multiprocessors,
                 ArrayRef<const jit::codegen::PaddedWindow *> windows)
      : group(group), op(group.product), shape(group.shape), b(b), loc(op.getLoc()), element(op, b),
        sides{makeSide(storesRows() ? 1 : 0, groups.first, groups.second, windows),
              makeSide(storesRows() ? 0 : 1, groups.second, groups.first, windows)},
        slices(sides[0].parts[0].slices()), pieces(group, work(), multiprocessors, storesRows()) {}

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
  TileSide makeSide(unsigned operand, int64_t groups, int64_t others,
                    ArrayRef<const jit::codegen::PaddedWindow *> windows);
  int64_t summands() const { return sides[0].parts[0].summands(); }
  Type sumType() { return getElementTypeOrSelf(op.getDpsInits().front()); }
  void emitTiles();
  void locate(jit::codegen::Launch &launch);
  void locate(jit::codegen::Launch &launch, TileSide &side, Value at);
  /// Number `number` of the thread's places along a side of the output.
  Value placeOf(const TileSide &side, int64_t number);
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
  /// The second one is that along which the output's elements are neighbours.
  TileSide sides[2];
  int64_t slices;
  jit::codegen::SumPieces pieces;
  Value pieceAt, batchAt;
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

TileSide ProductEmitter::makeSide(unsigned operand, int64_t groups, int64_t others,
                                  ArrayRef<const jit::codegen::PaddedWindow *> windows) {
  TileSide side{groups, smallTile * groups, {}, {}, {}};
  int64_t parts = groups == others ? 1 : groups;
  for (int64_t part = 0; part < parts; ++part)
    side.parts.emplace_back(b, op, operand, shape, side.tile / parts, threads, windows[operand]);
  return side;
}

jit::codegen::TileWork ProductEmitter::work() const {
  // A thread's second square along a side is left out by LLVM where it lies beyond it in all tiles.
  int64_t used = 1, doubled = 0;
  for (auto [side, lanes] : {std::pair(&sides[0], lanesDown), std::pair(&sides[1], lanesAcross)}) {
    bool isDoubled = side->groups > 1 && side->places().count > FactorSlice::group * lanes;
    used *= isDoubled ? side->tile : smallTile;
    doubled += isDoubled ? 1 : 0;
  }
  auto products = static_cast<double>(used * summands());
  return {tiles(), slices, products * overheads[doubled], jit::codegen::movedByThreads};
}

int64_t ProductEmitter::tiles() const {
  return shape.batch.count * llvm::divideCeilSigned(sides[0].places().count, sides[0].tile) *
         llvm::divideCeilSigned(sides[1].places().count, sides[1].tile);
}

void ProductEmitter::locate(jit::codegen::Launch &launch) {
  SmallVector<int64_t> counts = {pieces.count(), shape.batch.count};
  for (const TileSide &side : sides)
    counts.push_back(llvm::divideCeilSigned(side.places().count, side.tile));
  SmallVector<Value> at = jit::codegen::delinearize(b, loc, launch.blockId(), counts);
  pieceAt = at[0];
  batchAt = at[1];
  Value warp = div(launch.threadId(), warpSize), lane = rem(launch.threadId(), warpSize);
  auto readerOf = [&](const TileSide &side, Value warpAt, Value laneAt, int64_t lanes) {
    int64_t groups = side.parts.size() > 1 ? 1 : side.groups;
    Value first =
        add(mul(warpAt, groups * FactorSlice::group * lanes), mul(laneAt, FactorSlice::group));
    return FactorSlice::Reader{first, FactorSlice::group * lanes, groups};
  };
  sides[0].reader = readerOf(sides[0], div(warp, warpsAcross), div(lane, lanesAcross), lanesDown);
  sides[1].reader = readerOf(sides[1], rem(warp, warpsAcross), rem(lane, lanesAcross), lanesAcross);
  for (int64_t side : {0, 1})
    locate(launch, sides[side], at[side + 2]);
}

void ProductEmitter::locate(jit::codegen::Launch &launch, TileSide &side, Value at) {
  side.origin = mul(at, side.tile);
  Value origin = side.origin;
  for (FactorSlice &part : side.parts) {
    part.locate(launch, stages, batchAt, origin,
                &part == &side.parts[0] ? nullptr : &side.parts[0]);
    origin = add(origin, index(side.partTile()));
  }
}

Value ProductEmitter::placeOf(const TileSide &side, int64_t number) {
  return add(side.origin, add(side.reader.first, index(side.placeOf(number))));
}

SmallVector<Value> ProductEmitter::load(Value slice, bool mayBeFirst) {
  SmallVector<Value> elements;
  for (TileSide &side : sides)
    for (FactorSlice &part : side.parts)
      llvm::append_range(elements, part.load(slice, mayBeFirst));
  return elements;
}

int64_t ProductEmitter::slicesOfTable() {
  bool hasTable = sides[0].parts[0].table() || sides[1].parts[0].table();
  return hasTable ? threads / summands() : 0;
}

void ProductEmitter::writeTables(Value first) {
  for (TileSide &side : sides)
    if (jit::codegen::DepthOffsets *table = side.parts[0].table())
      table->write(first, side.parts[0].missing());
}

/// While `slice` is multiplied the next one is loaded, so what is written now is for the one behind
/// it, in place of what nobody reads any more.
void ProductEmitter::goOnTables(Value slice) {
  int64_t each = slicesOfTable();
  // What stands there from the start is for so many slices, wherever a piece begins.
  if (each == 0 || slices <= 2 * each || pieces.mostSlices() <= each + 1)
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
  for (TileSide &side : sides)
    for (FactorSlice &part : side.parts) {
      part.store(stage, elements.take_front(FactorSlice::group));
      elements = elements.drop_front(FactorSlice::group);
    }
  gpu::BarrierOp::create(b, loc);
}

/// Adds what the slice in shared memory contributes.
SmallVector<Value> ProductEmitter::multiply(Value stage, ValueRange before) {
  SmallVector<Value> sums(before);
  for (int64_t depth = 0; depth < summands(); ++depth) {
    SmallVector<Value> values[2];
    for (auto [side, read] : llvm::zip(sides, values))
      for (int64_t i = 0; i < side.groups; ++i)
        llvm::append_range(read, side.parts.size() > 1
                                     ? side.parts[i].read(stage, depth, side.reader, 0)
                                     : side.parts[0].read(stage, depth, side.reader, i));
    for (auto [number, sum] : llvm::enumerate(sums)) {
      auto read = [&, at = static_cast<int64_t>(number)](OpOperand &operand) {
        return &operand == &sides[0].parts[0].getOperand() ? values[0][at / sides[1].sums()]
                                                           : values[1][at % sides[1].sums()];
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
    SmallVector<Value> places = {placeOf(sides[0], at / sides[1].sums()),
                                 placeOf(sides[1], at % sides[1].sums())};
    Value inside = jit::codegen::isInside(b, loc,
                                          {{sides[0].places(), places[0], sides[0].tile},
                                           {sides[1].places(), places[1], sides[1].tile}});
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
  if (sides[0].groups * sides[1].groups > 1)
    launch.allowRegisters(registersOfLarge);
  locate(launch);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType()));
  SmallVector<Value> init(static_cast<size_t>(sides[0].sums() * sides[1].sums()), zero);
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
  // Sums of several squares have to fit into registers, and there have to be more than one.
  bool fits = type.getIntOrFloatBitWidth() <= widestOfLarge &&
              std::max(group.shape.rows.count, group.shape.columns.count) > smallTile;
  std::pair<int64_t, int64_t> best = {1, 1};
  double least = ProductEmitter(group, b, best, machine.multiprocessors, found).time();
  for (std::pair<int64_t, int64_t> groups : {std::pair(1, 2), std::pair(2, 1), std::pair(2, 2)})
    if (double time = ProductEmitter(group, b, groups, machine.multiprocessors, found).time();
        fits && time < least) {
      best = groups;
      least = time;
    }
  ProductEmitter(group, b, best, machine.multiprocessors, found).emit();
  for (const PaddedWindow *window : found)
    for (Operation *stored : window ? window->padding().ops : SmallVector<Operation *>())
      stored->erase();
}
