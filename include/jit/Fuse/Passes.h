//===- Passes.h - the Fuse stage --------------------------------*- C++ -*-===//
#ifndef JIT_FUSE_PASSES_H
#define JIT_FUSE_PASSES_H

#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "jit/Fuse/Passes.h.inc"

/// Exit contract of the stage: an operator that is made of simpler ones is left only where too
/// little is known for that.
llvm::LogicalResult verifyFused(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_FUSE_PASSES_H
