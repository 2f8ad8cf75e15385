//===- KeepRolled.h - loops that LLVM is not to write out -------*- C++ -*-===//
#ifndef JIT_CODEGEN_LOOPS_KEEPROLLED_H
#define JIT_CODEGEN_LOOPS_KEEPROLLED_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit::codegen {

/// Marks a loop around loops that fill memory and read none. LLVM would write a short one out
/// whole: a block of hundreds of stores, which its scheduler takes the square of their number for.
void keepFillRolled(mlir::scf::ForOp loop);
/// Hands such a mark to LLVM IR: the conversion of loops leaves it where nobody looks.
void passMarkOn(mlir::LLVM::BrOp branch);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LOOPS_KEEPROLLED_H
