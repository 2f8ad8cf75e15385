//===- Passes.h - the Autodiff stage ----------------------------*- C++ -*-===//
#ifndef JIT_AUTODIFF_PASSES_H
#define JIT_AUTODIFF_PASSES_H

#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "jit/Autodiff/Passes.h.inc"

/// Exit contract of the stage Gradients: no gradient is asked for any more.
llvm::LogicalResult verifyGradientsExpanded(mlir::ModuleOp module);

/// Exit contract of the stage Autodiff: no optimizer's step is left to be made.
llvm::LogicalResult verifyDifferentiated(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_AUTODIFF_PASSES_H
