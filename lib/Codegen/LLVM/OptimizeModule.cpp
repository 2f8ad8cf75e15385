//===- OptimizeModule.cpp - LLVM's optimiser ------------------------------===//
#include "LLVM/OptimizeModule.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

/// Instructions of a function without loops that are worth optimising: a large one is an entry
/// whose loops are functions, a long list of calls with stores of addresses between, each run once.
static constexpr unsigned straightLimit = 2000;
/// The same for code that runs a few times.
static constexpr unsigned quickStraightLimit = 300;

/// Those of one with loops: what computes in it are functions as well, so that what goes round is
/// lists and branches. LLVM takes more than in proportion for these, a minute for 30,000. A kernel
/// of a GPU is one function.
static constexpr unsigned loopingLimit = 10000;

static bool isHuge(const Function &function) {
  return function.getInstructionCount() >= loopingLimit &&
         !function.getParent()->getTargetTriple().isNVPTX();
}

/// A list has as many as `limit` and no loops.
static bool isLongList(const Function &function, unsigned limit) {
  if (function.getInstructionCount() < limit)
    return false;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(function, backEdges);
  return backEdges.empty();
}

/// Has lists from `limit` on, and what is huge, translated as they stand, which is linear in their
/// length.
static void keepFromPasses(Module &module, unsigned limit) {
  for (Function &function : module)
    if (!function.isDeclaration() && (isHuge(function) || isLongList(function, limit))) {
      function.addFnAttr(Attribute::OptimizeNone);
      function.addFnAttr(Attribute::NoInline);
    }
}

bool jit::codegen::isTranslatedAsItStands(const Module &module) {
  return any_of(module, isHuge) || all_of(module, [](const Function &function) {
           return function.isDeclaration() || function.hasOptNone();
         });
}

/// Kernels that this module does not call get no copies of their own for constant arguments. Before
/// LLVM sees that, it asks a model of the machine about each instruction, which for a vector
/// intrinsic is slow: without the attribute that excludes copies, a twentieth of its optimiser's
/// time.
static void excludeSpecialCopies(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.use_empty())
      function.addFnAttr(Attribute::NoDuplicate);
}

/// Accesses and vector instructions of a loop that LLVM would not write out at O2: twice as many
/// are its limit for a loop of two trips. It counts them in each loop of a nest, by a model of the
/// machine and twice, which were two fifths of its optimiser's time.
static constexpr unsigned unrollLimit = 75;

/// Whether no simplification of a copy drops it.
static bool isWork(const Instruction &instruction) {
  return isa<LoadInst, StoreInst>(instruction) ||
         (isa<VectorType>(instruction.getType()) && !isa<PHINode>(instruction));
}

static bool isLarge(const Loop &loop) {
  unsigned work = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (isWork(instruction) && ++work > unrollLimit)
        return true;
  return false;
}

namespace {
/// Marks large loops as not to be unrolled, before the passes that would ask.
struct KeepLargeLoops : PassInfoMixin<KeepLargeLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &,
                        LPMUpdater &) {
    if (isLarge(loop))
      loop.setLoopAlreadyUnrolled();
    return PreservedAnalyses::all();
  }
};
} // namespace

namespace {
/// What LLVM's passes need around them.
class Optimizer {
public:
  Optimizer(Module &module, TargetMachine &machine, PipelineTuningOptions tuning,
            unsigned listLimit = straightLimit)
      : module(module), builder(&machine, tuning, std::nullopt, &callbacks) {
    module.setDataLayout(machine.createDataLayout());
    module.setTargetTriple(machine.getTargetTriple());
    keepFromPasses(module, listLimit);
    keepsLists.registerCallbacks(callbacks);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
  void run(ModulePassManager passes) { passes.run(module, modules); }
  void stopWhen(function_ref<bool()> isStopped) {
    callbacks.registerShouldRunOptionalPassCallback(
        [isStopped](StringRef, Any) { return !isStopped(); });
  }

private:
  Module &module;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassInstrumentationCallbacks callbacks;
  OptNoneInstrumentation keepsLists{/*DebugLogging=*/false};

public:
  PassBuilder builder;
};
} // namespace

static PipelineTuningOptions tuningOfKernels() {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  // Kernels come with their vectors; an entry has thousands of stores that make a vector of
  // nothing.
  tuning.SLPVectorization = false;
  return tuning;
}

void jit::codegen::optimizeModule(Module &module, TargetMachine &machine, OptimizationLevel level,
                                  function_ref<bool()> isStopped) {
  excludeSpecialCopies(module);
  Optimizer optimizer(module, machine, tuningOfKernels());
  if (isStopped)
    optimizer.stopWhen(isStopped);
  if (level == OptimizationLevel::O2)
    optimizer.builder.registerLateLoopOptimizationsEPCallback(
        [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(KeepLargeLoops()); });
  optimizer.run(optimizer.builder.buildPerModuleDefaultPipeline(level));
}

/// What is worth its time for code that runs often and whose values no pass changes. It comes as
/// loops over vectors, without calls, so that inlining, what looks across functions, and the third
/// to eighth round of simplification find nothing. Constant strides leave an unrolled loop before
/// it is made vectors.
static constexpr StringLiteral exactPasses =
    "function(sroa,simplifycfg,early-cse<memssa>,loop-mssa(licm,loop-rotate),"
    "instcombine<no-verify-fixpoint>,loop(indvars,keep-large-loops,loop-unroll-full),sroa,"
    "loop-mssa(licm),loop-vectorize,instcombine<no-verify-fixpoint>,loop-unroll<O2>,"
    "early-cse<memssa>,loop-mssa(licm),simplifycfg)";

/// Whether functions are here to be inlined, such as powers of integers.
static bool hasHelpers(const Module &module) {
  return any_of(module, [](const Function &function) {
    return !function.isDeclaration() && function.hasLinkOnceLinkage();
  });
}

void jit::codegen::optimizeExact(Module &module, TargetMachine &machine,
                                 function_ref<bool()> isStopped) {
  if (hasHelpers(module))
    return optimizeModule(module, machine, OptimizationLevel::O2, isStopped);
  excludeSpecialCopies(module);
  Optimizer optimizer(module, machine, tuningOfKernels());
  if (isStopped)
    optimizer.stopWhen(isStopped);
  optimizer.builder.registerPipelineParsingCallback(
      [](StringRef name, LoopPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "keep-large-loops")
          return false;
        passes.addPass(KeepLargeLoops());
        return true;
      });
  ModulePassManager passes;
  cantFail(optimizer.builder.parsePassPipeline(passes, exactPasses));
  optimizer.run(std::move(passes));
}

/// What is worth its time for code that runs a few times: scalar loops as vectors, a loop's
/// constants before it.
static constexpr StringLiteral quickPasses =
    "function(simplifycfg,early-cse<memssa>,loop-mssa(licm,loop-rotate),loop-vectorize,early-cse)";

void jit::codegen::optimizeQuickly(Module &module, TargetMachine &machine) {
  Optimizer optimizer(module, machine, PipelineTuningOptions(), quickStraightLimit);
  ModulePassManager passes;
  cantFail(optimizer.builder.parsePassPipeline(passes, quickPasses));
  optimizer.run(std::move(passes));
}
