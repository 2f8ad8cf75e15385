//===- Passes.h - kernels for the host's CPU --------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_EMULATION_PASSES_H
#define JIT_CODEGEN_EMULATION_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit::codegen {

#define GEN_PASS_DECL
#include "jit/Codegen/Emulation/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "jit/Codegen/Emulation/Passes.h.inc"

} // namespace jit::codegen

#endif // JIT_CODEGEN_EMULATION_PASSES_H
