//===- Aliasing.h - which values share memory -------------------*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_ALIASING_H
#define JIT_DIALECT_ATEN_ALIASING_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace jit {

/// The value whose memory `value` certainly shares by its own definition: what a view is of, what a
/// cast casts, what an in-place operator wrote. Null for a value with memory of its own.
mlir::Value sharedSource(mlir::Value value);

/// Whether `op`, which may be null, is an operator whose result has new memory.
bool makesMemory(mlir::Operation *op);

/// The values of which `value`, handed on by a branch or a loop, is one; none where an operator
/// makes it.
llvm::SmallVector<mlir::Value> waysTo(mlir::Value value);

/// Calls `visit` for each value that may share memory with the one used here: results of views, of
/// branches and loops, containers that hold it and elements taken out of one.
void forEachSharer(mlir::OpOperand &use, llvm::function_ref<void(mlir::Value)> visit);

/// Whether a value of this type is a list, dict or tuple, if it is there.
bool mayBeContainer(mlir::Type type);

/// True if a value of type `type` may be, or hold in it, the memory of a value of type `memory`.
bool mayHold(mlir::Type type, mlir::Type memory);

/// The list or tensor that `op` writes in place; null for any other operation.
mlir::Value writtenInPlace(mlir::Operation *op);

/// Whether sizes change in place in `op`, whatever they are.
bool changesSizes(mlir::Operation *op);

/// Whether `op` writes to out= tensors, which take the sizes of what is written.
bool writesOut(mlir::Operation *op);

/// True if a write in place may reach the memory of `value` through what is made of it.
bool isWrittenInPlace(mlir::Value value);

/// True if a write in place that may be run after `op` may reach the memory of `value`.
bool isWrittenAfter(mlir::Value value, mlir::Operation *op);

/// The operations that may be run after one while one and the same value exists. Good for many
/// questions about the one, while the operations around it stay.
class Followers {
public:
  Followers(mlir::Operation *earlier, mlir::Value value);
  bool contains(mlir::Operation *later) const;

private:
  struct Around {
    mlir::Operation *op; ///< the one, or what it is in
    bool isRepeated;     ///< all beside it may follow in another trip of a loop
  };
  mlir::Operation *earlier;
  llvm::SmallDenseMap<mlir::Block *, Around, 16> around; ///< by the blocks they are in
};

/// True if `later` may be run after `earlier` while one and the same `value` exists.
bool mayFollow(mlir::Operation *later, mlir::Operation *earlier, mlir::Value value);

/// True if `value` may exist already when `op` is run.
bool mayExistBefore(mlir::Value value, mlir::Operation *op);

/// Where PyTorch gives new memory, whatever the decomposition of `op` to `values` does: those that
/// are what `op` was given, or views of it, become copies. Either may be written in place.
void copyOperands(mlir::OpBuilder &builder, mlir::Operation *op,
                  llvm::MutableArrayRef<mlir::Value> values);

} // namespace jit

#endif // JIT_DIALECT_ATEN_ALIASING_H
