//===- Functionalize.cpp - the stage: its list of passes, its exit contract ===//

#include "jit/Functionalize/Functionalize.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace jit {

void buildPromotePipeline(OpPassManager &pm) {
  pm.addPass(createPromoteSlotsPass());
  pm.addPass(createElementViewsPass());
  pm.addPass(createFunctionalizeListsPass());
  pm.addPass(createForwardWritesPass());
  pm.addPass(createDropWideningPass());
}

void buildFunctionalizePipeline(OpPassManager &pm) {
  pm.addPass(createResolveLeavesPass());
  pm.addPass(createFunctionalizeTensorsPass());
  pm.addPass(createMarkVariablesPass());
  pm.addPass(createDropWideningPass());
  // From here on equal operations give equal values. A selection among tensors stays a branch.
  pm.addPass(createCanonicalizerPass(GreedyRewriteConfig(),
                                     {"(anonymous namespace)::ConvertTrivialIfToSelect"}));
  pm.addPass(createCSEPass());
}

void registerFunctionalizePipeline() {
  PassPipelineRegistration<>("jit-promote",
                             "Module state to arguments and results, lists that change to new ones",
                             buildPromotePipeline);
  PassPipelineRegistration<>("jit-functionalize", "Writes in place to new tensors",
                             buildFunctionalizePipeline);
}

LogicalResult verifyPromoted(ModuleOp module) {
  SymbolTable symbols(module);
  WalkResult walk = module.walk([&](Operation *op) {
    if (isa<AppendOp, ReplaceOp, SlotSetOp>(op)) {
      op->emitOpError("expected nothing but tensors to change in place after Promote");
      return WalkResult::interrupt();
    }
    auto get = dyn_cast<SlotGetOp>(op);
    SlotOp slot = get ? symbols.lookup<SlotOp>(get.getSlot()) : SlotOp();
    if (slot && slot->hasAttr("jit.mutable")) {
      op->emitOpError("expected only frozen slots to be read after Promote");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult verifyFunctionalized(ModuleOp module) {
  WalkResult walk = module.walk([](OverwriteOp op) {
    op.emitOpError("expected nothing to be written after Functionalize");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit
