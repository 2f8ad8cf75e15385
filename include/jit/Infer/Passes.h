//===- Passes.h - the Infer stage -------------------------------*- C++ -*-===//
#ifndef JIT_INFER_PASSES_H
#define JIT_INFER_PASSES_H

#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "jit/Infer/Passes.h.inc"

/// Exit contract of the stage: the element type and rank of every tensor are known.
llvm::LogicalResult verifyInferred(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_INFER_PASSES_H
