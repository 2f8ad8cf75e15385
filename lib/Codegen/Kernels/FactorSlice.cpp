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

/// Of shared memory, of four bytes each.
static constexpr int64_t banks = 32;

FactorSlice::FactorSlice(OpBuilder &b, linalg::LinalgOp product, unsigned operand,
                         const ProductShape &shape, int64_t tile, int64_t threads,
                         const PaddedWindow *window)
    : Factor(b, product, operand, shape, tile, threads * group / tile), threads(threads),
      window(window), source(window ? window->padding().source : this->operand->get()) {
  findPlaces();
  chooseOrder();
}

void FactorSlice::findPlaces() {
  auto memory = cast<MemRefType>(source.getType());
  linear = window ? LinearOperand::of(product.getMatchingIndexingMap(operand), memory,
                                      window->padding().before)
                  : LinearOperand::of(product, *operand);
  if (!linear)
    return;
  depthPlaces = LinearSide(shape.depth, linear->strides);
  sidePlaces = LinearSide(side, linear->strides);
  batchPlaces = LinearSide(shape.batch, linear->strides);
  if (depthPlaces.stride() && !window)
    return;
  if (!DepthOffsets::hasRoomFor(memory))
    linear.reset();
  else
    offsets.emplace(b, product, shape.depth, depthPlaces, window, threads, slice);
}

/// Whole groups in one access if possible; else neighbouring threads at neighbours in memory.
void FactorSlice::chooseOrder() {
  auto isContiguous = [&](const Side &along) {
    return !along.dims.empty() && strideAlong(product, *operand, along.dims.back()) == 1;
  };
  bool isVectorAlongDepth = false;
  if (linear && !window && linear->first % group == 0 && batchPlaces.isWhole(group)) {
    isVectorAlongDepth = depthPlaces.isOfVectors(group) && sidePlaces.isWhole(group);
    isVector = isVectorAlongDepth || (sidePlaces.isOfVectors(group) && depthPlaces.isWhole(group));
  }
  alongDepth = isVector ? isVectorAlongDepth : !isContiguous(side) && isContiguous(shape.depth);
}

void FactorSlice::locate(Launch &launch, int64_t stages, Value batch, Value first,
                         const FactorSlice *other) {
  thread = launch.threadId();
  batchAt = batch;
  origin = first;
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  memory = launch.shared(
      MemRefType::get({stages, slice, tile}, type, MemRefLayoutAttrInterface(), space));
  if (offsets && other)
    offsets.emplace(*other->offsets);
  else if (offsets)
    offsets->locate(launch);
  if (linear)
    locateStarts();
}

std::optional<int64_t> FactorSlice::apart() const {
  std::optional<int64_t> alongSide = sidePlaces.stride();
  if (isVector)
    return 0;
  if (window)
    return std::nullopt;
  if (!alongDepth)
    return depthPlaces.stride();
  if (side.count % tile == 0 && alongSide)
    return *alongSide * (threads / slice);
  return std::nullopt;
}

void FactorSlice::locateStarts() {
  bool isOne = apart() || !alongDepth;
  for (int64_t i = 0; i < (isOne ? 1 : accesses()); ++i) {
    Place place = placeOf(i);
    Value other = add(origin, place.other);
    if (side.count % tile != 0)
      other = arith::MinUIOp::create(b, loc, other, index(side.count - (alongDepth ? 1 : width())));
    int64_t lowest = batchPlaces.lowest() + sidePlaces.lowest() + depthPlaces.lowest();
    Value start = add(index(linear->first + lowest), batchPlaces.offsetOf(b, loc, batchAt));
    start = add(start, sidePlaces.offsetOf(b, loc, other));
    if (!offsets)
      start = add(start, mul(place.depth, *depthPlaces.stride()));
    starts.push_back(start);
    if (window)
      bits.push_back(window->insideOf(b, loc, pointOf(index(0), other)));
  }
}

/// Of one of the thread's accesses.
FactorSlice::Place FactorSlice::placeOf(int64_t i) {
  int64_t length = alongDepth ? slice : tile;
  if (isVector) {
    Value along = mul(rem(thread, length / group), group);
    Value across = div(thread, length / group);
    return alongDepth ? Place{along, across} : Place{across, along};
  }
  Value along = rem(thread, length), across = div(thread, length);
  if (alongDepth)
    return {along, add(across, index(i * (threads / length)))};
  return {add(mul(across, group), index(i)), along};
}

/// Where the row or column lies among those of its summand. Of vectors, a warp's lanes store the
/// same elements of each at a time; of single elements lanes that are next to each other are at
/// neighbouring summands.
int64_t FactorSlice::exchangeOf(int64_t depth) const {
  int64_t vectors = slice / group;
  if (!alongDepth)
    return 0;
  if (isVector)
    return depth / group * (banks / vectors);
  int64_t number = slice > banks / group ? depth / group * 2 + depth % 2 : depth;
  return number * group % banks;
}

Value FactorSlice::exchanged(Value depth, Value other) {
  if (!alongDepth)
    return other;
  int64_t vectors = slice / group;
  if (isVector)
    return arith::XOrIOp::create(b, loc, other, mul(div(depth, group), banks / vectors));
  Value number = depth;
  if (slice > banks / group)
    number = add(mul(div(depth, group), 2), rem(depth, 2));
  return arith::XOrIOp::create(b, loc, other, mul(rem(number, banks / group), group));
}

