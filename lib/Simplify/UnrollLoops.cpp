//===- UnrollLoops.cpp - several trips at once ----------------------------===//

#include "TripSlices.h"
#include "jit/Simplify/Passes.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITUNROLLLOOPS
#include "jit/Simplify/Passes.h.inc"

static int64_t operatorsIn(scf::ForOp loop) {
  int64_t count = 0;
  loop.getBody()->walk([&](AtenOpInterface) { ++count; });
  return count;
}

/// True if every operator works element by element: trips that follow each other fuse.
static bool isPointwise(scf::ForOp loop) {
  if (operatorsIn(loop) == 0)
    return false;
  auto isOther = [](Operation *op) {
    bool isOther = isa<AtenOpInterface>(op) ? !isa<PointwiseOpInterface>(op) : op->getNumRegions();
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  };
  return !loop.getBody()->walk(isOther).wasInterrupted();
}

namespace {
struct UnrollLoopsPass : impl::JitUnrollLoopsBase<UnrollLoopsPass> {
  using JitUnrollLoopsBase::JitUnrollLoopsBase;

  void runOnOperation() override {
    if (factor < 1) {
      getOperation().emitError("expected a factor of 1 or more, got ") << int64_t(factor);
      return signalPassFailure();
    }
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      unroll(loop);
  }

  void unroll(scf::ForOp loop) {
    auto trips = tripCountOf(loop);
    int64_t operators = std::max<int64_t>(operatorsIn(loop), 1);
    if (!trips || (pointwiseOnly && !isPointwise(loop)))
      return;
    if (*trips <= fullLimit && *trips <= maxOperations / operators)
      (void)loopUnrollFull(loop);
    else if (factor > 1 && factor < *trips && factor <= maxOperations / operators)
      (void)loopUnrollByFactor(loop, factor);
  }
};
} // namespace

} // namespace jit
