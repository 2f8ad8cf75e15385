//===- Pipeline.h - the list of stages --------------------------*- C++ -*-===//
#ifndef JIT_PIPELINE_PIPELINE_H
#define JIT_PIPELINE_PIPELINE_H

#include "jit/Optimizer.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace jit {

/// What a compilation is told.
struct PipelineOptions {
  /// The entry to compile, and what is known of its arguments (docs/call-spec.md).
  std::string entry = "forward";
  std::string args = {};
  /// Operands that do not go together are an exception of the call, not an error.
  bool raises = false;
  /// Data choose ranks where they tell whether squeeze drops a dimension; else it must not.
  bool dataSqueeze = true;
  /// Whoever calls cannot be told that an argument has other sizes than before.
  bool keepsArgumentMemory = false;
  /// Add the gradients of the arguments that `args` marks, and of the parameters.
  bool differentiate = false;
  /// With `differentiate`: by the arguments alone, for output gradients that a second function,
  /// `entry`.backward, is given later.
  bool split = false;
  /// With `split`: the flat results whose gradients are not given, which the backward function
  /// computes nothing of.
  std::vector<int64_t> absent = {};
  /// Loops may carry tensors whose sizes change from trip to trip.
  bool carriesSizes = true;
  /// Integers divided by zero are an exception of the call, as on CPUs.
  bool guardsDivision = true;
  /// Complex tensors stay what they are, for whoever takes the program as PyTorch's operators.
  bool keepsComplex = false;
  /// Make the optimizer's method a training step.
  std::optional<OptimizerOptions> optimizer = {};
};

/// One stage from graph to graph: its passes, and the check of what it promises.
struct Stage {
  llvm::StringLiteral name;
  void (*build)(mlir::OpPassManager &pm, const PipelineOptions &options);
  llvm::LogicalResult (*verify)(mlir::ModuleOp module);
};

/// Between Import and a call's spec: once per program.
llvm::ArrayRef<Stage> programStages();

/// From a call's spec to what Codegen takes: once per variant.
llvm::ArrayRef<Stage> variantStages();

/// Runs one stage. With `verify` the IR is checked after every pass and the stage's exit contract
/// at its end. The passes' times go to `timing`, if given. Where it fails or crashes, `bundle` (a
/// path, if not empty) gets what `jit-opt --run-reproducer` does the same with; a crash is then a
/// failure.
llvm::LogicalResult runStage(const Stage &stage, mlir::ModuleOp module,
                             const PipelineOptions &options, bool verify,
                             mlir::TimingScope *timing = nullptr, llvm::StringRef bundle = "");

/// Runs every stage from the first to the one named `last` on an imported program; fails, after an
/// error, also where there is no stage of that name.
llvm::LogicalResult runStagesTo(llvm::StringRef last, mlir::ModuleOp module,
                                const PipelineOptions &options, bool verify);

/// Registers the pipelines `jit-to-linalg`: all stages, from an imported program to linalg; and
/// `jit-stages`: the stages of a variant from one to another.
void registerPipelines();

/// The exit contract of a stage as a pass.
std::unique_ptr<mlir::Pass> createVerifyStagePass(llvm::StringRef stage);

/// Registers `jit-verify-stage`: the exit contract of one stage, for tests.
void registerVerifyStagePass();

} // namespace jit

#endif // JIT_PIPELINE_PIPELINE_H
