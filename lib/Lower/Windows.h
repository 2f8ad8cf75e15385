//===- Windows.h - windows over padded tensors ------------------*- C++ -*-===//
#ifndef JIT_LIB_LOWER_WINDOWS_H
#define JIT_LIB_LOWER_WINDOWS_H

#include "Lower.h"
#include "jit/Dialect/Aten/Windows.h"

namespace jit {

/// The tensor with elements of `value` added at its ends, or with elements dropped where a number
/// is negative; `low` and `high` are for its last dimensions.
mlir::Value padded(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                   llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high, mlir::Value value);

/// Padded as the windows want it.
mlir::Value paddedFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                      llvm::ArrayRef<Window> windows, mlir::Value value);

/// Where in the padded input a window reads: position * stride + tap * dilation, for each
/// dimension. The loops of the positions and of the taps start at the given ones.
llvm::SmallVector<mlir::AffineExpr> windowReads(mlir::MLIRContext *context,
                                                llvm::ArrayRef<Window> windows,
                                                unsigned firstPosition, unsigned firstTap);

} // namespace jit

#endif // JIT_LIB_LOWER_WINDOWS_H
