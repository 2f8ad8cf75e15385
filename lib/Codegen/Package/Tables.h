//===- Tables.h - a package as constants of LLVM -----------------*- C++ -*-===//
#ifndef JIT_CODEGEN_PACKAGE_TABLES_H
#define JIT_CODEGEN_PACKAGE_TABLES_H

#include "jit/Codegen/Package.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace jit::package {

/// Adds `jit_this_package` (jit/Runtime/Package.h) to a module that has the entries' functions.
/// Blobs are places behind the symbol `jit_blobs`.
void addTables(llvm::Module &module, const Package &package, const llvm::TargetMachine &machine);

} // namespace jit::package

#endif // JIT_CODEGEN_PACKAGE_TABLES_H
