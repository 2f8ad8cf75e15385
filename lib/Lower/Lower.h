//===- Lower.h - what the lowerings of the families share -------*- C++ -*-===//
//
// A family's patterns are in <Family>.cpp: `OpConversionPattern`s over its `lowered = 1` records.
// The adaptor gives tensors as builtin tensors; numbers, lists, strings and None are read from the
// operator itself with the handles of TypeRules.h (IntInfo, ListInfo, ...).
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_LOWER_LOWER_H
#define JIT_LIB_LOWER_LOWER_H

#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/ScalarRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Jit tensors of known rank and element type become builtin tensors; everything else keeps its
/// type.
struct LoweredTypes : mlir::TypeConverter {
  LoweredTypes();
};

/// The builtin element type: i8 for ui8, otherwise `dtype`.
mlir::Type storageType(mlir::Type dtype);

/// The builtin type of a tensor of known rank and element type, or of a value that is one. The two
/// parts of complex elements are a last dimension of size 2.
mlir::RankedTensorType loweredType(TensorType type);
mlir::RankedTensorType loweredType(mlir::Value tensor);

/// The element type of a value of static tensor type, as the graph has it (i1, ui8, ...).
mlir::Type dtypeOf(mlir::Value tensor);

/// An element of one graph element type as one of another, by PyTorch's rules.
mlir::Value convertedElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value stored,
                             mlir::Type from, mlir::Type to);

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// From one element of each input and, last, of the output so far to one of the output.
using ElementBody =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// The same for several outputs.
using ElementsBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// A constant of a storage type.
mlir::Value constantOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double value);

/// What no element of `dtype` is below, or above: infinity for floats.
mlir::Value extremeOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type dtype,
                      bool isLowest);

/// A tensor of one value throughout.
mlir::Value filled(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                   mlir::Value element);
mlir::Value filled(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                   double value);
/// The same of a type that leaves sizes open.
mlir::Value filled(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Value element);

/// Each element of `type` from one of each input; inputs broadcast by PyTorch's rules.
mlir::Value elementwise(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                        mlir::ValueRange inputs, ElementBody body);

/// The same where the inputs do not say all of the sizes; guards that they broadcast to these.
mlir::Value elementwise(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::ValueRange inputs,
                        ElementBody body);

/// The same for several results of one size.
llvm::SmallVector<mlir::Value> elementwise(mlir::OpBuilder &builder, mlir::Location loc,
                                           llvm::ArrayRef<mlir::RankedTensorType> types,
                                           mlir::ValueRange inputs, ElementsBody body);

/// The indexing map of an operand of sizes `from` that broadcasts to sizes `to`.
mlir::AffineMap broadcastMap(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> from,
                             llvm::ArrayRef<int64_t> to);

/// A tensor as an operand of a product: the element that each step of its loops reads.
struct Factor {
  mlir::Value tensor;
  mlir::AffineMap map;
  /// The graph element type, where that is not the product's.
  mlir::Type dtype = {};
};

/// The type in which elements of `dtype` are summed: f32 for halves.
mlir::Type accumulatorOf(mlir::Type dtype);

/// The map of `loops` loops to the first `count` of them.
mlir::AffineMap leadingLoops(mlir::MLIRContext *context, unsigned loops, unsigned count);

/// start + the sum of lhs * rhs over the loops that `out` does not name; `start` may be null and
/// broadcasts. All have the graph element type `dtype`, unless a factor has its own.
mlir::Value product(mlir::OpBuilder &builder, mlir::Location loc, const Factor &lhs,
                    const Factor &rhs, mlir::RankedTensorType type, mlir::AffineMap out,
                    mlir::Type dtype, mlir::Value start);
/// The same where the factors do not say all of the result's sizes.
mlir::Value product(mlir::OpBuilder &builder, mlir::Location loc, const Factor &lhs,
                    const Factor &rhs, mlir::RankedTensorType type,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::AffineMap out, mlir::Type dtype,
                    mlir::Value start);

/// The tensor broadcast to a type with the same elements.
mlir::Value broadcasted(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                        mlir::RankedTensorType type);

/// Elements moved: the one at the loops' indices is read where `reads` says.
mlir::Value gathered(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                     mlir::RankedTensorType type, llvm::ArrayRef<mlir::AffineExpr> reads);
/// The same of sizes that may be open.
mlir::Value gathered(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                     mlir::RankedTensorType type, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                     llvm::ArrayRef<mlir::AffineExpr> reads);

/// The tensor with another element type (graph types).
mlir::Value convertedTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                            mlir::Type from, mlir::Type to);

/// The same elements, row by row, in other sizes: collapses and expands.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                     llvm::ArrayRef<int64_t> sizes);

/// The same where `sizes` leaves some open: `extents` are all of them. The number of elements, and
/// of those in dimensions that go together, is guarded.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                     llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<mlir::OpFoldResult> extents);

/// A tensor of rank 0 as a vector of one element; any other as it is.
mlir::Value atLeastVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

/// The tensors of a jit.list operand as builtin tensors; nullopt where it is not a jit.list.
std::optional<llvm::SmallVector<mlir::Value>>
loweredElements(mlir::ConversionPatternRewriter &rewriter, mlir::Value list);

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void populatePointwiseLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateReductionLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateMatmulLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateConvLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populatePoolLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populatePoolGradLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateAdaptivePoolLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateViewLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateAffineReadLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateIndexLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateNonzeroLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateSortLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateBoxesLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateBoxPoolLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateScatterLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateComplexLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateScalarLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateCreationLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateRandomLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateCustomLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);

/// Operators of any family whose results have no elements.
void populateEmptyLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);

/// jit.poison, and arith.select on tensors.
void populateFrameLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Steps of the pass
//===----------------------------------------------------------------------===//

/// Reads of frozen slots become arguments with `jit.weight`.
llvm::LogicalResult turnSlotsIntoArguments(mlir::ModuleOp module);

/// Marks accesses whose places are inside of their tensor whatever the loops' counters are, as long
/// as the loops can be seen: these need no run-time check. See BoundsChecks.h.
void recordInsideAccesses(mlir::ModuleOp module);

/// Run-time checks that a tensor of open sizes keeps them from one trip of a loop to the next: it
/// has one buffer. Code for any sizes is not for a call where it does not; other code does not
/// support it.
void guardCarriedSizes(mlir::func::FuncOp func, bool anySizes);

/// What a loop of a lowered function hands on to its next trip, in a size that may be another one,
/// becomes a copy (bufferization.alloc_tensor), by which Codegen knows it.
void copyCarriedSizes(mlir::func::FuncOp func);

/// Where two sizes that data tell have to be equal and one of them is 1, PyTorch may broadcast:
/// that is not supported. Other sizes that differ are an exception, as in PyTorch.
void guardBroadcastsOfData(mlir::func::FuncOp func);

/// Strings, lists and None among the arguments of jit.guard go into its message.
llvm::LogicalResult resolveGuardMessages(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_LIB_LOWER_LOWER_H
