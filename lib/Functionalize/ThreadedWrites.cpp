//===- ThreadedWrites.cpp - what is written in place is a new value --------===//

#include "RefusedCalls.h"
#include "ScatterPlaces.h"
#include "TensorThreading.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Raise.h"
#include "jit/Dialect/Jit/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

Value underType(OpBuilder &builder, Value value, Type type) {
  // What was made elsewhere has the type under a condition alone.
  bool isOfHere = value.getParentBlock() == builder.getInsertionBlock();
  if (isOfHere && value.getDefiningOp<AtenOpInterface>())
    if (Type met = meetTypes(value.getType(), type); met && isa<TensorType>(met))
      value.setType(met);
  return castTo(builder, value.getLoc(), value, type);
}

/// The tensor `self` after it took the elements of `value`, broadcast and converted.
Value TensorThreading::copied(OpBuilder &builder, Location loc, Value self, Value value) {
  auto selfType = cast<TensorType>(self.getType());
  // The new value is one of its own even where it is the same tensor: `value` keeps its elements
  // when the memory is written again.
  if (selfType == value.getType() && selfType.isStatic())
    return DerefineOp::create(builder, loc, selfType, value);
  GraphBuilder build{builder, loc};
  Operation *copy = createInferred(builder, loc, OperationName("aten.copy", loc.getContext()),
                                   {self, value, build.flag(false).v});
  return copy ? copy->getResult(0) : Value();
}

/// The cell's value after `next` was written to the outermost view of `path`.
FailureOr<Value> TensorThreading::scatter(OpBuilder &builder, Operation *op, const Path &path,
                                          Value next) {
  Value written = next;
  for (auto [index, view] : llvm::enumerate(path.views)) {
    Value base = path.values[index + 1];
    next = underType(builder, next, view->getResult(0).getType());
    if (auto viewOp = dyn_cast<ViewOpInterface>(view))
      next = viewOp.scatter(builder, base, next);
    if (!next) {
      // No whole parts of the base: element by element.
      ArrayRef<Operation *> views = ArrayRef(path.views).take_front(index + 1);
      next = scatteredAtPlaces(builder, op, views, sharing.lookup(views.front()), base, written);
      if (!next)
        return failure();
    }
    next = underType(builder, next, base.getType());
  }
  return underType(builder, next, typeOf(path.cell));
}

/// `self` after `op` wrote it as a whole; null, without an error, where the value does not fit.
Value TensorThreading::written(OpBuilder &builder, OverwriteOp op, Value self) {
  CapturedErrors captured(op.getContext());
  return copied(builder, op.getLoc(), self, op.getValue());
}

/// Whether the value is one number, or none, that is its own running sum or product.
static bool isOneOfScan(Value value) {
  auto type = cast<TensorType>(value.getType());
  bool isOne = type.hasRank() && (type.getRank() == 0 || llvm::is_contained(type.getSizes(), 0));
  Operation *made = value.getDefiningOp();
  return isOne && made && made->hasTrait<ScansElements>();
}

/// What is wrong with the element type of an operator's result that is written; empty if nothing.
static std::string misfitOfDtypes(OverwriteOp op) {
  auto from = op->getAttrOfType<StringAttr>(castAttr);
  Type own = cast<TensorType>(op.getSelf().getType()).getDtype(),
       given = cast<TensorType>(op.getValue().getType()).getDtype();
  if (!from || !own || !given || own == given || isOneOfScan(op.getValue()))
    return {};
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (from.getValue() == "same")
    os << "expected an out= tensor of the result's element type, " << given << ", got " << own;
  else if (!canCast(given, own))
    os << "expected a tensor that a result of element type " << given
       << " can be cast to, got one of " << own;
  return problem;
}

/// What is wrong with a value that does not fit into what it is written to.
static std::string misfitOfSizes(OverwriteOp op) {
  std::string problem;
  llvm::raw_string_ostream(problem)
      << "expected a value that has or broadcasts to the sizes of what is written, got '"
      << op.getValue().getType() << "' for '" << op.getSelf().getType() << "'";
  return problem;
}

