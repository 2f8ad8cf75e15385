//===- Passes.h - the passes of the Lower stage -----------------*- C++ -*-===//
#ifndef JIT_LOWER_PASSES_H
#define JIT_LOWER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "jit/Lower/Passes.h.inc"

/// Exit contract of the stage: linalg, tensor, scf, arith, math and foreign on builtin types, in
/// functions, and guards.
llvm::LogicalResult verifyLowered(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_LOWER_PASSES_H
