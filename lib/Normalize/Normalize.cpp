//===- Normalize.cpp - the stage: its list of passes, its exit contract ---===//

#include "jit/Normalize/Normalize.h"
#include "jit/Dialect/Aten/Autocast.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Jit/Contract.h"
#include "jit/Dialect/Jit/Opaque.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace jit {

void buildNormalizePipeline(OpPassManager &pm) {
  pm.addPass(createInlineMethodsPass());
  pm.addPass(createLowerOpaquePass());
  pm.addPass(createResolveObjectsPass());
  pm.addPass(createResolveGradModePass());
  pm.addPass(createExposeSavedMemoryPass());
  pm.addPass(createFreezePass());
  pm.addPass(createLowerExceptionsPass());
  pm.addPass(createLowerTuplesPass());
  pm.addPass(createFoldKnownPass());
  pm.addPass(createResolveAutocastPass());
  pm.addPass(createExposeBatchNormPass());
  pm.addPass(createSeedRandomPass());
  // Branches that a frozen flag has closed may have held the only writes of other slots.
  pm.addPass(createFreezePass());
  pm.addPass(createFoldKnownPass());
}

void registerNormalizePipeline() {
  PassPipelineRegistration<>("jit-normalize",
                             "Programs to one flat graph per entry, module state in slots",
                             buildNormalizePipeline);
}

/// Each method is one graph: no calls, unknown nodes, objects, exceptions or modes.
static ConversionTarget normalizedTarget(MLIRContext &context) {
  ConversionTarget target(context);
  target
      .addIllegalOp<func::CallOp, OpaqueOp, GetAttrOp, SetAttrOp, CreateObjectOp, RaiseOp, AliasOp,
                    aten::SetGradEnabledOp, aten::IsGradEnabledOp, aten::SetAutocastOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *op) {
    return definesOnly(op, [](Type type) { return !isa<ObjectType>(type); });
  });
  return target;
}

LogicalResult verifyNormalized(ModuleOp module) {
  return verifyContract(module, normalizedTarget(*module.getContext()),
                        "no calls, objects, exceptions or modes after Normalize");
}

} // namespace jit
