//===- Pipeline.cpp - the list of stages ----------------------------------===//

#include "jit/Pipeline/Pipeline.h"
#include "jit/Autodiff/Passes.h"
#include "jit/Canonicalizer.h"
#include "jit/Functionalize/Functionalize.h"
#include "jit/Fuse/Passes.h"
#include "jit/Infer/Passes.h"
#include "jit/Lower/Passes.h"
#include "jit/Normalize/Normalize.h"
#include "jit/Normalize/Passes.h"
#include "jit/Simplify/Passes.h"
#include "jit/Specialize/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static void buildNormalize(OpPassManager &pm, const PipelineOptions &options) {
  if (options.optimizer)
    pm.addPass(createSetTrainingPass());
  buildNormalizePipeline(pm);
}

static void buildPromote(OpPassManager &pm, const PipelineOptions &options) {
  buildPromotePipeline(pm);
  if (!options.optimizer)
    return;
  const OptimizerOptions &o = *options.optimizer;
  pm.addPass(createJitAddOptimizerSteps({o.method, o.name, o.lr, o.weightDecay, o.momentum,
                                         o.dampening, o.nesterov, o.beta1, o.beta2, o.eps}));
}

static void buildSpecialize(OpPassManager &pm, const PipelineOptions &options) {
  JitSpecializeOptions specialize;
  specialize.entry = options.entry;
  specialize.args = options.args;
  specialize.raises = options.raises;
  specialize.dataSqueeze = options.dataSqueeze;
  specialize.keepsArgumentMemory = options.keepsArgumentMemory;
  pm.addPass(createJitSpecialize(specialize));
}

static void buildInfer(OpPassManager &pm, const PipelineOptions &) {
  pm.addNestedPass<func::FuncOp>(createJitInferTypes());
  pm.addNestedPass<func::FuncOp>(createJitExpandSparse());
}

/// Until here a tensor is a memory: no two operations are equal, and no copy is one too many.
static void buildFunctionalize(OpPassManager &pm, const PipelineOptions &options) {
  buildFunctionalizePipeline(pm);
  pm.addNestedPass<func::FuncOp>(createJitInferTypes());
  if (!options.keepsComplex)
    pm.addNestedPass<func::FuncOp>(createJitSplitComplex());
  pm.addPass(createCanonicalizerPass());
}

/// After this a program has no gradients but those that the caller asks for.
static void buildGradients(OpPassManager &pm, const PipelineOptions &) {
  pm.addPass(createJitExpandGradients());
}

/// Without gradients only products of so few rows gain by leaving their loop: others fit the caches
/// step by step.
static constexpr int64_t flatRows = 8;

/// The forward graph: autodiff sees loops whose products are outside already.
static void buildSimplify(OpPassManager &pm, const PipelineOptions &options) {
  bool hasGradients = options.differentiate || options.optimizer;
  JitHoistProductsOptions hoist;
  hoist.maxRows = hasGradients ? 1024 : flatRows;
  pm.addNestedPass<func::FuncOp>(createJitPeephole({.afterGradients = !hasGradients}));
  pm.addNestedPass<func::FuncOp>(createJitHoistProducts(hoist));
  pm.addNestedPass<func::FuncOp>(createJitUnrollLoops({.pointwiseOnly = true}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static void buildAutodiff(OpPassManager &pm, const PipelineOptions &options) {
  if (options.optimizer)
    pm.addPass(createJitExpandOptimizerSteps({options.entry}));
  else if (options.differentiate)
    pm.addPass(createJitDifferentiate(
        {options.entry, options.split ? "arguments" : "ones", /*parameters=*/!options.split}));
  else
    return;
  pm.addNestedPass<func::FuncOp>(createJitEliminateGradSumToSize());
  // Merged with its gradient, a branch would be part of the backward pass as a whole.
  std::vector<std::string> disabled;
  if (options.split)
    disabled.push_back("(anonymous namespace)::CombineIfs");
  pm.addPass(createCanonicalizerPass({}, disabled));
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createJitMergeGradSumToSize());
  pm.addNestedPass<func::FuncOp>(createJitMoveGradSumToSize());
  if (options.split)
    pm.addPass(createJitPartitionGradients(
        {options.entry, SmallVector<int64_t>(options.absent.begin(), options.absent.end())}));
  if (options.absent.empty())
    return;
  pm.addNestedPass<func::FuncOp>(createJitPropagateAbsent());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// The joint graph, or the forward graph if that is all: what loops add up leaves them.
static void buildSimplifyJoint(OpPassManager &pm, const PipelineOptions &) {
  JitHoistProductsOptions hoist;
  hoist.maxRows = flatRows;
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createJitPeephole({.afterGradients = true}));
  pm.addNestedPass<func::FuncOp>(createJitHoistProducts(hoist));
  pm.addNestedPass<func::FuncOp>(createJitSinkSums());
  pm.addNestedPass<func::FuncOp>(createJitBatchProducts());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createJitPeephole({.afterGradients = true}));
}

static void buildFuse(OpPassManager &pm, const PipelineOptions &options) {
  if (options.guardsDivision)
    pm.addNestedPass<func::FuncOp>(createJitGuardDivision());
  pm.addPass(createJitDecompose());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createJitFusePointwise());
}

