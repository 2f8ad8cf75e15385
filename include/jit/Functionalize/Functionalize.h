//===- Functionalize.h - writes to values -----------------------*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_FUNCTIONALIZE_H
#define JIT_FUNCTIONALIZE_FUNCTIONALIZE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace jit {

/// The stage: module state that changes becomes arguments and results, lists that grow and tensors
/// written in place become new values.
void buildFunctionalizePipeline(mlir::OpPassManager &pm);

/// Registers `jit-functionalize`, the stage as a pipeline.
void registerFunctionalizePipeline();

/// The exit contract: nothing is written any more, and only frozen slots are read. Reports the
/// first fault.
llvm::LogicalResult verifyFunctionalized(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_FUNCTIONALIZE_H
