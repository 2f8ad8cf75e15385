//===- ProductEpilogue.cpp - what becomes of the sums of a product --------===//
#include "Kernels/ProductEpilogue.h"
#include "Analysis/BufferRoots.h"
#include "Kernels/Launch.h"
#include "Kernels/SidePlaces.h"
#include "Kernels/VectorAccess.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using jit::codegen::ProductGroup, jit::codegen::SumPlace;

/// What the sum is added to.
static Value startOf(ProductGroup &group, OpBuilder &b, ValueRange point) {
  if (group.start)
    return group.start.getInputs().front();
  jit::codegen::ElementEmitter element(group.product, b);
  OpOperand &output = *group.product.getDpsInitOperand(0);
  if (!group.spread)
    return element.load(output, point);
  jit::codegen::ElementEmitter spread(group.spread, b);
  SmallVector<Value> place = element.indices(output, point);
  auto read = [&](OpOperand &operand) {
    Value value = spread.load(operand, place);
    if (jit::codegen::isBroadcast(group.spread, operand))
      jit::codegen::markBroadcast(value.getDefiningOp());
    return value;
  };
  return spread.emitBody(place, {}, read).front();
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// The point of an elementwise op that has these coordinates in the dimensions larger than 1.
static SmallVector<Value> pointAt(OpBuilder &b, linalg::LinalgOp op, ArrayRef<Value> coordinates) {
  SmallVector<Value> point;
  for (int64_t size : op.getStaticLoopRanges()) {
    point.push_back(size == 1 ? jit::codegen::constantIndex(b, op.getLoc(), 0)
                              : coordinates.front());
    coordinates = coordinates.drop_front(size != 1);
  }
  return point;
}

namespace {
/// Writes what becomes of sums, one at each of some points side by side.
class SumFinisher {
public:
  SumFinisher(ProductGroup &group, OpBuilder &b, ArrayRef<SmallVector<Value>> points,
              bool storesResults = true)
      : group(group), product(group.product), b(b), loc(product.getLoc()), points(points),
        storesResults(storesResults) {}

  void finish(ValueRange sums);
  /// What the buffer `root` would have at the points then.
  SmallVector<Value> valuesIn(Value root) { return values.lookup(root); }

private:
  Value addStart(Value sum, ValueRange point);
  void go(linalg::LinalgOp op);
  void store(linalg::LinalgOp op, OpOperand &init, ValueRange stored,
             ArrayRef<SmallVector<Value>> places);

  ProductGroup &group;
  linalg::LinalgOp product;
  OpBuilder &b;
  Location loc;
  ArrayRef<SmallVector<Value>> points;
  bool storesResults;
  /// What the buffers would have at the points, and the points' coordinates in sizes other than 1.
  llvm::SmallDenseMap<Value, SmallVector<Value>> values;
  SmallVector<SmallVector<Value>> coordinates;
};
} // namespace

Value SumFinisher::addStart(Value sum, ValueRange point) {
  Value start = startOf(group, b, point);
  if (isZero(start))
    return sum;
  return isa<FloatType>(sum.getType()) ? arith::AddFOp::create(b, loc, start, sum).getResult()
                                       : arith::AddIOp::create(b, loc, start, sum).getResult();
}

void SumFinisher::store(linalg::LinalgOp op, OpOperand &init, ValueRange stored,
                        ArrayRef<SmallVector<Value>> places) {
  jit::codegen::ElementEmitter element(op, b);
  if (stored.size() > 1)
    return jit::codegen::storeVector(b, loc, init, element.indices(init, places.front()), stored);
  memref::StoreOp::create(b, loc, stored.front(), init.get(),
                          element.indices(init, places.front()));
}

/// One op of the epilogue.
void SumFinisher::go(linalg::LinalgOp op) {
  jit::codegen::ElementEmitter element(op, b);
  SmallVector<SmallVector<Value>> places, results(op.getNumDpsInits());
  for (size_t i = 0; i < points.size(); ++i) {
    places.push_back(pointAt(b, op, coordinates[i]));
    auto read = [&](OpOperand &operand) -> Value {
      if (auto found = values.find(jit::codegen::viewedBuffer(operand.get()));
          found != values.end())
        return found->second[i];
      Value value = element.load(operand, places[i]);
      if (jit::codegen::isBroadcast(op, operand))
        jit::codegen::markBroadcast(value.getDefiningOp());
      return value;
    };
    for (auto [all, value] : llvm::zip(results, element.emitBody(places[i], {}, read)))
      all.push_back(value);
  }
  SmallVector<linalg::LinalgOp> ops = group.ops();
  for (auto [init, all] : llvm::zip(op.getDpsInitsMutable(), results)) {
    values[jit::codegen::viewedBuffer(init.get())] = all;
    if (storesResults && jit::codegen::isUsedOutside(jit::codegen::viewedBuffer(init.get()), ops))
      store(op, init, all, places);
  }
}

void SumFinisher::finish(ValueRange sums) {
  OpOperand &output = *product.getDpsInitOperand(0);
  SmallVector<Value> started;
  for (auto [sum, point] : llvm::zip(sums, points)) {
    started.push_back(addStart(sum, point));
    coordinates.emplace_back();
    for (auto [at, size] : llvm::zip(
             jit::codegen::ElementEmitter(product, b).indices(output, point), group.outputSizes()))
      if (size != 1)
        coordinates.back().push_back(at);
  }
  values[jit::codegen::viewedBuffer(output.get())] = started;
  if (storesResults &&
      jit::codegen::isUsedOutside(jit::codegen::viewedBuffer(output.get()), group.ops()))
    store(product, output, started, points);
  for (linalg::LinalgOp op : group.epilogue)
    go(op);
}

void jit::codegen::finishSum(ProductGroup &group, OpBuilder &b, Value sum, ValueRange point) {
  SmallVector<SmallVector<Value>> points = {SmallVector<Value>(point)};
  SumFinisher(group, b, points).finish(sum);
}

SmallVector<Value> jit::codegen::continueSums(ProductGroup &group, OpBuilder &b, ValueRange sums,
                                              ArrayRef<SmallVector<Value>> points, Value buffer) {
  SumFinisher finisher(group, b, points, /*storesResults=*/false);
  finisher.finish(sums);
  return finisher.valuesIn(buffer);
}

/// True if two sums beside each other, the first of them in an even column, are stored at once:
/// rows of the output, and so those of what follows, have an even number of elements in order.
static bool arePaired(ProductGroup &group) {
  const jit::codegen::Side &columns = group.shape.columns;
  OpOperand &output = *group.product.getDpsInitOperand(0);
  auto isWhole = [](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.getLayout().isIdentity() && type.getElementTypeBitWidth() % 8 == 0;
  };
  for (linalg::LinalgOp op : group.epilogue)
    if (!llvm::all_of(op.getDpsInits(), isWhole))
      return false;
  return !columns.dims.empty() && columns.sizes.back() % 2 == 0 && isWhole(output.get()) &&
         jit::codegen::accessAlong(group.product, output, columns.dims.back(), 2) ==
             jit::codegen::Access::Vector;
}

SumPlace SumPlace::neighbour(OpBuilder &b, int64_t columns) const {
  Location loc = column.getLoc();
  return {batch, row,
          arith::AddIOp::create(b, loc, column, jit::codegen::constantIndex(b, loc, columns))};
}

SmallVector<Value> jit::codegen::pointOf(const ProductGroup &group, OpBuilder &b,
                                         const SumPlace &place) {
  Location loc = place.row.getLoc();
  const ProductShape &shape = group.shape;
  SmallVector<Value> point(linalg::LinalgOp(group.product).getNumLoops());
  setPlace(b, loc, shape.batch, point, place.batch);
  setPlace(b, loc, shape.rows, point, place.row);
  setPlace(b, loc, shape.columns, point, place.column);
  return point;
}

void jit::codegen::enterInside(ProductGroup &group, OpBuilder &b, const SumPlace &place,
                               int64_t rowTile, int64_t columnTile) {
  Location loc = group.product.getLoc();
  for (auto [side, at, tile] : {std::tuple(&group.shape.rows, place.row, rowTile),
                                std::tuple(&group.shape.columns, place.column, columnTile)})
    if (Value inside = isInside(b, loc, *side, at, tile))
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
}

void jit::codegen::finishSumsInside(ProductGroup &group, OpBuilder &b, ValueRange pair,
                                    const SumPlace &place, int64_t rowTile, int64_t columnTile) {
  size_t together = arePaired(group) ? 2 : 1;
  for (size_t first = 0; first < pair.size(); first += together) {
    OpBuilder::InsertionGuard guard(b);
    enterInside(group, b, place.neighbour(b, static_cast<int64_t>(first)), rowTile, columnTile);
    SmallVector<SmallVector<Value>> points;
    for (size_t i = first; i < first + together; ++i)
      points.push_back(pointOf(group, b, place.neighbour(b, static_cast<int64_t>(i))));
    SumFinisher(group, b, points).finish(pair.slice(first, together));
  }
}
