//===- Reverse.cpp - the backward pass: operators and branches ------------===//

#include "Reverse.h"
#include "Residuals.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace jit {

void accumulate(OpBuilder &b, Location loc, GradientMap &gradients, Value value, Value gradient) {
  GraphBuilder build{b, loc};
  accumulate(build, gradients, value, gradient);
}

Value zerosOf(OpBuilder &b, Location loc, TensorType type) {
  GraphBuilder build{b, loc};
  Any none = build.none();
  return build
      .op<aten::ZerosOp>(build.ints(type.getSizes()), int64_t(*typeToDtype(type.getDtype())), none,
                         none, none)
      .v;
}

Value zerosFor(OpBuilder &b, Location loc, Value value) {
  GraphBuilder build{b, loc};
  return zerosLike(Tensor(build, value)).v;
}

Value converted(OpBuilder &b, Location loc, Value tensor, Type dtype) {
  GraphBuilder build{b, loc};
  if (dtypeOf(tensor) == dtype)
    return tensor;
  return build
      .op<aten::ToDTypeOp>(Tensor(build, tensor), int64_t(*typeToDtype(dtype)), false, false,
                           build.none())
      .v;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

LogicalResult differentiate(Operation *op, OpBuilder &b, GradientMap &gradients,
                            const ActiveValues &active) {
  GradBuilder build(b, op, gradients, active);
  return success(succeeded(cast<DifferentiableOpInterface>(op).differentiate(build)) &&
                 succeeded(build.finish()));
}

static bool hasGradient(Operation *op, const GradientMap &gradients) {
  return llvm::any_of(op->getResults(), [&](Value v) { return gradients.contains(v); });
}

/// True where the view may show only a part of its base.
static bool showsPart(Value base, Value view) {
  auto count = [](Value value) -> int64_t {
    auto type = cast<TensorType>(value.getType());
    return type.isStatic() ? ShapedType::getNumElements(type.getSizes()) : -1;
  };
  return count(base) < 0 || count(base) != count(view);
}

/// True if `sum` is still zero where `slice` reads: slices of one dimension that do not meet were
/// scattered into zeros.
static bool isZeroUnder(Value sum, Operation *slice) {
  auto range = [](Operation *op, unsigned dim) -> std::optional<std::array<int64_t, 3>> {
    IntInfo along(op->getOperand(dim)), start(op->getOperand(dim + 1)),
        end(op->getOperand(dim + 2)), step(op->getOperand(dim + 3));
    if (!along.known || !start.known || !end.known || step.known != 1 || *start.known < 0 ||
        *end.known < 0)
      return std::nullopt;
    return std::array<int64_t, 3>{*along.known, *start.known, *end.known};
  };
  auto read = isa<aten::SliceTensorOp>(slice) ? range(slice, 1) : std::nullopt;
  while (auto scatter = sum.getDefiningOp<aten::SliceScatterOp>()) {
    auto written = range(scatter, 2);
    bool apart = read && written && (*read)[0] == (*written)[0] &&
                 ((*read)[2] <= (*written)[1] || (*written)[2] <= (*read)[1]);
    if (!apart)
      return false;
    sum = scatter.getSelf();
  }
  return read && sum.getDefiningOp<aten::ZerosLikeOp>();
}

/// The gradient of a view's base is zero but for what the view shows. A gradient that is there
/// already takes the sum in its place, so that slices of one tensor fill one buffer.
static LogicalResult reverseView(ViewOpInterface op, OpBuilder &b, GradientMap &gradients) {
  Value base = op->getOperand(0), view = op->getResult(0);
  Value gradient = gradients.lookup(view), sum = gradients.lookup(base);
  if (isZeros(gradient)) {
    if (!sum)
      gradients[base] = zerosFor(b, op->getLoc(), base);
    return success();
  }
  Value under = sum, part = gradient;
  if (sum && showsPart(base, view)) {
    IRMapping map;
    map.map(base, sum);
    GraphBuilder build{b, op->getLoc()};
    if (!isZeroUnder(sum, op))
      part = (Tensor(build, b.clone(*op, map)->getResult(0)) + Tensor(build, gradient)).v;
  } else {
    under = zerosFor(b, op->getLoc(), base);
  }
  Value scattered = op.scatter(b, under, part);
  if (!scattered)
    return op->emitError("expected an operator that can be differentiated, got '")
           << op->getName() << "'";
  if (under == sum)
    gradients[base] = scattered;
  else
    accumulate(b, op->getLoc(), gradients, base, scattered);
  return success();
}

/// Each value gets the gradient where it is the one that was taken, else zeros of its own sizes:
/// where the type leaves them open they need not be those of the other.
void Reverse::select(arith::SelectOp op, OpBuilder &b, GradientMap &gradients) {
  Location loc = op.getLoc();
  Value gradient = gradients.lookup(op);
  auto give = [&](Value value, bool isTrueValue) {
    if (!active.contains(value))
      return;
    bool isStatic = cast<TensorType>(value.getType()).isStatic();
    Value zeros = zerosFor(b, loc, isStatic ? gradient : value);
    Value given = arith::SelectOp::create(b, loc, op.getCondition(), isTrueValue ? gradient : zeros,
                                          isTrueValue ? zeros : gradient);
    Value holds = isValue(b, loc, op.getCondition(), isTrueValue);
    add(b, loc, gradients, value, given, Presence{holds, /*isZeroElse=*/true});
  };
  give(op.getTrueValue(), true);
  give(op.getFalseValue(), false);
}

/// Each element of a list gets the gradient where it is the one that was picked. Fails, without an
/// error, where they differ in type, or the list is not known.
LogicalResult Reverse::pick(Operation *op, OpBuilder &b, GradientMap &gradients) {
  ListOp list = listPickedFrom(op);
  if (!list)
    return failure();
  auto type = dyn_cast<TensorType>(op->getResult(0).getType());
  bool isOfOneType =
      llvm::all_of(list.getElements(), [&](Value element) { return element.getType() == type; });
  if (!type || !type.isStatic() || !isOfOneType)
    return failure();
  Location loc = op->getLoc();
  Value gradient = gradients.lookup(op->getResult(0)), zeros = zerosFor(b, loc, gradient);
  for (auto [place, element] : llvm::enumerate(list.getElements())) {
    if (!active.contains(element))
      continue;
    Value isPicked = isIndexOf(b, loc, op->getOperand(1), place, list.getElements().size());
    Value given = arith::SelectOp::create(b, loc, isPicked, gradient, zeros);
    add(b, loc, gradients, element, given, Presence{isPicked, /*isZeroElse=*/true});
  }
  return success();
}

LogicalResult Reverse::operation(Operation *op, OpBuilder &b, GradientMap &gradients) {
  if (isa<DifferentiableOpInterface>(op)) {
    if (computesHalves(op) && !isZeros(gradients.lookup(op->getResult(0))))
      return reverseInSingle(op, active, b, gradients);
    return lower ? reverseInRegion(op, lower, active, b, gradients)
                 : differentiate(op, b, gradients, active);
  }
  if (auto view = dyn_cast<ViewOpInterface>(op))
    return reverseView(view, b, gradients);
  if (auto selectOp = dyn_cast<arith::SelectOp>(op))
    return select(selectOp, b, gradients), success();
  if (isa<DerefineOp, UncheckedCastOp>(op)) {
    Value operand = op->getOperand(0), gradient = gradients.lookup(op->getResult(0));
    if (isa<TensorType>(operand.getType()) && isa<TensorType>(gradient.getType()))
      gradient = castTo(b, op->getLoc(), gradient, operand.getType());
    accumulate(b, op->getLoc(), gradients, operand, gradient);
    return success();
  }
  if (succeeded(pick(op, b, gradients)))
    return success();
  std::string why = ("expected an operator that can be differentiated, got '" +
                     op->getName().getStringRef() + "'")
                        .str();
  if (!isBehindBranch(op))
    return op->emitError(why);
  // Backward passes of calls that came here end.
  raise(b, op->getLoc(), why, unsupportedClass)->setAttr(ofBackwardAttr, b.getUnitAttr());
  return success();
}

LogicalResult Reverse::block(Block &block, OpBuilder &b, GradientMap &gradients) {
  return range(block.begin(), block.end(), b, gradients);
}

LogicalResult Reverse::before(Operation *end, OpBuilder &b, GradientMap &gradients) {
  return range(end->getBlock()->begin(), end->getIterator(), b, gradients);
}

LogicalResult Reverse::range(Block::iterator first, Block::iterator end, OpBuilder &b,
                             GradientMap &gradients) {
  // What is built may end up in this very block: only what is there now is walked.
  SmallVector<Operation *> ops;
  for (Operation &op : llvm::make_range(first, end))
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (hasGradient(op, gradients) && failed(step(op, b, gradients)))
      return failure();
  settleAll(b, gradients);
  return success();
}

LogicalResult Reverse::dispatch(Operation *op, OpBuilder &b, GradientMap &gradients) {
  if (auto branchOp = dyn_cast<scf::IfOp>(op))
    return branch(branchOp, b, gradients);
  if (auto loopOp = dyn_cast<scf::ForOp>(op))
    return loop(loopOp, b, gradients);
  return hasActiveOperand(op, active) ? operation(op, b, gradients) : success();
}

LogicalResult Reverse::step(Operation *op, OpBuilder &b, GradientMap &gradients) {
  Location loc = op->getLoc();
  bool isControlFlow = isa<scf::IfOp, scf::ForOp>(op);
  bool keepsZeros = isa<ViewOpInterface, DerefineOp, UncheckedCastOp, arith::SelectOp>(op) ||
                    op->hasTrait<PicksElement>();
  SmallVector<Value> results(op->getResults());
  std::optional<Presence> presence = presenceOf(op, b, gradients);
  if (!presence) {
    settleUsed(op, b, gradients);
    LogicalResult done = dispatch(op, b, gradients);
    if (isControlFlow)
      forget(results, gradients);
    return done;
  }
  GradientMap own;
  for (Value result : results)
    if (Value gradient = gradients.lookup(result))
      own[result] = gradient;
  Presences outer = std::exchange(presences, Presences());
  LogicalResult done = dispatch(op, b, own);
  Presences inner = std::exchange(presences, std::move(outer));
  if (isControlFlow)
    forget(results, gradients);
  for (auto [value, gradient] : own)
    if (!llvm::is_contained(results, value)) {
      Presence given{presence->holds, presence->isZeroElse && keepsZeros};
      if (auto more = inner.find(value); more != inner.end())
        given.holds = arith::AndIOp::create(b, loc, given.holds, more->second.holds);
      add(b, loc, gradients, value, gradient, given);
    }
  return done;
}

/// Control flow that gives residuals, too, is another operation afterwards: `results` are gone.
void Reverse::forget(ArrayRef<Value> results, GradientMap &gradients) {
  gradients.remove_if([&](const auto &pair) { return llvm::is_contained(results, pair.first); });
  for (Value result : results) {
    active.erase(result);
    presences.erase(result);
  }
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

LogicalResult Reverse::branch(scf::IfOp op, OpBuilder &b, GradientMap &gradients) {
  Location loc = op.getLoc();
  Presences before = std::exchange(presences, Presences());
  auto scratch = scf::IfOp::create(b, loc, TypeRange(), op.getCondition(), true, true);
  GradientMap inner[2];
  llvm::SetVector<Value> outside; // values from before the branch that get a gradient
  for (int side : {0, 1}) {
    Block &forward = op->getRegion(side).front(), &backward = scratch->getRegion(side).front();
    backward.clear();
    for (auto [result, yielded] :
         llvm::zip(op.getResults(), forward.getTerminator()->getOperands()))
      if (Value gradient = gradients.lookup(result); gradient && active.contains(yielded)) {
        OpBuilder start = OpBuilder::atBlockEnd(&backward);
        accumulate(start, loc, inner[side], yielded, gradient);
      }
    OpBuilder inside = OpBuilder::atBlockEnd(&backward);
    if (failed(block(forward, inside, inner[side])))
      return scratch.erase(), failure();
    presences.clear();
    for (auto &[value, gradient] : inner[side])
      if (!op->getRegion(side).isAncestor(value.getParentRegion()))
        outside.insert(value);
  }
  presences = std::move(before);
  for (int side : {0, 1}) {
    OpBuilder end = OpBuilder::atBlockEnd(&scratch->getRegion(side).front());
    auto yields = llvm::map_to_vector(outside, [&](Value value) {
      Value gradient = inner[side].lookup(value);
      return gradient ? gradient : zerosFor(end, loc, value);
    });
    scf::YieldOp::create(end, loc, yields);
  }
  auto types = llvm::map_to_vector(outside, [](Value value) { return value.getType(); });
  auto backward = scf::IfOp::create(b, loc, types, op.getCondition(), false, false);
  for (int side : {0, 1})
    backward->getRegion(side).takeBody(scratch->getRegion(side));
  scratch.erase();
  for (auto [value, gradient] : llvm::zip(outside, backward.getResults())) {
    std::optional<Presence> presence;
    if (inner[0].contains(value) != inner[1].contains(value))
      presence = {isValue(b, loc, op.getCondition(), inner[0].contains(value)), true};
    add(b, loc, gradients, value, gradient, presence);
  }
  return keepForBranch(op, backward);
}

} // namespace jit
