//===- FunctionalizeTensors.cpp - writes in place become new tensors ------===//

#include "InPlaceThreading.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Functionalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_FUNCTIONALIZETENSORSPASS
#include "jit/Functionalize/Passes.h.inc"

/// `value`, an operator's result just made, under the type of what it replaces: a write changes
/// neither sizes nor element type.
static Value underType(OpBuilder &builder, Value value, Type type) {
  if (value.getDefiningOp<AtenOpInterface>())
    if (Type met = meetTypes(value.getType(), type); met && isa<TensorType>(met))
      value.setType(met);
  return castTo(builder, value.getLoc(), value, type);
}

namespace {

class TensorThreading : public InPlaceThreading {
public:
  using InPlaceThreading::InPlaceThreading;

private:
  Value writtenBy(Operation *op) override {
    auto overwrite = dyn_cast<OverwriteOp>(op);
    return overwrite ? overwrite.getSelf() : Value();
  }

  /// The tensor `self` after it took the elements of `value`, broadcast and converted.
  Value copied(OpBuilder &builder, Location loc, Value self, Value value) {
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

  Value write(OpBuilder &builder, Operation *op, const Path &path) override {
    auto overwrite = cast<OverwriteOp>(op);
    Value next = copied(builder, op->getLoc(), path.values.front(), overwrite.getValue());
    if (!next) {
      op->emitOpError(
          "expected a value that has or broadcasts to the sizes of what is written, got ")
          << overwrite.getValue().getType() << " for " << overwrite.getSelf().getType();
      return {};
    }
    for (auto [index, view] : llvm::enumerate(path.views)) {
      Value base = path.values[index + 1];
      next = underType(builder, next, view->getResult(0).getType());
      if (auto viewOp = dyn_cast<ViewOpInterface>(view))
        next = viewOp.scatter(builder, base, next);
      if (!next) {
        op->emitOpError("expected a view that can be written, got ") << view->getName();
        return {};
      }
      next = underType(builder, next, base.getType());
    }
    return underType(builder, next, path.values.back().getType());
  }
};

struct FunctionalizeTensorsPass : impl::FunctionalizeTensorsPassBase<FunctionalizeTensorsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(TensorThreading(func).run()))
        return signalPassFailure();
  }
};

} // namespace

} // namespace jit
