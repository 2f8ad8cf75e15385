//===- LowerToKernels.cpp - a plan, and kernels still to be compiled -------===//
#include "Targets/Gpu/LowerToKernels.h"
#include "Buffers/Signature.h"
#include "Plan/PlanBuilder.h"
#include "Targets/Gpu/Pipelines.h"

using namespace mlir;

FailureOr<std::shared_ptr<jit::runtime::Artifact>>
jit::codegen::lowerToKernels(ModuleOp module, const CodegenOptions &options,
                             std::shared_ptr<jit::runtime::DeviceCode> code) {
  FailureOr<std::vector<jit::runtime::Entry>> entries = describeEntries(module);
  if (failed(entries))
    return failure();
  PassManager pm(module.getContext());
  pm.enableVerifier(options.verify);
  if (options.timing)
    pm.enableTiming(*options.timing);
  addKernelPipeline(pm, options);
  if (failed(pm.run(module)))
    return failure();
  return planEntries(module, std::move(*entries), std::move(code));
}
