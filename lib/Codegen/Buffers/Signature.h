//===- Signature.h - what entries expect, read off their types ---*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERS_SIGNATURE_H
#define JIT_CODEGEN_BUFFERS_SIGNATURE_H

#include "jit/Runtime/Artifact.h"
#include "mlir/IR/BuiltinOps.h"

namespace jit::codegen {

/// One Entry, still without code, for each public function of a module on tensors, or of one that
/// declares such (jit/Dialect/Jit/Declarations.h).
llvm::FailureOr<std::vector<runtime::Entry>> describeEntries(mlir::ModuleOp module);

} // namespace jit::codegen

#endif // JIT_CODEGEN_BUFFERS_SIGNATURE_H