Value FactorSlice::loadIf(Value inside, llvm::function_ref<Value()> load) {
  if (!inside)
    return load();
  Type all = isVector ? Type(VectorType::get({group}, type)) : type;
  auto branch = scf::IfOp::create(b, loc, all, inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, load());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, arith::ConstantOp::create(b, loc, b.getZeroAttr(all)).getResult());
  return branch.getResult(0);
}

Value FactorSlice::loadGathered(Value depthOrigin, const Place &place) {
  Value depthAt = add(depthOrigin, place.depth), otherAt = add(origin, place.other);
  // A number in front of the first summand is beyond any count.
  return loadIf(insideOf(depthAt, otherAt),
                [&] { return element.load(*operand, pointOf(depthAt, otherAt)); });
}

static llvm::MaybeAlign alignmentOf(Type type) {
  int64_t bytes = FactorSlice::group * llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  return llvm::Align(std::min(jit::codegen::accessBytes, bytes));
}

Value FactorSlice::loadAt(Value view, Value at) {
  if (!isVector)
    return memref::LoadOp::create(b, loc, view, at);
  return vector::LoadOp::create(b, loc, VectorType::get({group}, type), view, at,
                                /*nontemporal=*/false, alignmentOf(type));
}

Value FactorSlice::insideAt(Value number, Value depthAt, int64_t i, bool isInFront) {
  Value inside;
  if (window) {
    if (i == 0)
      needed = offsets->needed(number, placeOf(0).depth, alongDepth ? 1 : group);
    Value need = needed[needed.size() == 1 ? 0 : i];
    Value found = arith::AndIOp::create(b, loc, bits[bits.size() == 1 ? 0 : i], need);
    inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, found, need);
  }
  if (!isInFront)
    return inside;
  Value isSummand = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                          add(depthAt, placeOf(i).depth), index(shape.depth.count));
  return inside ? arith::AndIOp::create(b, loc, inside, isSummand).getResult() : isSummand;
}

SmallVector<Value> FactorSlice::loadLinear(Value number, Value depthAt, bool mayBeFirst) {
  SmallVector<Value> further;
  if (offsets)
    further = offsets->offsets(number, placeOf(0).depth, alongDepth || isVector ? 1 : group);
  else
    further = {mul(depthAt, *depthPlaces.stride())};
  bool isInFront = mayBeFirst && missing() != 0;
  // Of one view the first element is where the slice's are; of others they are where the thread's
  // are of each slice. What is in front of the first summand is in front of no view.
  bool isOneView = starts.size() == 1 && !offsets;
  auto load = [&](int64_t i) {
    Value start = starts[starts.size() == 1 ? 0 : i], more = further[further.size() == 1 ? 0 : i];
    if (!isOneView && !isInFront)
      return loadAt(viewFrom(b, loc, source, start, group, 1), more);
    int64_t stride = isOneView && !isVector ? *apart() : 1;
    Value view = viewFrom(b, loc, source, add(start, more), group, stride);
    return loadAt(view, index(isOneView ? i : 0));
  };
  SmallVector<Value> loaded;
  for (int64_t i = 0; i < accesses(); ++i) {
    Value inside = insideAt(number, depthAt, i, isInFront);
    loaded.push_back(loadIf(inside, [&] { return load(i); }));
  }
  return loaded;
}

SmallVector<Value> FactorSlice::load(Value number, bool mayBeFirst) {
  Value depthAt = mul(number, slice);
  if (missing() != 0)
    depthAt = arith::SubIOp::create(b, loc, depthAt, index(missing()));
  SmallVector<Value> loaded;
  if (linear)
    loaded = loadLinear(number, depthAt, mayBeFirst);
  else
    for (int64_t i = 0; i < group; ++i)
      loaded.push_back(loadGathered(depthAt, placeOf(i)));
  if (isVector)
    llvm::copy(vector::ToElementsOp::create(b, loc, loaded.pop_back_val()).getResults(),
               std::back_inserter(loaded));
  return loaded;
}

/// The thread's elements are at a constant distance from each other, a summand or so many rows or
/// columns, and so have one address, but where the exchange has a bit that numbers them.
void FactorSlice::store(Value stage, ValueRange elements) {
  int64_t apart = alongDepth && !isVector ? threads / slice : tile;
  bool isOneView = !alongDepth || isVector || slice <= banks / group;
  auto viewOf = [&](int64_t i, int64_t stride) {
    Place place = placeOf(i);
    Value first = add(mul(place.depth, tile), exchanged(place.depth, place.other));
    return viewFrom(b, loc, memory, add(mul(stage, slice * tile), first), group, stride);
  };
  if (isVector && !alongDepth) {
    Value all = vector::FromElementsOp::create(b, loc, VectorType::get({group}, type), elements);
    vector::StoreOp::create(b, loc, all, viewOf(0, 1), ValueRange{index(0)}, /*nontemporal=*/false,
                            alignmentOf(type));
    return;
  }
  Value view = isOneView ? viewOf(0, apart) : Value();
  for (auto [i, value] : llvm::enumerate(elements)) {
    auto number = static_cast<int64_t>(i);
    memref::StoreOp::create(b, loc, value, isOneView ? view : viewOf(number, 1),
                            ValueRange{index(isOneView ? number : 0)});
  }
}

SmallVector<Value> FactorSlice::read(Value stage, int64_t depth, const Reader &reader,
                                     int64_t number) {
  // The bits of the exchange that the number of the group changes are known here, so that one
  // address serves for several loads, each at a constant distance.
  int64_t exchange = exchangeOf(depth);
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
