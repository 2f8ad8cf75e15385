//===- GradRules.h - the builders of `grads` rules --------------*- C++ -*-===//
//
// In a record's `grads` each argument and result is a handle on its value in the graph, and `grad`
// is the gradient that arrives. A rule says what flows back to one operand, as if nothing had been
// broadcast or converted: GradBuilder::add sums to the operand's sizes and converts to its element
// type.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_GRADRULES_H
#define JIT_DIALECT_ATEN_GRADRULES_H

#include "jit/Dialect/Aten/GraphRules.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace jit {

/// The gradients of values, as far as they have been added up; a value without one has none.
using GradientMap = llvm::MapVector<mlir::Value, mlir::Value>;

/// True of a gradient that is zeros, as an operator gives it that does not change where its operand
/// does a little. It is a gradient all the same: it becomes NaN where what it is multiplied by is
/// infinite, and what has it requires a gradient.
bool isZeros(mlir::Value gradient);

/// Adds `gradient` to that of `value`. To zeros, and of zeros, nothing has to be added.
void accumulate(GraphBuilder &build, GradientMap &gradients, mlir::Value value,
                mlir::Value gradient);

/// What a `grads` rule gives: a tensor; one for each element of a list operand; or `build.none()`.
using Gradient = Decomposition;

/// Passed to every `grads` rule as `build`.
struct GradBuilder : GraphBuilder {
  /// The operator that is differentiated, all gradients so far, and the values that want one.
  mlir::Operation *forward;
  GradientMap &gradients;
  const llvm::DenseSet<mlir::Value> &active;

  GradBuilder(mlir::OpBuilder &builder, mlir::Operation *forward, GradientMap &gradients,
              const llvm::DenseSet<mlir::Value> &active)
      : GraphBuilder{builder, forward->getLoc()}, forward(forward), gradients(gradients),
        active(active) {}

  /// The gradient of a result; zeros where none has arrived, null where the element type has none.
  mlir::Value gradOf(mlir::Value result);

  /// Does anything depend on the gradient of this operand, or of an element of this list?
  bool wants(Any operand);

  /// An error where something depends on the gradient of an operand that no rule was asked for:
  /// what is forgotten would be taken for zero.
  llvm::LogicalResult finish();

  /// Adds to the gradient of an operand. Where the operator may have broadcast the operand, the
  /// gradient goes through `aten._grad_sum_to_size` first: no rule writes that.
  llvm::LogicalResult add(Any operand, Gradient gradient);

private:
  llvm::SmallVector<mlir::Value> asked;

  mlir::Value summed(mlir::Value operand, mlir::Value gradient);
};

/// A number of the operator's that is a constant.
inline std::optional<double> knownNumber(Any number) { return knownNumber(number.v); }

/// True for a type that can have a gradient: a tensor of floating point elements.
bool isDifferentiable(mlir::Type type);

// ---- Operators: tensors combine with tensors, with numbers, and with the operator's own numbers
// ----
Tensor operator-(Tensor a);
Tensor operator-(Tensor a, double c);
Tensor operator-(double a, Tensor c);
Tensor operator+(double a, Tensor c);
Tensor operator*(double a, Tensor c);
Tensor operator/(Tensor a, double c);
Tensor operator/(double a, Tensor c);
/// A Scalar, float or int argument of the operator; a factor of 1 leaves nothing behind.
Tensor operator*(Tensor a, Any number);
Tensor operator/(Tensor a, Any number);
Tensor operator+(Tensor a, Any number);
Tensor operator-(Tensor a, Any number);

Tensor operator<(Tensor a, Tensor c);
Tensor operator<=(Tensor a, Tensor c);
Tensor operator>(Tensor a, Tensor c);
Tensor operator>=(Tensor a, Tensor c);
Tensor operator==(Tensor a, Tensor c);
Tensor operator<(Tensor a, Any number);
Tensor operator<=(Tensor a, Any number);
Tensor operator>(Tensor a, Any number);
Tensor operator>=(Tensor a, Any number);
Tensor operator==(Tensor a, Any number);
Tensor operator<(Tensor a, double c);
Tensor operator<=(Tensor a, double c);
Tensor operator>(Tensor a, double c);
Tensor operator>=(Tensor a, double c);
Tensor operator==(Tensor a, double c);
Tensor operator!=(Tensor a, double c);
Tensor operator&&(Tensor a, Tensor c);
Tensor operator||(Tensor a, Tensor c);
Tensor operator!(Tensor a);

/// `a` where the condition holds, `c` elsewhere.
Tensor where(Tensor condition, Tensor a, Tensor c);
Tensor where(Tensor condition, Tensor a, double c);
Tensor where(Tensor condition, double a, Tensor c);

Tensor exp(Tensor a);
Tensor log(Tensor a);
Tensor sin(Tensor a);
Tensor cos(Tensor a);
Tensor sinh(Tensor a);
Tensor cosh(Tensor a);
Tensor tanh(Tensor a);
Tensor sigmoid(Tensor a);
Tensor sqrt(Tensor a);
Tensor rsqrt(Tensor a);
Tensor abs(Tensor a);
Tensor sign(Tensor a);
Tensor square(Tensor a);
Tensor pow(Tensor a, Tensor exponent);
Tensor pow(Tensor a, double exponent);

Tensor isNan(Tensor a);
Tensor isFinite(Tensor a);

Tensor zerosLike(Tensor a);
Tensor onesLike(Tensor a);
/// A tensor of the operator's own number.
Tensor fullLike(Tensor a, Any number);

/// In the element type of another.
Tensor typeAs(Tensor a, Tensor like);
/// The tensor's elements under the sizes of another.
Tensor viewAs(Tensor a, Tensor like);
/// Broadcast to the sizes of another.
Tensor expandAs(Tensor a, Tensor like);
Tensor sum(Tensor a, llvm::ArrayRef<int64_t> dims, bool keepdim);
/// All elements.
Tensor sum(Tensor a);
/// Over the dimensions of a reduction, which stay with size 1. `dims` is as for keepDims.
Tensor sumAlong(Tensor a, Any dims);
/// Running sums from the end of a dimension to its start.
Tensor sumFromEnd(Tensor a, Any dim);
Tensor unsqueeze(Tensor a, int64_t dim);
Tensor squeeze(Tensor a, int64_t dim);
Tensor transpose(Tensor a, int64_t dim0, int64_t dim1);
Tensor matmul(Tensor a, Tensor c);

/// The result of a reduction, or its gradient, with the reduced dimensions back as dimensions of
/// size 1. `dims` is an int, a list of ints, or None for all.
Tensor keepDims(Tensor reduced, Tensor self, Any dims, Bool keepdim);

} // namespace jit

#endif // JIT_DIALECT_ATEN_GRADRULES_H
