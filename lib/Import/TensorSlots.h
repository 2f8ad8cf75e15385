//===- TensorSlots.h - stored tensors as slots ------------------*- C++ -*-===//
#ifndef JIT_LIB_IMPORT_TENSORSLOTS_H
#define JIT_LIB_IMPORT_TENSORSLOTS_H

#include "jit/Archive/ArchiveValue.h"
#include "jit/Dialect/Jit/Jit.h"

#include <string>

namespace jit {

/// Two tensors with the same key are the same elements of the same memory.
std::string viewKey(const ArchiveTensor &tensor);
/// The type of its slot, with all sizes.
TensorType storedType(const ArchiveTensor &tensor, mlir::MLIRContext *context);
/// Where its bytes are.
StorageAttr storageOf(const ArchiveTensor &tensor, mlir::MLIRContext *context);

} // namespace jit

#endif // JIT_LIB_IMPORT_TENSORSLOTS_H
