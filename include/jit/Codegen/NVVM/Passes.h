//===- Passes.h - to the NVVM dialect --------------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_NVVM_PASSES_H
#define JIT_CODEGEN_NVVM_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace jit::codegen {

#define GEN_PASS_DECL
#include "jit/Codegen/NVVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "jit/Codegen/NVVM/Passes.h.inc"

} // namespace jit::codegen

#endif // JIT_CODEGEN_NVVM_PASSES_H
