//===- LoopResiduals.cpp - stacks of what the trips of a loop computed ----===//

#include "LoopResiduals.h"
#include "GradSums.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace jit {

BackwardTrips::BackwardTrips(scf::ForOp forward, OpBuilder &b) {
  GraphBuilder build{b, forward.getLoc()};
  zero = build.i(0).v;
  one = build.i(1).v;
  IntInfo lower(forward.getLowerBound()), upper(forward.getUpperBound()), step(forward.getStep());
  int64_t extent;
  if (lower.known && upper.known && step.known && *step.known > 0 &&
      !llvm::SubOverflow(*upper.known, *lower.known, extent)) {
    auto trips = llvm::divideCeil(uint64_t(std::max<int64_t>(extent, 0)), uint64_t(*step.known));
    count = build.i(int64_t(trips)).v;
    return;
  }
  Value span = arith::SubIOp::create(b, forward.getLoc(), upper.value, lower.value);
  count = arith::CeilDivSIOp::create(b, forward.getLoc(), span, step.value);
  count = arith::MaxSIOp::create(b, forward.getLoc(), count, zero);
}

/// A number as a tensor of rank 0, which can be stacked.
static Value toTensor(GraphBuilder &build, Value value) {
  if (isa<TensorType>(value.getType()))
    return value;
  if (value.getType().isInteger(1))
    return build.op<aten::NumToTensorBoolOp>(value).v;
  return build.op<aten::NumToTensorScalarOp>(value).v;
}

/// The reverse, for a value of type `type`.
static Value fromTensor(GraphBuilder &build, Value tensor, Type type) {
  if (isa<TensorType>(type))
    return tensor;
  if (type.isInteger(1))
    return build.multi<aten::BoolTensorOp>(tensor)->getResult(0);
  if (type.isF64())
    return build.multi<aten::FloatTensorOp>(tensor)->getResult(0);
  return build.multi<aten::IntTensorOp>(tensor)->getResult(0);
}

/// A buffer with a slice for each trip, all of which the loop fills.
static Value emptyStack(OpBuilder &b, Location loc, TensorType slice, int64_t trips) {
  SmallVector<int64_t> sizes = {trips};
  llvm::append_range(sizes, slice.getSizes());
  auto type = TensorType::get(b.getContext(), ArrayRef(sizes), slice.getDtype());
  return PoisonOp::create(b, loc, type);
}

/// The loop with one more carried value for each of `inits`, which trips yield as `yields` says.
static scf::ForOp withCarried(scf::ForOp loop, ValueRange inits,
                              llvm::function_ref<Value(unsigned, BlockArgument)> yields) {
  OpBuilder b(loop);
  SmallVector<Value> allInits(loop.getInitArgs());
  llvm::append_range(allInits, inits);
  auto wider =
      scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                         loop.getStep(), allInits, [](OpBuilder &, Location, Value, ValueRange) {});
  wider.getRegion().takeBody(loop.getRegion());
  Block *body = wider.getBody();
  Operation *yield = body->getTerminator();
  for (auto [i, init] : llvm::enumerate(inits)) {
    BlockArgument arg = body->addArgument(init.getType(), init.getLoc());
    yield->insertOperands(yield->getNumOperands(), yields(i, arg));
  }
  loop->replaceAllUsesWith(wider->getResults().take_front(loop.getNumResults()));
  loop.erase();
  return wider;
}

/// The number of the trip that runs, in the forward loop.
static Value tripNumber(scf::ForOp loop, OpBuilder &b) {
  Value trip = loop.getInductionVar();
  if (IntInfo(loop.getLowerBound()).known != 0)
    trip = arith::SubIOp::create(b, loop.getLoc(), trip, loop.getLowerBound());
  if (IntInfo(loop.getStep()).known != 1)
    trip = arith::DivSIOp::create(b, loop.getLoc(), trip, loop.getStep());
  return trip;
}

