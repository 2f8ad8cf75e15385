//===- PartitionGradients.cpp - forward and backward as two functions -----===//

#include "Residuals.h"
#include "Reverse.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Dialect/Aten/Creation.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITPARTITIONGRADIENTS
#include "jit/Autodiff/Passes.h.inc"

namespace {

class Partition {
public:
  explicit Partition(func::FuncOp func) : func(func), b(func.getContext()) {}

  LogicalResult run() {
    if (!givesGradients())
      return func.emitError("expected a result that is a gradient");
    nameZeros();
    findBackward();
    if (failed(checkOutputs()))
      return failure();
    createBackward();
    moveGradients();
    ResidualPlan plan =
        planResiduals(func.front(), backward.getBody(), {}, /*listsCanBeKept=*/true);
    passResiduals(plan);
    return func.eraseArguments(isSeed);
  }

private:
  bool givesGradients() {
    auto outputs = func->getAttrOfType<ArrayAttr>(outputsAttr);
    return outputs && llvm::any_of(outputs.getAsRange<DictionaryAttr>(),
                                   [](DictionaryAttr output) { return output.contains("grad"); });
  }

  /// Zeros of known sizes are like no tensor, which the backward function would have to be given.
  void nameZeros() {
    func.walk([](aten::ZerosLikeOp op) {
      auto type = cast<TensorType>(op.getType());
      if (!type.isStatic())
        return;
      OpBuilder before(op);
      op.replaceAllUsesWith(zerosOf(before, op.getLoc(), type));
      op.erase();
    });
  }

