//===- OptimizeModule.h - LLVM's optimiser -----------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_OPTIMIZEMODULE_H
#define JIT_CODEGEN_OPTIMIZEMODULE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace jit {

/// Runs LLVM's O3 pipeline, with both vectorisers, for one machine.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace jit

#endif // JIT_CODEGEN_OPTIMIZEMODULE_H