/// A write that cannot be done is an exception of the calls that get to it. Where all calls do, it
/// is an error.
LogicalResult TensorThreading::raiseInstead(OpBuilder &builder, OverwriteOp op,
                                            const std::string &problem) {
  if (op->getParentOp() == func)
    return op.emitOpError(problem);
  raise(builder, op.getLoc(), problem);
  eraseLater(op);
  return success();
}

/// An out= tensor that would have to take the sizes of the result. Where data choose whether a call
/// gets to it, those that do end there.
LogicalResult TensorThreading::refuseOut(OpBuilder &builder, OverwriteOp op) {
  std::string problem;
  llvm::raw_string_ostream(problem)
      << "expected an out= tensor that has the sizes of the result, got '" << op.getSelf().getType()
      << "' for '" << op.getValue().getType() << "'";
  if (!isBehindBranch(op))
    return op.emitOpError(problem);
  refuseCalls(builder, op, problem);
  eraseLater(op);
  return success();
}

/// The calls in which `self`, an out= tensor, would have to take the sizes of `value`, which data
/// tell, end before `op`. A function of open sizes leaves them to one for their own, as it does
/// wherever sizes meet that are not equal.
static void refuseOtherSizes(OpBuilder &builder, OverwriteOp op, Value self, Value value) {
  if (op->getParentOfType<func::FuncOp>()->hasAttr(symbolicAttr))
    return;
  GraphBuilder build{builder, op.getLoc()};
  Tensor out(build, self), given(build, value);
  for (int64_t dim = 0; dim < out.info().rank(); ++dim) {
    if (out.info().size(dim) != TensorType::kDynamic &&
        given.info().size(dim) != TensorType::kDynamic)
      continue;
    Value sizes[] = {sizeOf(out, dim).v, sizeOf(given, dim).v};
    Value isEqual =
        arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::eq, sizes[0], sizes[1]);
    GuardOp::create(builder, op.getLoc(), isEqual, unsupportedClass,
                    "expected an out= tensor that has the sizes of the result, got {} for {}",
                    sizes);
  }
}

/// Whether data choose if a call gets to `op`, which writes to a view that shows elements of a cell
/// more than once. Those that do end there.
bool TensorThreading::refusesRepeated(OpBuilder &builder, OverwriteOp op, const Path &path) {
  auto type = cast<TensorType>(op.getSelf().getType());
  if (path.views.empty() || !isBehindBranch(op) || !type.isStatic() ||
      llvm::none_of(path.views, mayRepeatElements) ||
      !sharesPlaces(op, sharing.lookup(path.views.front()), type.getSizes()))
    return false;
  refuseCalls(builder, op, sharedPlaces);
  eraseLater(op);
  return true;
}

LogicalResult TensorThreading::write(OverwriteOp op) {
  OpBuilder builder(op);
  auto path = pathOf(op.getSelf());
  if (!path || !get(path->cell))
    return op.emitOpError("expected a write to a value that is known here");
  refresh(builder, *path);
  auto self = cast<TensorType>(op.getSelf().getType()),
       given = cast<TensorType>(op.getValue().getType());
  if (std::string problem = misfitOfDtypes(op); !problem.empty())
    return raiseInstead(builder, op, problem);
  if (op->hasAttr(outAttr) && !keepsSizes(self, given))
    return refuseOut(builder, op);
  if (op->hasAttr(outAttr))
    refuseOtherSizes(builder, op, path->values.front(), op.getValue());
  if (refusesRepeated(builder, op, *path))
    return success();
  Value next = written(builder, op, path->values.front());
  if (!next)
    return raiseInstead(builder, op, misfitOfSizes(op));
  if (op->hasAttr(gradientsOffAttr))
    next = aten::WithElementsOp::create(builder, op.getLoc(), next.getType(),
                                        {path->values.front(), next});
  FailureOr<Value> value = scatter(builder, op, *path, next);
  if (failed(value))
    return failure();
  set(path->cell, *value);
  eraseLater(op);
  obstacle.write = op;
  if (failed(passOn(builder, op, path->cell)))
    return failure();
  obstacle.write = nullptr;
  return success();
}

} // namespace jit
