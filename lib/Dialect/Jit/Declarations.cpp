//===- Declarations.cpp - what is known of functions without them ---------===//

#include "jit/Dialect/Jit/Declarations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

OwningOpRef<ModuleOp> jit::declarationsOf(ModuleOp module) {
  Location nowhere = UnknownLoc::get(module.getContext());
  OwningOpRef<ModuleOp> declarations = ModuleOp::create(nowhere);
  (*declarations)->setAttrs(module->getAttrs());
  auto b = OpBuilder::atBlockEnd(declarations->getBody());
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      b.cloneWithoutRegions(*function.getOperation())->setLoc(nowhere);
  return declarations;
}
