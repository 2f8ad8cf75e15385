//===- TensorCores.h - what warps do together --------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_GPU_TENSORCORES_H
#define JIT_CODEGEN_GPU_TENSORCORES_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace jit {

/// Ops of nvgpu to instructions. Copies of 16 bytes, products of halves that add up in f32.
void populateTensorCorePatterns(mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

/// Writes calls of the runtime's emulation for an op of nvgpu, of the thread that `thread` points
/// to, and erases it; false for other ops.
bool emulateTensorOp(mlir::Operation *op, mlir::Value thread);

/// Calls the function `name` of the runtime's emulation for the thread that `thread` points to;
/// declares it where it is not declared yet.
void callEmulation(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name, mlir::Value thread,
                   mlir::ValueRange operands);

} // namespace jit

#endif // JIT_CODEGEN_GPU_TENSORCORES_H
