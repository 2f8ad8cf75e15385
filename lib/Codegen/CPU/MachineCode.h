//===- MachineCode.h - from the LLVM dialect to addresses --------*- C++ -*-===//
#ifndef JIT_CODEGEN_CPU_MACHINECODE_H
#define JIT_CODEGEN_CPU_MACHINECODE_H

#include "jit/Codegen/Target.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace jit {

/// The machine that `options` names, the host where they name none.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> machineFor(const CodegenOptions &options);

/// Translates a module of the LLVM dialect, for `machine`.
llvm::Expected<std::unique_ptr<llvm::Module>>
translate(mlir::ModuleOp module, llvm::LLVMContext &context, llvm::TargetMachine &machine);

/// Optimises a module and links it into this process.
llvm::Expected<std::shared_ptr<llvm::orc::LLJIT>>
loadModule(std::unique_ptr<llvm::Module> code, std::unique_ptr<llvm::LLVMContext> context,
           llvm::orc::JITTargetMachineBuilder builder, llvm::TargetMachine &machine);

/// Translates, optimises and links a module of the LLVM dialect into this process, on two threads
/// where it is large. Functions that are only called by address may move out of `module`, which
/// keeps their declarations.
llvm::Expected<std::shared_ptr<llvm::orc::LLJIT>> loadMachineCode(mlir::ModuleOp module,
                                                                  const CodegenOptions &options);

} // namespace jit

#endif // JIT_CODEGEN_CPU_MACHINECODE_H
