//===- BoundsChecks.h - checked indices -------------------------*- C++ -*-===//
#ifndef JIT_LIB_LOWER_BOUNDSCHECKS_H
#define JIT_LIB_LOWER_BOUNDSCHECKS_H

#include "mlir/IR/Builders.h"

namespace jit {

/// On an access whose place is not a constant but known to be inside: the number of places.
inline constexpr llvm::StringLiteral insideAttr = "jit.inside";

/// The index operand of `access` into a dimension of `size` as one counted from the front: a
/// constant, or a value of index type, behind a run-time check unless the access is marked.
mlir::OpFoldResult checkedPlace(mlir::OpBuilder &builder, mlir::Operation *access,
                                mlir::Value index, int64_t size);

/// The same for a size, of index type, that only the call knows.
mlir::Value checkedPlace(mlir::OpBuilder &builder, mlir::Operation *access, mlir::Value index,
                         mlir::Value size);

/// Whether elements of this type can say where to read or write: ints, but not bools.
inline bool isPlaceType(mlir::Type type) {
  return llvm::isa<mlir::IntegerType>(type) && !type.isInteger(1);
}
/// A run-time check that all elements of an integer tensor are Python indices into a dimension of
/// `size`. Without `negative` they have to be counted from the front. Where one of `others`, sizes
/// of what is read or written with each index, is 0, nothing is, and any index will do; but for a
/// dimension of size 0, as in PyTorch.
void checkPlaces(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value indices,
                 mlir::OpFoldResult size, bool negative = true,
                 llvm::ArrayRef<mlir::OpFoldResult> others = {});

/// Whether the sizes of an index tensor, but along `except`, are no larger than those of what it
/// chooses from; false where types say that they are. Sizes that only a call tells are compared in
/// it.
bool checkNoLarger(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value indices,
                   mlir::Value tensor, int64_t except = -1);

/// An element of a checked index tensor as a place counted from the front, of index type.
mlir::Value placeOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index,
                    mlir::OpFoldResult size);

} // namespace jit

#endif // JIT_LIB_LOWER_BOUNDSCHECKS_H
