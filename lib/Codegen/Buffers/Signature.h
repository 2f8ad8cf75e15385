//===- Signature.h - what entries expect, read off their types ---*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERS_SIGNATURE_H
#define JIT_CODEGEN_BUFFERS_SIGNATURE_H

#include "jit/Runtime/Artifact.h"
#include "mlir/IR/BuiltinOps.h"

namespace jit::codegen {

/// Marks the results of entries that are computed where an argument lies (jit-in-place-results).
/// What describes the entries, and who calls them, has to know it.
llvm::LogicalResult markInPlaceResults(mlir::ModuleOp module);

/// One Entry, still without code, for each public function of a module on tensors, or of one that
/// declares such (jit/Dialect/Jit/Declarations.h).
llvm::FailureOr<std::vector<runtime::Entry>> describeEntries(mlir::ModuleOp module);

} // namespace jit::codegen

#endif // JIT_CODEGEN_BUFFERS_SIGNATURE_H
