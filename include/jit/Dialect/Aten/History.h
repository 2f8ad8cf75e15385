//===- History.h - what tensors are computed from, as autograd sees it -*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_HISTORY_H
#define JIT_DIALECT_ATEN_HISTORY_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jit {

/// On a jit.become, as a unit: gradients are off there, or may be. The tensor keeps its history,
/// and PyTorch hands its gradient on as it is, whatever the sizes have become.
inline constexpr llvm::StringLiteral gradientsOffAttr = "jit.gradients_off";

/// The value whose history `value` has: what was written to it where gradients are off changed its
/// elements alone.
mlir::Value historyOf(mlir::Value value);

/// True unless it is certain that a gradient of `value`, as it is when `at` is run, never gets to a
/// value for which `isSource` holds. Tensors may still be written in place, and loops around `at`
/// may be unfinished.
bool mayDependOn(mlir::Value value, mlir::Operation *at,
                 llvm::function_ref<bool(mlir::Value)> isSource);

/// True unless it is certain that nothing which `value`, as it is when `at` is run, was computed
/// from requires a gradient: leaves, arguments of which the call says so, and perhaps parameters.
bool mayRequireGrad(mlir::Value value, mlir::Operation *at, bool countsParameters);

} // namespace jit

#endif // JIT_DIALECT_ATEN_HISTORY_H
