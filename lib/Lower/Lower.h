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
#include "mlir/Transforms/DialectConversion.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Static jit tensors become builtin tensors; everything else keeps its type.
struct LoweredTypes : mlir::TypeConverter {
  LoweredTypes();
};

/// The element type in memory: i8 for bool (0 or 1) and for ui8, otherwise `dtype`.
mlir::Type storageType(mlir::Type dtype);

/// The builtin type of a static tensor, or of a value that is one.
mlir::RankedTensorType loweredType(TensorType type);
mlir::RankedTensorType loweredType(mlir::Value tensor);

/// The element type of a value of static tensor type, as the graph has it (i1, ui8, ...).
mlir::Type dtypeOf(mlir::Value tensor);

/// An element as it is in memory as a value to compute with (bool: i8 to i1), and back.
mlir::Value loadedElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value stored,
                          mlir::Type dtype);
mlir::Value storedElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          mlir::Type dtype);

/// An element in memory of one graph element type as one of another.
mlir::Value convertedElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value stored,
                             mlir::Type from, mlir::Type to);

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// From one element of each input and, last, of the output so far to one of the output.
using ElementBody =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// A constant of a storage type.
mlir::Value constantOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double value);

/// A tensor of one value throughout.
mlir::Value filled(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                   mlir::Value element);
mlir::Value filled(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                   double value);

/// Each element of `type` from one of each input; inputs broadcast by PyTorch's rules.
mlir::Value elementwise(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                        mlir::ValueRange inputs, ElementBody body);

/// The indexing map of an operand of sizes `from` that broadcasts to sizes `to`.
mlir::AffineMap broadcastMap(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> from,
                             llvm::ArrayRef<int64_t> to);

/// The tensor with another element type (graph types).
mlir::Value convertedTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                            mlir::Type from, mlir::Type to);

/// The same elements, row by row, in other sizes: collapses and expands.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                     llvm::ArrayRef<int64_t> sizes);

/// The tensors of a jit.list operand as builtin tensors; nullopt where it is not a jit.list.
std::optional<llvm::SmallVector<mlir::Value>>
loweredElements(mlir::ConversionPatternRewriter &rewriter, mlir::Value list);

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void populatePointwiseLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateViewLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateIndexLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateSortLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateScatterLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateScalarLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);
void populateCreationLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);

/// jit.uninitialized, and arith.select on tensors.
void populateFrameLowering(const LoweredTypes &types, mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Steps of the pass
//===----------------------------------------------------------------------===//

/// Reads of frozen slots become arguments with `jit.weight`.
llvm::LogicalResult turnSlotsIntoArguments(mlir::ModuleOp module);

/// Marks accesses whose places are inside of their tensor whatever the loops' counters are, as long
/// as the loops can be seen: these need no run-time check. See Places.h.
void recordInsideAccesses(mlir::ModuleOp module);

/// Strings, lists and None among the arguments of jit.guard go into its message.
llvm::LogicalResult resolveGuardMessages(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_LIB_LOWER_LOWER_H
