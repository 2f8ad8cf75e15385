//===- SlotMemories.h - which slots may come to share memory ----*- C++ -*-===//
#ifndef JIT_LIB_NORMALIZE_SLOTMEMORIES_H
#define JIT_LIB_NORMALIZE_SLOTMEMORIES_H

#include "jit/Dialect/Jit/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace jit {

/// The slots of a program in sets: those that were saved in one memory (`jit.part_of`), or that
/// some method, or an order of calls, may leave there. Rather too many: whatever may be a view
/// counts as one.
class SlotMemories {
public:
  explicit SlotMemories(mlir::ModuleOp module);

  /// The first of the slots, in the order of the program, that may come to share the memory of this
  /// one; null where there is none but it.
  mlir::StringAttr sharedWith(SlotOp slot) const;
  /// Whether some method may see that they share it: one writes in place or asks how tensors lie.
  bool isObserved(SlotOp slot) const { return isIn(observed, slot); }
  /// Whether some method may write in place to their memory.
  bool isWritten(SlotOp slot) const { return isIn(written, slot); }
  /// Whether some method may show their memory by places in it (as_strided).
  bool isStrided(SlotOp slot) const { return isIn(strided, slot); }

private:
  using Classes = llvm::DenseSet<const void *>;

  void addFunction(mlir::Operation *func);
  void addUses(mlir::Operation *op);
  bool isIn(const Classes &some, SlotOp slot) const;

  /// Of names of slots, and of the values of all functions.
  llvm::EquivalenceClasses<const void *> classes;
  llvm::DenseMap<const void *, llvm::SmallVector<mlir::StringAttr>> slotsOf;
  Classes observed, written, strided;
};

} // namespace jit

#endif // JIT_LIB_NORMALIZE_SLOTMEMORIES_H
