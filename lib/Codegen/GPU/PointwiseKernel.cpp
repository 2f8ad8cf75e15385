//===- PointwiseKernel.cpp - elementwise ops, several elements a thread ---===//
#include "ElementEmitter.h"
#include "GPU/KernelEmitters.h"
#include "GPU/Launch.h"
#include "LoopOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// Bytes of the widest access.
static constexpr int64_t accessBytes = 16;

namespace {
/// How the neighbours of one thread find their elements of an operand.
enum class Access {
  Vector, ///< side by side, aligned: one access for all
  Once,   ///< all read the same element
  Each,   ///< one access for each
};

class PointwiseEmitter {
public:
  PointwiseEmitter(linalg::LinalgOp op, OpBuilder &b)
      : op(op), b(b), loc(op.getLoc()), sizes(op.getStaticLoopRanges()), element(op, b) {
    chooseInner();
    chooseWidth();
  }

  void emit(const jit::GpuProfile &profile);

private:
  void chooseInner();
  void chooseWidth();
  Access accessOf(OpOperand &operand, int64_t width);
  bool isAligned(OpOperand &operand, int64_t width);
  bool isBroadcast(OpOperand &operand);
  VectorType vectorType(OpOperand &operand);
  llvm::MaybeAlign alignment(OpOperand &operand);
  /// The coordinates of a thread's first element.
  SmallVector<Value> firstPoint(Value id);
  SmallVector<Value> neighbour(ValueRange point, int64_t lane);
  void emitNeighbours(ValueRange point);
  /// What is loaded once for all neighbours: a vector, a scalar, or null.
  Value loadOnce(OpOperand &operand, ValueRange point);
  void storeAll(ArrayRef<SmallVector<Value>> lanes, ValueRange point);

  linalg::LinalgOp op;
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> sizes;
  jit::ElementEmitter element;
  /// The dimension along which a thread's elements are neighbours, and how many they are.
  std::optional<unsigned> inner;
  int64_t width = 1;
};
} // namespace

static int64_t elementBytes(OpOperand &operand) {
  Type type = getElementTypeOrSelf(operand.get());
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

/// The mark of a load whose element other threads load too.
static void markBroadcast(Operation *load) {
  load->setAttr(jit::broadcastAttrName, UnitAttr::get(load->getContext()));
}

/// The dimension along which the first output is contiguous; the last one with neighbours at all
/// where there is none.
void PointwiseEmitter::chooseInner() {
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] != 1)
      inner = dim;
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] != 1 && jit::strideAlong(op, *op.getDpsInitOperand(0), dim) == 1)
      inner = dim;
}

/// True if a vector of `width` elements is aligned wherever a thread finds one.
bool PointwiseEmitter::isAligned(OpOperand &operand, int64_t width) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(operand.get().getType());
  if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
      offset % width != 0)
    return false;
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (dim != *inner && sizes[dim] != 1 && jit::strideAlong(op, operand, dim) % width != 0)
      return false;
  return true;
}

Access PointwiseEmitter::accessOf(OpOperand &operand, int64_t width) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!inner || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return Access::Each;
  int64_t stride = jit::strideAlong(op, operand, *inner);
  if (stride == 0)
    return Access::Once;
  bool isLast = map.getResults().back() == getAffineDimExpr(*inner, op.getContext());
  return stride == 1 && isLast && isAligned(operand, width) ? Access::Vector : Access::Each;
}

void PointwiseEmitter::chooseWidth() {
  if (!inner)
    return;
  int64_t widest = 1;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) && accessOf(operand, 1) == Access::Vector)
      widest = std::max(widest, elementBytes(operand));
  auto fits = [&](int64_t candidate) {
    return sizes[*inner] % candidate == 0 &&
           llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
             return accessOf(init, candidate) == Access::Vector;
           });
  };
  for (width = accessBytes / widest; width > 1 && !fits(width);)
    width /= 2;
}

/// True if fewer elements of the operand are read than there are points.
bool PointwiseEmitter::isBroadcast(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] != 1 && !map.isFunctionOfDim(dim))
      return true;
  return false;
}

