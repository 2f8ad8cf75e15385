//===- QuickCode.h - machine code in less time -------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_QUICKCODE_H
#define JIT_CODEGEN_LLVM_QUICKCODE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace jit::codegen {

/// An object of `code`, for a process, without those passes of LLVM's code generator that make code
/// faster only. Registers are allocated, and instructions selected, as they are with them.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> emitQuickly(llvm::Module &code,
                                                                llvm::TargetMachine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_QUICKCODE_H
