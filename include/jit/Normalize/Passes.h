//===- Passes.h - the passes of the stage Normalize -------------*- C++ -*-===//
#ifndef JIT_NORMALIZE_PASSES_H
#define JIT_NORMALIZE_PASSES_H

#include "jit/Dialect/Aten/Aten.h"
#include "jit/InliningLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#include "jit/Normalize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "jit/Normalize/Passes.h.inc"

} // namespace jit

#endif // JIT_NORMALIZE_PASSES_H
