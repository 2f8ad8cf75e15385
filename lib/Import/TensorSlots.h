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
/// Notes on its slot how large its record is where the tensor is a part of that.
void markRecord(SlotOp slot, const ArchiveTensor &tensor);

} // namespace jit

#endif // JIT_LIB_IMPORT_TENSORSLOTS_H
