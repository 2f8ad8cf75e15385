//===- Passes.h - the Specialize stage --------------------------*- C++ -*-===//
#ifndef JIT_SPECIALIZE_PASSES_H
#define JIT_SPECIALIZE_PASSES_H

#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#include "jit/Specialize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "jit/Specialize/Passes.h.inc"

/// Exit contract of the stage: one public function whose arguments and results are tensors and
/// numbers, and no list, tuple or Optional that code would have to be generated for.
llvm::LogicalResult verifySpecialized(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_SPECIALIZE_PASSES_H
