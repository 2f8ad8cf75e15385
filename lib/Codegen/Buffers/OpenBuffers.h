//===- OpenBuffers.h - buffers whose sizes a call tells ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERS_OPENBUFFERS_H
#define JIT_CODEGEN_BUFFERS_OPENBUFFERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace jit::codegen {

/// On the unrealized cast that stands for such a buffer, with the open sizes as its operands: the
/// number of the result that it is, or of the piece of scratch memory that it lies in.
inline constexpr llvm::StringLiteral openResultAttr = "jit.open_result";
inline constexpr llvm::StringLiteral openScratchAttr = "jit.open_scratch";
/// Before jit-plan-memory: it is written at the end of a trip and is what the next one is given,
/// which then has been read for the last time. The number tells such buffers apart.
inline constexpr llvm::StringLiteral openCarriedAttr = "jit.open_carried";

/// A buffer of `type`; jit-emit-entry, or a plan, asks the runtime for its memory.
mlir::Value createOpenBuffer(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type,
                             mlir::ValueRange sizes, llvm::StringRef attr, int64_t number);

mlir::OpFoldResult multiplySizes(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult a,
                                 mlir::OpFoldResult c);

/// A buffer of `type` with these open sizes, row-major, where `root` of one element begins.
mlir::Value shapeOpenBuffer(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type,
                            mlir::Value root, mlir::ValueRange open);

/// True for what createOpenBuffer made with `attr`.
bool isOpenBuffer(mlir::Operation *op, llvm::StringRef attr);

} // namespace jit::codegen

#endif // JIT_CODEGEN_BUFFERS_OPENBUFFERS_H
