//===- Differentiate.cpp - a function and its gradients -------------------===//

#include "Reverse.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/Creation.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITDIFFERENTIATE
#include "jit/Autodiff/Passes.h.inc"

namespace {

/// Something that a gradient is asked for: where it comes from, and its value.
struct Wanted {
  Attribute name;
  Value value;
};

//===----------------------------------------------------------------------===//
// What is differentiated
//===----------------------------------------------------------------------===//

class Inputs {
public:
  Inputs(func::FuncOp func, bool parameters) : func(func), parameters(parameters) {}

  SmallVector<Wanted> collect() {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (isWanted(i))
        wanted.push_back({nameOf(i), func.getArgument(i)});
    if (parameters)
      hoistParameters();
    return std::move(wanted);
  }

private:
  SlotOp parameter(StringRef slot) {
    auto op = SymbolTable::lookupNearestSymbolFrom<SlotOp>(
        func, StringAttr::get(func.getContext(), slot));
    return op && op.getParameter() ? op : SlotOp();
  }

  bool isWanted(unsigned i) {
    if (!isDifferentiable(func.getArgument(i).getType()))
      return false;
    auto slot = func.getArgAttrOfType<StringAttr>(i, slotAttr);
    return func.getArgAttr(i, requiresGradAttr) || (parameters && slot && parameter(slot));
  }

  Attribute nameOf(unsigned i) {
    if (auto slot = func.getArgAttrOfType<StringAttr>(i, slotAttr))
      return slot;
    if (auto path = func.getArgAttrOfType<DenseI64ArrayAttr>(i, argPathAttr))
      return path;
    return DenseI64ArrayAttr::get(func.getContext(), {int64_t(i)});
  }

  /// All reads of one parameter become one at the start of the function.
  void hoistParameters() {
    llvm::MapVector<StringAttr, Value> values;
    func.walk([&](SlotGetOp get) {
      StringAttr slot = get.getSlotAttr().getAttr();
      if (!isDifferentiable(get.getType()) || !parameter(slot))
        return;
      Value &value = values[slot];
      if (!value) {
        OpBuilder b = OpBuilder::atBlockBegin(&func.front());
        value = b.clone(*get)->getResult(0);
      }
      get.replaceAllUsesWith(value);
      get.erase();
    });
    for (auto [slot, value] : values)
      wanted.push_back({slot, value});
  }

  func::FuncOp func;
  bool parameters;
  SmallVector<Wanted> wanted;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

class Differentiator {
public:
  Differentiator(func::FuncOp func, bool seedsAreArguments)
      : func(func), seedsAreArguments(seedsAreArguments) {}

  LogicalResult run(ArrayRef<Wanted> wanted) {
    for (const Wanted &w : wanted)
      active.insert(w.value);
    expandAndPropagate(func, active);
    Operation *ret = func.front().getTerminator();
    OpBuilder b(ret);
    GradientMap gradients;
    if (failed(seed(b, gradients)) || failed(Reverse(active).block(func.front(), b, gradients)))
      return failure();
    addResults(b, wanted, gradients);
    return success();
  }

private:
  /// The results that the caller sees as outputs: not state that is carried on.
  llvm::SetVector<unsigned> outputLeaves() {
    llvm::SetVector<unsigned> leaves;
    std::function<void(Attribute)> visit = [&](Attribute tree) {
      if (auto leaf = dyn_cast<IntegerAttr>(tree))
        leaves.insert(leaf.getInt());
      if (auto parts = dyn_cast<ArrayAttr>(tree))
        for (Attribute part : parts)
          visit(part);
    };
    auto outputs = func->getAttrOfType<ArrayAttr>(outputsAttr);
    if (!outputs) {
      for (unsigned i = 0; i < func.getNumResults(); ++i)
        leaves.insert(i);
      return leaves;
    }
    for (auto output : outputs.getAsRange<DictionaryAttr>())
      if (!output.get("slot") && !output.get("mutates"))
        visit(output.get("value"));
    return leaves;
  }

  LogicalResult seed(OpBuilder &b, GradientMap &gradients) {
    Operation *ret = func.front().getTerminator();
    bool any = false;
    for (unsigned i : outputLeaves()) {
      Value output = ret->getOperand(i);
      if (!active.contains(output))
        continue;
      any = true;
      GraphBuilder build{b, func.getLoc()};
      Value gradient;
      if (seedsAreArguments) {
        unsigned index = func.getNumArguments();
        auto attrs = b.getDictionaryAttr(b.getNamedAttr(gradOfAttr, b.getI64IntegerAttr(i)));
        if (failed(func.insertArgument(index, output.getType(), attrs, func.getLoc())))
          return failure();
        gradient = func.getArgument(index);
      } else {
        gradient = onesLike(Tensor(build, output)).v;
      }
      accumulate(b, func.getLoc(), gradients, output, gradient);
    }
    // Whoever gives the gradients of what does not depend gets zeros; a sum of nothing is a
    // mistake.
    if (!any && !seedsAreArguments)
      return func.emitError("expected an output that depends on what is differentiated");
    return success();
  }

  void addResults(OpBuilder &b, ArrayRef<Wanted> wanted, GradientMap &gradients) {
    auto ret = cast<func::ReturnOp>(func.front().getTerminator());
    SmallVector<Attribute> outputs;
    if (auto attr = func->getAttrOfType<ArrayAttr>(outputsAttr))
      llvm::append_range(outputs, attr);
    else
      for (unsigned i = 0; i < ret.getNumOperands(); ++i)
        outputs.push_back(b.getDictionaryAttr(b.getNamedAttr("value", b.getI64IntegerAttr(i))));
    for (const Wanted &w : wanted) {
      Value gradient = gradients.lookup(w.value);
      if (!gradient)
        gradient = zerosFor(b, func.getLoc(), w.value);
      outputs.push_back(b.getDictionaryAttr(
          {b.getNamedAttr("grad", w.name),
           b.getNamedAttr("value", b.getI64IntegerAttr(ret.getNumOperands()))}));
      (void)func.insertResult(func.getNumResults(), gradient.getType(), {});
      ret->insertOperands(ret.getNumOperands(), gradient);
    }
    func->setAttr(outputsAttr, b.getArrayAttr(outputs));
  }

  func::FuncOp func;
  bool seedsAreArguments;
  ActiveValues active;
};

struct DifferentiatePass : impl::JitDifferentiateBase<DifferentiatePass> {
  using JitDifferentiateBase::JitDifferentiateBase;

  void runOnOperation() override {
    auto func = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!func || func.isExternal()) {
      getOperation().emitError("expected a function called '") << entry << "'";
      return signalPassFailure();
    }
    if (seed != "ones" && seed != "arguments") {
      getOperation().emitError("expected seed=ones or seed=arguments, got '") << seed << "'";
      return signalPassFailure();
    }
    SmallVector<Wanted> wanted = Inputs(func, parameters).collect();
    if (wanted.empty()) {
      func.emitError("expected a floating argument or parameter to differentiate by");
      return signalPassFailure();
    }
    if (failed(Differentiator(func, seed == "arguments").run(wanted)))
      return signalPassFailure();
  }
};

} // namespace

} // namespace jit