VectorType PointwiseEmitter::vectorType(OpOperand &operand) {
  return VectorType::get({width}, getElementTypeOrSelf(operand.get()));
}

llvm::MaybeAlign PointwiseEmitter::alignment(OpOperand &operand) {
  return llvm::Align(std::min(accessBytes, width * elementBytes(operand)));
}

SmallVector<Value> PointwiseEmitter::firstPoint(Value id) {
  if (!inner)
    return jit::delinearize(b, loc, id, sizes);
  // The inner dimension changes fastest from thread to thread.
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (dim != *inner)
      order.push_back(dim);
  order.push_back(*inner);
  SmallVector<int64_t> counts;
  for (unsigned dim : order)
    counts.push_back(dim == *inner ? sizes[dim] / width : sizes[dim]);
  SmallVector<Value> ordered = jit::delinearize(b, loc, id, counts), point(sizes.size());
  for (auto [dim, value] : llvm::zip(order, ordered))
    point[dim] = value;
  if (width > 1)
    point[*inner] = arith::MulIOp::create(b, loc, point[*inner], jit::constantIndex(b, loc, width));
  return point;
}

SmallVector<Value> PointwiseEmitter::neighbour(ValueRange point, int64_t lane) {
  SmallVector<Value> result(point);
  if (lane > 0)
    result[*inner] = arith::AddIOp::create(b, loc, point[*inner], jit::constantIndex(b, loc, lane));
  return result;
}

Value PointwiseEmitter::loadOnce(OpOperand &operand, ValueRange point) {
  bool isUnused = op.getMatchingBlockArgument(&operand).use_empty();
  if (isUnused || !isa<MemRefType>(operand.get().getType()))
    return nullptr;
  Access access = accessOf(operand, width);
  Value value;
  if (width > 1 && access == Access::Vector)
    value = vector::LoadOp::create(b, loc, vectorType(operand), operand.get(),
                                   element.indices(operand, point), /*nontemporal=*/false,
                                   alignment(operand));
  else if (access == Access::Once)
    value = element.load(operand, point);
  if (value && isBroadcast(operand))
    markBroadcast(value.getDefiningOp());
  return value;
}

void PointwiseEmitter::storeAll(ArrayRef<SmallVector<Value>> lanes, ValueRange point) {
  if (width == 1)
    return element.store(lanes[0], point);
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    SmallVector<Value> values;
    for (const SmallVector<Value> &lane : lanes)
      values.push_back(lane[i]);
    Value all = vector::FromElementsOp::create(b, loc, vectorType(init), values);
    vector::StoreOp::create(b, loc, all, init.get(), element.indices(init, point),
                            /*nontemporal=*/false, alignment(init));
  }
}

void PointwiseEmitter::emitNeighbours(ValueRange point) {
  SmallVector<Value> loaded;
  for (OpOperand &operand : op->getOpOperands())
    loaded.push_back(loadOnce(operand, point));
  SmallVector<SmallVector<Value>> lanes;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> place = neighbour(point, lane);
    auto read = [&](OpOperand &operand) -> Value {
      Value value = loaded[operand.getOperandNumber()];
      if (value && isa<VectorType>(value.getType()))
        return vector::ExtractOp::create(b, loc, value, lane);
      if (value)
        return value;
      value = element.load(operand, place);
      if (isBroadcast(operand))
        markBroadcast(value.getDefiningOp());
      return value;
    };
    lanes.push_back(element.emitBody(place, {}, read));
  }
  storeAll(lanes, point);
}

void PointwiseEmitter::emit(const jit::GpuProfile &profile) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  jit::launchForEach(b, loc, "pointwise", count / width, profile.multiprocessors,
                     [&](Value id) { emitNeighbours(firstPoint(id)); });
}

bool jit::emitPointwise(linalg::LinalgOp op, OpBuilder &b, const GpuProfile &profile) {
  if (op.getNumReductionLoops() != 0)
    return false;
  PointwiseEmitter(op, b).emit(profile);
  return true;
}
