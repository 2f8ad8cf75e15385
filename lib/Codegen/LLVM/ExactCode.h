//===- ExactCode.h - code whose values no optimiser decides ------*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_EXACTCODE_H
#define JIT_CODEGEN_LLVM_EXACTCODE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace llvm {
class Module;
} // namespace llvm

namespace jit::codegen {

/// Whether a compiler may choose among values that `function` computes, other than by contracting
/// products into sums: in what order it adds, which of two zeros is the larger.
bool leavesChoices(mlir::LLVM::LLVMFuncOp function);

/// Makes all that computes of a module's functions exact: contracts each product that is allowed to
/// be, has one reader and is added there, and takes the flags away. False, and nothing is changed,
/// where a function leaves other choices, or calls what the optimiser knows approximations of.
bool makeExact(llvm::Module &module);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_EXACTCODE_H
