//===- ElementKernel.cpp - a thread for each output -----------------------===//
#include "Analysis/LoopSizes.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/Launch.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// Runs the reductions `dims` one after another within one thread.
static SmallVector<Value> emitReductions(OpBuilder &b, linalg::LinalgOp op,
                                         jit::codegen::ElementEmitter &element,
                                         ArrayRef<OpFoldResult> sizes, ArrayRef<unsigned> dims,
                                         SmallVector<Value> &point, ValueRange accumulators) {
  if (dims.empty())
    return element.emitBody(point, accumulators);
  Location loc = op.getLoc();
  unsigned dim = dims.front();
  auto index = [&](int64_t value) { return jit::codegen::constantIndex(b, loc, value); };
  Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
  auto loop = scf::ForOp::create(b, loc, index(0), size, index(1), accumulators);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  point[dim] = loop.getInductionVar();
  SmallVector<Value> inner =
      emitReductions(b, op, element, sizes, dims.drop_front(), point, loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc, inner);
  return SmallVector<Value>(loop.getResults());
}

void jit::codegen::emitElements(linalg::LinalgOp op, OpBuilder &b, const GpuMachine &machine) {
  SmallVector<unsigned> parallel, reductions;
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  SmallVector<OpFoldResult> sizes = *loopSizes(b, op), counts;
  for (unsigned dim : parallel)
    counts.push_back(sizes[dim]);
  Location loc = op.getLoc();
  auto body = [&](Value id) {
    SmallVector<Value> point(sizes.size());
    for (auto [dim, value] : llvm::zip(parallel, delinearize(b, loc, id, counts)))
      point[dim] = value;
    ElementEmitter element(op, b);
    for (unsigned dim : reductions)
      point[dim] = constantIndex(b, loc, 0);
    SmallVector<Value> accumulators = element.loadOutputs(point);
    element.store(emitReductions(b, op, element, sizes, reductions, point, accumulators), point);
  };
  Value count = pointsOf(b, loc, counts);
  if (auto known = getConstantIntValue(count))
    launchForEach(b, loc, "elements", *known, machine.multiprocessors, body);
  else
    launchForOpen(b, loc, "elements", count, machine.multiprocessors, body);
}
