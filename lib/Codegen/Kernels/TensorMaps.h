//===- TensorMaps.h - matrices that the device copies by itself --*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_TENSORMAPS_H
#define JIT_CODEGEN_KERNELS_TENSORMAPS_H

#include "Analysis/ProductShape.h"
#include "jit/Runtime/DevicePlan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace jit::codegen {

/// The numbers of a kernel's arguments that are addresses of maps.
inline constexpr const char *tensorMapsAttrName = "jit.tensor_maps";

/// An operand of a product as matrices in memory. Strides are in elements.
struct FactorMatrix {
  /// The summands lie side by side; else the rows or columns do.
  bool isAlongDepth = false;
  int64_t batches = 1, batchStride = 0;
  int64_t outer = 0, outerStride = 0;
  int64_t inner = 0;
  /// Of the innermost dimension of the batches, where these lie side by side in the rows, as heads
  /// do: how many, and how far apart.
  int64_t together = 1, togetherStride = 0;
  /// Of the first element in the buffer.
  int64_t offset = 0;

  /// Nothing for what a map cannot describe. `other` is the side of the operand that is neither
  /// summed over nor in both operands. Batches may be `together` where the caller asks for no more
  /// elements of a row than one of them has.
  static std::optional<FactorMatrix> of(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                                        const ProductShape &shape, const Side &other,
                                        bool allowsTogether = false);
};

/// Where a launch is written: the address of a map of `buffer`, for boxes of `outer` rows of
/// `inner` elements.
mlir::Value createTensorMap(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer,
                            const FactorMatrix &matrix, int64_t outer, int64_t inner);

/// Moves the making of maps in front of `launch`: that is the host's work.
void hoistTensorMaps(mlir::gpu::LaunchOp launch);

/// The memory that the map at `address` describes, and how; `argument` is left to the caller.
/// Nothing for other values.
std::optional<std::pair<mlir::Value, runtime::TensorMap>> describeTensorMap(mlir::Value address);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_TENSORMAPS_H
