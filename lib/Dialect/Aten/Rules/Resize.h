//===- Resize.h - builders for the rules of Resize.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_RESIZE_H
#define JIT_LIB_DIALECT_ATEN_RULES_RESIZE_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

enum class Interpolation { Nearest, NearestExact, Linear, Cubic, Antialiased, AntialiasedCubic };

/// [batch, channels, sizes...] with other sizes; a scale that is None is that of the sizes.
Decomposition resized(Tensor self, IntList sizes, llvm::ArrayRef<OptFloat> scales,
                      Interpolation how, Bool alignCorners);
/// The same by either of two lists.
Decomposition resizedBy(Tensor self, OptIntList sizes, OptIntList scales, Interpolation how,
                        Bool alignCorners);
/// Zeros with the elements in the places that max_pool took them from.
Decomposition unpooled(Tensor self, Tensor indices, IntList sizes);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_RESIZE_H
