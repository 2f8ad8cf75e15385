//===- SlotMemories.h - which slots may come to share memory ----*- C++ -*-===//
#ifndef JIT_LIB_NORMALIZE_SLOTMEMORIES_H
#define JIT_LIB_NORMALIZE_SLOTMEMORIES_H

#include "jit/Dialect/Jit/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace jit {

/// The slots of a program in sets: those that some method, or an order of calls, may leave in one
/// memory. Rather too many: whatever may be a view counts as one.
class SlotMemories {
public:
  explicit SlotMemories(mlir::ModuleOp module);

  /// The first of the slots, in the order of the program, that may come to share the memory of this
  /// one; null where there is none but it.
  mlir::StringAttr sharedWith(SlotOp slot) const;
  /// Whether some method may see that they share it: one writes in place or asks how tensors lie.
  bool isObserved(SlotOp slot) const;

private:
  void addFunction(mlir::Operation *func);

  /// Of names of slots, and of the values of all functions.
  llvm::EquivalenceClasses<const void *> classes;
  llvm::DenseMap<const void *, llvm::SmallVector<mlir::StringAttr>> slotsOf;
  llvm::DenseSet<const void *> observed;
};

} // namespace jit

#endif // JIT_LIB_NORMALIZE_SLOTMEMORIES_H
