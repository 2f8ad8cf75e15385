//===- Pipelines.cpp - the passes of CPUs, and those of several targets ------===//
#include "Targets/Pipelines.h"
#include "jit/Canonicalizer.h"
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Codegen/LLVM/Passes.h"
#include "jit/Codegen/Loops/Passes.h"
#include "jit/Codegen/Math/Passes.h"
#include "jit/Codegen/Products/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Parts of several
//===----------------------------------------------------------------------===//

void jit::codegen::addCleanup(OpPassManager &pm) {
  pm.addPass(jit::createCanonicalizer());
  pm.addPass(createCSEPass());
}

static std::unique_ptr<Pass> createQuickCanonicalizer() {
  GreedyRewriteConfig config;
  config.setMaxIterations(1);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return jit::createCanonicalizer(config);
}

static void addQuickCleanup(OpPassManager &pm) {
  pm.addPass(createQuickCanonicalizer());
  pm.addPass(createCSEPass());
}

void jit::codegen::addBufferization(OpPassManager &pm) {
  pm.addPass(jit::codegen::createHoistInit());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createFuseLoops());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(jit::codegen::createSeparateInits());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createDestinationStyle());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createWriteChains());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createCarryByCopy());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createChecksFirst());
  pm.addPass(jit::codegen::createEliminateEmpty());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createLoopChains());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createCarryInPlace());
  // The bufferisation knows that an alloc_tensor is dense. Of what it makes of a tensor.empty it
  // knows nothing before it has made it; two branches may have guessed two layouts by then.
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  pm.addPass(bufferization::createOneShotBufferizePass());
  pm.addPass(jit::codegen::createVerifyModule());
  pm.addPass(jit::codegen::createCollapseUnitDims());
}

void jit::codegen::addBufferCleanup(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(jit::codegen::createSeparateResults());
  addCleanup(pm);
}

void jit::codegen::addLowerToLLVM(OpPassManager &pm) {
  pm.addPass(jit::codegen::createCollapseUnitDims());
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addNestedPass<func::FuncOp>(createLowerAffinePass());
  pm.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  pm.addPass(jit::codegen::createLowerForeignCalls());
  pm.addPass(jit::codegen::createLowerGuards());
  // Integer powers whose exponent is not known become functions.
  pm.addPass(createConvertMathToFuncs());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToLLVMPass({.x86Vector = true}));
  pm.addPass(jit::codegen::createConvertToLLVM());
  pm.addPass(jit::codegen::createMaskHalves());
  addQuickCleanup(pm.nest<LLVM::LLVMFuncOp>());
}

//===----------------------------------------------------------------------===//
// CPUs
//===----------------------------------------------------------------------===//

/// Entries on tensors: what runs once, what runs in one loop, which buffer it is computed in.
static void addTensorPasses(OpPassManager &pm, const jit::codegen::CodegenOptions &options) {
  const jit::codegen::Machine &machine = options.machine;
  jit::codegen::ProductTuning tuning = options.tuning;
  if (tuning.table && tuning.table->cpu() != machine.cpu)
    tuning.table = nullptr;
  pm.addPass(jit::codegen::createVerifyModule());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createFoldTransposes());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createPrepareFactors(machine));
  pm.addNestedPass<func::FuncOp>(jit::codegen::createChannelsLast(machine));
  pm.addNestedPass<func::FuncOp>(jit::createCanonicalizer());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createStorePadded());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createFoldWindows());
  if (options.numerics == jit::Numerics::Fast)
    pm.addNestedPass<func::FuncOp>(jit::codegen::createUseWinograd(machine));
  // Packing first: what it does to weights is then hoisted like any other computation on them.
  pm.addNestedPass<func::FuncOp>(jit::codegen::createPackProducts(machine, tuning));
}

/// f32 computes numbers of 16 bits where LLVM would call a compiler's library to round them, and
/// those of bf16 everywhere: x86's instruction for them makes 0 of what is subnormal.
static void addHalfArithmetic(OpPassManager &pm, const jit::codegen::Machine &machine) {
  arith::ArithEmulateUnsupportedFloatsOptions options;
  if (!machine.convertsF16)
    options.sourceTypeStrs.push_back("f16");
  options.sourceTypeStrs.push_back("bf16");
  pm.addNestedPass<func::FuncOp>(arith::createArithEmulateUnsupportedFloats(options));
}

/// Entries on buffers: places in memory, loops, threads.
static void addBufferPasses(OpPassManager &pm, const jit::codegen::CodegenOptions &options) {
  const jit::codegen::Machine &machine = options.machine;
  pm.addNestedPass<func::FuncOp>(jit::codegen::createFuseRows({.chains = true}));
  pm.addNestedPass<func::FuncOp>(jit::createCanonicalizer());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createEmitProducts(machine));
  if (machine.multipliesBytes)
    pm.addNestedPass<func::FuncOp>(jit::codegen::createEmitByteProducts(machine));
  pm.addNestedPass<func::FuncOp>(jit::codegen::createSplitLoops());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createFuseRows());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createPrefetchRows({.cacheBytes = machine.l2Bytes}));
  pm.addNestedPass<func::FuncOp>(createQuickCanonicalizer());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createPlanMemory());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createLowerStructured());
  pm.addPass(jit::codegen::createWidenBool());
  pm.addPass(jit::codegen::createEmitEntry());
  // What follows then sees loops of one shape once.
  jit::codegen::OutlineParallelOptions outline;
  outline.threshold = options.parallelThreshold;
  outline.shareSizes = options.sharesLoopSizes;
  pm.addPass(jit::codegen::createOutlineParallel(outline));
  pm.addPass(jit::codegen::createOutlineLoops({.shareSizes = options.sharesLoopSizes}));
  addQuickCleanup(pm.nest<func::FuncOp>());
  addHalfArithmetic(pm, machine);
  pm.addNestedPass<func::FuncOp>(jit::codegen::createExpandMath(
      {.ldexp = machine.scalesByPowers, .f16 = machine.convertsF16, .bf16 = false}));
  pm.addNestedPass<func::FuncOp>(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(jit::codegen::createMarkAliasing());
}

void jit::codegen::addCpuPipeline(OpPassManager &pm, const CodegenOptions &options) {
  addTensorPasses(pm, options);
  addBufferization(pm);
  addBufferCleanup(pm);
  addBufferPasses(pm, options);
  addLowerToLLVM(pm);
}
