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

/// Translates, optimises and links a module of the LLVM dialect into this process.
llvm::Expected<std::shared_ptr<llvm::orc::LLJIT>> loadMachineCode(mlir::ModuleOp module,
                                                                  const CodegenOptions &options);

} // namespace jit

#endif // JIT_CODEGEN_CPU_MACHINECODE_H
