//===- PointwiseKernel.cpp - elementwise ops, several elements a thread ---===//
#include "ElementEmitter.h"
#include "GPU/KernelEmitters.h"
#include "GPU/Launch.h"
#include "GPU/VectorAccess.h"
#include "LoopOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {
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
  jit::Access accessOf(OpOperand &operand, int64_t width);
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

jit::Access PointwiseEmitter::accessOf(OpOperand &operand, int64_t width) {
  return inner ? jit::accessAlong(op, operand, *inner, width) : jit::Access::Each;
}

void PointwiseEmitter::chooseWidth() {
  if (!inner)
    return;
  int64_t widest = 1;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) && accessOf(operand, 1) == jit::Access::Vector)
      widest = std::max(widest, jit::elementBytes(operand));
  auto fits = [&](int64_t candidate) {
    return sizes[*inner] % candidate == 0 &&
           llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
             return accessOf(init, candidate) == jit::Access::Vector;
           });
  };
  for (width = jit::accessBytes / widest; width > 1 && !fits(width);)
    width /= 2;
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
  jit::Access access = accessOf(operand, width);
  Value value;
  if (width > 1 && access == jit::Access::Vector)
    value = jit::loadVector(b, loc, operand, element.indices(operand, point), width);
  else if (access == jit::Access::Once)
    value = element.load(operand, point);
  if (value && jit::isBroadcast(op, operand))
    jit::markBroadcast(value.getDefiningOp());
  return value;
}

void PointwiseEmitter::storeAll(ArrayRef<SmallVector<Value>> lanes, ValueRange point) {
  if (width == 1)
    return element.store(lanes[0], point);
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    SmallVector<Value> values;
    for (const SmallVector<Value> &lane : lanes)
      values.push_back(lane[i]);
    jit::storeVector(b, loc, init, element.indices(init, point), values);
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
      if (jit::isBroadcast(op, operand))
        jit::markBroadcast(value.getDefiningOp());
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
