//===- MemoryRoom.h - how far the memory of a tensor goes -------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_MEMORYROOM_H
#define JIT_LIB_SPECIALIZE_MEMORYROOM_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace jit {

/// The number of elements from the first one of `tensor` to the end of the memory that it shows a
/// part of; nullopt where that is not known.
std::optional<int64_t> roomOf(mlir::Value tensor);

/// Whether that is the end of the memory for certain: nobody made a part of a larger one of it.
bool isAllMemory(mlir::Value root);

/// Whether `user` reads a tensor, or a container of some, and gives nothing that shows its memory.
bool onlyReads(mlir::Operation *user);

/// Whether `tensor` is used once it is written by `op`.
bool isUsedAfterwards(mlir::Operation *op, mlir::Value tensor, const mlir::IRMapping &map);

/// Whether no view of `tensor`, which is none, is used once `op` has written it.
bool isLastToShow(mlir::Operation *op, mlir::Value tensor, const mlir::IRMapping &map);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_MEMORYROOM_H
