//===- Aten.h - the aten dialect: every operator ----------------*- C++ -*-===//
//
// Stages that work by interface include this; a family's header (aten/<Family>.h) only where one
// operator must be named.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_ATEN_H
#define JIT_DIALECT_ATEN_ATEN_H

#include "jit/Dialect/Aten/OpBase.h"

namespace jit {

/// Operators on Python scalars (aten.add.int, aten.gt.float, ...) become arith ops.
void populateScalarExpansionPatterns(mlir::RewritePatternSet &patterns);

/// Operators that give something other than tensors (aten.size, aten.chunk, aten.len.t), and those
/// that decompose early, become simpler values as soon as enough is known; of them only those for
/// which `accept` is true, if given.
void populateValueDecompositionPatterns(mlir::RewritePatternSet &patterns,
                                        std::function<bool(mlir::Operation *)> accept = {});

/// Operators that say what they are in terms of simpler ones are replaced by it; of them only those
/// for which `accept` is true, if given.
void populateDecompositionPatterns(mlir::RewritePatternSet &patterns,
                                   std::function<bool(mlir::Operation *)> accept = {});

/// An operator that takes a tensor derefined to a wider tensor type takes the tensor itself.
void populateDropWideningPatterns(mlir::RewritePatternSet &patterns);

/// True of an operator whose decomposition into simpler ones can be built as it stands.
bool decomposes(mlir::Operation *op);

/// What an operator that is left needs, to be taken apart into simpler ones: "the rank of self";
/// empty where it is none of these, or needs nothing.
llvm::StringRef needsOf(mlir::Operation *op);

/// The operator of the program whose body, or that of whose parts, `op` was built for; empty where
/// it is one of the program's own.
llvm::StringRef wholeOf(mlir::Operation *op);

/// `, part of aten.X` where that is known of `op`: for errors.
std::string wholeClause(mlir::Operation *op);

/// The error for an operator that is left without a lowering, with what it needs.
std::string missingLowering(mlir::Operation *op);

/// Narrows the result types of `op` to what its `type` rule gives now. True if one changed; failure
/// after an error where the operands cannot go together.
mlir::FailureOr<bool> refineResultTypes(mlir::Operation *op);

} // namespace jit

#endif // JIT_DIALECT_ATEN_ATEN_H
