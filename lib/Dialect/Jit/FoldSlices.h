//===- FoldSlices.h - constants in the places of slices ----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_JIT_FOLDSLICES_H
#define JIT_LIB_DIALECT_JIT_FOLDSLICES_H

#include "mlir/IR/PatternMatch.h"

namespace jit {

/// Offsets, sizes and strides of slices of tensors that are constants become attributes, and the
/// types say the sizes.
void populateFoldSlices(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_LIB_DIALECT_JIT_FOLDSLICES_H
