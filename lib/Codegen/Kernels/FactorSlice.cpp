//===- FactorSlice.cpp - a factor's slices by way of registers ------------===//
#include "Kernels/FactorSlice.h"
#include "Analysis/LoopOrder.h"
#include "Kernels/SidePlaces.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::FactorSlice;

FactorSlice::FactorSlice(OpBuilder &b, linalg::LinalgOp product, unsigned operand,
                         const ProductShape &shape, int64_t tile, int64_t threads)
    : b(b), product(product), loc(product.getLoc()), operand(product.getDpsInputOperand(operand)),
      shape(shape), side(operand == 0 ? shape.rows : shape.columns),
      type(getElementTypeOrSelf(this->operand->get())), element(product, b), tile(tile),
      slice(threads * group / tile), threads(threads) {
  chooseOrder();
}

/// Whole groups in one access if possible; else neighbouring threads at neighbours in memory.
void FactorSlice::chooseOrder() {
  auto liesAlong = [&](const Side &along) {
    return !along.dims.empty() && along.sizes.back() % group == 0 &&
           accessAlong(product, *operand, along.dims.back(), group) == Access::Vector;
  };
  auto isContiguous = [&](const Side &along) {
    return !along.dims.empty() && strideAlong(product, *operand, along.dims.back()) == 1;
  };
  isVector = liesAlong(shape.depth) || liesAlong(side);
  alongDepth = isVector ? liesAlong(shape.depth) : !isContiguous(side) && isContiguous(shape.depth);
}

Value FactorSlice::add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
Value FactorSlice::mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
Value FactorSlice::div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
Value FactorSlice::rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }

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
  constexpr int64_t groups = 8;
  if (!alongDepth)
    return other;
  Value number = depth;
  if (slice > groups)
    number = add(mul(div(depth, group), 2), rem(depth, 2));
  return arith::XOrIOp::create(b, loc, other, mul(rem(number, groups), group));
}

SmallVector<Value> FactorSlice::pointOf(Value depthAt, Value otherAt) {
  SmallVector<Value> point(product.getNumLoops());
  setPlace(b, loc, shape.batch, point, batchAt);
  setPlace(b, loc, shape.depth, point, depthAt);
  setPlace(b, loc, side, point, otherAt);
  return point;
}

/// `width` elements, of which the first is inside if all are.
SmallVector<Value> FactorSlice::loadInside(Value depthOrigin, const Place &place, int64_t width) {
  Value depthAt = add(depthOrigin, place.depth), otherAt = add(origin, place.other);
  auto load = [&]() -> Value {
    SmallVector<Value> point = pointOf(depthAt, otherAt);
    return width == 1 ? element.load(*operand, point)
                      : loadVector(b, loc, *operand, element.indices(*operand, point), width);
  };
  Value inside;
  for (auto [along, at, step] :
       {std::tuple(&shape.depth, depthAt, slice), std::tuple(&side, otherAt, tile)})
    if (Value here = isInside(b, loc, *along, at, step))
      inside = inside ? arith::AndIOp::create(b, loc, inside, here) : here;
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

SmallVector<Value> FactorSlice::read(Value stage, int64_t depth, Value otherAt) {
  Value four =
      vector::LoadOp::create(b, loc, VectorType::get({group}, type), memory,
                             ValueRange{stage, index(depth), exchanged(index(depth), otherAt)},
                             /*nontemporal=*/false, alignmentOf(type));
  return SmallVector<Value>(vector::ToElementsOp::create(b, loc, four).getResults());
}
