//===- ElementKinds.h - which elements an operator is for -------*- C++ -*-===//
//
// PyTorch has no code for some operators on some elements: it refuses the floor of a bool, the
// order of complex numbers, the Cholesky factor of halves.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_ATEN_ELEMENTKINDS_H
#define JIT_DIALECT_ATEN_ELEMENTKINDS_H

#include "mlir/IR/Operation.h"

namespace jit {

/// Fails, after an error, where PyTorch's CPU refuses an operator that a program calls for its
/// operands' elements. What bodies and gradients are made of is not asked for: there PyTorch has
/// code of its own.
llvm::LogicalResult checkElementKinds(mlir::Operation *op);

} // namespace jit

#endif // JIT_DIALECT_ATEN_ELEMENTKINDS_H
