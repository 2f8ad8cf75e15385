//===- MachineCode.h - from the LLVM dialect to objects ----------*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_MACHINECODE_H
#define JIT_CODEGEN_LLVM_MACHINECODE_H

#include "jit/Codegen/Target.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace jit::codegen {

/// LLVM's backend for `machine`. Where LLVM was built without it, making one says so.
llvm::orc::JITTargetMachineBuilder backendFor(const Machine &machine);

/// Translates a module of the LLVM dialect, for `machine`.
llvm::Expected<std::unique_ptr<llvm::Module>>
translate(mlir::ModuleOp module, llvm::LLVMContext &context, const Machine &machine);

using Objects = std::vector<std::unique_ptr<llvm::MemoryBuffer>>;

using BaselineParts = std::vector<BaselinePart>;

/// Translates, optimises and compiles modules of the LLVM dialect to an object each, on as many
/// threads; 0: one for each processor. `prepare` is given each before it is optimised. `baseline`
/// gets the parts that are not optimised.
llvm::Expected<Objects> compileObjects(
    llvm::ArrayRef<mlir::ModuleOp> modules, const Machine &machine, unsigned threads, Tier tier,
    mlir::TimingScope &timing,
    llvm::function_ref<void(llvm::Module &)> prepare = [](llvm::Module &) {},
    BaselineParts *baseline = nullptr);

/// Optimises and compiles such a part; null where `isStopped` says so meanwhile.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
optimisePart(const BaselinePart &part, const Machine &machine,
             llvm::function_ref<bool()> isStopped);

/// Compiles `module` to objects for a process. Functions that call nothing may move out of
/// `module`, which keeps their declarations.
llvm::Expected<Objects> compileMachineCode(mlir::ModuleOp module, const Machine &machine,
                                           unsigned threads = 0, Tier tier = Tier::Optimised,
                                           mlir::TimingScope *timing = nullptr,
                                           BaselineParts *baseline = nullptr);

/// The same as a pass, which adds what it makes to `objects`.
std::unique_ptr<mlir::Pass> createEmitMachineCode(const Machine &machine, unsigned threads,
                                                  Tier tier, mlir::TimingScope *timing,
                                                  Objects &objects,
                                                  BaselineParts *baseline = nullptr);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_MACHINECODE_H
