//===- AddOptimizerSteps.cpp - a method that trains -----------------------===//

#include "Optimizers.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/SavedMemory.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITADDOPTIMIZERSTEPS
#include "jit/Autodiff/Passes.h.inc"

namespace {

struct AddOptimizerStepsPass : impl::JitAddOptimizerStepsBase<AddOptimizerStepsPass> {
  using JitAddOptimizerStepsBase::JitAddOptimizerStepsBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    ModuleOp module = getOperation();
    func = module.lookupSymbol<func::FuncOp>(entry);
    if (!func || func.isExternal())
      return module.emitError("expected a method called '") << entry << "'";
    auto names = optimizerState(optimizer, momentum != 0);
    if (!names)
      return module.emitError("expected the optimizer sgd, adam or adamw, got '")
             << optimizer << "'";
    Value loss = findLoss();
    if (!loss)
      return func.emitError("expected a method that returns the loss, a tensor, first");
    collectParameters();
    if (parameters.empty())
      return func.emitError("expected a method that reads a parameter, to train it");
    if (failed(checkApart()))
      return failure();

    OpBuilder b(func.front().getTerminator());
    GraphBuilder build{b, func.getLoc()};
    auto counter = TensorType::get(&getContext(), ArrayRef<int64_t>(), b.getF64Type());
    Value step = addState("optimizer.step", counter);
    Value next = aten::AddScalarOp::create(b, func.getLoc(), counter,
                                           ValueRange{step, build.f(1).v, build.i(1).v});
    addResult("optimizer.step", next);
    for (auto &[slot, value] : parameters) {
      SmallVector<Value> state;
      for (StringRef name : *names)
        state.push_back(addState(stateName(name, slot), cast<TensorType>(value.getType())));
      SmallVector<Type> types(1 + state.size(), value.getType());
      auto update =
          OptimizerStepOp::create(b, func.getLoc(), types.front(), TypeRange(types).drop_front(),
                                  loss, next, value, state, b.getStringAttr(optimizer), numbers(b));
      addResult(slot.getValue(), update.getUpdated());
      for (auto [name, value] : llvm::zip(*names, update.getNextState()))
        addResult(stateName(name, slot), value);
    }
    return success();
  }

  static std::string stateName(StringRef what, StringAttr slot) {
    return ("optimizer." + what + "." + slot.getValue()).str();
  }

  /// The first result, or the first element of a tuple that is.
  Value findLoss() {
    Operation *ret = func.front().getTerminator();
    Value loss = ret->getNumOperands() ? ret->getOperand(0) : Value();
    if (auto tuple = loss ? loss.getDefiningOp<TupleOp>() : TupleOp())
      loss = tuple.getElements().empty() ? Value() : tuple.getElements().front();
    return loss && isa<TensorType>(loss.getType()) ? loss : Value();
  }

  /// All reads of a floating parameter become one argument.
  void collectParameters() {
    SymbolTable symbols(getOperation());
    func.walk([&](SlotGetOp get) {
      auto slot = symbols.lookup<SlotOp>(get.getSlot());
      if (!slot || !slot.getParameter() || !isDifferentiable(slot.getType()))
        return;
      Value &value = parameters[slot.getSymNameAttr()];
      if (!value)
        value = addArgument(slot.getSymName(), cast<TensorType>(slot.getType()));
      OpBuilder b(get);
      get.replaceAllUsesWith(castTo(b, get.getLoc(), value, get.getType()));
      get.erase();
      slot->setAttr(mutableAttr, b.getUnitAttr());
    });
  }

  /// A step of one parameter must not be one of other state.
  LogicalResult checkApart() {
    SymbolTable symbols(getOperation());
    for (auto &[name, value] : parameters) {
      auto slot = symbols.lookup<SlotOp>(name);
      if (SlotOp other = slotInMemoryOf(slot))
        return slot.emitError("expected a parameter that is trained to be saved in memory of its "
                              "own, got '")
               << other.getSymName() << "' in the memory of '" << name.getValue()
               << "': save a clone() of one";
    }
    return success();
  }

  Value addArgument(StringRef slot, TensorType type) {
    Builder b(&getContext());
    unsigned index = func.getNumArguments();
    auto attrs = b.getDictionaryAttr(b.getNamedAttr(slotAttr, b.getStringAttr(slot)));
    (void)func.insertArgument(index, type, attrs, func.getLoc());
    return func.getArgument(index);
  }

  void addResult(StringRef slot, Value value) {
    Builder b(&getContext());
    auto attrs = b.getDictionaryAttr(b.getNamedAttr(slotAttr, b.getStringAttr(slot)));
    (void)func.insertResult(func.getNumResults(), value.getType(), attrs);
    Operation *ret = func.front().getTerminator();
    ret->insertOperands(ret->getNumOperands(), value);
  }

  /// A slot of zeros, and the argument that has its value.
  Value addState(const Twine &name, TensorType type) {
    OpBuilder b = OpBuilder::atBlockBegin(getOperation().getBody());
    auto zeros = DenseElementsAttr::get(RankedTensorType::get(type.getSizes(), type.getDtype()),
                                        b.getFloatAttr(type.getDtype(), 0));
    auto slot = SlotOp::create(b, func.getLoc(), name.str(), type, zeros, /*parameter=*/false);
    slot->setAttr(mutableAttr, b.getUnitAttr());
    return addArgument(slot.getSymName(), type);
  }

  DictionaryAttr numbers(Builder &b) {
    SmallVector<NamedAttribute> attrs;
    for (auto [name, value] : {std::pair("lr", double(lr)),
                               {"weight_decay", double(weightDecay)},
                               {"momentum", double(momentum)},
                               {"dampening", double(dampening)},
                               {"nesterov", double(nesterov)},
                               {"beta1", double(beta1)},
                               {"beta2", double(beta2)},
                               {"eps", double(eps)}})
      attrs.push_back(b.getNamedAttr(name, b.getF64FloatAttr(value)));
    return b.getDictionaryAttr(attrs);
  }

  func::FuncOp func;
  llvm::MapVector<StringAttr, Value> parameters;
};

} // namespace

} // namespace jit
