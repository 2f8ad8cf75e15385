//===- Compiled.h - functions of a program, compiled to be compared -*- C++ -*-===//
#ifndef JIT_LIB_DIFF_COMPILED_H
#define JIT_LIB_DIFF_COMPILED_H

#include "jit/Diff/Diff.h"
#include "jit/Runtime/Artifact.h"

namespace jit {

/// Optimised: as a session compiles it. Plain: each operator by its own rule, nothing simplified or
/// fused, sums in the order that they are written in, on one thread.
enum class Form { Optimised, Plain };

/// A module compiled on the CPU.
class Compiled {
public:
  /// Of `module` nothing is left but declarations.
  static Result<Compiled> make(mlir::OwningOpRef<mlir::ModuleOp> module, Form form,
                               const DiffOptions &options);

  /// A function of it, to be called.
  Result<std::unique_ptr<runtime::Executor>> entry(llvm::StringRef name) const;

private:
  std::shared_ptr<runtime::Artifact> artifact;
  runtime::WeightSource weights;
  runtime::ThreadPool *pool = nullptr;
};

} // namespace jit

#endif // JIT_LIB_DIFF_COMPILED_H
