//===- Compiled.cpp - functions of a program, compiled to be compared -----===//

#include "Compiled.h"
#include "jit/Codegen/Cpu.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "jit/Fuse/Passes.h"
#include "jit/Infer/Passes.h"
#include "jit/Pipeline/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace jit {
using namespace runtime;

/// The first of the errors, with its place.
static Error firstOf(const std::vector<Diagnostic> &errors, const char *otherwise) {
  for (const Diagnostic &error : errors)
    if (error.getSeverity() == DiagnosticSeverity::Error)
      return {ErrorCode::Unsupported, error.str(), describeLocation(error.getLocation())};
  return {ErrorCode::Internal, otherwise};
}

static LogicalResult optimise(ModuleOp module, const DiffOptions &options) {
  auto stages = variantStages();
  const Stage *first = llvm::find_if(
      stages, [&](const Stage &stage) { return stage.name == StringRef(options.firstStage); });
  for (const Stage &stage : llvm::make_range(first, stages.end())) {
    if (failed(runStage(stage, module, {}, /*verify=*/false)))
      return failure();
    if (options.afterStage && failed(options.afterStage(stage.name, module)))
      return failure();
  }
  return success();
}

static LogicalResult lowerPlainly(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(createJitInferTypes());
  pm.addPass(createJitDecompose());
  // Bodies compute with constants; lowering wants what they come to.
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createJitInferTypes());
  return success(succeeded(pm.run(module)) &&
                 succeeded(runStage(variantStages().back(), module, {}, /*verify=*/false)));
}

Result<Compiled> Compiled::make(OwningOpRef<ModuleOp> module, Form form,
                                const DiffOptions &options) {
  codegen::CodegenOptions codegen;
  codegen.numerics = form == Form::Plain ? Numerics::Strict : options.numerics;
  if (form == Form::Plain)
    codegen.parallelThreshold = -1;
  Compiled made;
  made.weights = options.weights;
  made.pool = form == Form::Plain ? nullptr : options.pool;
  CapturedErrors errors(module->getContext());
  // What a cut has made is not yet looked over, and passes trust their operands.
  bool isMade = succeeded(form == Form::Plain ? lowerPlainly(*module) : optimise(*module, options));
  auto artifact = isMade ? codegen::compileToArtifact(*module, codegen)
                         : FailureOr<std::shared_ptr<Artifact>>(failure());
  if (failed(artifact))
    return firstOf(errors.take(), "expected a program that code can be made for");
  made.artifact = std::move(*artifact);
  return made;
}

Result<std::unique_ptr<Executor>> Compiled::entry(StringRef name) const {
  return Executor::create(artifact, std::string_view(name), weights, pool);
}

Result<std::vector<runtime::Value>> runOptimised(const CallProgram &program,
                                                 const DiffOptions &options) {
  auto compiled = Compiled::make(ModuleOp(program.module.get()).clone(), Form::Optimised, options);
  if (!compiled)
    return compiled.takeError();
  auto executor = compiled->entry(program.entry);
  return executor ? (*executor)->run(program.inputs) : executor.takeError();
}

} // namespace jit
