//===- Passes.h - to the NVVM dialect --------------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_NVVM_PASSES_H
#define JIT_CODEGEN_NVVM_PASSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace jit::codegen {

#define GEN_PASS_DECL
#include "jit/Codegen/NVVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "jit/Codegen/NVVM/Passes.h.inc"

} // namespace jit::codegen

#endif // JIT_CODEGEN_NVVM_PASSES_H
