//===- PossibleSizes.h - sizes among which data choose ----------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_POSSIBLESIZES_H
#define JIT_LIB_FUNCTIONALIZE_POSSIBLESIZES_H

#include "jit/Dialect/Jit/Jit.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace jit {

/// The sizes that tensors of open sizes may have where branches and loops choose among a few: those
/// of an operator's result follow from those of its operands.
class PossibleSizes {
public:
  /// How many elements `tensor` has at most; nullopt where nobody knows.
  std::optional<int64_t> mostElements(mlir::Value tensor);

private:
  /// Types of known sizes; nullopt for any type.
  using Types = std::optional<llvm::SmallSetVector<TensorType, 4>>;
  void settle(mlir::Value tensor);
  Types now(mlir::Value tensor) const;
  Types inferred(mlir::OpResult result) const;

  llvm::MapVector<mlir::Value, Types> known;
};

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_POSSIBLESIZES_H
