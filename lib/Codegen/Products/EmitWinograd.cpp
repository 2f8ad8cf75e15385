//===- EmitWinograd.cpp - loops of a convolution in tiles -----------------===//

#include "Products/EmitWinograd.h"
#include "Products/FlatView.h"
#include "Products/TiledLoops.h"
#include "Products/VectorForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit::codegen {

/// From so many groups on each is transformed by whoever multiplies it, and stays in its caches.
static constexpr int64_t manyGroups = 8;
/// Pieces of memory that groups take turns in; no more of them run at a time.
static constexpr int64_t mostSlots = 16;

namespace {

/// Dimensions of an image, and the loops over its elements.
enum Dimension : unsigned { Batch, Height, Width, Channel };

/// Writes the loops of one convolution.
class WinogradEmitter {
public:
  WinogradEmitter(winograd::ConvOp op, const Machine &machine);
  void emit();

private:
  using TileBody = llvm::function_ref<void(Value column, int64_t rows, int64_t columns)>;

  void planStores();
  void findOperands();
  void emitGroupByGroup();
  void emitInPhases();
  void emitProducts(Value image, Value block, Value sums);
  void transformRow(Value row, Value target);
  void transformTile(Value from, Value target, int64_t rows, int64_t columns);
  void storeRow(Value row, Value block, Value sums);
  void storeTile(Operands base, Value sums, int64_t valid, int64_t rows, int64_t columns);

  void forEachTile(Value rowInImage, TileBody body);
  void forRange(int64_t count, llvm::function_ref<void(Value)> body);
  void forVectors(int64_t elements, llvm::function_ref<void(Value first, int64_t valid)> body);
  SmallVector<Value> openParallel(ArrayRef<int64_t> counts, int64_t work);
  Value alloc(int64_t elements);
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value plus(Value a, Value c) { return arith::AddIOp::create(b, loc, a, c); }
  Value times(Value a, int64_t factor) { return arith::MulIOp::create(b, loc, a, index(factor)); }
  /// The number of a row's image, and the row's in it.
  std::pair<Value, Value> placeOf(Value row);

  winograd::ConvOp op;
  OpBuilder b;
  Location loc;
  const Machine &machine;
  VectorType vectorType;
  WinogradShape shape;
  WinogradBlocks blocks;
  WinogradTransforms transforms;
  SmallVector<int64_t> imageSteps;

  ProductNest pixels; ///< the loops over the output
  RegisterTile stores;
  Epilogue epilogue;
  Operands flat; ///< image, transformed weights, what is stored and what is read with it
  std::optional<TileKernel> kernel;

  Value transformed, sums; ///< flat buffers of the products
  int64_t imageStride = 0; ///< elements from one point to the next in `transformed`
};

} // namespace

static WinogradShape shapeOf(winograd::ConvOp op) {
  auto image = cast<MemRefType>(op.getImage().getType()),
       out = cast<MemRefType>(op.getOut().getType());
  return {int64_t(op.getTile()),  int64_t(op.getTaps()), out.getDimSize(Batch),
          out.getDimSize(Height), out.getDimSize(Width), image.getDimSize(Channel),
          out.getDimSize(Channel)};
}

static SmallVector<int64_t> stridesOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getStridesAndOffset().first;
}

