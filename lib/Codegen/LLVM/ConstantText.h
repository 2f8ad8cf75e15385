//===- ConstantText.h - texts in compiled code -----------------*- C++ -*-===//
#ifndef JIT_LIB_CODEGEN_LLVM_CONSTANTTEXT_H
#define JIT_LIB_CODEGEN_LLVM_CONSTANTTEXT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace jit::codegen {

/// The address of a constant that holds `text` and a zero. Equal texts share one.
mlir::Value constantText(mlir::OpBuilder &b, mlir::Location loc, mlir::ModuleOp module,
                         llvm::StringRef text);

} // namespace jit::codegen

#endif // JIT_LIB_CODEGEN_LLVM_CONSTANTTEXT_H