/// The values that the forward loop carries into trip `number`, by running all trips before it once
/// more: no memory for a number of trips, or for sizes, that only the call tells, for a time that
/// grows with the square of the trips.
static void replayTrips(scf::ForOp forward, OpBuilder &b, Value number, IRMapping &map) {
  Location loc = forward.getLoc();
  Value reached = arith::MulIOp::create(b, loc, number, forward.getStep());
  reached = arith::AddIOp::create(b, loc, reached, forward.getLowerBound());
  auto trip = [&](OpBuilder &inner, Location, Value counter, ValueRange args) {
    IRMapping own;
    own.map(forward.getInductionVar(), counter);
    own.map(forward.getRegionIterArgs(), args);
    for (Operation &op : *forward.getBody())
      inner.clone(op, own);
  };
  auto replay = scf::ForOp::create(b, loc, forward.getLowerBound(), reached, forward.getStep(),
                                   forward.getInitArgs(), trip);
  map.map(forward.getRegionIterArgs(), replay.getResults());
}

/// Whether the trips' values have one size, so that they can be stacked.
static bool isStackable(Value value) {
  auto tensor = dyn_cast<TensorType>(value.getType());
  return tensor ? tensor.isStatic() : value.getType().isIntOrFloat();
}

/// What the backward loop needs of the forward loop, stacked; nullopt where that cannot be.
static std::optional<ResidualPlan> planStacks(scf::ForOp forward, scf::ForOp backward) {
  ResidualPlan plan = planResiduals(*forward.getBody(), backward.getRegion(),
                                    {forward.getInductionVar()}, /*listsCanBeKept=*/false);
  return llvm::all_of(plan.kept, isStackable) ? std::optional(std::move(plan)) : std::nullopt;
}

LogicalResult keepForLoop(scf::ForOp forward, scf::ForOp backward, const BackwardTrips &trips) {
  Location loc = forward.getLoc();
  std::optional<int64_t> count = IntInfo(trips.count).known;
  if (failed(settleGradSums(backward.getRegion())))
    return failure();
  std::optional<ResidualPlan> stacked = count ? planStacks(forward, backward) : std::nullopt;
  SmallVector<Value> given = {forward.getInductionVar()};
  llvm::append_range(given, forward.getRegionIterArgs());
  ResidualPlan plan =
      stacked ? std::move(*stacked) : planReplay(*forward.getBody(), backward.getRegion(), given);

  OpBuilder start = OpBuilder::atBlockBegin(backward.getBody());
  GraphBuilder build{start, loc};
  Value last = arith::SubIOp::create(start, loc, trips.count, trips.one);
  Value trip = arith::SubIOp::create(start, loc, last, backward.getInductionVar());
  IRMapping map;
  Value counter = arith::MulIOp::create(start, loc, trip, forward.getStep());
  counter = arith::AddIOp::create(start, loc, counter, forward.getLowerBound());
  map.map(forward.getInductionVar(), counter);

  if (!stacked)
    replayTrips(forward, start, trip, map);
  scf::ForOp kept = forward;
  if (!plan.kept.empty()) {
    OpBuilder before(forward);
    OpBuilder end(forward.getBody()->getTerminator());
    GraphBuilder inner{end, loc};
    Value number = tripNumber(forward, end);
    SmallVector<Value> slices, inits;
    for (Value value : plan.kept) {
      slices.push_back(toTensor(inner, value));
      inits.push_back(emptyStack(before, loc, cast<TensorType>(slices.back().getType()), *count));
    }
    kept = withCarried(forward, inits, [&](unsigned i, BlockArgument stack) {
      return inner.op<aten::SelectScatterOp>(stack, slices[i], 0, number).v;
    });
    ResultRange stacks = kept->getResults().take_back(inits.size());
    for (auto [value, stack] : llvm::zip(plan.kept, stacks)) {
      Value slice = build.op<aten::SelectIntOp>(stack, 0, trip).v;
      map.map(value, fromTensor(build, slice, value.getType()));
    }
  }
  useResiduals(plan, backward.getRegion(), start, map);
  return success();
}

} // namespace jit
