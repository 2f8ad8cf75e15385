//===- HostSizes.h - numbers that follow from a call's sizes -----*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_HOSTSIZES_H
#define JIT_CODEGEN_ANALYSIS_HOSTSIZES_H

#include "jit/Runtime/DevicePlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseSet.h"

namespace jit::codegen {

/// The integers outside of kernels that follow from open sizes, and from what the host has anyway:
/// it computes them itself, before it starts what needs them.
llvm::DenseSet<mlir::Value> findHostSizes(mlir::func::FuncOp func);

/// What a plan does for `op`, if it computes such a number from two others.
std::optional<runtime::SizeOperation> sizeOperationOf(mlir::Operation *op);

/// True for conversions of such numbers, which change nothing.
bool isSizeConversion(mlir::Operation *op);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_HOSTSIZES_H
