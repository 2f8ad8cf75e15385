//===- ComplexNumbers.h - Python complex numbers as tensors -----*- C++ -*-===//
//
// A complex number of a program is `complex<f64>` and made of two floats (jit.complex). Where one
// has to be a tensor it is one of rank 0.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_COMPLEXNUMBERS_H
#define JIT_DIALECT_ATEN_COMPLEXNUMBERS_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// A tensor of rank 0 and type complex128.
Tensor asTensor(ComplexNumber number);
/// The one element of a tensor; where it is real, with an imaginary part of 0.
ComplexNumber elementOf(Tensor tensor);

} // namespace jit

#endif // JIT_DIALECT_ATEN_COMPLEXNUMBERS_H
