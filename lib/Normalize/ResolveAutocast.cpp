//===- ResolveAutocast.cpp - the casts of regions of automatic precision --===//

#include "SettledValue.h"
#include "jit/Dialect/Aten/Autocast.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/Gradient.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_RESOLVEAUTOCASTPASS
#include "jit/Normalize/Passes.h.inc"

/// True where the result is written to a tensor that was there before: autocast knows nothing of
/// `x.addmm_(a, b)` and of `torch.mm(a, b, out=x)`.
static bool isWritten(Operation *op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    if (auto write = dyn_cast<OverwriteOp>(user))
      return write.getValue().getDefiningOp() == op;
    return isa<TupleOp, TupleIndexOp>(user) && isWritten(user);
  });
}

namespace {

/// The state of autocast for one kind of device: whether it is enabled, and its element type.
struct AutocastState {
  StringRef device;
  unsigned enabled, dtype;
};

/// An operator that a region may change, with the state in which it is.
struct InRegion {
  Operation *op;
  AutocastPolicy policy;
  AutocastRegion region;
};

/// The states of one function as cells.
class AutocastThreading : CellThreading {
public:
  explicit AutocastThreading(func::FuncOp func) : func(func) {}

  LogicalResult run() {
    OpBuilder b = OpBuilder::atBlockBegin(&func.front());
    GraphBuilder build{b, func.getLoc()};
    for (StringRef device : autocastDevices) {
      ScalarType lower = device == "cpu" ? ScalarType::BFloat16 : ScalarType::Half;
      states.push_back({device, addCell(b.getI1Type()), addCell(b.getI64Type())});
      set(states.back().enabled, build.flag(false).v);
      set(states.back().dtype, build.i(int64_t(lower)).v);
    }
    if (failed(thread(func.front())))
      return failure();
    eraseNow();
    settle();
    for (InRegion &inRegion : changed)
      if (IntegerAttr enabled = settledInteger(inRegion.region.enabled);
          (!enabled || !enabled.getValue().isZero()) && failed(change(inRegion)))
        return failure();
    return success();
  }

private:
  /// Null for a device whose tensors no program of ours has.
  const AutocastState *stateOf(StringRef device) {
    const auto *found =
        llvm::find_if(states, [&](const AutocastState &state) { return state.device == device; });
    return found == states.end() ? nullptr : found;
  }

  LogicalResult visit(Operation *op) override {
    if (auto setOp = dyn_cast<aten::SetAutocastOp>(op))
      return visitSet(setOp);
    if (isa<aten::IsAutocastEnabledOp>(op))
      return answer(op, get(stateOf("cuda")->enabled));
    if (isa<aten::IsAutocastCpuEnabledOp>(op))
      return answer(op, get(stateOf("cpu")->enabled));
    if (isa<aten::AutocastEnabledOp>(op) || isa<aten::GetAutocastDTypeOp>(op))
      return visitQuestion(op);
    if (isa<AtenOpInterface>(op))
      for (const AutocastState &state : states)
        if (AutocastPolicy policy = autocastPolicyOf(op->getName(), state.device);
            policy != AutocastPolicy::None)
          changed.push_back({op, policy, {state.device, get(state.enabled), get(state.dtype)}});
    return success();
  }

  LogicalResult answer(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    eraseLater(op);
    return success();
  }

  LogicalResult visitQuestion(Operation *op) {
    std::optional<StringRef> device = StrInfo(op->getOperand(0)).known;
    if (!device)
      return op->emitOpError("expected a kind of device that is known");
    const AutocastState *state = stateOf(*device);
    if (!state)
      return success(); // its body says what holds outside of all regions
    found.insert({get(state->enabled), get(state->dtype)});
    return answer(op, get(isa<aten::AutocastEnabledOp>(op) ? state->enabled : state->dtype));
  }

  LogicalResult visitSet(aten::SetAutocastOp op) {
    std::optional<StringRef> device = StrInfo(op.getDeviceType()).known;
    if (!device)
      return op.emitOpError("expected a kind of device that is known");
    eraseLater(op);
    if (const AutocastState *state = stateOf(*device)) {
      set(state->dtype, op.getDtype());
      set(state->enabled, enabledBy(op, *device));
    }
    return success();
  }

