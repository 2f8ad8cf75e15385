//===- PointwiseKernel.cpp - elementwise ops, several elements a thread ---===//
#include "Analysis/LoopOrder.h"
#include "Analysis/LoopSizes.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/Launch.h"
#include "Kernels/VectorAccess.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {
class PointwiseEmitter {
public:
  PointwiseEmitter(linalg::LinalgOp op, OpBuilder &b)
      : op(op), b(b), loc(op.getLoc()), sizes(op.getStaticLoopRanges()),
        counts(*jit::codegen::loopSizes(b, op)), element(op, b) {
    chooseInner();
    chooseWidth();
  }

  void emit(const jit::codegen::GpuMachine &machine);

private:
  void chooseInner();
  void chooseWidth();
  bool isInnerOpen() const { return ShapedType::isDynamic(sizes[*inner]); }
  jit::codegen::Access accessOf(OpOperand &operand, int64_t width);
  /// How many threads go along the inner dimension, whose size this is.
  OpFoldResult accessesAlong(OpFoldResult size);
  /// The coordinates of a thread's first element.
  SmallVector<Value> firstPoint(Value id);
  SmallVector<Value> neighbour(ValueRange point, int64_t lane);
  void emitNeighbours(ValueRange point);
  /// The same where only the call tells whether vectors are whole and aligned; else one by one.
  void emitOpenNeighbours(ValueRange point);
  Value isWhole(Value first, Value size);
  /// What is loaded once for all neighbours: a vector, a scalar, or null.
  Value loadOnce(OpOperand &operand, ValueRange point);
  void storeAll(ArrayRef<SmallVector<Value>> lanes, ValueRange point);

  linalg::LinalgOp op;
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> sizes;
  /// The same as values, where they are open.
  SmallVector<OpFoldResult> counts;
  jit::codegen::ElementEmitter element;
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
    if (sizes[dim] != 1 && jit::codegen::strideAlong(op, *op.getDpsInitOperand(0), dim) == 1)
      inner = dim;
}

jit::codegen::Access PointwiseEmitter::accessOf(OpOperand &operand, int64_t width) {
  return inner ? jit::codegen::accessAlong(op, operand, *inner, width) : jit::codegen::Access::Each;
}

void PointwiseEmitter::chooseWidth() {
  if (!inner)
    return;
  int64_t widest = 1;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) &&
        accessOf(operand, 1) == jit::codegen::Access::Vector)
      widest = std::max(widest, jit::codegen::elementBytes(operand));
  auto fits = [&](int64_t candidate) {
    return (isInnerOpen() || sizes[*inner] % candidate == 0) &&
           llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
             return accessOf(init, candidate) == jit::codegen::Access::Vector;
           });
  };
  for (width = jit::codegen::accessBytes / widest; width > 1 && !fits(width);)
    width /= 2;
}

OpFoldResult PointwiseEmitter::accessesAlong(OpFoldResult size) {
  if (auto known = getConstantIntValue(size))
    return b.getIndexAttr(*known / width);
  if (width == 1)
    return size;
  // Sizes are no more than memory has elements: the sum is not too large.
  Value last = arith::AddIOp::create(b, loc, cast<Value>(size),
                                     jit::codegen::constantIndex(b, loc, width - 1));
  return arith::DivUIOp::create(b, loc, last, jit::codegen::constantIndex(b, loc, width))
      .getResult();
}

SmallVector<Value> PointwiseEmitter::firstPoint(Value id) {
  if (!inner)
    return jit::codegen::delinearize(b, loc, id, counts);
  // The inner dimension changes fastest from thread to thread.
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (dim != *inner)
      order.push_back(dim);
  order.push_back(*inner);
  SmallVector<OpFoldResult> accesses;
  for (unsigned dim : order)
    accesses.push_back(dim == *inner ? accessesAlong(counts[dim]) : counts[dim]);
  SmallVector<Value> ordered = jit::codegen::delinearize(b, loc, id, accesses), point(sizes.size());
  for (auto [dim, value] : llvm::zip(order, ordered))
    point[dim] = value;
  if (width > 1)
    point[*inner] =
        arith::MulIOp::create(b, loc, point[*inner], jit::codegen::constantIndex(b, loc, width));
  return point;
}

