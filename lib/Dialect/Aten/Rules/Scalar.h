//===- Scalar.h - builders for the rules of Scalar.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H
#define JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H

#include "Rules/Gamma.h"
#include "Rules/Integers.h"

namespace jit {

/// The kind of number that the operands promote to; number where one of them is not known.
mlir::Type promotedNumber(TypeRules &b, llvm::ArrayRef<mlir::Value> operands);
/// The kind of number that an element of the tensor is.
mlir::Type itemType(TypeRules &b, TensorInfo self);

/// An integer divisor that is checked at run time unless it is a known number: dividing by zero
/// must not end the process.
Element divisor(Element value);
/// base ^ exponent; raises where 0 is raised to a negative power.
Element checkedPower(Element base, Element exponent);
/// The length of range(lo, hi, step), never negative.
Element rangeLength(Element lo, Element hi, Element step);

/// x * 2^exponent for a whole exponent.
Element scaled(Element x, Element exponent);
/// a - n c for the whole n nearest to a / c, the even one of two: C's remainder.
Element nearestRemainder(Element a, Element c);

/// Python's divmod: the quotient towards minus infinity, and what is left. Checked at run time.
Decomposition quotientAndRemainder(Any x, Any y);
/// The same of an int and a float, which PyTorch computes with fewer bits.
Decomposition mixedQuotientAndRemainder(Any x, Any y);
/// C's modf: both have the sign of the number.
Decomposition fractionAndWhole(Float number);

/// The one element of a tensor of known element type, as a number of type `to`.
Any numberFromTensor(Tensor self, mlir::Type to);
/// The same where nobody asked for it: only of a tensor of rank 0, as an int only of integers.
Decomposition implicitNumber(Tensor self, mlir::Type to);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H
