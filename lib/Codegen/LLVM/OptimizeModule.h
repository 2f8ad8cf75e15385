//===- OptimizeModule.h - LLVM's optimiser -----------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_OPTIMIZEMODULE_H
#define JIT_CODEGEN_LLVM_OPTIMIZEMODULE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace jit::codegen {

/// Runs LLVM's pipeline of `level`, with both vectorisers, for one machine. For CPUs a level more
/// unrolls loops of a few hundred trips to blocks that take seconds to schedule. Where `isStopped`,
/// asked before each pass, says so, what is left of them is left out.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    llvm::OptimizationLevel level = llvm::OptimizationLevel::O2,
                    llvm::function_ref<bool()> isStopped = nullptr);

/// The passes of that level that kernels gain by, for code of which no pass may change a value
/// (makeExact).
void optimizeExact(llvm::Module &module, llvm::TargetMachine &machine,
                   llvm::function_ref<bool()> isStopped = nullptr);

/// Runs few passes, for code of which no pass may change a value (makeExact).
void optimizeQuickly(llvm::Module &module, llvm::TargetMachine &machine);

/// Whether the backend is best to translate the module as it stands, as the optimiser did: each
/// function was kept from it, as long lists without loops are, or, of a CPU's code, one is too long
/// for passes that take more time than in proportion.
bool isTranslatedAsItStands(const llvm::Module &module);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_OPTIMIZEMODULE_H
