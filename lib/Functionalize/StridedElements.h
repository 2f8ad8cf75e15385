//===- StridedElements.h - as_strided of memory with gaps -------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_STRIDEDELEMENTS_H
#define JIT_LIB_FUNCTIONALIZE_STRIDEDELEMENTS_H

#include "jit/Dialect/Aten/Sampling.h"

namespace jit {

/// Calls `visit` with the place of each element, row by row.
void forEachPlace(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides, int64_t offset,
                  llvm::function_ref<void(int64_t)> visit);

/// More elements are not listed.
inline constexpr int64_t maxListed = 1 << 16;

/// Where the tensor that `op` is of has gaps in its memory, or begins in the midst of it, but has
/// an element at each place that `op` names: counts these elements instead of places. Fails,
/// without an error, where that is not so or not known.
llvm::LogicalResult countElements(aten::AsStridedOp op);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_STRIDEDELEMENTS_H
