//===- ResolveGradMode.cpp - what is computed without gradients -----------===//

#include "SettledValue.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_RESOLVEGRADMODEPASS
#include "jit/Normalize/Passes.h.inc"

/// A tensor, or an Optional or list of such.
static bool holdsTensor(Type type) {
  if (auto optional = dyn_cast<OptionalType>(type))
    return holdsTensor(optional.getElementType());
  if (auto list = dyn_cast<ListType>(type))
    return holdsTensor(list.getElementType());
  return isa<TensorType>(type);
}

/// True if the results of `op` would have a history of their own: not those of what makes tensors
/// from numbers, nor those of what only takes them out of containers. A gradient is taken in a mode
/// of its own.
static bool isRecorded(Operation *op) {
  if (isa<aten::GradOp>(op))
    return false;
  return isa<OverwriteOp>(op) || (isa<AtenOpInterface>(op) && !op->hasTrait<PicksElement>() &&
                                  llvm::any_of(op->getOperandTypes(), holdsTensor) &&
                                  llvm::any_of(op->getResultTypes(), holdsTensor));
}

/// The mode where it is the same whichever way control came.
static std::optional<bool> settled(Value mode) {
  IntegerAttr known = settledInteger(mode);
  return known ? std::optional(!known.getValue().isZero()) : std::nullopt;
}

/// True for a write by one of the operators that autograd knows nothing of, even while gradients
/// are on: `x.logical_not_()` leaves the history of x as it was, where `x.eq_(y)` ends it.
static bool leavesHistory(Operation *op) {
  auto write = dyn_cast<OverwriteOp>(op);
  Operation *made = write ? write.getValue().getDefiningOp() : nullptr;
  return isa_and_present<AtenOpInterface>(made) && made->getNumOperands() > 0 &&
         made->getOperand(0) == write.getSelf() &&
         made->getName().stripDialect().starts_with("logical_");
}

/// Where `op` makes the view that its own operand becomes: the jit.become. Null for any other.
static BecomeOp changeOfSizesBy(Operation *op) {
  for (Operation *user : op->getUsers())
    if (auto become = dyn_cast<BecomeOp>(user);
        become && become.getValue().getDefiningOp() == op && become.getSelf() == op->getOperand(0))
      return become;
  return {};
}

namespace {

/// The grad mode of one function as a cell.
class GradModeThreading : CellThreading {
public:
  explicit GradModeThreading(func::FuncOp func) : func(func) {}

  LogicalResult run() {
    OpBuilder b = OpBuilder::atBlockBegin(&func.front());
    Type type = b.getI1Type();
    mode = addCell(type);
    set(mode, constant(b, true));
    if (failed(thread(func.front())))
      return failure();
    eraseNow();
    settle();
    for (auto [op, enabled] : computed) {
      if (leavesHistory(op)) {
        OpBuilder at(op);
        enabled = constant(at, false);
      }
      if (settled(enabled) == true)
        continue;
      if (BecomeOp become = changeOfSizesBy(op))
        become->setAttr(gradientsOffAttr, UnitAttr::get(op->getContext()));
      else if (failed(stop(op, enabled)))
        return failure();
    }
    return success();
  }

private:
  Value constant(OpBuilder &b, bool value) {
    return arith::ConstantOp::create(b, func.getLoc(), b.getBoolAttr(value));
  }

  LogicalResult visit(Operation *op) override {
    if (isa<aten::IsGradEnabledOp>(op)) {
      op->getResult(0).replaceAllUsesWith(get(mode));
      eraseLater(op);
    } else if (auto setOp = dyn_cast<aten::SetGradEnabledOp>(op)) {
      set(mode, setOp.getVal());
      eraseLater(op);
    } else if (isRecorded(op)) {
      computed.push_back({op, get(mode)});
    }
    return success();
  }

  void collectAssigned(Operation *op, Cells &cells) override {
    if (isa<aten::SetGradEnabledOp>(op))
      cells.insert(mode);
  }

