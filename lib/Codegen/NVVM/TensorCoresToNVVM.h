//===- TensorCoresToNVVM.h - copies and products of warps ------------*- C++ -*-===//
#ifndef JIT_CODEGEN_NVVM_TENSORCORESTONVVM_H
#define JIT_CODEGEN_NVVM_TENSORCORESTONVVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace jit::codegen {

/// Ops of nvgpu to instructions. Copies of 16 bytes, products of halves that add up in f32.
void populateTensorCorePatterns(mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

} // namespace jit::codegen

#endif // JIT_CODEGEN_NVVM_TENSORCORESTONVVM_H
