//===- Tables.h - a package as constants of LLVM -----------------*- C++ -*-===//
#ifndef JIT_CODEGEN_PACKAGE_TABLES_H
#define JIT_CODEGEN_PACKAGE_TABLES_H

#include "jit/Codegen/Package.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace jit::package {

/// A package, and the backend of the machine that its code is for.
struct PackageFor {
  const Package *package;
  std::unique_ptr<llvm::TargetMachine> backend;
};

/// What the function of an entry, a variant's `symbol`, is called in the objects of a package.
std::string entryName(llvm::StringRef package, llvm::StringRef symbol);

/// Adds `jit_packages` (jit/Runtime/Package.h) to an empty module, those that ask most of a CPU
/// first. Entries are functions of other objects. All have the blobs of the last one given, which
/// are places behind a symbol of another object; an empty name: in the weights' file.
void addTables(llvm::Module &module, llvm::ArrayRef<PackageFor> packages,
               llvm::StringRef blobSymbol);

} // namespace jit::package

#endif // JIT_CODEGEN_PACKAGE_TABLES_H
