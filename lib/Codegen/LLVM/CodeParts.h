//===- CodeParts.h - parts of the code that are compiled apart ---*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_CODEPARTS_H
#define JIT_CODEGEN_LLVM_CODEPARTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace jit::codegen {

/// Moves functions of `module` (of the LLVM dialect) that call nothing to modules of their own,
/// several small ones to one; `module` declares them then. What goes where depends on `module`
/// alone.
llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> splitCode(mlir::ModuleOp module);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_CODEPARTS_H