static void buildLower(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(createLowerPass({.carriesSizes = options.carriesSizes}));
  pm.addPass(createCanonicalizer());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createJitHoistGuards());
}

//===----------------------------------------------------------------------===//
// Exit contracts: what a stage promises, and what those before it promised and it keeps
//===----------------------------------------------------------------------===//

static LogicalResult verifyValues(ModuleOp module) {
  return success(succeeded(verifyInferred(module)) && succeeded(verifyFunctionalized(module)));
}
static LogicalResult verifyGradients(ModuleOp module) {
  return success(succeeded(verifyValues(module)) && succeeded(verifyGradientsExpanded(module)));
}
static LogicalResult verifyAutodiff(ModuleOp module) {
  return success(succeeded(verifyGradients(module)) && succeeded(verifyDifferentiated(module)));
}
static LogicalResult verifyFuse(ModuleOp module) {
  return success(succeeded(verifyAutodiff(module)) && succeeded(verifyFused(module)));
}

ArrayRef<Stage> programStages() {
  static const Stage stages[] = {{"normalize", buildNormalize, verifyNormalized},
                                 {"promote", buildPromote, verifyPromoted}};
  return stages;
}

ArrayRef<Stage> variantStages() {
  static const Stage stages[] = {{"specialize", buildSpecialize, verifySpecialized},
                                 {"infer", buildInfer, verifyInferred},
                                 {"functionalize", buildFunctionalize, verifyValues},
                                 {"gradients", buildGradients, verifyGradients},
                                 {"simplify", buildSimplify, verifyGradients},
                                 {"autodiff", buildAutodiff, verifyAutodiff},
                                 {"simplify-joint", buildSimplifyJoint, verifyAutodiff},
                                 {"fuse", buildFuse, verifyFuse},
                                 {"lower", buildLower, verifyLowered}};
  return stages;
}

LogicalResult runStage(const Stage &stage, ModuleOp module, const PipelineOptions &options,
                       bool verify, TimingScope *timing, StringRef bundle) {
  PassManager pm(module.getContext());
  if (!bundle.empty())
    pm.enableCrashReproducerGeneration(bundle);
  if (timing)
    pm.enableTiming(*timing);
  pm.enableVerifier(verify);
  stage.build(pm, options);
  if (verify)
    pm.addPass(createVerifyStagePass(stage.name)); // a pass: a broken promise is bundled too
  return pm.run(module);
}

LogicalResult runStagesTo(StringRef last, ModuleOp module, const PipelineOptions &options,
                          bool verify) {
  std::string known;
  for (ArrayRef<Stage> stages : {programStages(), variantStages()})
    for (const Stage &stage : stages)
      known += (known.empty() ? "" : ", ") + stage.name.str();
  if (!llvm::is_contained(llvm::split(known, ", "), last))
    return module.emitError("expected one of the stages ") << known << ", got '" << last << "'";
  for (ArrayRef<Stage> stages : {programStages(), variantStages()})
    for (const Stage &stage : stages) {
      if (failed(runStage(stage, module, options, verify)))
        return failure();
      if (stage.name == last)
        return success();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Named pipelines
//===----------------------------------------------------------------------===//

namespace {
struct ToLinalgOptions : PassPipelineOptions<ToLinalgOptions> {
  Option<std::string> entry{*this, "entry", llvm::cl::desc("the entry to compile"),
                            llvm::cl::init("forward")};
  Option<std::string> args{*this, "args", llvm::cl::desc("what is known of each argument"),
                           llvm::cl::init("")};
};

struct StagesOptions : PassPipelineOptions<StagesOptions> {
  Option<std::string> entry{*this, "entry", llvm::cl::desc("the entry to compile"),
                            llvm::cl::init("forward")};
  Option<std::string> from{*this, "from", llvm::cl::desc("the first stage of a variant to run"),
                           llvm::cl::init("simplify")};
  Option<std::string> to{*this, "to", llvm::cl::desc("the last stage to run"),
                         llvm::cl::init("fuse")};
  Option<bool> differentiate{*this, "differentiate", llvm::cl::desc("add the gradients"),
                             llvm::cl::init(false)};
};
} // namespace

void registerPipelines() {
  PassPipelineRegistration<ToLinalgOptions>(
      "jit-to-linalg", "From an imported program to linalg: every stage but Codegen",
      [](OpPassManager &pm, const ToLinalgOptions &options) {
        for (ArrayRef<Stage> stages : {programStages(), variantStages()})
          for (const Stage &stage : stages)
            stage.build(pm, {.entry = options.entry, .args = options.args});
      });
  PassPipelineRegistration<StagesOptions>(
      "jit-stages", "Some of a variant's stages, as a compilation runs them",
      [](OpPassManager &pm, const StagesOptions &options) {
        bool runs = false;
        for (const Stage &stage : variantStages()) {
          runs |= stage.name == options.from;
          if (runs)
            stage.build(pm, {.entry = options.entry, .differentiate = options.differentiate});
          runs &= stage.name != options.to;
        }
      });
}

} // namespace jit
