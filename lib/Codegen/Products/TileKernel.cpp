//===- TileKernel.cpp - the reduction of one register tile ----------------===//

#include "Products/TileKernel.h"
#include "Products/FlatView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;

namespace jit::codegen {

/// Chains of dependent multiply-adds that keep the units busy through their latency.
static constexpr int64_t chainsWanted = 8;
/// How far ahead of its use weights are asked for: hardware stops at the end of a page, and what
/// is larger than the caches is read at memory's speed.
static constexpr int64_t prefetchBytes = 8192;
/// Multiply-adds in one unrolled body; beyond it code no longer fits where decoded instructions are
/// kept.
static constexpr int64_t maxBody = 256;

TileKernel::TileKernel(OpBuilder &builder, Location loc, const ProductNest &nest,
                       const RegisterTile &tile, const Machine &machine, const Operands &flat,
                       const Epilogue &epilogue)
    : builder(builder), loc(loc), nest(nest), tile(tile), flat(flat), epilogue(epilogue),
      vectorType(VectorType::get({tile.lanes}, nest.element)) {
  for (Operand operand : {Lhs, Rhs})
    if (comesFromMemory(operand, machine))
      fromMemory = operand;
}

bool TileKernel::comesFromMemory(Operand operand, const Machine &machine) const {
  bool packed = vector().block != 0 && vector().step[operand] == 1;
  auto type = cast<MemRefType>(flat[operand].getType());
  return packed && type.getNumElements() * nest.storedBits(operand) / 8 > machine.l2Bytes;
}

SmallVector<ReductionLoop> TileKernel::reductions() const {
  SmallVector<ReductionLoop> loops;
  for (auto [index, loop] : llvm::enumerate(nest.loops))
    if (loop.reduction)
      loops.push_back({unsigned(index), loop.extent});
  Operand streamed = vector().step[Rhs] != 0 ? Rhs : Lhs;
  // Taps of a window stay outside: unrolled inside they would read the same elements again, and a
  // compiler that notices keeps them in registers that the accumulators need.
  auto rank = [&](const ReductionLoop &entry) {
    return std::make_tuple(entry.loop == tile.vectorLoop, !nest.isWindow(entry.loop),
                           -nest.loops[entry.loop].step[streamed]);
  };
  llvm::stable_sort(loops, [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  return loops;
}

int64_t TileKernel::vectorsOf(const TileShape &shape) const {
  return vector().reduction ? 1 : llvm::divideCeilSigned(shape.width, tile.lanes);
}

int64_t TileKernel::pointOffset(ArrayRef<int64_t> point, Operand operand) const {
  int64_t offset = 0;
  for (auto [tiled, position] : llvm::zip_equal(tile.points, point))
    offset += position * nest.loops[tiled.loop].step[operand];
  return offset;
}

/// All points of the tile, the innermost loop fastest.
SmallVector<SmallVector<int64_t>> TileKernel::pointsOf(const TileShape &shape) const {
  SmallVector<SmallVector<int64_t>> points = {{}};
  for (int64_t size : llvm::reverse(shape.points)) {
    SmallVector<SmallVector<int64_t>> longer;
    for (const auto &point : points)
      for (int64_t position = 0; position < size; ++position) {
        longer.push_back({position});
        longer.back().append(point);
      }
    points = std::move(longer);
  }
  return points;
}

//===----------------------------------------------------------------------===//
// Addresses, loads and stores
//===----------------------------------------------------------------------===//

Value TileKernel::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value TileKernel::at(Value base, int64_t offset) {
  return offset == 0 ? base : arith::AddIOp::create(builder, loc, base, index(offset)).getResult();
}

Operands TileKernel::advance(const Base &base, Value iteration, const Steps &step) {
  Base moved = base;
  for (unsigned operand = 0; operand < maxOperands; ++operand) {
    if (step[operand] == 0)
      continue;
    Value distance = iteration;
    if (step[operand] != 1)
      distance = arith::MulIOp::create(builder, loc, iteration, index(step[operand]));
    moved[operand] = arith::AddIOp::create(builder, loc, base[operand], distance);
  }
  return moved;
}

Value TileKernel::widened(Value factor) {
  Type type = getElementTypeOrSelf(factor);
  if (type == nest.element || type.isInteger())
    return factor;
  return arith::ExtFOp::create(builder, loc, vectorType, factor);
}

Value TileKernel::loadVector(Operand operand, Value base, int64_t offset, int64_t valid) {
  return loadLanes(builder, loc, flat[operand], at(base, offset), tile.lanes, valid);
}

void TileKernel::prefetch(Operand operand, Value base, int64_t offset) {
  memref::PrefetchOp::create(builder, loc, flat[operand],
                             at(base, offset + prefetchBytes * 8 / nest.storedBits(operand)),
                             /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

/// Elements 0, 2, 4, ... from `offset` on; reads nothing past the last of the `valid` ones.
Value TileKernel::loadEverySecond(Operand operand, Value base, int64_t offset, int64_t valid) {
  int64_t lanes = tile.lanes, last = 2 * (valid - 1);
  Value low = loadVector(operand, base, offset, last + 1);
  // The second vector begins one element early, to end where the last wanted element does.
  Value high =
      last >= lanes ? loadVector(operand, base, offset + lanes - 1, last - lanes + 2) : low;
  SmallVector<int64_t> pick;
  for (int64_t lane = 0; lane < lanes; ++lane)
    pick.push_back(2 * lane < lanes ? 2 * lane : 2 * lane + 1);
  return vector::ShuffleOp::create(builder, loc, low, high, pick);
}

/// The operand's vector at `offset`, or its element there in every lane.
Value TileKernel::read(Loads &loads, Operand operand, const Base &base, int64_t offset,
                       int64_t valid) {
  Value &value = loads[{operand, offset, valid}];
  if (value)
    return value;
  if (vector().step[operand] == 1) {
    if (fromMemory == operand)
      prefetch(operand, base[operand], offset);
    return value = widened(loadVector(operand, base[operand], offset, valid));
  }
  if (vector().step[operand] == 2)
    return value = widened(loadEverySecond(operand, base[operand], offset, valid));
  Value element = memref::LoadOp::create(builder, loc, flat[operand], at(base[operand], offset));
  auto type = VectorType::get({tile.lanes}, element.getType());
  return value = widened(vector::BroadcastOp::create(builder, loc, type, element));
}

//===----------------------------------------------------------------------===//
// The reduction
//===----------------------------------------------------------------------===//

Value TileKernel::multiplyAdd(const std::array<Value, 2> &factors, Value sum) {
  if (!nest.hasPairs())
    return vector::FMAOp::create(builder, loc, factors[Lhs], factors[Rhs], sum);
  auto pairs = VectorType::get({2 * tile.lanes}, builder.getBF16Type());
  auto pairsOf = [&](Value words) {
    return vector::BitCastOp::create(builder, loc, pairs, words).getResult();
  };
  return x86vector::DotBF16Op::create(builder, loc, sum, pairsOf(factors[Lhs]),
                                      pairsOf(factors[Rhs]));
}

void TileKernel::step(Loads &loads, const Base &base, const Steps &offset, int64_t lanes,
                      MutableArrayRef<Value> accumulators, const TileShape &shape) {
  unsigned next = 0;
  for (const auto &point : pointsOf(shape))
    for (int64_t v = 0, vectors = vectorsOf(shape); v < vectors; ++v, ++next) {
      std::array<Value, 2> factors;
      for (Operand operand : {Lhs, Rhs}) {
        int64_t move = offset[operand] + pointOffset(point, operand);
        int64_t valid = lanes;
        if (!vector().reduction && vector().step[operand] == 0) {
          valid = tile.lanes;
        } else if (!vector().reduction) {
          move += v * tile.lanes * vector().step[operand];
          // Packed operands are padded to whole blocks.
          bool padded = vector().blockStep[operand] != vector().block * vector().step[operand];
          valid = vector().block != 0 && padded
                      ? tile.lanes
                      : std::min(tile.lanes, shape.width - v * tile.lanes);
        }
        factors[operand] = read(loads, operand, base, move, valid);
      }
      accumulators[next] = multiplyAdd(factors, accumulators[next]);
    }
}

Value TileKernel::loop(int64_t iterations, int64_t step, Values &carried,
                       llvm::function_ref<Values(Value, Values)> body) {
  auto loop = scf::ForOp::create(builder, loc, index(0), index(iterations), index(step), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Values results = body(loop.getInductionVar(), Values(loop.getRegionIterArgs()));
  scf::YieldOp::create(builder, loc, results);
  carried.assign(loop.getResults().begin(), loop.getResults().end());
  return loop.getInductionVar();
}

/// How many steps of the innermost loop stand in one body.
int64_t TileKernel::unrollFor(const ReductionLoop &innermost, int64_t accumulators) const {
  int64_t steps = innermost.extent;
  if (innermost.loop == tile.vectorLoop)
    steps = std::max<int64_t>(1, innermost.extent / tile.lanes);
  if (steps <= 8 && steps * accumulators <= maxBody)
    return steps;
  int64_t forChains = llvm::divideCeilSigned(chainsWanted, accumulators);
  return std::min(steps, std::max<int64_t>(forChains, accumulators <= 4    ? 4
                                                      : accumulators <= 12 ? 2
                                                                           : 1));
}

TileKernel::Values TileKernel::reduceInnermost(ReductionLoop entry, const Base &base,
                                               Values accumulators, const TileShape &shape) {
  const auto &moves = nest.loops[entry.loop].step;
  int64_t stride = entry.loop == tile.vectorLoop ? tile.lanes : 1;
  int64_t count = pointsOf(shape).size() * vectorsOf(shape);
  int64_t sets = accumulators.size() / count;
  int64_t unroll = unrollFor(entry, count);
  int64_t steps = entry.extent / stride, whole = steps / unroll * unroll;

  auto unrolled = [&](const Base &from, int64_t first, int64_t last, Values &values) {
    Loads loads;
    for (int64_t i = first; i < last; ++i) {
      Steps offset = {i * stride * moves[Lhs], i * stride * moves[Rhs]};
      step(loads, from, offset, tile.lanes,
           MutableArrayRef<Value>(values).slice(i % sets * count, count), shape);
    }
  };
  if (whole > unroll)
    loop(whole * stride, unroll * stride, accumulators, [&](Value iteration, Values values) {
      unrolled(advance(base, iteration, {moves[Lhs], moves[Rhs]}), 0, unroll, values);
      return values;
    });
  else
    unrolled(base, 0, whole, accumulators);
  unrolled(base, whole, steps, accumulators);
  if (int64_t rest = entry.extent - steps * stride) {
    Loads loads;
    int64_t done = steps * stride;
    step(loads, base, {done * moves[Lhs], done * moves[Rhs]}, rest,
         MutableArrayRef<Value>(accumulators).take_front(count), shape);
  }
  return accumulators;
}

TileKernel::Values TileKernel::reduce(ArrayRef<ReductionLoop> loops, const Base &base,
                                      Values accumulators, const TileShape &shape) {
  if (loops.size() == 1)
    return reduceInnermost(loops.front(), base, std::move(accumulators), shape);
  const auto &moves = nest.loops[loops.front().loop].step;
  loop(loops.front().extent, 1, accumulators, [&](Value iteration, Values values) {
    return reduce(loops.drop_front(), advance(base, iteration, {moves[Lhs], moves[Rhs]}),
                  std::move(values), shape);
  });
  return accumulators;
}

void TileKernel::emit(const TileShape &shape, const Base &base, ArrayRef<ReductionLoop> reductions,
                      Value kept) {
  int64_t count = pointsOf(shape).size() * vectorsOf(shape);
  // Few accumulators: several sets take turns, so that the sum is not one chain.
  int64_t sets = 1;
  if (!reductions.empty())
    sets =
        std::min(llvm::divideCeilSigned(chainsWanted, count), unrollFor(reductions.back(), count));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vectorType));
  Values sums(count * sets, zero);
  if (reductions.empty()) {
    Loads loads;
    step(loads, base, {}, tile.lanes, sums, shape);
  } else {
    sums = reduce(reductions, base, std::move(sums), shape);
  }
  for (; sets > 1; sets = llvm::divideCeilSigned(sets, 2))
    for (int64_t i = 0, half = llvm::divideCeilSigned(sets, 2) * count; half + i < sets * count;
         ++i)
      sums[i] = arith::AddFOp::create(builder, loc, sums[i], sums[half + i]);
  sums.resize(count);
  kept ? keep(sums, kept) : store(sums, base, shape);
}

} // namespace jit::codegen
