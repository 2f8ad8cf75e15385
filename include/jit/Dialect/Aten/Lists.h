//===- Lists.h - what a list of tensors is made of --------------*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_LISTS_H
#define JIT_DIALECT_ATEN_LISTS_H

#include "jit/Dialect/Jit/Jit.h"

namespace jit {

/// A part of a list of tensors.
struct ListPiece {
  mlir::Value tensor;
  /// False: one element of the list. True: its slices along the first dimension are elements.
  bool isSlab;
};

/// The parts of a list that is made of jit.list, jit.list_concat and jit.list_from_tensor; nullopt
/// where there is another origin.
std::optional<llvm::SmallVector<ListPiece>> listPieces(mlir::Value list);

/// The list, written out, of which `op` picks an element by its number; null for any other
/// operation.
ListOp listPickedFrom(mlir::Operation *op);

/// Whether `index`, which may count from the end, is that of the element `place` of `count`.
mlir::Value isIndexOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index,
                      int64_t place, int64_t count);

/// The value that was made an Optional (or another wider type), if any.
mlir::Value withoutDerefine(mlir::Value value);

/// On an index.Tensor or index_put whose indices may not count from the end.
inline constexpr llvm::StringLiteral fromFrontAttr = "jit.from_front";

/// Whether `op` is to join the tensors of `list` and that has none, which PyTorch refuses.
bool joinsNothing(mlir::Operation &op, mlir::Value list);

/// How index.Tensor picks from a tensor of `rank` dimensions.
struct IndexPlan {
  /// For each dimension of the tensor its index tensor; null: all of the dimension.
  llvm::SmallVector<mlir::Value> indices;
  /// The indices' common sizes, and the dimension of the result where they stand.
  llvm::SmallVector<int64_t> sizes;
  int64_t place = 0;
};

/// The plan for a list of Tensor?; nullopt where too little is known. On indices that do not go
/// together `problem` says why.
std::optional<IndexPlan> planIndex(int64_t rank, mlir::Value list, std::string &problem);

} // namespace jit

#endif // JIT_DIALECT_ATEN_LISTS_H
