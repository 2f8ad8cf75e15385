//===- Sizes.h - sizes that only a call tells -------------------*- C++ -*-===//
//
// The types of a function with `jit.symbolic` leave sizes open. Those of a result follow from its
// operands; where two operands have to have the same size and the types do not say so, a guard
// compares them when the function runs.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_LOWER_SIZES_H
#define JIT_LIB_LOWER_SIZES_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace jit {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// All sizes of a builtin tensor.
Sizes sizesOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

/// The sizes that a static type says.
Sizes staticSizes(mlir::RankedTensorType type);

/// The sizes of a result of `type`: what the type leaves open is the size of `like` in the same
/// dimension.
Sizes sizesLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                mlir::Value like);

/// A size as an operand of arithmetic on indices.
mlir::Value asIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult size);

/// The product of sizes; 1 for none.
mlir::OpFoldResult productOf(mlir::OpBuilder &builder, mlir::Location loc,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes);

mlir::OpFoldResult sumOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult a,
                         mlir::OpFoldResult b);

/// Ends the call unless the two sizes are equal; nothing where they are known to be.
void guardEqual(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult a,
                mlir::OpFoldResult b);

/// `tensor` by a type that may know other sizes; those that it alone knows are guarded.
mlir::Value guardedCast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                        mlir::RankedTensorType type);

/// Stops a call in which a dimension of `input` that is not known to be 1 has another size than the
/// last of `sizes`, to which it is broadcast.
void guardBroadcasts(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value input,
                     llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// A tensor of a type for elements to be written to; `sizes` may know more than the type does.
mlir::Value emptyOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The sizes of a result of `type` to which the inputs broadcast, guarded.
Sizes broadcastSizes(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                     mlir::ValueRange inputs);

/// How far each loop goes of which some input's map says that it walks along one of its dimensions,
/// guarded; null for the others.
Sizes loopSizes(mlir::OpBuilder &builder, mlir::Location loc, unsigned loops,
                mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps);

} // namespace jit

#endif // JIT_LIB_LOWER_SIZES_H
