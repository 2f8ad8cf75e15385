//===- Evaluator.h - partial evaluation of one function ---------*- C++ -*-===//
//
// Specialisation runs a function as far as the arguments' spec determines it. Operations are
// visited in execution order; each is cloned onto its operands as they are now, its result types
// are inferred, and it is simplified until nothing more follows. A branch whose condition is then
// a constant is entered and the other never looked at; a loop is entered under the assumption
// that what it carries stays as it starts, which is weakened until it holds.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_SPECIALIZE_EVALUATOR_H
#define JIT_LIB_SPECIALIZE_EVALUATOR_H

#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace jit {

class Evaluator {
public:
  explicit Evaluator(mlir::MLIRContext *context);

  /// Whether anything after the evaluated code is reached.
  enum class Flow { Continues, Raises };

  /// Evaluates the operations of `block` but its terminator, at the builder's insertion point;
  /// `map` takes old values to new ones.
  mlir::FailureOr<Flow> evaluateBlock(mlir::Block &block, mlir::OpBuilder &b, mlir::IRMapping &map);

  /// Whether what was evaluated calls an operator that is not there, which was reported.
  bool isIncomplete = false;

private:
  mlir::FailureOr<Flow> evaluateOp(mlir::Operation &op, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateIf(mlir::scf::IfOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateFor(mlir::scf::ForOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateWhile(mlir::scf::WhileOp op, mlir::OpBuilder &b,
                                      mlir::IRMapping &map);

  /// Simplifies a new operation as far as it goes; gives what its results have become.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> simplify(mlir::Operation *op, mlir::OpBuilder &b);
  /// Evaluates one trip of a for loop in place; `carried` are its values before and after.
  mlir::FailureOr<Flow> evaluateTrip(mlir::scf::ForOp op, mlir::Value iv, mlir::OpBuilder &b,
                                     const mlir::IRMapping &outer,
                                     llvm::SmallVectorImpl<mlir::Value> &carried);

  mlir::FrozenRewritePatternSet patterns;
  /// Set by the type refinement pattern, which cannot fail the rewrite driver.
  bool inferenceFailed = false;
};

/// The constant attribute of a value, or null.
mlir::Attribute constantOf(mlir::Value value);

/// The same value, or two equal constants.
bool isSameValue(mlir::Value a, mlir::Value b);

/// Fully known, so that code can be generated for it.
bool isSettled(mlir::Type type);

/// A value that nothing reads: a break or a return leaves such ones behind, and their types say
/// nothing about what is there otherwise.
bool isUndefined(mlir::Value value);

/// `value` under the wider type `type`, through jit.derefine where they differ. An undefined value
/// takes any type.
mlir::Value widen(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Type type);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_EVALUATOR_H
