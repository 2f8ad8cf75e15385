//===- Pipelines.cpp - the passes of GPUs, in order -----------------------===//
#include "Targets/Gpu/Pipelines.h"
#include "Targets/Pipelines.h"
#include "jit/Canonicalizer.h"
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Codegen/Emulation/Passes.h"
#include "jit/Codegen/Kernels/Passes.h"
#include "jit/Codegen/Loops/Passes.h"
#include "jit/Codegen/Math/Passes.h"
#include "jit/Codegen/NVVM/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// The GPU to write kernels for. One that is not known, or not chosen, is like the smallest: where
/// code is made of the kernels the same name is refused.
static jit::codegen::GpuMachine machineOf(const jit::codegen::CodegenOptions &options) {
  llvm::Expected<jit::codegen::GpuMachine> machine = jit::codegen::describeGpu(options.chip);
  if (machine)
    return *machine;
  llvm::consumeError(machine.takeError());
  return {};
}

static bool isUsed(jit::GpuLibraries libraries, bool (*isHere)()) {
  return libraries == jit::GpuLibraries::On || (libraries == jit::GpuLibraries::Auto && isHere());
}

void jit::codegen::addMapKernels(OpPassManager &entry, const GpuMachine &machine, bool tf32,
                                 bool libraryProducts, bool libraryConvolutions) {
  entry.addPass(createLowerCopies());
  entry.addPass(createMapAttention({machine.multiprocessors, machine.hasWarpgroupProducts}));
  entry.addPass(createMapProducts({machine.multiprocessors, machine.hasWarpgroupProducts, tf32,
                                   libraryProducts, libraryConvolutions}));
  entry.addPass(createMapRows({machine.multiprocessors}));
  entry.addPass(createMapOps({machine.multiprocessors}));
  entry.addPass(createSinkScalars());
}

void jit::codegen::addKernelPipeline(OpPassManager &pm, const CodegenOptions &options) {
  // Guards that hold by the bounds of loops go: what the host checks in each trip, no one kernel
  // can hold.
  pm.addNestedPass<func::FuncOp>(arith::createIntRangeOptimizationsPass());
  addBufferization(pm);
  // Before two sides become a choice of buffers, which is made before either is written.
  pm.addNestedPass<func::FuncOp>(createBranchBuffers());
  addBufferCleanup(pm);
  OpPassManager &entry = pm.nest<func::FuncOp>();
  // Sizes of other shapes of a buffer are the buffer's: so the host knows them, and which are
  // equal.
  entry.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  entry.addPass(createCSEPass());
  entry.addPass(createCanonicalizer());
  entry.addPass(createStoreScalars());
  addMapKernels(entry, machineOf(options), options.gpuTf32,
                isUsed(options.gpuLibraries, hostHasProductLibrary),
                isUsed(options.gpuLibraries, hostHasConvolutionLibrary));
  entry.addPass(createNcLoads({options.gpuNcLoads}));
  entry.addPass(createPersistentLoops({machineOf(options).multiprocessors}));
  addCleanup(entry);
  entry.addPass(createPlanMemory());
  entry.addPass(createExpandMath({.exp2 = true}));
  entry.addPass(createExpandPowers());
  pm.addPass(createWidenBool());
  pm.addPass(createOutlineKernels());
  // Launches ask for the sizes of what they take, which branches may give.
  pm.addNestedPass<func::FuncOp>(createBranchSizes());
}

void jit::codegen::addNvvmPipeline(OpPassManager &pm) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createCollapseUnitDims());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  addCleanup(kernels);
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createConvertToNVVM());
  // What has no intrinsic of LLVM's becomes assembly.
  kernels.addPass(createConvertNVVMToLLVMPass());
  addCleanup(kernels);
}

void jit::codegen::addEmulationPipeline(OpPassManager &pm, const CodegenOptions &options) {
  pm.addPass(createEmulateKernels());
  // A GPU has instructions for halves that this CPU may lack.
  pm.addNestedPass<func::FuncOp>(
      createExpandMath({.f16 = options.machine.convertsF16, .bf16 = false}));
  addLowerToLLVM(pm);
}
