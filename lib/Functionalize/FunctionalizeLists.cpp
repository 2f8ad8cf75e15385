//===- FunctionalizeLists.cpp - lists and dicts that change become new ones ===//

#include "InPlaceThreading.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Functionalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_FUNCTIONALIZELISTSPASS
#include "jit/Functionalize/Passes.h.inc"

namespace {

class ListThreading : public InPlaceThreading {
public:
  using InPlaceThreading::InPlaceThreading;

private:
  Value writtenBy(Operation *op) const override {
    return isa<AppendOp, ReplaceOp>(op) ? writtenInPlace(op) : Value();
  }

  Value write(OpBuilder &builder, Operation *op, const Path &path) override {
    Location loc = op->getLoc();
    if (auto replace = dyn_cast<ReplaceOp>(op))
      return castTo(builder, loc, replace.getValue(), path.values.back().getType());
    auto append = cast<AppendOp>(op);
    Value value = ListAppendOp::create(builder, loc, append.getList().getType(),
                                       path.values.front(), append.getElement());
    return castTo(builder, loc, value, path.values.back().getType());
  }
};

struct FunctionalizeListsPass : impl::FunctionalizeListsPassBase<FunctionalizeListsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(ListThreading(func).run()))
        return signalPassFailure();
  }
};

} // namespace

} // namespace jit
