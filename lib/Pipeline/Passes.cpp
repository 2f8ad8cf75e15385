//===- Passes.cpp - the passes that jit-opt offers ------------------------===//

#include "jit/Autodiff/Passes.h"
#include "jit/Codegen/Target.h"
#include "jit/Functionalize/Functionalize.h"
#include "jit/Functionalize/Passes.h"
#include "jit/Fuse/Passes.h"
#include "jit/Infer/Passes.h"
#include "jit/Lower/Passes.h"
#include "jit/Normalize/Normalize.h"
#include "jit/Normalize/Passes.h"
#include "jit/Pipeline/Explain.h"
#include "jit/Pipeline/Pipeline.h"
#include "jit/Pipeline/Registration.h"
#include "jit/Simplify/Passes.h"
#include "jit/Specialize/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

namespace jit {

void registerPasses() {
  registerJitNormalizePasses();
  registerNormalizePipeline();
  registerJitFunctionalizePasses();
  registerFunctionalizePipeline();
  registerJitSpecializePasses();
  registerJitInferPasses();
  registerJitAutodiffPasses();
  registerJitSimplifyPasses();
  registerJitFusePasses();
  registerJitLowerPasses();
  codegen::registerCodegenPasses();
  registerPipelines();
  registerExplainPass();
  registerVerifyStagePass();
  mlir::registerTransformsPasses();
  mlir::registerSCFToControlFlowPass();
  mlir::bufferization::registerBufferizationPasses();
}

} // namespace jit
