//===- Explain.h - what the stages did, and what not and why ----*- C++ -*-===//
#ifndef JIT_PIPELINE_EXPLAIN_H
#define JIT_PIPELINE_EXPLAIN_H

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace jit {

/// From now on every remark of a stage in this context is given to `take`, as one line: the place
/// in the user's Python, the stage, what it did or did not do. Calls come one at a time.
void explainTo(mlir::MLIRContext &context, std::function<void(llvm::StringRef)> take);

/// Registers the pass `jit-explain`: what the passes after it say goes to stderr.
void registerExplainPass();

} // namespace jit

#endif // JIT_PIPELINE_EXPLAIN_H
