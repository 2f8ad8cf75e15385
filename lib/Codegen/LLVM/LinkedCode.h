//===- LinkedCode.h - machine code in this process ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_LINKEDCODE_H
#define JIT_CODEGEN_LLVM_LINKEDCODE_H

#include "LLVM/MachineCode.h"

#include "llvm/ExecutionEngine/Orc/Shared/ExecutorAddress.h"

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace jit::codegen {

/// A function of this process that code calls by name.
using NamedFunction = std::pair<llvm::StringRef, llvm::orc::ExecutorAddr>;

/// Objects that are linked into this process, as they are first asked for.
class LinkedCode {
public:
  explicit LinkedCode(std::unique_ptr<llvm::orc::LLJIT> jit);
  ~LinkedCode();

  /// Objects, and what they may call beside the runtime's functions and the C library.
  llvm::Error add(const Objects &objects, llvm::ArrayRef<NamedFunction> more);

  /// Where `name` is. One thread at a time. The error says what the linker lacked; for memory it is
  /// std::bad_alloc, as everywhere in LLVM.
  llvm::Expected<llvm::orc::ExecutorAddr> lookup(llvm::StringRef name);

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  /// Why linking failed. ORC's own error of a lookup names the symbols alone.
  llvm::Error causes = llvm::Error::success();
};

/// Links objects into this process. They find the runtime's functions for CPUs, `more` of them, and
/// the C library.
llvm::Expected<std::shared_ptr<LinkedCode>>
linkMachineCode(const Objects &objects, llvm::ArrayRef<NamedFunction> more = {});

/// Compiles `module` before.
llvm::Expected<std::shared_ptr<LinkedCode>>
loadMachineCode(mlir::ModuleOp module, const CodegenOptions &options,
                llvm::ArrayRef<NamedFunction> more = {});

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_LINKEDCODE_H
