//===- Contract.h - what a stage leaves behind ------------------*- C++ -*-===//
//
// Each stage says as a ConversionTarget which operations may still be there when it is done.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_JIT_CONTRACT_H
#define JIT_DIALECT_JIT_CONTRACT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace jit {

/// Fails, after an error at it, on the first operation in `module` that `target` does not hold
/// legal: "expected " and `expected`. What the target says nothing of is not.
llvm::LogicalResult verifyContract(mlir::ModuleOp module, const mlir::ConversionTarget &target,
                                   llvm::StringRef expected);

/// The contract that none of these operations is left.
template <typename... Ops>
llvm::LogicalResult verifyNone(mlir::ModuleOp module, llvm::StringRef expected) {
  mlir::ConversionTarget target(*module.getContext());
  target.addIllegalOp<Ops...>();
  target.markUnknownOpDynamicallyLegal([](mlir::Operation *) { return true; });
  return verifyContract(module, target, expected);
}

/// Whether `holds` is true of the types of all results and block arguments of an operation.
bool definesOnly(mlir::Operation *op, llvm::function_ref<bool(mlir::Type)> holds);

} // namespace jit

#endif // JIT_DIALECT_JIT_CONTRACT_H
