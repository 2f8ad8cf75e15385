//===- Pool.h - what pooling and its gradients share ------------*- C++ -*-===//
#ifndef JIT_LIB_LOWER_POOL_H
#define JIT_LIB_LOWER_POOL_H

#include "Windows.h"

namespace jit {

/// How an average pooling counts the elements of its windows.
struct PoolCounts {
  llvm::SmallVector<Window> windows; // padded as far as the last of them reaches
  llvm::SmallVector<Window> asked;   // padded as the operator says
  llvm::SmallVector<int64_t> input;  // sizes along the pooled dimensions
  bool includesPadding;
  std::optional<int64_t> divisor; // in place of any count
};

/// Of an average pooling, or its gradient, from an input of type `input` to, or from, `pooled`
/// sizes. Nullopt where the numbers are not constants.
template <typename OpTy>
std::optional<PoolCounts> poolCounts(OpTy op, unsigned dimensions, mlir::RankedTensorType input,
                                     mlir::RankedTensorType pooled);

/// What the sum of the window that the loops stand at, in a tensor of `rank`, is divided by.
Element windowCount(ScalarBuilder &build, unsigned rank, const PoolCounts &counts);

/// Padding for a last window that reaches over the end, as `ceil_mode` allows.
void reachTheEnd(llvm::MutableArrayRef<Window> windows, llvm::ArrayRef<int64_t> input,
                 llvm::ArrayRef<int64_t> output);

//===----------------------------------------------------------------------===//

template <typename OpTy>
std::optional<PoolCounts> poolCounts(OpTy op, unsigned dimensions, mlir::RankedTensorType input,
                                     mlir::RankedTensorType pooled) {
  auto windows = windowsOf(dimensions, op.getKernelSize(), op.getStride(), op.getPadding(),
                           /*dilation=*/mlir::Value());
  std::optional<bool> include = BoolInfo(op.getCountIncludePad()).known;
  if (!windows || !include)
    return std::nullopt;
  PoolCounts counts{*windows, *windows, llvm::to_vector(input.getShape().take_back(dimensions)),
                    *include, std::nullopt};
  if constexpr (requires { op.getDivisorOverride(); }) {
    counts.divisor = IntInfo(op.getDivisorOverride()).known;
    if (!counts.divisor && !mlir::isa<NoneType>(op.getDivisorOverride().getType()))
      return std::nullopt;
  }
  reachTheEnd(counts.windows, input.getShape(), pooled.getShape());
  return counts;
}

} // namespace jit

#endif // JIT_LIB_LOWER_POOL_H
