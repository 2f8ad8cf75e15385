//===- Joiner.h - what a branch on data gives -------------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_JOINER_H
#define JIT_LIB_SPECIALIZE_JOINER_H

#include "Evaluator.h"
#include "jit/Dialect/Aten/PackedLists.h"

namespace jit {

/// Whether values of this type are values of the code that is made: no containers and the like.
bool isFlat(mlir::Type type);

/// The one value that both ways of `op` give, available before it; null where they differ.
mlir::Value commonValue(mlir::scf::IfOp op, mlir::Value thenValue, mlir::Value elseValue);

/// Whether two values are containers that differ in tensors of one type alone: nothing is lost
/// where a branch gives these, and what they are in is made after it.
bool areAlike(mlir::Value a, mlir::Value b);

/// The form in which a branch gives one of two lists of tensors; nullopt where there is none.
std::optional<PackedForm> formOfBoth(mlir::Value a, mlir::Value b);

/// The results of a branch whose ways are evaluated.
class Joiner {
public:
  explicit Joiner(mlir::scf::IfOp branch) : branch(branch) {}

  /// A result; null for what is never used.
  unsigned add(mlir::Type type, mlir::Value thenValue, mlir::Value elseValue);
  /// Results for all that `value`, which the way `region` gives, is made of; false where it can
  /// only be made inside.
  bool addParts(mlir::Value value, unsigned region);
  /// Results for the tensors in which two containers that are alike differ; what makes the
  /// container after the branch.
  std::function<mlir::Value(mlir::OpBuilder &)> addAlike(mlir::Value thenValue,
                                                         mlir::Value elseValue);
  /// Results for two lists of tensors, packed; what makes the list after the branch. Null where no
  /// form has room for both.
  std::function<mlir::Value(mlir::OpBuilder &)> addPacked(mlir::Value thenValue,
                                                          mlir::Value elseValue);
  /// The branch with its results, in the place of the one without.
  mlir::scf::IfOp build(mlir::OpBuilder &b);
  /// What addParts took apart, made after the branch.
  mlir::Value rebuilt(mlir::OpBuilder &b, mlir::Value value);

private:
  bool isInside(mlir::Value value) {
    return branch->isAncestor(value.getParentRegion()->getParentOp());
  }

  mlir::scf::IfOp branch;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Value> yields[2];
  llvm::DenseMap<mlir::Value, unsigned> partAt;
};

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_JOINER_H
