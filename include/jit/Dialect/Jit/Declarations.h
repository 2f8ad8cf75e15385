//===- Declarations.h - what is known of functions without them -*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_DECLARATIONS_H
#define JIT_DIALECT_JIT_DECLARATIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace jit {

/// A module with the public functions of another one, without their bodies, and with its
/// attributes. They stay public, which MLIR's verifier would not have: who reads such a module asks
/// no more of it than types and attributes.
mlir::OwningOpRef<mlir::ModuleOp> declarationsOf(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_DIALECT_JIT_DECLARATIONS_H
