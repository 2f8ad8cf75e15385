//===- ElementViews.cpp - parts of a tensor as views of their own ---------===//

#include "SharedMemory.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_ELEMENTVIEWSPASS
#include "jit/Functionalize/Passes.h.inc"

namespace {

/// The element of `list`, if one operator splits a tensor into it; null for any other list.
Value elementOf(OpBuilder &builder, Value list, Value at) {
  auto split = list.getDefiningOp<SplitOpInterface>();
  return split ? split.part(builder, at) : Value();
}

Value number(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

/// The call fails unless the list has `count` elements.
void demandLength(OpBuilder &builder, Location loc, Value list, int64_t count) {
  GraphBuilder build{builder, loc};
  Value length = build.intOp<aten::LenTOp>(Any(build, list)).v;
  Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, length,
                                     number(builder, loc, count));
  GuardOp::create(builder, loc, fits, "builtins.RuntimeError",
                  "expected " + std::to_string(count) + " values to unpack, got {}", length);
}

/// Whether anything of the memory that `list` holds views of is written.
bool isOfWrittenMemory(Value list) {
  auto split = list.getDefiningOp<SplitOpInterface>();
  return split && isWrittenInPlace(memoryRoot(split->getOperand(0)));
}

/// What splits a tensor has the parts of what it is there, wherever they are taken.
void splitWhatIsThere(func::FuncOp func) {
  if (!changesSizes(func) && !writesOut(func))
    return;
  func.walk([](SplitOpInterface split) {
    OpBuilder builder(split);
    Value self = split->getOperand(0);
    auto alias = aten::AliasOp::create(builder, split.getLoc(), self.getType(), self);
    split->setOperand(0, alias.getResult());
  });
}

struct ElementViewsPass : impl::ElementViewsPassBase<ElementViewsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      splitWhatIsThere(func);
      // An element is one tensor, however often it is taken: its sizes change in all of its names.
      if (changesSizes(func))
        continue;
      func.walk([&](Operation *op) {
        if (auto get = dyn_cast<aten::GetItemTOp>(op))
          replaceElement(get);
        else if (auto unpack = dyn_cast<ListUnpackOp>(op))
          replaceAll(unpack);
      });
    }
  }

private:
  static void replace(Value old, Value view) {
    OpBuilder builder(old.getDefiningOp());
    old.replaceAllUsesWith(castTo(builder, old.getLoc(), view, old.getType()));
  }

  void replaceElement(aten::GetItemTOp get) {
    if (!isOfWrittenMemory(get.getList()))
      return;
    OpBuilder builder(get);
    if (Value view = elementOf(builder, get.getList(), get.getIdx()))
      replace(get.getResult(), view);
  }

  void replaceAll(ListUnpackOp unpack) {
    if (!isOfWrittenMemory(unpack.getList()))
      return;
    OpBuilder builder(unpack);
    Location loc = unpack.getLoc();
    SmallVector<Value> views;
    for (size_t i = 0; i < unpack.getNumResults(); ++i)
      views.push_back(elementOf(builder, unpack.getList(), number(builder, loc, i)));
    if (llvm::is_contained(views, Value()))
      return;
    demandLength(builder, loc, unpack.getList(), unpack.getNumResults());
    for (auto [element, view] : llvm::zip(unpack.getResults(), views))
      replace(element, view);
  }
};

} // namespace

} // namespace jit
