//===- Pool.h - what pooling and its gradients share ------------*- C++ -*-===//
#ifndef JIT_LIB_LOWER_POOL_H
#define JIT_LIB_LOWER_POOL_H

#include "Sizes.h"
#include "Windows.h"

namespace jit {

/// How an average pooling counts the elements of its windows.
struct PoolCounts {
  llvm::SmallVector<Window> windows; // padded as far as the last of them reaches
  llvm::SmallVector<Window> asked;   // padded as the operator says
  Sizes input;                       // sizes along the pooled dimensions
  bool includesPadding;
  std::optional<int64_t> divisor; // in place of any count
  bool isCeil;
};

/// Of an average pooling, or its gradient, from a tensor like `input` to, or from, `pooled` sizes.
/// Nullopt where the numbers are not constants.
template <typename OpTy>
std::optional<PoolCounts> poolCounts(mlir::OpBuilder &builder, OpTy op, unsigned dimensions,
                                     mlir::Value input, mlir::RankedTensorType pooled);

/// What the sum of the window that the loops stand at, in a tensor of `rank`, is divided by.
Element windowCount(ScalarBuilder &build, unsigned rank, const PoolCounts &counts);

/// Padding for a last window that reaches over the end, as `ceil_mode` allows; along an open size
/// as much as it may ever need.
void reachTheEnd(llvm::MutableArrayRef<Window> windows, bool isCeil, llvm::ArrayRef<int64_t> input,
                 llvm::ArrayRef<int64_t> output);

/// The sizes of what is pooled, of `type`, from `input`; the windows reach the end.
Sizes pooledSizes(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                  mlir::Value input, llvm::ArrayRef<Window> windows, bool isCeil);

//===----------------------------------------------------------------------===//

template <typename OpTy>
std::optional<PoolCounts> poolCounts(mlir::OpBuilder &builder, OpTy op, unsigned dimensions,
                                     mlir::Value input, mlir::RankedTensorType pooled) {
  auto windows = windowsOf(dimensions, op.getKernelSize(), op.getStride(), op.getPadding(),
                           /*dilation=*/mlir::Value());
  std::optional<bool> include = BoolInfo(op.getCountIncludePad()).known;
  std::optional<bool> isCeil = BoolInfo(op.getCeilMode()).known;
  if (!windows || !include || !isCeil)
    return std::nullopt;
  Sizes sizes = sizesOf(builder, op.getLoc(), input);
  sizes.erase(sizes.begin(), sizes.end() - dimensions);
  PoolCounts counts{*windows, *windows, sizes, *include, std::nullopt, *isCeil};
  if constexpr (requires { op.getDivisorOverride(); }) {
    counts.divisor = IntInfo(op.getDivisorOverride()).known;
    if (!counts.divisor && !mlir::isa<NoneType>(op.getDivisorOverride().getType()))
      return std::nullopt;
  }
  auto type = mlir::cast<mlir::RankedTensorType>(input.getType());
  reachTheEnd(counts.windows, *isCeil, type.getShape(), pooled.getShape());
  return counts;
}

} // namespace jit

#endif // JIT_LIB_LOWER_POOL_H