SmallVector<Value> PointwiseEmitter::neighbour(ValueRange point, int64_t lane) {
  SmallVector<Value> result(point);
  if (lane > 0)
    result[*inner] =
        arith::AddIOp::create(b, loc, point[*inner], jit::codegen::constantIndex(b, loc, lane));
  return result;
}

Value PointwiseEmitter::loadOnce(OpOperand &operand, ValueRange point) {
  bool isUnused = op.getMatchingBlockArgument(&operand).use_empty();
  if (isUnused || !isa<MemRefType>(operand.get().getType()))
    return nullptr;
  jit::codegen::Access access = accessOf(operand, width);
  Value value;
  if (width > 1 && access == jit::codegen::Access::Vector)
    value = jit::codegen::loadVector(b, loc, operand, element.indices(operand, point), width);
  else if (access == jit::codegen::Access::Once)
    value = element.load(operand, point);
  if (value && jit::codegen::isBroadcast(op, operand))
    jit::codegen::markBroadcast(value.getDefiningOp());
  return value;
}

void PointwiseEmitter::storeAll(ArrayRef<SmallVector<Value>> lanes, ValueRange point) {
  if (width == 1)
    return element.store(lanes[0], point);
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    SmallVector<Value> values;
    for (const SmallVector<Value> &lane : lanes)
      values.push_back(lane[i]);
    jit::codegen::storeVector(b, loc, init, element.indices(init, point), values);
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
      if (jit::codegen::isBroadcast(op, operand))
        jit::codegen::markBroadcast(value.getDefiningOp());
      return value;
    };
    lanes.push_back(element.emitBody(place, {}, read));
  }
  storeAll(lanes, point);
}

/// In one dimension the last vector may be a part; rows are aligned if their size is whole vectors.
Value PointwiseEmitter::isWhole(Value first, Value size) {
  bool isAlone = llvm::count_if(sizes, [](int64_t size) { return size != 1; }) == 1;
  Value whole = jit::codegen::constantIndex(b, loc, width);
  if (isAlone) {
    Value end = arith::AddIOp::create(b, loc, first, whole);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, end, size);
  }
  Value rest = arith::RemUIOp::create(b, loc, size, whole);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                               jit::codegen::constantIndex(b, loc, 0));
}

void PointwiseEmitter::emitOpenNeighbours(ValueRange point) {
  Value size = cast<Value>(counts[*inner]), first = point[*inner];
  auto branch = scf::IfOp::create(b, loc, isWhole(first, size), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitNeighbours(point);
  b.setInsertionPointToStart(branch.elseBlock());
  Value end = arith::AddIOp::create(b, loc, first, jit::codegen::constantIndex(b, loc, width));
  end = arith::MinUIOp::create(b, loc, end, size);
  auto loop = scf::ForOp::create(b, loc, first, end, jit::codegen::constantIndex(b, loc, 1));
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> place(point);
  place[*inner] = loop.getInductionVar();
  int64_t wide = std::exchange(width, 1);
  emitNeighbours(place);
  width = wide;
}

void PointwiseEmitter::emit(const jit::codegen::GpuMachine &machine) {
  if (jit::codegen::hasOpenSizes(op)) {
    SmallVector<OpFoldResult> accesses(counts);
    if (inner)
      accesses[*inner] = accessesAlong(counts[*inner]);
    Value count = jit::codegen::pointsOf(b, loc, accesses);
    jit::codegen::launchForOpen(b, loc, "pointwise", count, machine.multiprocessors, [&](Value id) {
      SmallVector<Value> point = firstPoint(id);
      inner &&isInnerOpen() && width > 1 ? emitOpenNeighbours(point) : emitNeighbours(point);
    });
    return;
  }
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  jit::codegen::launchForEach(b, loc, "pointwise", count / width, machine.multiprocessors,
                              [&](Value id) { emitNeighbours(firstPoint(id)); });
}

bool jit::codegen::emitPointwise(linalg::LinalgOp op, OpBuilder &b, const GpuMachine &machine) {
  if (op.getNumReductionLoops() != 0)
    return false;
  PointwiseEmitter(op, b).emit(machine);
  return true;
}
