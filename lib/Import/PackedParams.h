//===- PackedParams.h - weights of quantized layers as tuples ---*- C++ -*-===//
//
// The classes in which quantized layers keep their weights are written in C++. Programs pass their
// objects to operators and never look inside, so that an object is a tuple of plain values here:
//
//   LinearPackedParamsBase  the weight [out, in]; where that is integers their scales, of rank 0 or
//                           [out], else None; their zero points, None where all are 0; the bias
//   CellParamsBase          the above of input and of state; whether the range of what they are
//                           multiplied with is reduced
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_IMPORT_PACKEDPARAMS_H
#define JIT_LIB_IMPORT_PACKEDPARAMS_H

#include "jit/Archive/ArchiveValue.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Result.h"

namespace jit {

/// The type of the tuples that stand for objects of this class; null for a class that is no such.
mlir::Type packedType(llvm::StringRef className, mlir::MLIRContext *context);

/// The same of a value's class; null for any other value.
inline mlir::Type packedTypeOf(const ArchiveValue &value, mlir::MLIRContext *context) {
  const ArchiveObject *object = value.asObject();
  return object ? packedType(object->className, context) : mlir::Type();
}

/// The parts of the tuple that stands for \p object. A number stands for a tensor of rank 0.
/// Malformed: its state is not what the class saves; Unsupported: the layer is of another kind.
Result<ArchiveTuple> unpackParams(const ArchiveObject &object);

} // namespace jit

#endif // JIT_LIB_IMPORT_PACKEDPARAMS_H
