//===- Normalize.cpp - the stage: its list of passes, its exit contract ---===//

#include "jit/Normalize/Normalize.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace jit {

void buildNormalizePipeline(OpPassManager &pm) {
  pm.addPass(createInlineMethodsPass());
  pm.addPass(createResolveObjectsPass());
  pm.addPass(createResolveGradModePass());
  pm.addPass(createFreezePass());
  pm.addPass(createLowerExceptionsPass());
  pm.addPass(createLowerTuplesPass());
  pm.addPass(createSimplifyPass());
  pm.addPass(createExposeBatchNormPass());
  pm.addPass(createSeedRandomPass());
  // Branches that a frozen flag has closed may have held the only writes of other slots.
  pm.addPass(createFreezePass());
  pm.addPass(createSimplifyPass());
}

void registerNormalizePipeline() {
  PassPipelineRegistration<>("jit-normalize",
                             "Programs to one flat graph per entry, module state in slots",
                             buildNormalizePipeline);
}

LogicalResult verifyNormalized(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    if (isa<func::CallOp, GetAttrOp, SetAttrOp, CreateObjectOp, RaiseOp, AliasOp,
            aten::SetGradEnabledOp, aten::IsGradEnabledOp>(op)) {
      op->emitOpError("expected no calls, objects, exceptions or grad mode after Normalize");
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (isa<ObjectType>(type)) {
        op->emitOpError("expected no objects after Normalize, got ") << type;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit
