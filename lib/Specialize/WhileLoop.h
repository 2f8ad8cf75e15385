//===- WhileLoop.h - a while loop under assumptions -------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_WHILELOOP_H
#define JIT_LIB_SPECIALIZE_WHILELOOP_H

#include "Evaluator.h"
#include "jit/Dialect/Aten/PackedLists.h"

namespace jit {

/// Evaluates a while loop whose condition depends on data. The types of what it carries start as
/// those of the initial values and are weakened until every trip keeps them. A list of tensors
/// starts as one that does not change, and becomes a packed one.
class WhileLoop {
public:
  /// With `packLists` lists of tensors may be packed.
  WhileLoop(Evaluator &evaluator, mlir::scf::WhileOp op, llvm::ArrayRef<mlir::Value> inits,
            const mlir::IRMapping &outer, bool packLists);

  llvm::LogicalResult run(mlir::OpBuilder &b);

  /// What the loop's results are.
  llvm::SmallVector<mlir::Value> results;
  /// Whether less is known of what the loop gives than of what it begins with: the types of what a
  /// trip makes of it have little in common with that.
  bool losesTypes = false;
  /// Whether a trip makes a tensor of one of several ranks or element types, or of a list of known
  /// elements one of which nothing is known.
  bool losesKinds = false;
  /// Whether a trip writes to an out= tensor that would have to take other sizes.
  bool leavesOutSizes = false;

private:
  /// How one value is handed on.
  struct Way {
    mlir::Type type;                               // of the value
    mlir::Value fixed = {};                        // it is this one in each trip
    std::optional<PackedForm> form = std::nullopt; // a packed list
  };

  llvm::SmallVector<mlir::Type> startTypes(mlir::OpBuilder &b);
  llvm::FailureOr<bool> attempt(mlir::OpBuilder &b);
  void handOnAsPassed(llvm::ArrayRef<mlir::Value> passed, mlir::scf::WhileOp loop);
  llvm::FailureOr<bool> weaken(mlir::ValueRange next);
  bool weakenList(Way &way, mlir::Value next);
  void finish(mlir::OpBuilder &b, mlir::scf::WhileOp loop, mlir::ValueRange start,
              mlir::ValueRange next);

  Evaluator &evaluator;
  mlir::scf::WhileOp op;
  llvm::SmallVector<mlir::Value> inits;
  const mlir::IRMapping &outer;
  const bool packLists;
  llvm::SmallVector<Way> carried; // from trip to trip
  llvm::SmallVector<Way> passed;  // from the condition to the body and the results
};

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_WHILELOOP_H
