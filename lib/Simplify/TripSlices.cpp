//===- TripSlices.cpp - what the trips of a loop see of a tensor ----------===//

#include "TripSlices.h"
#include "jit/Dialect/Aten/AffineInt.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

std::optional<int64_t> tripCountOf(scf::ForOp loop) {
  IntInfo lower(loop.getLowerBound()), upper(loop.getUpperBound()), step(loop.getStep());
  int64_t span;
  if (!lower.known || !upper.known || step.valueOr(0) <= 0 ||
      llvm::SubOverflow(*upper.known, *lower.known, span) || span <= 0)
    return std::nullopt;
  return (span - 1) / *step.known + 1;
}

std::optional<IndexWalk> indexWalk(scf::ForOp loop, Value index, int64_t size) {
  AffineInt affine(index);
  auto range = affine.range(); // of a counter: its loop has a known number of trips
  if (!range || affine.variable != loop.getInductionVar() || affine.scale == 0)
    return std::nullopt;
  // Python counts negative indices from the back.
  int64_t shift = range->second < 0 ? size : 0;
  int64_t least = range->first + shift, greatest = range->second + shift;
  if (least < 0 || greatest >= size)
    return std::nullopt;
  // Both ends are in the dimension, so that no step between them overflows; of one trip there is
  // none.
  auto step = int64_t(uint64_t(affine.scale) * uint64_t(*IntInfo(loop.getStep()).known));
  return IndexWalk{step > 0 ? least : greatest, step, *tripCountOf(loop)};
}

/// The dimension that `operand` names, counted from the front.
static std::optional<int64_t> dimOf(Value operand, TensorType type) {
  auto dim = IntInfo(operand).known;
  int64_t rank = type.getRank();
  if (!dim || *dim < -rank || *dim >= rank)
    return std::nullopt;
  return *dim < 0 ? *dim + rank : *dim;
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

std::optional<TripStack> placeInTrips(scf::ForOp loop, Value tensor, Value dim, Value index) {
  TensorType type = staticType(tensor);
  auto along = type ? dimOf(dim, type) : std::nullopt;
  auto walk = along ? indexWalk(loop, index, type.getSizes()[*along]) : std::nullopt;
  if (!walk)
    return std::nullopt;
  return TripStack{.outside = Value(), .dim = *along, .walk = *walk};
}

std::optional<TripStack> findTripStack(scf::ForOp loop, Value value) {
  auto select = value.getDefiningOp<aten::SelectIntOp>();
  if (select && loop.isDefinedOutsideOfLoop(select.getSelf())) {
    auto stack = placeInTrips(loop, select.getSelf(), select.getDim(), select.getIndex());
    if (stack) {
      stack->outside = select.getSelf();
      return stack;
    }
  }
  for (OpOperand &use : value.getUses()) {
    auto scatter = dyn_cast<aten::SelectScatterOp>(use.getOwner());
    if (!scatter || scatter.getSrc() != value)
      continue;
    auto carried = dyn_cast<BlockArgument>(scatter.getSelf());
    if (!carried || carried.getOwner() != loop.getBody())
      continue;
    unsigned number = carried.getArgNumber() - 1;
    if (loop.getYieldedValues()[number] != scatter.getResult())
      continue;
    // No trip writes where another one has, and nothing else writes: what is there at the end is
    // what each trip wrote.
    auto stack = placeInTrips(loop, scatter.getSelf(), scatter.getDim(), scatter.getIndex());
    if (stack) {
      stack->result = number;
      return stack;
    }
  }
  Value source = reshapedSource(value);
  return source ? findTripStack(loop, source) : std::nullopt;
}

Tensor buildTripStack(GraphBuilder &build, scf::ForOp loop, const TripStack &stack) {
  Tensor tensor(build, stack.outside ? stack.outside : loop.getResult(stack.result));
  auto order = llvm::to_vector(llvm::seq<int64_t>(tensor.info().rank()));
  order.erase(order.begin() + stack.dim);
  order.insert(order.begin(), stack.dim);
  tensor = permuted(tensor, order);
  const IndexWalk &walk = stack.walk;
  if (walk.isWhole(tensor.info().size(0)))
    return tensor;
  return build.op<aten::SliceTensorOp>(tensor, 0, walk.least(), walk.greatest() + 1,
                                       std::abs(walk.step));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

std::optional<TripSlice> matchTripSlice(scf::ForOp loop, Value value) {
  Operation *op = value.getDefiningOp();
  auto slice = dyn_cast_or_null<aten::SliceTensorOp>(op);
  bool isSlice = slice || isa_and_present<aten::SelectIntOp>(op);
  if (!isSlice || !staticType(value) || !loop.isDefinedOutsideOfLoop(op->getOperand(0)))
    return std::nullopt;
  TensorType type = staticType(op->getOperand(0));
  auto dim = type ? dimOf(op->getOperand(1), type) : std::nullopt;
  if (!dim)
    return std::nullopt;
  int64_t each = slice ? staticType(value).getSizes()[*dim] : 1;
  auto walk = indexWalk(loop, op->getOperand(2), type.getSizes()[*dim]);
  if (!walk || std::abs(walk->step) < each)
    return std::nullopt;
  return TripSlice{op, op->getOperand(0), *dim, each * walk->trips};
}

} // namespace jit
