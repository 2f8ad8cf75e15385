//===- Carried.h - the buffers of loops, branches and choices ---*- C++ -*-===//
#ifndef JIT_LIB_CODEGEN_BUFFERS_CARRIED_H
#define JIT_LIB_CODEGEN_BUFFERS_CARRIED_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit::codegen {

/// `tensor` in a buffer of its own.
mlir::Value copyOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor);

/// Puts a branch in the place of a selection, so that each way can make what it gives.
void replaceByBranch(mlir::OpBuilder &b, mlir::arith::SelectOp select);

/// Makes what `operand` hands on, a tensor, materialize in the buffer of the loop's variable
/// `dest`.
void materializeIn(mlir::OpBuilder &b, mlir::OpOperand &operand, mlir::BlockArgument dest);

/// Gives every variable of a loop, and whatever a branch or a selection gives, a buffer that
/// nothing else shares: one more copy a trip for each of them.
void carryByCopy(mlir::func::FuncOp func);

/// Whether what a loop hands on may have another size than what it was given: Lower copies that.
bool isResized(mlir::Value handedOn);

/// Has loops carry what is resized as buffers, each trip in memory that it asks for.
void carryResized(mlir::func::FuncOp func);

/// Whether one-shot bufferization finds a buffer for each tensor of the function.
bool isBufferizable(mlir::func::FuncOp func);

} // namespace jit::codegen

#endif // JIT_LIB_CODEGEN_BUFFERS_CARRIED_H