WinogradEmitter::WinogradEmitter(winograd::ConvOp op, const Machine &machine)
    : op(op), b(op), loc(op.getLoc()), machine(machine),
      vectorType(VectorType::get({machine.lanes}, b.getF32Type())), shape(shapeOf(op)),
      blocks{cast<MemRefType>(op.getWeights().getType()).getDimSize(3), 1},
      transforms(winogradTransforms(shape.tile, shape.taps)) {
  blocks.rows = winogradRows(shape, blocks.lanes, machine);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The loops over the output, with as much folded in as its vectors allow.
void WinogradEmitter::planStores() {
  pixels.element = b.getF32Type();
  auto type = cast<MemRefType>(op.getOut().getType());
  for (auto [size, step] : llvm::zip_equal(type.getShape(), stridesOf(op.getOut()))) {
    NestLoop loop;
    loop.extent = size;
    loop.step[Out] = step;
    pixels.loops.push_back(loop);
  }
  stores = RegisterTile{Channel, machine.lanes, 1, {{Width, shape.tile}, {Height, shape.tile}}, 0};
  ProductNest bare = pixels;
  AffineMap identity = AffineMap::getMultiDimIdentityMap(4, b.getContext());
  epilogue = planEpilogue(cast<DestinationStyleOpInterface>(op.getOperation()), identity, pixels);
  if (canFinish(pixels, stores))
    return;
  pixels = bare;
  epilogue = Epilogue();
  epilogue.target = op.getOut();
}

Value WinogradEmitter::alloc(int64_t elements) {
  return memref::AllocOp::create(b, loc, MemRefType::get({elements}, b.getF32Type()),
                                 b.getI64IntegerAttr(64));
}

void WinogradEmitter::findOperands() {
  Value image = op.getImage();
  if (stridesOf(image)[Channel] != 1) {
    auto type = cast<MemRefType>(image.getType());
    Value copy =
        memref::AllocOp::create(b, loc, MemRefType::get(type.getShape(), type.getElementType()));
    memref::CopyOp::create(b, loc, image, copy);
    image = copy;
  }
  imageSteps = stridesOf(image);
  flat[Lhs] = flatten(b, loc, image);
  flat[Rhs] = flatten(b, loc, op.getWeights());
  flat[Out] = flatten(b, loc, epilogue.target);
  for (auto [number, extra] : llvm::enumerate(epilogue.extras))
    flat[FirstExtra + number] = flatten(b, loc, extra);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void WinogradEmitter::forRange(int64_t count, llvm::function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(b, loc, index(0), index(count), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

/// Opens a parallel loop, with no dimension of one iteration; what follows is its body.
SmallVector<Value> WinogradEmitter::openParallel(ArrayRef<int64_t> counts, int64_t work) {
  SmallVector<Value> upper, numbers;
  for (int64_t count : counts)
    if (count > 1)
      upper.push_back(index(count));
  Value zero = index(0), one = index(1);
  SmallVector<Value> lower(upper.size(), zero), step(upper.size(), one);
  if (upper.empty())
    return SmallVector<Value>(counts.size(), zero);
  auto loop = scf::ParallelOp::create(b, loc, lower, upper, step);
  loop->setAttr("jit.flops", b.getI64IntegerAttr(work));
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> variables = loop.getInductionVars();
  const auto *next = variables.begin();
  for (int64_t count : counts)
    numbers.push_back(count > 1 ? *next++ : zero);
  return numbers;
}

void WinogradEmitter::forVectors(int64_t elements, llvm::function_ref<void(Value, int64_t)> body) {
  int64_t lanes = machine.lanes, whole = elements / lanes, rest = elements % lanes;
  if (whole != 0)
    forRange(whole, [&](Value number) { body(times(number, lanes), lanes); });
  if (rest != 0)
    body(index(whole * lanes), rest);
}

/// Each tile of a row, and how many of its outputs the image has.
void WinogradEmitter::forEachTile(Value rowInImage, TileBody body) {
  int64_t tile = shape.tile, whole = shape.width / tile, below = shape.height % tile,
          beside = shape.width % tile;
  emitIfLast(b, loc, rowInImage, shape.imageRows(), below != 0, [&](bool last) {
    int64_t rows = last ? below : tile;
    if (whole != 0)
      forRange(whole, [&](Value column) { body(column, rows, tile); });
    if (beside != 0)
      body(index(whole), rows, beside);
  });
}

std::pair<Value, Value> WinogradEmitter::placeOf(Value row) {
  if (shape.batch == 1)
    return {index(0), row};
  Value rows = index(shape.imageRows());
  return {arith::DivUIOp::create(b, loc, row, rows), arith::RemUIOp::create(b, loc, row, rows)};
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// Transforms the tiles of one row, counted over all images; the first one goes to `target`.
void WinogradEmitter::transformRow(Value row, Value target) {
  auto [image, inImage] = placeOf(row);
  Value from =
      plus(times(image, imageSteps[Batch]), times(inImage, shape.tile * imageSteps[Height]));
  forEachTile(inImage, [&](Value column, int64_t rows, int64_t columns) {
    transformTile(plus(from, times(column, shape.tile * imageSteps[Width])),
                  plus(target, times(column, shape.channels)), rows + shape.taps - 1,
                  columns + shape.taps - 1);
  });
}

/// Beyond `rows` and `columns` the tile reads zeros.
void WinogradEmitter::transformTile(Value from, Value target, int64_t rows, int64_t columns) {
  forVectors(shape.channels, [&](Value channel, int64_t valid) {
    VectorGrid grid(shape.side(), SmallVector<Value>(shape.side()));
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        Value position =
            plus(plus(from, channel), index(i * imageSteps[Height] + j * imageSteps[Width]));
        grid[i][j] = loadLanes(b, loc, flat[Lhs], position, machine.lanes, valid);
      }
    grid = transformGrid(b, loc, transforms.input, grid);
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
    for (int64_t point = 0; point < shape.points(); ++point) {
      Value value = grid[point / shape.side()][point % shape.side()];
      Value position = plus(plus(target, channel), index(point * imageStride));
      storeLanes(b, loc, value ? value : zero, transformed, position, valid);
    }
  });
}

/// Stores the outputs of a row of tiles for one block of features, whose sums begin at `from`.
void WinogradEmitter::storeRow(Value row, Value block, Value from) {
  auto [image, inImage] = placeOf(row);
  auto at = [&](const Operands &base, Dimension dimension, Value number, int64_t factor) {
    Steps step = pixels.loops[dimension].step;
    for (int64_t &each : step)
      each *= factor;
    return kernel->advance(base, number, step);
  };
  Operands start;
  start.fill(index(0));
  start = at(start, Batch, image, 1);
  start = at(start, Height, inImage, shape.tile);
  start = at(start, Channel, block, blocks.lanes);
  int64_t rest = shape.features % blocks.lanes;
  emitIfLast(b, loc, block, blocks.blocks(shape), rest != 0, [&](bool last) {
    forEachTile(inImage, [&](Value column, int64_t rows, int64_t columns) {
      Operands base = at(start, Width, column, shape.tile);
      Value tile = plus(from, times(column, blocks.lanes));
      forVectors(last ? rest : blocks.lanes, [&](Value feature, int64_t valid) {
        storeTile(at(base, Channel, feature, 1), plus(tile, feature), valid, rows, columns);
      });
    });
  });
}

void WinogradEmitter::storeTile(Operands base, Value from, int64_t valid, int64_t rows,
                                int64_t columns) {
  int64_t stride = blocks.rows * shape.rowTiles() * blocks.lanes + winogradGap(machine);
  VectorGrid grid(shape.side());
  for (int64_t point = 0; point < shape.points(); ++point)
    grid[point / shape.side()].push_back(
        loadLanes(b, loc, sums, plus(from, index(point * stride)), machine.lanes, machine.lanes));
  // What lies outside of the image is not computed.
  grid = transformGrid(b, loc, transforms.output, grid);
  SmallVector<Value> values;
  for (auto &row : ArrayRef(grid).take_front(rows))
    values.append(row.begin(), row.begin() + columns);
  kernel->store(values, base, {{columns, rows}, valid});
}

//===----------------------------------------------------------------------===//
// The order of work
//===----------------------------------------------------------------------===//

/// The products of one group and one block; `image` and `sum` are where their operands begin.
void WinogradEmitter::emitProducts(Value image, Value block, Value sum) {
  ProductNest nest = winogradProducts(shape, blocks, imageStride, b.getF32Type(), machine);
  std::optional<RegisterTile> tile = chooseTile(nest, machine);
  assert(tile && "expected blocks of whole vectors");
  Operands buffers = {transformed, flat[Rhs], sums}, start = {};
  start.fill(index(0));
  start[Lhs] = image;
  start[Rhs] = times(block, shape.points() * shape.channels * blocks.lanes);
  start[Out] = sum;
  Epilogue plain;
  plain.overwrites = true;
  plain.target = sums;
  TiledLoops(b, loc, nest, *tile, machine, buffers, plain).emitSerial(start);
}

void WinogradEmitter::emitGroupByGroup() {
  int64_t groups = blocks.groups(shape), share = llvm::divideCeilSigned(groups, mostSlots),
          slots = llvm::divideCeilSigned(groups, share);
  int64_t tiles = blocks.rows * shape.rowTiles();
  imageStride = tiles * shape.channels + winogradGap(machine);
  int64_t sumSize = shape.points() * (tiles * blocks.lanes + winogradGap(machine));
  transformed = alloc(slots * shape.points() * imageStride);
  sums = alloc(slots * sumSize);
  int64_t work = 2 * groups * tiles * shape.points() * shape.channels * shape.features;
  Value slot = openParallel({slots}, work)[0];
  Value image = times(slot, shape.points() * imageStride), sum = times(slot, sumSize);
  forRange(share, [&](Value number) {
    Value group = plus(times(slot, share), number);
    if (slots * share != groups) {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, group, index(groups));
      b.setInsertionPointToStart(
          scf::IfOp::create(b, loc, exists, /*withElseRegion=*/false).thenBlock());
    }
    Value first = times(group, blocks.rows);
    forRange(blocks.rows, [&](Value row) {
      transformRow(plus(first, row), plus(image, times(row, shape.rowTiles() * shape.channels)));
    });
    forRange(blocks.blocks(shape), [&](Value block) {
      emitProducts(image, block, sum);
      forRange(blocks.rows, [&](Value row) {
        storeRow(plus(first, row), block, plus(sum, times(row, shape.rowTiles() * blocks.lanes)));
      });
    });
  });
}

/// All tiles are transformed first; then each block of the weights meets each group.
void WinogradEmitter::emitInPhases() {
  int64_t groups = blocks.groups(shape), tiles = blocks.rows * shape.rowTiles();
  imageStride = groups * tiles * shape.channels + winogradGap(machine);
  int64_t sumSize = shape.points() * (tiles * blocks.lanes + winogradGap(machine));
  transformed = alloc(shape.points() * imageStride);
  sums = alloc(blocks.blocks(shape) * groups * sumSize);
  int64_t volume = groups * tiles * shape.points() * shape.channels;
  {
    OpBuilder::InsertionGuard guard(b);
    Value row = openParallel({shape.rows()}, 4 * volume)[0];
    transformRow(row, times(row, shape.rowTiles() * shape.channels));
  }
  SmallVector<Value> piece =
      openParallel({blocks.blocks(shape), groups}, 2 * volume * shape.features);
  Value block = piece[0], group = piece[1], first = times(group, blocks.rows);
  Value sum = times(plus(times(block, groups), group), sumSize);
  emitProducts(times(group, tiles * shape.channels), block, sum);
  forRange(blocks.rows, [&](Value row) {
    storeRow(plus(first, row), block, plus(sum, times(row, shape.rowTiles() * blocks.lanes)));
  });
}

void WinogradEmitter::emit() {
  planStores();
  // What the consumer reads beside the sums may be computed between the two.
  if (epilogue.consumer)
    b.setInsertionPoint(epilogue.consumer);
  findOperands();
  kernel.emplace(b, loc, pixels, stores, machine, flat, epilogue);
  if (blocks.groups(shape) >= manyGroups)
    emitGroupByGroup();
  else
    emitInPhases();
  op.erase();
  epilogue.eraseFolded();
}

void emitWinograd(winograd::ConvOp op, const Machine &machine) {
  WinogradEmitter(op, machine).emit();
}

} // namespace jit::codegen
