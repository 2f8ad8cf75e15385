//===- ByteImages.h - images of bytes in other sizes ------------*- C++ -*-===//
//
// As PyTorch computes them for CPUs: with weights of 16 bits, rounded to bytes after each
// dimension (UpSampleKernel.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_BYTEIMAGES_H
#define JIT_LIB_DIALECT_ATEN_RULES_BYTEIMAGES_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// What becomes of one dimension.
struct ByteResize {
  int64_t oldSize, newSize;
  std::optional<double> scale; // new over old, where it is not that of the sizes
  bool isCubic, isAntialiased, alignCorners;
};

/// `image`, of bytes, in the new size along `dim`.
Tensor resizedBytes(Tensor image, int64_t dim, const ByteResize &how);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_BYTEIMAGES_H
