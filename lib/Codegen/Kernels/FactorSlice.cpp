//===- FactorSlice.cpp - a factor's slices by way of registers ------------===//
#include "Kernels/FactorSlice.h"
#include "Analysis/LoopOrder.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::FactorSlice;

/// Groups of a row that are exchanged with each other.
static constexpr int64_t exchangedGroups = 8;

FactorSlice::FactorSlice(OpBuilder &b, linalg::LinalgOp product, unsigned operand,
                         const ProductShape &shape, int64_t tile, int64_t threads)
    : Factor(b, product, operand, shape, tile, threads * group / tile), threads(threads) {
  chooseOrder();
}

/// Whole groups in one access if possible; else neighbouring threads at neighbours in memory.
void FactorSlice::chooseOrder() {
  auto isContiguous = [&](const Side &along) {
    return !along.dims.empty() && strideAlong(product, *operand, along.dims.back()) == 1;
  };
  bool isVectorAlongDepth = isVectorAlong(shape.depth, group);
  isVector = isVectorAlongDepth || isVectorAlong(side, group);
  alongDepth = isVector ? isVectorAlongDepth : !isContiguous(side) && isContiguous(shape.depth);
}

void FactorSlice::locate(Launch &launch, int64_t stages, Value batch, Value first) {
  thread = launch.threadId();
  batchAt = batch;
  origin = first;
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  memory = launch.shared(
      MemRefType::get({stages, slice, tile}, type, MemRefLayoutAttrInterface(), space));
}

/// Of one of the thread's elements.
FactorSlice::Place FactorSlice::placeOf(int64_t i) {
  int64_t width = alongDepth ? slice : tile;
  if (isVector) {
    Value along = add(mul(rem(thread, width / group), group), index(i));
    Value across = div(thread, width / group);
    return alongDepth ? Place{along, across} : Place{across, along};
  }
  Value along = rem(thread, width);
  Value across = add(div(thread, width), index(i * (threads / width)));
  return alongDepth ? Place{along, across} : Place{across, along};
}

/// Where the row or column lies among those of its summand. Threads that go along the summands
/// store to as many groups as there are; of 16 summands those that one vector is apart do.
Value FactorSlice::exchanged(Value depth, Value other) {
  if (!alongDepth)
    return other;
  Value number = depth;
  if (slice > exchangedGroups)
    number = add(mul(div(depth, group), 2), rem(depth, 2));
  return arith::XOrIOp::create(b, loc, other, mul(rem(number, exchangedGroups), group));
}

/// The same as a number, for a summand that is known.
int64_t FactorSlice::exchangeOf(int64_t depth) const {
  int64_t number = slice > exchangedGroups ? depth / group * 2 + depth % 2 : depth;
  return number % exchangedGroups * group;
}

/// `width` elements, of which the first is inside if all are.
SmallVector<Value> FactorSlice::loadInside(Value depthOrigin, const Place &place, int64_t width) {
  Value depthAt = add(depthOrigin, place.depth), otherAt = add(origin, place.other);
  auto load = [&]() -> Value {
    SmallVector<Value> point = pointOf(depthAt, otherAt);
    return width == 1 ? element.load(*operand, point)
                      : loadVector(b, loc, *operand, element.indices(*operand, point), width);
  };
  Value inside = insideOf(depthAt, otherAt);
  Value loaded;
  if (!inside) {
    loaded = load();
  } else {
    Type all = width == 1 ? type : VectorType::get({width}, type);
    auto branch = scf::IfOp::create(b, loc, all, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, loc, load());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, arith::ConstantOp::create(b, loc, b.getZeroAttr(all)).getResult());
    loaded = branch.getResult(0);
  }
  if (width == 1)
    return {loaded};
  return SmallVector<Value>(vector::ToElementsOp::create(b, loc, loaded).getResults());
}

SmallVector<Value> FactorSlice::load(Value depthAt) {
  if (isVector)
    return loadInside(depthAt, placeOf(0), group);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < group; ++i)
    llvm::append_range(elements, loadInside(depthAt, placeOf(i), 1));
  return elements;
}

static llvm::MaybeAlign alignmentOf(Type type) {
  int64_t bytes = FactorSlice::group * llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  return llvm::Align(std::min(jit::codegen::accessBytes, bytes));
}

void FactorSlice::store(Value stage, ValueRange elements) {
  if (isVector && !alongDepth) {
    Place place = placeOf(0);
    Value all = vector::FromElementsOp::create(b, loc, VectorType::get({group}, type), elements);
    vector::StoreOp::create(b, loc, all, memory,
                            ValueRange{stage, place.depth, exchanged(place.depth, place.other)},
                            /*nontemporal=*/false, alignmentOf(type));
    return;
  }
  for (auto [i, value] : llvm::enumerate(elements)) {
    Place place = placeOf(static_cast<int64_t>(i));
    memref::StoreOp::create(b, loc, value, memory,
                            ValueRange{stage, place.depth, exchanged(place.depth, place.other)});
  }
}

SmallVector<Value> FactorSlice::read(Value stage, int64_t depth, const Reader &reader,
                                     int64_t number) {
  // The bits of the exchange that the number of the group changes are known here, so that one
  // address serves for several loads, each at a constant distance.
  int64_t exchange = alongDepth ? exchangeOf(depth) : 0;
  int64_t known = exchange & (reader.apart * (reader.groups - 1));
  Value first = reader.first;
  if (exchange != known)
    first = arith::XOrIOp::create(b, loc, first, index(exchange - known));
  Value offset = add(mul(stage, slice * tile), first);
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {tile, 1});
  auto space = cast<MemRefType>(memory.getType()).getMemorySpace();
  Value view = memref::ReinterpretCastOp::create(
      b, loc, MemRefType::get({slice, tile}, type, layout, space), memory, OpFoldResult(offset),
      ArrayRef<OpFoldResult>{b.getIndexAttr(slice), b.getIndexAttr(tile)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(tile), b.getIndexAttr(1)});
  Value four =
      vector::LoadOp::create(b, loc, VectorType::get({group}, type), view,
                             ValueRange{index(depth), index((number * reader.apart) ^ known)},
                             /*nontemporal=*/false, alignmentOf(type));
  return SmallVector<Value>(vector::ToElementsOp::create(b, loc, four).getResults());
}
