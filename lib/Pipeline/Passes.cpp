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
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

namespace jit {

/// Those that the pipelines name: jit-opt replays what a failure has left behind.
static void registerUpstreamPasses() {
  mlir::registerTransformsPasses();
  mlir::registerConvertMathToFuncsPass();
  mlir::registerConvertNVVMToLLVMPass();
  mlir::registerConvertVectorToLLVMPass();
  mlir::registerLowerAffinePass();
  mlir::registerSCFToControlFlowPass();
  mlir::arith::registerArithEmulateUnsupportedFloatsPass();
  mlir::arith::registerArithIntRangeOptsPass();
  mlir::bufferization::registerBufferizationPasses();
  mlir::memref::registerExpandStridedMetadataPass();
  mlir::memref::registerResolveRankedShapeTypeResultDimsPass();
}

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
  registerUpstreamPasses();
}

} // namespace jit
