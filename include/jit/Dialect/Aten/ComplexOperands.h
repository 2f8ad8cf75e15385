//===- ComplexOperands.h - which operators take complex tensors -*- C++ -*-===//
//
// Most rules of the records speak of real elements: a body that squares to get a distance would
// give wrong values for complex ones. So an operator that takes complex tensors is named here, or
// has a rule of its own in lib/Infer/ComplexRules.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_COMPLEXOPERANDS_H
#define JIT_DIALECT_ATEN_COMPLEXOPERANDS_H

#include "jit/Dialect/Jit/Jit.h"

namespace jit {

/// True for a tensor of complex elements.
bool isComplexTensor(mlir::Type type);

/// Whether `op`, which may be null, gives the conjugates of complex numbers as a view of these.
bool isConjugation(mlir::Operation *op);

/// Whether `value` shows memory through an odd number of conjugations; nullopt where that is not
/// known. An imaginary part, or a view of one, has its sign changed then.
std::optional<bool> isConjugated(mlir::Value value);

/// True if an operand, or an element of a list, is a complex tensor or a complex number.
bool takesComplex(mlir::Operation *op);

/// True for an operator whose `decompose` body holds for complex elements as well.
bool decomposesForComplex(mlir::Operation *op);

/// The operands that hold the elements of an operator that does the same to real and to imaginary
/// parts, such as a view or a sum; its other operands are sizes, places or conditions. Nullopt for
/// an operator of another kind.
std::optional<llvm::ArrayRef<unsigned>> operandsByParts(mlir::Operation *op);

} // namespace jit

#endif // JIT_DIALECT_ATEN_COMPLEXOPERANDS_H
