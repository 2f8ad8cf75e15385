//===- EmulateOps.h - what warps do together, on the host --------*- C++ -*-===//
#ifndef JIT_CODEGEN_EMULATION_EMULATEOPS_H
#define JIT_CODEGEN_EMULATION_EMULATEOPS_H

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// Writes calls of the runtime's emulation for an op of nvgpu, of the thread that `thread` points
/// to, and erases it; false for other ops.
bool emulateTensorOp(mlir::Operation *op, mlir::Value thread);

/// Puts arithmetic on the bits in place of the instruction that rounds to tf32.
void emulateRounding(mlir::NVVM::ConvertFloatToTF32Op op);

/// Calls the function `name` of the runtime's emulation for the thread that `thread` points to;
/// declares it where it is not declared yet.
void callEmulation(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name, mlir::Value thread,
                   mlir::ValueRange operands);

/// Writes calls of the runtime's emulation for an op of nvvm, of the thread that `thread` points
/// to, and erases it; false for other ops, and for those that no kernel of ours has.
bool emulateWarpgroupOp(mlir::Operation *op, mlir::Value thread);

} // namespace jit::codegen

#endif // JIT_CODEGEN_EMULATION_EMULATEOPS_H
