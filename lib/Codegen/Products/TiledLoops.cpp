//===- TiledLoops.cpp - the loops around the register tiles --------------===//

#include "Products/TiledLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit::codegen {

/// Steps that one accumulator sums before it is added to the output: longer chains lose accuracy.
static constexpr int64_t maxChain = 1024;
/// Multiply-adds that are worth a task. A task is a run of iterations, which may be as small as
/// they like.
static constexpr int64_t minTask = 128 * 1024;
/// Enough tasks to balance any number of threads that such a product can use.
static constexpr int64_t enoughTasks = 64;

ReductionBlocks chooseReductionBlocks(const ProductNest &nest, const RegisterTile &tile) {
  if (nest.loops[tile.vectorLoop].reduction)
    return {};
  int64_t chain = 1;
  ReductionBlocks blocks;
  bool found = false;
  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    if (!loop.reduction)
      continue;
    chain *= loop.extent;
    if (!found || loop.extent > nest.loops[blocks.loop].extent)
      blocks.loop = index;
    found = true;
  }
  if (chain <= maxChain)
    return {};
  int64_t extent = nest.loops[blocks.loop].extent;
  int64_t least = llvm::divideCeilSigned(chain, maxChain);
  for (int64_t count = least; count <= std::min(extent, 2 * least); ++count)
    if (extent % count == 0)
      return blocks.size = extent / count, blocks;
  blocks.size = llvm::divideCeilSigned(extent, std::min(least, extent));
  return blocks;
}

TiledLoops::TiledLoops(OpBuilder &builder, Location loc, const ProductNest &nest,
                       const RegisterTile &tile, const Machine &machine, const Operands &flat,
                       const Epilogue &epilogue, Value openExtent)
    : builder(builder), loc(loc), nest(nest), tile(tile), machine(machine), openExtent(openExtent),
      kernel(builder, loc, nest, tile, machine, flat, epilogue),
      blocks(chooseReductionBlocks(nest, tile)) {}

void TiledLoops::emit() {
  buildGrid();
  chooseParallel();
  Position start;
  for (unsigned operand = 0; operand < maxOperands; ++operand)
    start.base[operand] = kernel.index(nest.start[operand]);
  start.points.resize(tile.points.size());
  if (blocksAreOutermost())
    return emitReductionBlocks(start, [&](const Position &block, auto reductions) {
      emitParallel(block,
                   [&](const Position &part) { emitSequential(parallelLoops, part, reductions); });
    });
  emitParallel(start, [&](const Position &part) {
    emitReductionBlocks(part, [&](const Position &block, auto reductions) {
      emitSequential(parallelLoops, block, reductions);
    });
  });
}

void TiledLoops::emitSerial(const Operands &base) {
  buildGrid();
  Position start;
  start.base = base;
  start.points.resize(tile.points.size());
  emitReductionBlocks(
      start, [&](const Position &block, auto reductions) { emitSequential(0, block, reductions); });
}

//===----------------------------------------------------------------------===//
// The order of tiles
//===----------------------------------------------------------------------===//

static Steps scaled(Steps step, int64_t factor) {
  for (int64_t &each : step)
    each *= factor;
  return step;
}

/// The parallel loops outside of the tile that do, or do not, move the operand read by vectors.
void TiledLoops::addPlainLoops(bool movesStreamed) {
  const NestLoop &vector = nest.loops[tile.vectorLoop];
  Operand streamed = vector.step[Rhs] != 0 ? Rhs : Lhs;
  for (auto [index, loop] : llvm::enumerate(nest.loops)) {
    bool tiled = llvm::any_of(tile.points, [&](const TiledLoop &p) { return p.loop == index; });
    if (loop.reduction || index == tile.vectorLoop || tiled)
      continue;
    if ((loop.step[streamed] != 0) == movesStreamed)
      grid.push_back({Kind::Plain, 0, loop.extent, loop.step, loop.open});
  }
}

/// The bytes of the streamed operand that one column of tiles reads.
int64_t TiledLoops::panelBytes() const {
  Operand streamed = nest.loops[tile.vectorLoop].step[Rhs] != 0 ? Rhs : Lhs;
  int64_t bytes = tile.width() * nest.storedBits(streamed) / 8;
  for (const NestLoop &loop : nest.loops)
    if (loop.reduction)
      bytes *= loop.extent;
  return bytes;
}

/// The part of the second-level cache that panels may take.
static int64_t panelCache(const Machine &machine) { return machine.l2Bytes * 5 / 8; }

/// True where a whole panel would not stay in the cache while the rows pass, but one block of its
/// reduction does.
bool TiledLoops::blocksAreOutermost() const {
  bool hasRows = llvm::any_of(
      grid, [](const GridLoop &loop) { return loop.kind == Kind::Point && loop.isLoop(); });
  return blocks.size != 0 && hasRows && panelBytes() > panelCache(machine);
}

