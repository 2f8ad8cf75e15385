//===- Cpu.h - code for the CPU of this machine or another -------*- C++ -*-===//
#ifndef JIT_CODEGEN_CPU_H
#define JIT_CODEGEN_CPU_H

#include "jit/Codegen/Target.h"

namespace jit::codegen {

/// The target "cpu".
const Target &cpuTarget();

/// Compiles entries as Lower leaves them; lowers `module` in place. The artifact keeps its code
/// alive. Errors are diagnostics.
inline llvm::FailureOr<std::shared_ptr<runtime::Artifact>>
compileToArtifact(mlir::ModuleOp module, const CodegenOptions &options = {}) {
  return cpuTarget().emit(module, options);
}

} // namespace jit::codegen

#endif // JIT_CODEGEN_CPU_H
