//===- ComplexParts.h - the words of rules for complex tensors --*- C++ -*-===//
//
// A complex tensor is a pair of real ones. A rule says what an operator gives, of the pairs that
// its operands are.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_INFER_COMPLEXPARTS_H
#define JIT_LIB_INFER_COMPLEXPARTS_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

struct Parts {
  Tensor re;
  /// None of a real tensor.
  std::optional<Tensor> im = std::nullopt;
};

/// One operator, and what its operands are made of.
struct ComplexCall {
  GraphBuilder &build;
  mlir::Operation *op;
  llvm::SmallVector<Parts> operands;

  const Parts &operator[](unsigned i) const { return operands[i]; }
  /// An operand that is no tensor.
  Any value(unsigned i) const { return {build, op->getOperand(i)}; }
};

/// Nullopt where too little is known.
using ComplexRule = std::optional<Parts> (*)(const ComplexCall &);

/// The rule of an operator, by the name without that of its dialect; null where it has none.
ComplexRule complexRule(llvm::StringRef name);
/// The same of sums, products and quotients.
ComplexRule arithmeticRule(llvm::StringRef name);
/// The same of those that take each element alone.
ComplexRule functionOfNumbers(llvm::StringRef name);

// ---- ComplexNumbers.cpp ----
bool isComplexNumber(mlir::Value value);
/// Fails, after an error, where a complex number stands where the operator takes none.
mlir::LogicalResult checkNumbers(mlir::Operation *op);
/// The parts of a number as tensors of rank 0, in the type that the operator computes in.
std::optional<Parts> partsOfNumber(GraphBuilder &build, mlir::Operation *op, mlir::Value value);
/// The rule of an operator; that of its overload for tensors where it is given a complex number.
ComplexRule ruleOf(mlir::Operation *op);

/// An operand in the element type of a complex result's parts, integers too.
Parts inResultDtype(const ComplexCall &call, unsigned i);

// ---- Arithmetic ----
Parts operator+(const Parts &a, const Parts &b);
Parts operator-(const Parts &a, const Parts &b);
Parts operator*(const Parts &a, const Parts &b);
Parts operator/(const Parts &a, const Parts &b);
Parts operator-(const Parts &a);
Parts conj(const Parts &a);
/// With the imaginary part that PyTorch gives a real operand: 0, and 0 times an infinite part is
/// NaN.
Parts full(const Parts &a);
/// Times a real number, which has such a part, too.
Parts scaled(const Parts &a, Any number);
/// By a real number or tensor, in the same way.
template <typename Divisor> Parts divided(const Parts &a, Divisor divisor) {
  Parts all = full(a);
  return {(all.re + *all.im * 0.0) / divisor, (*all.im - all.re * 0.0) / divisor};
}
/// The same to both parts.
Parts each(const Parts &a, llvm::function_ref<Tensor(Tensor)> map);
/// A product of any kind that is linear in both operands.
Parts bilinear(const Parts &a, const Parts &b, llvm::function_ref<Tensor(Tensor, Tensor)> product);
/// Zeros for a real tensor.
Tensor imaginary(const Parts &a);
/// Absolute values; their gradient at 0 is 0.
Tensor magnitude(const Parts &a);
/// From -pi to pi; their gradient at 0 is 0.
Tensor phase(const Parts &a);

// ---- Fourier.cpp ----
std::optional<Parts> complexToComplex(const ComplexCall &call);
std::optional<Parts> realToComplex(const ComplexCall &call);
std::optional<Parts> complexToReal(const ComplexCall &call);

} // namespace jit

#endif // JIT_LIB_INFER_COMPLEXPARTS_H
