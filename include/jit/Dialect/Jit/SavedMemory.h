//===- SavedMemory.h - state that was saved in one memory -------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_SAVEDMEMORY_H
#define JIT_DIALECT_JIT_SAVEDMEMORY_H

#include "jit/Dialect/Jit/Jit.h"

namespace jit {

/// Another slot of the module whose tensor was saved in the memory of that of `slot`, or a part of
/// it: a write to the one is seen in the other. Null if there is none; the same tensor under two
/// names is one slot and a `jit.alias`.
SlotOp slotInMemoryOf(SlotOp slot);

} // namespace jit

#endif // JIT_DIALECT_JIT_SAVEDMEMORY_H