  void assigned(Cell, Value value) override { modes.insert(value); }

  void settle() {
    auto constants = replaceSettled(func, modes);
    for (auto &[op, enabled] : computed)
      if (Value known = constants.lookup(enabled))
        enabled = known;
  }

  /// Takes the history from what `op` gives, at least while `enabled` is false.
  LogicalResult stop(Operation *op, Value enabled) {
    OpBuilder b(op);
    if (auto overwrite = dyn_cast<OverwriteOp>(op)) {
      // An out= tensor may have other sizes than its result, which are known later. Where gradients
      // are on neither has a history.
      if (overwrite->hasAttr(outAttr)) {
        overwrite->setAttr(gradientsOffAttr, b.getUnitAttr());
        return success();
      }
      overwrite.getValueMutable().assign(unless(b, enabled, overwrite.getValue(),
                                                overwrite.getSelf().getType(),
                                                [&](OpBuilder &b) { return write(b, overwrite); }));
      return success();
    }
    if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<ListType>))
      return stopOperands(op, enabled);
    b.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (isa<TensorType>(result.getType())) {
        SmallVector<OpOperand *> uses = llvm::to_vector(llvm::make_pointer_range(result.getUses()));
        Value stopped = detached(b, result, enabled);
        for (OpOperand *use : uses)
          use->set(stopped);
      }
    return success();
  }

  /// The elements of a list are its own only later: here they are views of what it was made of.
  LogicalResult stopOperands(Operation *op, Value enabled) {
    OpBuilder b(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<TensorType>(value.getType())) {
        operand.set(detached(b, value, enabled));
        continue;
      }
      if (!holdsTensor(value.getType()))
        continue;
      auto list = value.getDefiningOp<ListOp>();
      if (!list || isWrittenInPlace(list))
        return op->emitOpError("expected a list of known length where gradients are off, got ")
               << value.getType();
      auto elements = llvm::map_to_vector(
          list.getElements(), [&](Value element) { return detached(b, element, enabled); });
      operand.set(ListOp::create(b, op->getLoc(), list.getType(), elements));
    }
    return success();
  }

  Value detached(OpBuilder &b, Value value, Value enabled) {
    return unless(b, enabled, value, value.getType(), [&](OpBuilder &b) -> Value {
      return aten::DetachOp::create(b, value.getLoc(), value.getType(), ValueRange{value});
    });
  }

  Value write(OpBuilder &b, OverwriteOp op) {
    Location loc = op.getLoc();
    Type type = op.getSelf().getType();
    Value isBlocking = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
    Value copy =
        aten::CopyOp::create(b, loc, type, ValueRange{op.getSelf(), op.getValue(), isBlocking});
    return aten::WithElementsOp::create(b, loc, type, ValueRange{op.getSelf(), copy});
  }

  /// `value` where gradients are on, else what `otherwise` makes.
  Value unless(OpBuilder &b, Value enabled, Value value, Type type,
               function_ref<Value(OpBuilder &)> otherwise) {
    if (settled(enabled) == false)
      return otherwise(b);
    auto branch = scf::IfOp::create(b, value.getLoc(), type, enabled, true, true);
    OpBuilder on = OpBuilder::atBlockEnd(branch.thenBlock());
    scf::YieldOp::create(on, value.getLoc(), castTo(on, value.getLoc(), value, type));
    OpBuilder off = OpBuilder::atBlockEnd(branch.elseBlock());
    scf::YieldOp::create(off, value.getLoc(), otherwise(off));
    return branch.getResult(0);
  }

  func::FuncOp func;
  Cell mode = 0;
  llvm::SetVector<Value> modes;
  SmallVector<std::pair<Operation *, Value>> computed;
};

struct ResolveGradModePass : impl::ResolveGradModePassBase<ResolveGradModePass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && failed(GradModeThreading(func).run()))
        return signalPassFailure();
  }
};

} // namespace

} // namespace jit
