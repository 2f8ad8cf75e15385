//===- Passes.h - the passes of the stage Functionalize -------------*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_PASSES_H
#define JIT_FUNCTIONALIZE_PASSES_H

#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace jit {

#define GEN_PASS_DECL
#include "jit/Functionalize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "jit/Functionalize/Passes.h.inc"

} // namespace jit

#endif // JIT_FUNCTIONALIZE_PASSES_H
