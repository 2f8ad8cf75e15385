//===- Windows.h - windows over padded tensors ------------------*- C++ -*-===//
#ifndef JIT_LIB_LOWER_WINDOWS_H
#define JIT_LIB_LOWER_WINDOWS_H

#include "Lower.h"
#include "jit/Dialect/Aten/ScalarRules.h"
#include "jit/Dialect/Aten/Windows.h"

namespace jit {

/// Ends the call unless the dimensions of two tensors before their last `dimensions` are equal.
void guardLeading(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                  mlir::Value other, unsigned dimensions);

/// The tensor with elements of `value` added at its ends, or with elements dropped where a number
/// is negative; `low` and `high` are for its last dimensions.
mlir::Value padded(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                   llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high, mlir::Value value);

/// Ends a call in which there is nothing along a dimension that is pooled.
void guardNotEmpty(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult size);

/// How many windows there are over `size` elements; ends a call in which there is none.
mlir::OpFoldResult countWindows(mlir::OpBuilder &builder, mlir::Location loc, const Window &window,
                                mlir::OpFoldResult size);

/// Padded as the windows want it.
mlir::Value paddedFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                      llvm::ArrayRef<Window> windows, mlir::Value value);

/// Where in the padded input a window reads: position * stride + tap * dilation, for each
/// dimension. The loops of the positions and of the taps start at the given ones.
llvm::SmallVector<mlir::AffineExpr> windowReads(mlir::MLIRContext *context,
                                                llvm::ArrayRef<Window> windows,
                                                unsigned firstPosition, unsigned firstTap);

/// Where a window reads an element: its number and the tap, along each of its dimensions.
struct WindowRead {
  llvm::SmallVector<mlir::Value> windows, taps;
};

/// What a window adds to an element; `loops` is the place of that, all values are of index type.
using WindowTerm = llvm::function_ref<Element(ScalarBuilder &, llvm::ArrayRef<mlir::Value> loops,
                                              const WindowRead &)>;

/// The windows along dimension `dim`, of which there are `count`.
struct WindowsAlong {
  Window window;
  int64_t dim;
  mlir::OpFoldResult count;
};

/// The adjoint of windows: each element of a tensor of graph element type `dtype` is the sum of the
/// terms of the windows that it is in. Terms are of the accumulator's type; `sizes` are all of
/// those of the result.
mlir::Value sumOverWindows(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::RankedTensorType type, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                           mlir::Type dtype, llvm::ArrayRef<WindowsAlong> along, WindowTerm term);

} // namespace jit

#endif // JIT_LIB_LOWER_WINDOWS_H
