//===- Passes.h - functions as arithmetic -----------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_MATH_PASSES_H
#define JIT_CODEGEN_MATH_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit::codegen {

#define GEN_PASS_DECL
#include "jit/Codegen/Math/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "jit/Codegen/Math/Passes.h.inc"

} // namespace jit::codegen

#endif // JIT_CODEGEN_MATH_PASSES_H
