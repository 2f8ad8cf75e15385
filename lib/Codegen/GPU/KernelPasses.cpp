//===- KernelPasses.cpp - from tensors to kernels, wherever they run ------===//
#include "GPU/KernelPasses.h"
#include "Bufferize.h"
#include "GPU/PlanBuilder.h"
#include "Signature.h"
#include "jit/Canonicalizer.h"
#include "jit/Codegen/GPU/Passes.h"
#include "jit/Codegen/Passes.h"
#include "jit/Runtime/CudaChip.h"

#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// How many multiprocessors a chip has: grids are bounded by it.
static int64_t multiprocessorsOf(llvm::StringRef chip) {
  return chip.starts_with("sm_90") ? 132 : 108;
}

static bool isUsed(jit::GpuLibraries libraries, jit::Result<void> (*find)()) {
  return libraries == jit::GpuLibraries::On || (libraries == jit::GpuLibraries::Auto && find());
}

void jit::addKernelPasses(OpPassManager &pm, const CodegenOptions &options) {
  addBufferization(pm);
  OpPassManager &entry = pm.nest<func::FuncOp>();
  // Sizes of other shapes of a buffer are the buffer's: so the host knows them, and which are
  // equal.
  entry.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  entry.addPass(createCSEPass());
  entry.addPass(createCanonicalizer());
  entry.addPass(createStoreScalars());
  entry.addPass(
      createMapKernels({multiprocessorsOf(options.chip), options.chip == "sm_90a", options.gpuTf32,
                        isUsed(options.gpuLibraries, jit::runtime::findProductLibrary),
                        isUsed(options.gpuLibraries, jit::runtime::findConvolutionLibrary)}));
  entry.addPass(createNcLoads({options.gpuNcLoads}));
  addCleanup(entry);
  entry.addPass(createPlanMemory());
  entry.addPass(createExpandMath());
  entry.addPass(createExpandPowers());
  pm.addPass(createWidenBool());
  pm.addPass(createOutlineKernels());
}

FailureOr<std::shared_ptr<jit::runtime::Artifact>>
jit::lowerToKernels(ModuleOp module, const CodegenOptions &options,
                    std::shared_ptr<jit::runtime::DeviceCode> code) {
  FailureOr<std::vector<jit::runtime::Entry>> entries = describeEntries(module);
  if (failed(entries))
    return failure();
  PassManager pm(module.getContext());
  pm.enableVerifier(options.verify);
  if (options.timing)
    pm.enableTiming(*options.timing);
  addKernelPasses(pm, options);
  if (failed(pm.run(module)))
    return failure();
  return planEntries(module, std::move(*entries), std::move(code));
}
