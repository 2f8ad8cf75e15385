//===- NarrowWrites.h - writes of what changes alone ------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_NARROWWRITES_H
#define JIT_LIB_SPECIALIZE_NARROWWRITES_H

#include "mlir/IR/PatternMatch.h"

namespace jit {

/// `x.fill_diagonal_(1)` of a matrix fills the view of its diagonal: what lies beside that is not
/// written, and may be shown twice.
void populateNarrowWritePatterns(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_NARROWWRITES_H
