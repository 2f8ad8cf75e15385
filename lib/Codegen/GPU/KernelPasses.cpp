//===- KernelPasses.cpp - from tensors to kernels, wherever they run ------===//
#include "GPU/KernelPasses.h"
#include "Bufferize.h"
#include "GPU/PlanBuilder.h"
#include "Signature.h"
#include "jit/Canonicalizer.h"
#include "jit/Codegen/GPU/Passes.h"
#include "jit/Codegen/Passes.h"

#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// The GPU to write kernels for. One that is not known, or not chosen, is like the smallest: where
/// code is made of the kernels the same name is refused.
static jit::GpuMachine machineOf(const jit::CodegenOptions &options) {
  llvm::Expected<jit::GpuMachine> machine = jit::describeGpu(options.chip);
  if (machine)
    return *machine;
  llvm::consumeError(machine.takeError());
  return {};
}

static bool isUsed(jit::GpuLibraries libraries, bool (*isHere)()) {
  return libraries == jit::GpuLibraries::On || (libraries == jit::GpuLibraries::Auto && isHere());
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
  GpuMachine machine = machineOf(options);
  entry.addPass(
      createMapKernels({machine.multiprocessors, machine.hasWarpgroupProducts, options.gpuTf32,
                        isUsed(options.gpuLibraries, hostHasProductLibrary),
                        isUsed(options.gpuLibraries, hostHasConvolutionLibrary)}));
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
