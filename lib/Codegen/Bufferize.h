//===- Bufferize.h - from tensors to buffers, for every target ---*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERIZE_H
#define JIT_CODEGEN_BUFFERIZE_H

#include "mlir/Pass/PassManager.h"

namespace jit {

/// Appends the passes from entries on tensors to entries on buffers: what depends on weights alone
/// is moved into NAME.init, elementwise ops are fused, every result has a buffer.
void addBufferization(mlir::OpPassManager &pm);

/// Appends canonicalization and common subexpression elimination.
void addCleanup(mlir::OpPassManager &pm);

/// Goes over the code once and leaves blocks alone: for code that is large by now, in a third of
/// the time.
std::unique_ptr<mlir::Pass> createQuickCanonicalizer();
/// The same with one of these.
void addQuickCleanup(mlir::OpPassManager &pm);

} // namespace jit

#endif // JIT_CODEGEN_BUFFERIZE_H
