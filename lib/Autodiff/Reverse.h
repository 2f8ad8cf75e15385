//===- Reverse.h - the backward pass of a block -----------------*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_REVERSE_H
#define JIT_LIB_AUTODIFF_REVERSE_H

#include "Activity.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit {

/// On what belongs to the backward pass though no gradient goes into it.
inline constexpr llvm::StringLiteral ofBackwardAttr = "jit.of_backward";

/// Builds backward passes of one function.
class Reverse {
public:
  /// With `lower` it runs in a region of autocast that casts products to that element type.
  explicit Reverse(ActiveValues &active, mlir::Type lower = {}) : active(active), lower(lower) {}

  /// Given the gradients of values that `block` computes, builds at `b` what computes those of the
  /// values that it uses.
  llvm::LogicalResult block(mlir::Block &block, mlir::OpBuilder &b, GradientMap &gradients);
  /// The same for what stands in the block of `end` before it.
  llvm::LogicalResult before(mlir::Operation *end, mlir::OpBuilder &b, GradientMap &gradients);

private:
  /// When a gradient is there: a value that one way of a branch uses alone has none in calls that
  /// take the other, and PyTorch runs nothing backwards from it. Until the gradient meets others it
  /// is computed in every call, of zeros where it is absent, of which rules make NaN (0 * inf).
  struct Presence {
    mlir::Value holds; ///< an i1 of the backward pass
    bool isZeroElse;   ///< the gradient is zeros where it is absent
  };
  using Presences = llvm::DenseMap<mlir::Value, Presence>;

  /// Of the gradients of the results of `op`, of which there are some; none if one is always there.
  std::optional<Presence> presenceOf(mlir::Operation *op, mlir::OpBuilder &b,
                                     const GradientMap &gradients) const;
  /// Gives the value zeros for an absent gradient, which counts as there from then on.
  void settle(mlir::Value value, mlir::OpBuilder &b, GradientMap &gradients);
  void settleUsed(mlir::Operation *op, mlir::OpBuilder &b, GradientMap &gradients);
  void settleAll(mlir::OpBuilder &b, GradientMap &gradients);
  /// accumulate() of a gradient that may be absent.
  void add(mlir::OpBuilder &b, mlir::Location loc, GradientMap &gradients, mlir::Value value,
           mlir::Value gradient, std::optional<Presence> presence);
  /// One operation. Where the gradients of its results may be absent, so are those that follow.
  llvm::LogicalResult step(mlir::Operation *op, mlir::OpBuilder &b, GradientMap &gradients);
  llvm::LogicalResult dispatch(mlir::Operation *op, mlir::OpBuilder &b, GradientMap &gradients);
  void select(mlir::arith::SelectOp op, mlir::OpBuilder &b, GradientMap &gradients);
  llvm::LogicalResult pick(mlir::Operation *op, mlir::OpBuilder &b, GradientMap &gradients);

  llvm::LogicalResult range(mlir::Block::iterator first, mlir::Block::iterator end,
                            mlir::OpBuilder &b, GradientMap &gradients);
  void forget(llvm::ArrayRef<mlir::Value> results, GradientMap &gradients);
  llvm::LogicalResult operation(mlir::Operation *op, mlir::OpBuilder &b, GradientMap &gradients);
  llvm::LogicalResult branch(mlir::scf::IfOp op, mlir::OpBuilder &b, GradientMap &gradients);
  llvm::LogicalResult loop(mlir::scf::ForOp op, mlir::OpBuilder &b, GradientMap &gradients);

  ActiveValues &active;
  mlir::Type lower;
  Presences presences; ///< of those of the gradients at hand that may be absent
};

/// Differentiates one operator by its rule.
llvm::LogicalResult differentiate(mlir::Operation *op, mlir::OpBuilder &b, GradientMap &gradients,
                                  const ActiveValues &active);
/// Whether `op` computes elements of sixteen bits one by one.
bool computesHalves(mlir::Operation *op);
/// The same for such an operator, in float32; its gradient is there.
llvm::LogicalResult reverseInSingle(mlir::Operation *op, const ActiveValues &active,
                                    mlir::OpBuilder &b, GradientMap &gradients);
/// Differentiates one operator by its rule, in a region of autocast for the CPU: as eager PyTorch,
/// whose backward pass has products of its own, which the region casts.
llvm::LogicalResult reverseInRegion(mlir::Operation *op, mlir::Type lower,
                                    const ActiveValues &active, mlir::OpBuilder &b,
                                    GradientMap &gradients);
/// An error for an operator that PyTorch has a backward pass of its own for, whose products, of
/// these elements, a region casts otherwise than those of the parts that we make of it.
llvm::LogicalResult checkInRegion(mlir::Operation *op, mlir::Type lower);

/// Replaces active operators that say no gradients of their own by simpler ones that do, and adds
/// to `active` all that depends on it.
void expandAndPropagate(mlir::func::FuncOp func, ActiveValues &active);
/// The same for that part of the function of which `propagate` finds what depends on the values in
/// its argument.
void expandAndPropagate(mlir::func::FuncOp func, ActiveValues &active,
                        llvm::function_ref<void(ActiveValues &)> propagate);

/// Replaces a while loop by one that runs as often, which is found by running it once before: a
/// loop with a number of trips is what can be run backwards.
void countWhileLoop(mlir::scf::WhileOp loop);

/// Adds `gradient` to that of `value`.
void accumulate(mlir::OpBuilder &b, mlir::Location loc, GradientMap &gradients, mlir::Value value,
                mlir::Value gradient);

/// Whether `condition`, of the forward pass, is `value`: a value of the backward pass, as control
/// flow of the other may become another operation meanwhile.
mlir::Value isValue(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition, bool value);

/// The element type of a tensor.
inline mlir::Type dtypeOf(mlir::Value tensor) {
  return mlir::cast<TensorType>(tensor.getType()).getDtype();
}

/// A tensor in the element type `dtype`.
mlir::Value converted(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor, mlir::Type dtype);
/// Zeros of a type whose sizes are known.
mlir::Value zerosOf(mlir::OpBuilder &b, mlir::Location loc, TensorType type);
/// Zeros of the sizes and element type of `value`.
mlir::Value zerosFor(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);

} // namespace jit

#endif // JIT_LIB_AUTODIFF_REVERSE_H