  /// Everything that depends on an output's gradient.
  void findBackward() {
    llvm::DenseSet<Value> dependent;
    isSeed.resize(func.getNumArguments());
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, gradOfAttr)) {
        isSeed.set(i);
        seeds.push_back(i);
        dependent.insert(func.getArgument(i));
      }
    for (Operation &op : func.front().without_terminator()) {
      bool depends = false;
      op.walk([&](Operation *inner) {
        depends |= inner->hasAttr(ofBackwardAttr);
        for (Value operand : inner->getOperands())
          depends |= dependent.contains(operand);
      });
      if (!depends)
        continue;
      moved.push_back(&op);
      dependent.insert_range(op.getResults());
    }
  }

  /// What the forward function gives cannot wait for the gradients of what it gives.
  LogicalResult checkOutputs() {
    llvm::SmallPtrSet<Operation *, 16> gone(moved.begin(), moved.end());
    llvm::SmallDenseSet<unsigned> gradients;
    for (auto output : func->getAttrOfType<ArrayAttr>(outputsAttr).getAsRange<DictionaryAttr>())
      if (output.get("grad"))
        gradients.insert(cast<IntegerAttr>(output.get("value")).getInt());
    for (auto [i, result] : llvm::enumerate(func.front().getTerminator()->getOperands()))
      if (Operation *def = result.getDefiningOp();
          def && gone.contains(def) && !gradients.contains(i))
        return def->emitOpError("expected results that depend on no gradient, as the function "
                                "returns them, got an operation that computes both");
    return success();
  }

  void createBackward() {
    b.setInsertionPointAfter(func);
    SmallVector<Type> types;
    SmallVector<Attribute> attrs;
    for (unsigned i : seeds) {
      types.push_back(func.getArgumentTypes()[i]);
      attrs.push_back(func.getArgAttrDict(i));
    }
    backward = func::FuncOp::create(b, func.getLoc(), (func.getName() + ".backward").str(),
                                    b.getFunctionType(types, {}));
    Block *body = backward.addEntryBlock();
    backward.setAllArgAttrs(attrs);
    for (auto [i, arg] : llvm::zip(seeds, body->getArguments()))
      func.getArgument(i).replaceAllUsesWith(arg);
    for (Operation *op : moved)
      op->moveBefore(body, body->end());
  }

  /// Outputs that are gradients become the results of the backward function.
  void moveGradients() {
    auto ret = cast<func::ReturnOp>(func.front().getTerminator());
    SmallVector<Attribute> forwardOutputs, backwardOutputs;
    SmallVector<Value> gradients;
    llvm::BitVector gone(func.getNumResults());
    for (auto output : func->getAttrOfType<ArrayAttr>(outputsAttr).getAsRange<DictionaryAttr>()) {
      if (!output.get("grad")) {
        forwardOutputs.push_back(output);
        continue;
      }
      unsigned index = cast<IntegerAttr>(output.get("value")).getInt();
      gone.set(index);
      backwardOutputs.push_back(
          b.getDictionaryAttr({b.getNamedAttr("grad", output.get("grad")),
                               b.getNamedAttr("value", b.getI64IntegerAttr(gradients.size()))}));
      gradients.push_back(ret.getOperand(index));
    }
    // Gradients come last: the numbers of the results before them stay.
    ret->eraseOperands(gone);
    (void)func.eraseResults(gone);
    func->setAttr(outputsAttr, b.getArrayAttr(forwardOutputs));
    OpBuilder end = OpBuilder::atBlockEnd(&backward.front());
    func::ReturnOp::create(end, func.getLoc(), gradients);
    backward->setAttr(outputsAttr, b.getArrayAttr(backwardOutputs));
  }

  void passResiduals(const ResidualPlan &plan) {
    auto ret = cast<func::ReturnOp>(func.front().getTerminator());
    auto outputs = llvm::to_vector(func->getAttrOfType<ArrayAttr>(outputsAttr));
    IRMapping map;
    for (auto [number, value] : llvm::enumerate(plan.kept)) {
      auto attr = b.getNamedAttr(residualAttr, b.getI64IntegerAttr(number));
      unsigned index = backward.getNumArguments();
      (void)backward.insertArgument(index, value.getType(), b.getDictionaryAttr(attr),
                                    value.getLoc());
      map.map(value, backward.getArgument(index));
      outputs.push_back(b.getDictionaryAttr(
          {b.getNamedAttr("residual", b.getI64IntegerAttr(number)),
           b.getNamedAttr("value", b.getI64IntegerAttr(ret.getNumOperands()))}));
      (void)func.insertResult(func.getNumResults(), value.getType(), {});
      ret->insertOperands(ret.getNumOperands(), value);
    }
    func->setAttr(outputsAttr, b.getArrayAttr(outputs));
    OpBuilder start = OpBuilder::atBlockBegin(&backward.front());
    useResiduals(plan, backward.getBody(), start, map);
    backward.setFunctionType(b.getFunctionType(
        backward.front().getArgumentTypes(), backward.front().getTerminator()->getOperandTypes()));
  }

  func::FuncOp func, backward;
  OpBuilder b;
  llvm::BitVector isSeed;
  SmallVector<unsigned> seeds;
  SmallVector<Operation *> moved;
};

struct PartitionPass : impl::JitPartitionGradientsBase<PartitionPass> {
  using JitPartitionGradientsBase::JitPartitionGradientsBase;

  void runOnOperation() override {
    auto func = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!func || func.isExternal()) {
      getOperation().emitError("expected a function called '") << entry << "'";
      return signalPassFailure();
    }
    if (failed(Partition(func).run()))
      return signalPassFailure();
    dropAbsent(getOperation().lookupSymbol<func::FuncOp>(entry + ".backward"));
  }

private:
  void dropAbsent(func::FuncOp backward) {
    OpBuilder b = OpBuilder::atBlockBegin(&backward.front());
    for (BlockArgument argument : backward.getArguments()) {
      auto of = backward.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), gradOfAttr);
      if (of && llvm::is_contained(absent, of.getInt()))
        argument.replaceAllUsesWith(
            AbsentOp::create(b, backward.getLoc(), argument.getType()).getResult());
    }
  }
};

} // namespace

} // namespace jit
