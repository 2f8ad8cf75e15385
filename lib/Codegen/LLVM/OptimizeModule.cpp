//===- OptimizeModule.cpp - LLVM's optimiser ------------------------------===//
#include "LLVM/OptimizeModule.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// Instructions of a function without loops that are worth optimising: a large one is an entry
/// whose loops are functions, a long list of calls with stores of addresses between, each run once.
static constexpr unsigned straightLimit = 2000;

static bool isLongList(const Function &function) {
  if (function.getInstructionCount() < straightLimit)
    return false;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(function, backEdges);
  return backEdges.empty();
}

/// Has long lists translated as they stand, which is linear in their length.
static void keepLongLists(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && isLongList(function)) {
      function.addFnAttr(Attribute::OptimizeNone);
      function.addFnAttr(Attribute::NoInline);
    }
}

void jit::codegen::optimizeModule(Module &module, TargetMachine &machine, OptimizationLevel level) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  // Kernels come with their vectors; an entry has thousands of stores that make a vector of
  // nothing.
  tuning.SLPVectorization = false;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  keepLongLists(module);
  PassInstrumentationCallbacks callbacks;
  OptNoneInstrumentation keepsLists(/*DebugLogging=*/false);
  keepsLists.registerCallbacks(callbacks);
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(level).run(module, modules);
}
