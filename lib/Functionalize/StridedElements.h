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

/// Where `root`, whose memory `op` is of, has gaps in it, or begins in the midst of it, but has an
/// element at each place that `op` names: makes `op` count these elements instead of places. Gives,
/// where that `hasGradients`, for each of them whether the operand of `op` has it, null for all.
/// Fails, without an error and a change, where that is not so or not known.
llvm::FailureOr<mlir::DenseBoolArrayAttr> countElements(aten::AsStridedOp op, mlir::Value root,
                                                        bool hasGradients);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_STRIDEDELEMENTS_H
