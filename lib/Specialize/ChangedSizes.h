//===- ChangedSizes.h - which tensor a value is ----------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_CHANGEDSIZES_H
#define JIT_LIB_SPECIALIZE_CHANGEDSIZES_H

#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"

namespace jit {

/// The value that is the very tensor `value` is.
mlir::Value tensorBehind(mlir::Value value);

/// Whether it is not known which tensor `value` is: a loop's variable and what a loop or a branch
/// gives, an element of a container that is not known.
bool isOpenTensor(mlir::Value value);

/// Whether the call was given the tensor: as an argument, or as a part of memory that arguments
/// share.
bool isTheCallers(mlir::Value tensor);

/// Whether both have the same sizes, which are known.
bool haveEqualSizes(TensorType a, TensorType b);

/// Ends, at `b`, the calls in which `tensor` requires a gradient: by an exception of this class.
void refuseGradient(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor,
                    llvm::StringRef message, llvm::StringRef pythonClass = unsupportedClass);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_CHANGEDSIZES_H
