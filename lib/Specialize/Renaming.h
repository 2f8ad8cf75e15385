//===- Renaming.h - one value in the place of another -----------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_RENAMING_H
#define JIT_LIB_SPECIALIZE_RENAMING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include <functional>

namespace jit {

/// Puts one tensor, list or dict in the place of another, in all values that are it or hold it.
class Renaming {
public:
  /// `isIt` tells the values that are the other one.
  Renaming(mlir::OpBuilder &b, std::function<bool(mlir::Value)> isIt, mlir::Value to)
      : b(b), isIt(std::move(isIt)), to(to) {}

  /// `value` with the other one in it; itself where it is not in it.
  mlir::Value operator()(mlir::Value value);

private:
  mlir::Value operator()(mlir::OpOperand &part);

  mlir::OpBuilder &b;
  std::function<bool(mlir::Value)> isIt;
  mlir::Value to;
  llvm::DenseMap<mlir::Value, mlir::Value> done;
};

/// The values of the function around `op` and what each is evaluated to, in the order of the
/// program: what is made of them is made in the same order each time.
llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> namedValues(mlir::Operation *op,
                                                                   const mlir::IRMapping &map);

/// Whether what `value` holds is what its operation is given: a list of elements, a cast.
bool showsItsParts(mlir::Value value);

/// Whether a list or dict has the elements of the one that is used here, not that one itself.
bool takesElementsOnly(mlir::OpOperand &use);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_RENAMING_H
