//===- Passes.h - the Simplify stage ----------------------------*- C++ -*-===//
#ifndef JIT_SIMPLIFY_PASSES_H
#define JIT_SIMPLIFY_PASSES_H

#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "jit/Simplify/Passes.h.inc"

} // namespace jit

#endif // JIT_SIMPLIFY_PASSES_H
