//===- VerifyStage.cpp - a stage's exit contract as a pass ----------------===//

#include "jit/Pipeline/Pipeline.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace jit {

namespace {

struct VerifyStagePass : PassWrapper<VerifyStagePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyStagePass)

  VerifyStagePass() = default;
  explicit VerifyStagePass(StringRef name) { stage = name.str(); }
  VerifyStagePass(const VerifyStagePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "jit-verify-stage"; }
  StringRef getDescription() const override {
    return "Checks that a module is what the stage that is named leaves behind";
  }
  void runOnOperation() override {
    for (ArrayRef<Stage> stages : {programStages(), variantStages()})
      for (const Stage &known : stages)
        if (known.name == StringRef(stage)) {
          if (failed(known.verify(getOperation())))
            signalPassFailure();
          return;
        }
    getOperation().emitError("expected the name of a stage, got '") << stage << "'";
    signalPassFailure();
  }

  Option<std::string> stage{*this, "stage", llvm::cl::desc("the stage, as in --verify-stages")};
};

} // namespace

std::unique_ptr<Pass> createVerifyStagePass(StringRef stage) {
  return std::make_unique<VerifyStagePass>(stage);
}

void registerVerifyStagePass() { PassRegistration<VerifyStagePass>(); }

} // namespace jit
