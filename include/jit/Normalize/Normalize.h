//===- Normalize.h - programs to one flat graph per entry -------*- C++ -*-===//
#ifndef JIT_NORMALIZE_NORMALIZE_H
#define JIT_NORMALIZE_NORMALIZE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace jit {

/// The stage: methods inlined, objects gone, module state in slots (frozen where nothing writes
/// it), exceptions as guards, tuples as their elements, branches on what is known gone.
void buildNormalizePipeline(mlir::OpPassManager &pm);

/// Registers `jit-normalize`, the stage as a pipeline.
void registerNormalizePipeline();

/// The exit contract: entries alone, without calls, objects or exceptions. Reports the first fault.
llvm::LogicalResult verifyNormalized(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_NORMALIZE_NORMALIZE_H
