//===- Scalar.h - words for the rules of Scalar.td --------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H
#define JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/ScalarRules.h"

namespace jit {

/// The kind of number that the operands promote to; number where one of them is not known.
mlir::Type promotedNumber(TypeRules &b, llvm::ArrayRef<mlir::Value> operands);
/// The kind of number that an element of the tensor is.
mlir::Type itemType(TypeRules &b, TensorInfo self);

/// An integer divisor that is checked at run time unless it is a known number: dividing by zero
/// must not end the process.
Element divisor(Element value);
/// The length of range(lo, hi, step), never negative.
Element rangeLength(Element lo, Element hi, Element step);

/// The one element of a tensor of known element type, as a number of type `to`.
Any numberFromTensor(Tensor self, mlir::Type to);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_SCALAR_H
