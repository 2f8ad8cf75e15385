//===- ReducedPieces.cpp - what pieces of a reduction reduce to -----------===//
#include "Kernels/ReducedPieces.h"
#include "Kernels/Launch.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::ReducedPieces;

ReducedPieces::ReducedPieces(linalg::LinalgOp op, Reducer reducer, int64_t pieces, OpBuilder &b)
    : op(op), reducer(std::move(reducer)), b(b), loc(op.getLoc()), element(op, b), pieces(pieces) {
  op.getParallelDims(parallel);
  for (unsigned dim : parallel) {
    sizes.push_back(op.getStaticLoopRanges()[dim]);
    outputs *= sizes.back();
  }
  for (Value init : op.getDpsInits())
    partial.push_back(memref::AllocOp::create(
        b, loc, MemRefType::get({pieces, outputs}, getElementTypeOrSelf(init))));
}

SmallVector<Value> ReducedPieces::pointOf(Value output) {
  SmallVector<Value> point(op.getNumLoops(), index(0));
  for (auto [dim, value] : llvm::zip(parallel, delinearize(b, loc, output, sizes)))
    point[dim] = value;
  return point;
}

void ReducedPieces::enterFirst(Value thread) {
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, index(0));
  b.setInsertionPointToStart(scf::IfOp::create(b, loc, isFirst).thenBlock());
}

void ReducedPieces::store(ValueRange values, Value output, Value piece) {
  for (auto [value, to] : llvm::zip(values, partial))
    memref::StoreOp::create(b, loc, value, to, ValueRange{piece, output});
}

void ReducedPieces::storeNeighbours(ArrayRef<Value> values, Value output, Value piece) {
  size_t count = values.size() / partial.size();
  for (auto [i, to] : llvm::enumerate(partial)) {
    SmallVector<Value> neighbours;
    for (size_t at = 0; at < count; ++at)
      neighbours.push_back(values[at * partial.size() + i]);
    Type type = neighbours.front().getType();
    int64_t bytes = static_cast<int64_t>(count) *
                    llvm::divideCeilSigned(type.getIntOrFloatBitWidth(), CHAR_BIT);
    Value all = vector::FromElementsOp::create(
        b, loc, VectorType::get({static_cast<int64_t>(count)}, type), neighbours);
    vector::StoreOp::create(b, loc, all, to, ValueRange{piece, output}, /*nontemporal=*/false,
                            llvm::MaybeAlign(std::min(accessBytes, bytes)));
  }
}

void ReducedPieces::storeOfFirst(Value thread, ValueRange values, Value output, Value piece) {
  OpBuilder::InsertionGuard guard(b);
  enterFirst(thread);
  store(values, output, piece);
}

SmallVector<Value> ReducedPieces::join(Value output, Value first, int64_t step) {
  auto loop = scf::ForOp::create(b, loc, first, index(pieces), index(step), reducer.neutral(b));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> values;
  for (Value from : partial)
    values.push_back(
        memref::LoadOp::create(b, loc, from, ValueRange{loop.getInductionVar(), output}));
  scf::YieldOp::create(b, loc, reducer.combine(b, loop.getRegionIterArgs(), values));
  return SmallVector<Value>(loop.getResults());
}

void ReducedPieces::storeOutput(ValueRange values, Value output) {
  SmallVector<Value> point = pointOf(output);
  element.store(reducer.combine(b, element.loadOutputs(point), values), point);
}

void ReducedPieces::joinByWarps() {
  Launch launch(b, loc, "joined", outputs, warpSize);
  SmallVector<Value> own = join(launch.blockId(), launch.threadId(), warpSize);
  SmallVector<Value> all = reducer.acrossLanes(b, own, warpSize);
  OpBuilder::InsertionGuard guard(b);
  enterFirst(launch.threadId());
  storeOutput(all, launch.blockId());
}

void ReducedPieces::joinByThreads(const GpuMachine &machine) {
  launchForEach(b, loc, "joined", outputs, machine.multiprocessors,
                [&](Value output) { storeOutput(join(output, index(0), 1), output); });
}