/// Blocks of the streamed operand that the second-level cache keeps while the rows pass.
int64_t TiledLoops::panelsPerGroup(int64_t panels, bool hasRows) const {
  if (!hasRows)
    return 1;
  int64_t bytes = panelBytes();
  if (blocksAreOutermost())
    bytes = bytes / nest.loops[blocks.loop].extent * blocks.size;
  int64_t fitting = std::max<int64_t>(1, panelCache(machine) / bytes);
  int64_t groups = llvm::divideCeilSigned(panels, fitting);
  return llvm::divideCeilSigned(panels, groups);
}

void TiledLoops::buildGrid() {
  const NestLoop &vector = nest.loops[tile.vectorLoop];
  addPlainLoops(/*movesStreamed=*/true);
  SmallVector<GridLoop> outer = std::move(grid);
  grid.clear();
  addPlainLoops(/*movesStreamed=*/false);
  for (unsigned point = tile.points.size(); point-- > 0;) {
    const NestLoop &loop = nest.loops[tile.points[point].loop];
    int64_t size = tile.points[point].size;
    grid.push_back({Kind::Point, point, llvm::divideCeilSigned(loop.extent, size),
                    scaled(loop.step, size), loop.open});
  }
  bool hasRows = llvm::any_of(grid, [](const GridLoop &loop) { return loop.isLoop(); });
  if (!vector.reduction) {
    panels = llvm::divideCeilSigned(vector.extent, tile.width());
    group = panelsPerGroup(panels, hasRows);
    outer.push_back({Kind::VectorGroup, 0, llvm::divideCeilSigned(panels, group)});
    grid.push_back({Kind::Vector, 0, group,
                    vector.block ? vector.blockStep : scaled(vector.step, tile.width())});
  }
  grid.insert(grid.begin(), outer.begin(), outer.end());
}

