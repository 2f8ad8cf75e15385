//===- Functionalize.cpp - the stage: its list of passes, its exit contract ===//

#include "jit/Functionalize/Functionalize.h"
#include "jit/Dialect/Jit/Contract.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/SelectionPatterns.h"
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
  pm.addPass(createCanonicalizerPass(GreedyRewriteConfig(), selectionPatterns()));
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
  ConversionTarget target(*module.getContext());
  target.addIllegalOp<SlotSetOp>();
  target.addDynamicallyLegalOp<SlotGetOp>([&](SlotGetOp get) {
    auto slot = symbols.lookup<SlotOp>(get.getSlot());
    return slot && !slot->hasAttr(mutableAttr);
  });
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return verifyContract(module, target,
                        "no module state to change, and only frozen slots to be read, after "
                        "Promote");
}

LogicalResult verifyFunctionalized(ModuleOp module) {
  return verifyNone<OverwriteOp, BecomeOp>(module, "nothing to be written after Functionalize");
}

} // namespace jit
