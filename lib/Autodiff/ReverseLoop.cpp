//===- ReverseLoop.cpp - the backward pass of a loop ----------------------===//

#include "LoopResiduals.h"
#include "Reverse.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// The active values from before the loop that its body uses.
static llvm::SetVector<Value> usedFromOutside(scf::ForOp op, const ActiveValues &active) {
  llvm::SetVector<Value> used;
  auto add = [&](Value value) {
    if (active.contains(value) && !op.getRegion().isAncestor(value.getParentRegion()))
      used.insert(value);
  };
  op.getBody()->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      add(operand);
      if (isa<ListType>(operand.getType()))
        for (const ListPiece &piece : listPieces(operand).value_or(SmallVector<ListPiece>()))
          add(piece.tensor);
    }
  });
  return used;
}

/// A buffer that each trip fills one slice of and does nothing else with: its gradient is read, not
/// carried.
static bool isFilled(scf::ForOp op, unsigned i, const ActiveValues &active) {
  Value buffer = op.getRegionIterArg(i);
  auto fill = op.getYieldedValues()[i].getDefiningOp<aten::SelectScatterOp>();
  return fill && fill.getSelf() == buffer && buffer.hasOneUse() && fill->hasOneUse() &&
         !active.contains(op.getInitArgs()[i]) && fill.getIndex() == op.getInductionVar();
}

/// Zeros of the sizes that what a loop carries has where it is `now`: where its type does not say
/// them they may change from trip to trip, and are not those of `init`.
static Value zerosForCarried(OpBuilder &b, Location loc, Value init, Value now) {
  return zerosFor(b, loc, cast<TensorType>(now.getType()).isStatic() ? init : now);
}

/// What each trip puts another in the place of without a look at it: of what the last one puts
/// there the result is made, and of what was there before where there are no trips.
static bool isReplaced(scf::ForOp op, unsigned i) { return op.getRegionIterArg(i).use_empty(); }

static Value isFirstTrip(scf::ForOp loop, OpBuilder &inside) {
  return arith::CmpIOp::create(inside, loop.getLoc(), arith::CmpIPredicate::eq,
                               loop.getInductionVar(), loop.getLowerBound());
}

/// Whether there are trips, or none, by `predicate`.
static Value hasTrips(const BackwardTrips &trips, OpBuilder &b, Location loc,
                      arith::CmpIPredicate predicate) {
  return arith::CmpIOp::create(b, loc, predicate, trips.count, trips.zero);
}

LogicalResult Reverse::loop(scf::ForOp op, OpBuilder &b, GradientMap &gradients) {
  Location loc = op.getLoc();
  SmallVector<unsigned> carried, filled;
  for (unsigned i = 0; i < op.getNumRegionIterArgs(); ++i) {
    if (!active.contains(op.getRegionIterArg(i)) && !active.contains(op.getYieldedValues()[i]))
      continue;
    (isFilled(op, i, active) ? filled : carried).push_back(i);
  }
  for (unsigned i : filled)
    active.erase(op.getRegionIterArg(i));
  llvm::SetVector<Value> outside = usedFromOutside(op, active);

  SmallVector<Value> inits;
  for (unsigned i : carried) {
    Value gradient = gradients.lookup(op.getResult(i));
    inits.push_back(gradient ? gradient
                             : zerosForCarried(b, loc, op.getInitArgs()[i], op.getResult(i)));
  }
  for (Value value : outside) {
    Value gradient = gradients.lookup(value);
    inits.push_back(gradient ? gradient : zerosFor(b, loc, value));
  }

  BackwardTrips trips(op, b);
  auto backward = scf::ForOp::create(b, loc, trips.zero, trips.count, trips.one, inits,
                                     [](OpBuilder &, Location, Value, ValueRange) {});
  OpBuilder inside = OpBuilder::atBlockEnd(backward.getBody());
  GradientMap inner;
  ValueRange args = backward.getRegionIterArgs();
  // First, for a trip may hand on a value from outside as it is.
  for (auto [n, value] : llvm::enumerate(outside))
    inner[value] = args[carried.size() + n];
  for (auto [n, i] : llvm::enumerate(carried))
    add(inside, loc, inner, op.getYieldedValues()[i], args[n],
        isReplaced(op, i) ? std::optional(Presence{isFirstTrip(backward, inside), true})
                          : std::nullopt);
  for (unsigned i : filled)
    if (Value gradient = gradients.lookup(op.getResult(i)))
      accumulate(inside, loc, inner, op.getYieldedValues()[i], gradient);
  if (failed(block(*op.getBody(), inside, inner)))
    return failure();

  SmallVector<Value> yields;
  for (unsigned i : carried) {
    Value gradient = inner.lookup(op.getRegionIterArg(i));
    yields.push_back(
        gradient ? gradient
                 : zerosForCarried(inside, loc, op.getInitArgs()[i], op.getRegionIterArg(i)));
  }
  for (Value value : outside)
    yields.push_back(inner.lookup(value));
  scf::YieldOp::create(inside, loc, yields);

  for (auto [n, i] : llvm::enumerate(carried))
    if (active.contains(op.getInitArgs()[i]))
      add(b, loc, gradients, op.getInitArgs()[i], backward.getResult(n),
          isReplaced(op, i)
              ? std::optional(Presence{hasTrips(trips, b, loc, arith::CmpIPredicate::sle), true})
              : std::nullopt);
  for (auto [n, value] : llvm::enumerate(outside)) {
    bool isOfTrips = !gradients.contains(value) && !IntInfo(trips.count).known;
    // An initial value that is used inside too has both shares.
    Value total = backward.getResult(carried.size() + n);
    for (auto [m, i] : llvm::enumerate(carried))
      if (op.getInitArgs()[i] == value) {
        GraphBuilder build{b, loc};
        total = (Tensor(build, total) + Tensor(build, backward.getResult(m))).v;
      }
    gradients[value] = total;
    presences.erase(value);
    if (isOfTrips)
      presences[value] = {hasTrips(trips, b, loc, arith::CmpIPredicate::sgt), /*isZeroElse=*/true};
  }
  return keepForLoop(op, backward, trips);
}

} // namespace jit
