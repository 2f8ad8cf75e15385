//===- FunctionalizeLists.cpp - lists that grow become new lists ----------===//

#include "InPlaceThreading.h"
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
  Value writtenBy(Operation *op) override {
    auto append = dyn_cast<AppendOp>(op);
    return append ? append.getList() : Value();
  }

  Value write(OpBuilder &builder, Operation *op, const Path &path) override {
    Location loc = op->getLoc();
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
