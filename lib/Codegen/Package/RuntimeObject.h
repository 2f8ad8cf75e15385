//===- RuntimeObject.h - the runtime of a package ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_PACKAGE_RUNTIMEOBJECT_H
#define JIT_CODEGEN_PACKAGE_RUNTIMEOBJECT_H

#include "jit/Codegen/Package.h"

namespace jit::package {

/// Writes the object of lib/Runtime/Package, compiled with this library, its symbols named for the
/// package `name`: several packages can be in one program.
llvm::Error writeRuntime(llvm::StringRef name, llvm::StringRef path);

/// Gives what `module` and the runtime know of each other the names that writeRuntime gives, hidden
/// from whoever opens the package. All else that `module` defines becomes its own.
void nameRuntimeSymbols(llvm::Module &module, llvm::StringRef name);

} // namespace jit::package

#endif // JIT_CODEGEN_PACKAGE_RUNTIMEOBJECT_H
