//===- PackedLists.h - lists of tensors in one tensor -----------*- C++ -*-===//
//
// A list whose length only data tell is carried from trip to trip, and out of a branch, in one
// tensor that all its elements are parts of.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_PACKEDLISTS_H
#define JIT_DIALECT_ATEN_PACKEDLISTS_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// What the elements of a list have in common. Elements of one known size lie along a new first
/// dimension of one tensor; where they differ in one size they lie one after the other along that
/// dimension, and a second tensor has the places where they begin and end: 0 first, then one for
/// each.
struct PackedForm {
  /// Null: the list has no elements.
  mlir::Type dtype;
  /// Of an element; dynamic where they differ or only the call tells.
  llvm::SmallVector<int64_t> sizes;

  bool operator==(const PackedForm &) const = default;

  /// The one dimension of `sizes` that is dynamic.
  std::optional<int64_t> dim() const;
  /// The types of the tensors: none of a list without elements.
  llvm::SmallVector<mlir::Type> types(mlir::MLIRContext *context) const;
};

bool isTensorList(mlir::Type type);

/// What the elements of `list` have in common, which may be made of jit.list, jit.list_append,
/// jit.list_concat, jit.list_from_tensor and jit::_parts; nullopt for other lists, and where no
/// tensor can hold all elements.
std::optional<PackedForm> packedForm(mlir::Value list);

/// The form that has room for the elements of both; nullopt where there is none.
std::optional<PackedForm> joinForms(const PackedForm &a, const PackedForm &b);

/// The elements of `list` in tensors of `form.types()`, as far as types tell: the open size of the
/// first may be known.
llvm::SmallVector<mlir::Value> packList(GraphBuilder &build, mlir::Value list,
                                        const PackedForm &form);

/// The list, of type `type`, of which the tensors hold the elements.
mlir::Value unpackList(GraphBuilder &build, const PackedForm &form, mlir::ValueRange tensors,
                       mlir::Type type);

/// The tensors of packList, of `form.types()`.
llvm::SmallVector<mlir::Value> packWidened(mlir::OpBuilder &b, mlir::Location loc, mlir::Value list,
                                           const PackedForm &form);

/// unpackList of those among `values` that begin at `next`, which goes on behind them.
mlir::Value unpackNext(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange values,
                       unsigned &next, const PackedForm &form, mlir::Type type);

/// Whether `list` is what unpackList gives: nothing writes its elements in place.
bool isPacked(mlir::Value list);

/// The elements of the first list, then those of the second, where one of both is packed and the
/// other can be; nullopt otherwise.
std::optional<mlir::Value> packedConcat(GraphBuilder &build, mlir::Value first, mlir::Value second);

/// The elements of a packed list from `start` up to `end`, as Python counts them; nullopt for other
/// lists.
std::optional<mlir::Value> packedSlice(GraphBuilder &build, mlir::Value list, OptInt start,
                                       OptInt end);

/// Appending to a packed list packs the element.
void populatePackedListPatterns(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_DIALECT_ATEN_PACKEDLISTS_H
