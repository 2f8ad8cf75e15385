//===- Functionalize.h - writes to values -----------------------*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_FUNCTIONALIZE_H
#define JIT_FUNCTIONALIZE_FUNCTIONALIZE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace jit {

/// The stage Promote, of a program for all calls: module state that changes becomes arguments and
/// results, lists that change become new ones.
void buildPromotePipeline(mlir::OpPassManager &pm);

/// The stage Functionalize, of a program for one kind of call: tensors written in place become new
/// values.
void buildFunctionalizePipeline(mlir::OpPassManager &pm);

/// Registers `jit-promote` and `jit-functionalize`, the stages as pipelines.
void registerFunctionalizePipeline();

/// The exit contracts: nothing but tensors is written any more and only frozen slots are read;
/// nothing is written any more. They report the first fault.
llvm::LogicalResult verifyPromoted(mlir::ModuleOp module);
llvm::LogicalResult verifyFunctionalized(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_FUNCTIONALIZE_H