  /// On the CPU a region of any but the two halves is none. A state that a region is left for is as
  /// it was found.
  Value enabledBy(aten::SetAutocastOp op, StringRef device) {
    if (device != "cpu" || found.contains({op.getEnabled(), op.getDtype()}))
      return op.getEnabled();
    OpBuilder b(op);
    Location loc = op.getLoc();
    auto is = [&](ScalarType type) {
      Value number = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(int64_t(type)));
      return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, op.getDtype(), number);
    };
    Value isBFloat16 = is(ScalarType::BFloat16), isHalf = is(ScalarType::Half);
    Value isLower = b.createOrFold<arith::OrIOp>(loc, isBFloat16, isHalf);
    return b.createOrFold<arith::AndIOp>(loc, isLower, op.getEnabled());
  }

  void collectAssigned(Operation *op, Cells &cells) override {
    if (auto setOp = dyn_cast<aten::SetAutocastOp>(op))
      if (const AutocastState *state = stateOf(StrInfo(setOp.getDeviceType()).known.value_or(""))) {
        cells.insert(state->enabled);
        cells.insert(state->dtype);
      }
  }

  void assigned(Cell, Value value) override { values.insert(value); }

  void settle() {
    auto constants = replaceSettled(func, values);
    for (InRegion &inRegion : changed)
      for (Value *value : {&inRegion.region.enabled, &inRegion.region.dtype})
        if (Value known = constants.lookup(*value))
          *value = known;
  }

  LogicalResult change(const InRegion &inRegion) {
    Operation *op = inRegion.op;
    if (isWritten(op))
      return success();
    OpBuilder b(op);
    if (inRegion.policy == AutocastPolicy::Parts)
      return markParts(inRegion);
    if (inRegion.policy == AutocastPolicy::LowerResult)
      return castResult(inRegion);
    FailureOr<SmallVector<Value>> operands = failure();
    if (inRegion.policy != AutocastPolicy::Refused)
      operands = autocastOperands(b, op->getLoc(), op->getName(), inRegion.policy,
                                  op->getOperands(), inRegion.region);
    if (failed(operands))
      refuse(inRegion);
    else
      op->setOperands(*operands);
    return success();
  }

  bool hasOtherBackwardProducts() {
    auto isOne = [](Operation *op) {
      return hasOtherProducts(op->getName()) ? WalkResult::interrupt() : WalkResult::advance();
    };
    return func.walk(isOne).wasInterrupted();
  }

  static LogicalResult castResult(const InRegion &inRegion) {
    Value result = inRegion.op->getResult(0);
    OpBuilder b(inRegion.op);
    b.setInsertionPointAfter(inRegion.op);
    auto before = llvm::map_to_vector(result.getUses(), [](OpOperand &use) { return &use; });
    Value cast = autocastResult(b, inRegion.op->getLoc(), result, inRegion.region);
    for (OpOperand *use : before)
      use->set(cast);
    return success();
  }

  LogicalResult markParts(const InRegion &inRegion) {
    IntegerAttr enabled = settledInteger(inRegion.region.enabled);
    IntegerAttr dtype = settledInteger(inRegion.region.dtype);
    bool isUnlike = isa<aten::GradOp>(inRegion.op) && hasOtherBackwardProducts();
    if (!enabled || !dtype || isUnlike) {
      refuse(inRegion);
      return success();
    }
    NamedAttrList regions(inRegion.op->getAttrOfType<DictionaryAttr>(autocastAttr));
    regions.set(inRegion.region.device, dtype);
    inRegion.op->setAttr(autocastAttr, regions.getDictionary(func.getContext()));
    return success();
  }

  /// Calls that get to the operator, on such a device and while autocast is enabled, are refused.
  void refuse(const InRegion &inRegion) {
    Operation *op = inRegion.op;
    OpBuilder b(op);
    GraphBuilder build{b, op->getLoc()};
    Value onDevice =
        build
            .op<aten::AutocastAppliesOp>(build.str(inRegion.region.device), inRegion.region.enabled)
            .v;
    auto branch = scf::IfOp::create(b, op->getLoc(), onDevice, /*withElseRegion=*/false);
    OpBuilder inside = OpBuilder::atBlockBegin(branch.thenBlock());
    MissingOp::create(inside, op->getLoc(), TensorType::get(func.getContext()),
                      autocastRefusal(op->getName()));
  }

  func::FuncOp func;
  SmallVector<AutocastState> states;
  llvm::SetVector<Value> values;
  /// The states that were asked for.
  DenseSet<std::pair<Value, Value>> found;
  SmallVector<InRegion> changed;
};

struct ResolveAutocastPass : impl::ResolveAutocastPassBase<ResolveAutocastPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      auto asks = [](Operation *op) {
        return op->getName().getStringRef().contains("autocast") ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
      };
      if (func.walk(asks).wasInterrupted() && failed(AutocastThreading(func).run()))
        return signalPassFailure();
    }
  }
};

} // namespace

} // namespace jit
