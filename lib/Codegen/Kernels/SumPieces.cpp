//===- SumPieces.cpp - long sums that several blocks share ----------------===//
#include "Kernels/SumPieces.h"
#include "Kernels/Launch.h"
#include "Kernels/SidePlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using jit::codegen::SumPieces;

/// Slices that a piece has at least.
static constexpr int64_t slicesOfPiece = 2;
/// What a block does before its first slice and behind its last one, in slices.
static constexpr int64_t slicesAround = 1;
/// Pieces have to gain a tenth, and the time of a launch, taken for a microsecond: so many numbers
/// go to a multiprocessor in that.
static constexpr double leastGain = 1.1, numbersOfLaunch = 6000;

SumPieces::SumPieces(ProductGroup &group, const TileWork &work, int64_t multiprocessors,
                     bool areRowsLast)
    : group(group), work(work), multiprocessors(multiprocessors), areRowsLast(areRowsLast) {
  double least = timeOf(1);
  // More than one for each multiprocessor and tile only cuts what is cut already.
  int64_t most = std::min(work.slices / slicesOfPiece, 2 * multiprocessors);
  for (int64_t count = 2; count <= most; ++count)
    if (double time = timeOf(count); time < least) {
      least = time;
      pieces = count;
    }
}

/// Of the multiprocessor that has the most blocks, and of the memory that pieces go through.
double SumPieces::timeOf(int64_t count) const {
  int64_t rounds = llvm::divideCeilSigned(work.tiles * count, multiprocessors);
  int64_t slices = llvm::divideCeilSigned(work.slices, count) + slicesAround;
  double products = static_cast<double>(rounds * slices) * work.slice;
  if (count == 1)
    return products;
  const ProductShape &shape = group.shape;
  auto sums = static_cast<double>(shape.batch.count * shape.rows.count * shape.columns.count);
  double each = sums / static_cast<double>(multiprocessors) * work.moved;
  // What is stored goes on beside the products; what is loaded again stands behind them.
  auto pieces = static_cast<double>(count);
  return (std::max(products, pieces * each) + (pieces + 1) * each) * leastGain +
         numbersOfLaunch * work.moved;
}

SmallVector<int64_t> SumPieces::sizes() const {
  const ProductShape &shape = group.shape;
  SmallVector<int64_t> result = {shape.batch.count, shape.rows.count, shape.columns.count};
  if (areRowsLast)
    std::swap(result[1], result[2]);
  return result;
}

void SumPieces::allocate(OpBuilder &b) {
  if (!isCut())
    return;
  SmallVector<int64_t> shape = sizes();
  shape.insert(shape.begin(), pieces);
  Type type = getElementTypeOrSelf(group.product.getDpsInits().front());
  partial = memref::AllocOp::create(b, group.product.getLoc(), MemRefType::get(shape, type));
}

std::pair<Value, Value> SumPieces::slicesOf(OpBuilder &b, Value piece) const {
  Location loc = group.product.getLoc();
  // The first pieces have one more than the others where these do not come out even.
  int64_t each = work.slices / pieces, more = work.slices % pieces;
  auto firstOf = [&](Value number) -> Value {
    Value first = arith::MulIOp::create(b, loc, number, constantIndex(b, loc, each));
    if (more == 0)
      return first;
    Value longer = arith::MinUIOp::create(b, loc, number, constantIndex(b, loc, more));
    return arith::AddIOp::create(b, loc, first, longer);
  };
  if (!isCut())
    return {constantIndex(b, loc, 0), constantIndex(b, loc, work.slices)};
  Value next = arith::AddIOp::create(b, loc, piece, constantIndex(b, loc, 1));
  Value first = firstOf(piece);
  return {first, arith::SubIOp::create(b, loc, firstOf(next), first)};
}

void SumPieces::store(OpBuilder &b, Value sum, Value piece, const SumPlace &place) {
  SmallVector<Value> at = {piece, place.batch, place.row, place.column};
  if (areRowsLast)
    std::swap(at[2], at[3]);
  memref::StoreOp::create(b, group.product.getLoc(), sum, partial, at);
}

void SumPieces::finish(OpBuilder &b, ValueRange pair, Value piece, const SumPlace &place,
                       int64_t rowTile, int64_t columnTile) {
  if (!isCut())
    return finishSumsInside(group, b, pair, place, rowTile, columnTile);
  for (auto [i, sum] : llvm::enumerate(pair)) {
    OpBuilder::InsertionGuard guard(b);
    SumPlace at = place.neighbour(b, static_cast<int64_t>(i));
    enterInside(group, b, at, rowTile, columnTile);
    store(b, sum, piece, at);
  }
}

void SumPieces::join(OpBuilder &b) {
  if (!isCut())
    return;
  Location loc = group.product.getLoc();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<int64_t> sizes = this->sizes();
  launchForEach(b, loc, "joined", llvm::product_of(sizes), multiprocessors, [&](Value number) {
    SmallVector<Value> at = delinearize(b, loc, number, sizes);
    Value sum;
    for (int64_t piece = 0; piece < pieces; ++piece) {
      Value found = memref::LoadOp::create(
          b, loc, partial, ValueRange{constantIndex(b, loc, piece), at[0], at[1], at[2]});
      if (!sum)
        sum = found;
      else if (isa<FloatType>(found.getType()))
        sum = arith::AddFOp::create(b, loc, sum, found);
      else
        sum = arith::AddIOp::create(b, loc, sum, found);
    }
    SumPlace place = areRowsLast ? SumPlace{at[0], at[2], at[1]} : SumPlace{at[0], at[1], at[2]};
    finishSum(group, b, sum, pointOf(group, b, place));
  });
}