/// As many outer loops as make enough iterations, while what they leave whole is worth two tasks.
void TiledLoops::chooseParallel() {
  int64_t volume = nest.volume(), tasks = 1;
  for (const GridLoop &loop : grid) {
    if (loop.kind == Kind::Vector || tasks >= enoughTasks || volume / tasks < 2 * minTask)
      break;
    tasks *= loop.count;
    ++parallelLoops;
  }
  if (tasks == 1)
    parallelLoops = 0;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value TiledLoops::countOf(const GridLoop &loop) {
  if (!loop.open)
    return kernel.index(loop.count);
  if (loop.kind == Kind::Plain)
    return openExtent;
  return arith::CeilDivUIOp::create(builder, loc, openExtent,
                                    kernel.index(tile.points[loop.point].size));
}

void TiledLoops::enter(const GridLoop &loop, Value iteration, Position &position) {
  if (loop.kind == Kind::Point)
    position.points[loop.point] = iteration;
  else if (loop.kind == Kind::Vector)
    position.vector = iteration;
  else if (loop.kind == Kind::VectorGroup)
    position.group = iteration;
  position.base = kernel.advance(position.base, iteration, loop.step);
}

void TiledLoops::emitParallel(const Position &start,
                              llvm::function_ref<void(const Position &)> body) {
  if (parallelLoops == 0)
    return body(start);
  Value zero = kernel.index(0), one = kernel.index(1);
  SmallVector<Value> upper;
  auto outer = ArrayRef<GridLoop>(grid).take_front(parallelLoops);
  for (const GridLoop &loop : outer)
    if (loop.isLoop())
      upper.push_back(countOf(loop));
  SmallVector<Value> lower(upper.size(), zero), step(upper.size(), one);
  auto parallel = scf::ParallelOp::create(builder, loc, lower, upper, step);
  parallel->setAttr("jit.flops", builder.getI64IntegerAttr(2 * nest.volume()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parallel.getBody());
  Position position = start;
  SmallVector<Value> iterations = parallel.getInductionVars();
  auto iteration = iterations.begin();
  for (const GridLoop &loop : outer)
    enter(loop, loop.isLoop() ? *iteration++ : zero, position);
  body(position);
}

void TiledLoops::emitReductionBlocks(
    const Position &position,
    llvm::function_ref<void(const Position &, ArrayRef<ReductionLoop>)> body) {
  SmallVector<ReductionLoop> reductions = kernel.reductions();
  if (blocks.size == 0)
    return body(position, reductions);

  auto cut = llvm::find_if(reductions, [&](const auto &r) { return r.loop == blocks.loop; });
  int64_t whole = cut->extent / blocks.size, rest = cut->extent % blocks.size;
  Steps step = scaled(nest.loops[blocks.loop].step, blocks.size);
  cut->extent = blocks.size;
  auto loop =
      scf::ForOp::create(builder, loc, kernel.index(0), kernel.index(whole), kernel.index(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Position inner = position;
    inner.base = kernel.advance(position.base, loop.getInductionVar(), step);
    body(inner, reductions);
  }
  if (rest == 0)
    return;
  cut->extent = rest;
  Position last = position;
  last.base = kernel.advance(position.base, kernel.index(whole), step);
  body(last, reductions);
}

void TiledLoops::emitSequential(unsigned next, const Position &position,
                                ArrayRef<ReductionLoop> reductions) {
  if (next == grid.size())
    return emitVariants(0, position, {{}, 0}, reductions);
  const GridLoop &loop = grid[next];
  Value lower = kernel.index(0), upper = countOf(loop);
  if (loop.kind == Kind::Vector && position.group && panels != group) {
    Value size = kernel.index(group);
    lower = arith::MulIOp::create(builder, loc, position.group, size);
    upper = arith::AddIOp::create(builder, loc, lower, size);
    if (panels % group != 0)
      upper = arith::MinUIOp::create(builder, loc, upper, kernel.index(panels));
  }
  Position inner = position;
  if (!loop.isLoop()) {
    enter(loop, lower, inner);
    return emitSequential(next + 1, inner, reductions);
  }
  auto forOp = scf::ForOp::create(builder, loc, lower, upper, kernel.index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  enter(loop, forOp.getInductionVar(), inner);
  emitSequential(next + 1, inner, reductions);
}

void emitIfLast(OpBuilder &builder, Location loc, Value iteration, int64_t count, bool ragged,
                llvm::function_ref<void(bool)> body) {
  if (!ragged || count == 1)
    return body(ragged);
  Value last = arith::ConstantIndexOp::create(builder, loc, count - 1);
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, iteration, last);
  auto branch = scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body(true);
  builder.setInsertionPointToStart(branch.elseBlock());
  body(false);
}

void TiledLoops::emitOpenVariants(unsigned next, const Position &position, const TileShape &shape,
                                  ArrayRef<ReductionLoop> reductions) {
  int64_t size = tile.points[next].size;
  TileShape whole = shape;
  whole.points.push_back(size);
  if (size == 1)
    return emitVariants(next + 1, position, whole, reductions);
  Value done = arith::MulIOp::create(builder, loc, position.points[next], kernel.index(size));
  Value rest = arith::SubIOp::create(builder, loc, openExtent, done);
  auto few = llvm::to_vector(llvm::seq<int64_t>(1, size));
  Value kept = kernel.finishesByLoop() ? kernel.allocateSums() : Value();
  auto choice = scf::IndexSwitchOp::create(builder, loc, TypeRange(), rest, few, few.size());
  OpBuilder::InsertionGuard guard(builder);
  auto emitIn = [&](Region &region, const TileShape &chosen) {
    builder.createBlock(&region);
    emitVariants(next + 1, position, chosen, reductions, kept);
    scf::YieldOp::create(builder, loc);
  };
  for (auto [region, points] : llvm::zip_equal(choice.getCaseRegions(), few)) {
    TileShape part = shape;
    part.points.push_back(points);
    emitIn(region, part);
  }
  emitIn(choice.getDefaultRegion(), whole);
  if (!kept)
    return;
  builder.setInsertionPointAfter(choice);
  Value rows = arith::MinUIOp::create(builder, loc, rest, kernel.index(size));
  emitWidths(position, [&](int64_t width) { kernel.storeKept(kept, rows, position.base, width); });
}

void TiledLoops::emitWidths(const Position &position, llvm::function_ref<void(int64_t)> body) {
  int64_t rest = nest.loops[tile.vectorLoop].extent % tile.width();
  emitIfLast(builder, loc, position.vector, panels, rest != 0,
             [&](bool last) { body(last ? rest : tile.width()); });
}

void TiledLoops::emitVariants(unsigned next, const Position &position, const TileShape &shape,
                              ArrayRef<ReductionLoop> reductions, Value kept) {
  const NestLoop &vector = nest.loops[tile.vectorLoop];
  if (next < tile.points.size()) {
    if (nest.loops[tile.points[next].loop].open)
      return emitOpenVariants(next, position, shape, reductions);
    int64_t extent = nest.loops[tile.points[next].loop].extent, size = tile.points[next].size;
    return emitIfLast(builder, loc, position.points[next], llvm::divideCeilSigned(extent, size),
                      extent % size != 0, [&](bool last) {
                        TileShape chosen = shape;
                        chosen.points.push_back(last ? extent % size : size);
                        emitVariants(next + 1, position, chosen, reductions);
                      });
  }
  if (vector.reduction)
    return kernel.emit({shape.points, 1}, position.base, reductions);
  emitWidths(position, [&](int64_t width) {
    kernel.emit({shape.points, width}, position.base, reductions, kept);
  });
}

} // namespace jit::codegen
