//===- OneMemory.h - tensors that are put into one memory -------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_ONEMEMORY_H
#define JIT_LIB_FUNCTIONALIZE_ONEMEMORY_H

#include "PossibleSizes.h"
#include "TensorMemory.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace jit {

/// The tensors of a function that may share memory with one of them, and where in one memory of all
/// of them each that has memory of its own lies. Of these it has to be known how many elements they
/// have at most.
class OneMemory {
public:
  /// Elements of the memory, one after the other.
  struct Part {
    int64_t begin = 0, count = 0;
  };

  /// Fails, without an error, where the tensors cannot be put into one memory.
  static std::optional<OneMemory> of(mlir::func::FuncOp func, const MemoryClasses &classes,
                                     mlir::Value name);

  bool has(mlir::Value value) const { return tensors.contains(value); }
  /// What the tensor was before anything changed.
  TensorType typeOf(mlir::Value tensor) const { return tensors.lookup(tensor); }
  mlir::Type elementType() const { return element; }
  int64_t size() const { return count; }

  /// Of a tensor with memory of its own that part, of a loop's variable the part that it keeps what
  /// it took over from a trip in; null for others. One of open sizes has the first elements of it.
  const Part *partOf(mlir::Value value) const {
    auto known = parts.find(value);
    return known == parts.end() ? nullptr : &known->second;
  }
  /// What of the memory is made anew in each trip of `loop`.
  Part madeIn(mlir::Operation *loop) const { return inside.lookup(loop); }
  /// Lists and tuples of tensors, in the order of the program.
  llvm::ArrayRef<mlir::Operation *> containers() const { return lists; }
  /// The arguments of the function that a write may reach, but for module state.
  llvm::ArrayRef<mlir::Value> writtenArguments() const { return written.getArrayRef(); }
  /// Whether `op` gives the tensor that it was given, or a view of it.
  bool isView(mlir::Operation *op) const { return views.contains(op); }
  /// Out of which tensors `op` picks one; null for any other operation.
  const llvm::SmallVector<mlir::Value> *pickedOutOf(mlir::Operation *op) const {
    auto known = picks.find(op);
    return known == picks.end() ? nullptr : &known->second;
  }
  /// Whether what is used is what a view is of, or what is written.
  bool isSelf(mlir::OpOperand &use) const {
    return use.getOperandNumber() == 0 && (isView(use.getOwner()) || isWrite(use.getOwner()));
  }
  bool isWrite(mlir::Operation *op) const { return writes.contains(op); }
  /// Whether the call has to say that what is written has no element twice.
  bool isDoubtful(mlir::Operation *write) const { return doubtful.contains(write); }

private:
  bool collect(mlir::func::FuncOp func, const MemoryClasses &classes, mlir::Value name);
  bool add(mlir::Value value);
  bool addWrite(mlir::func::FuncOp func, OverwriteOp op);
  void layOut(mlir::Region &region);
  void layOutLoop(mlir::LoopLikeOpInterface loop);
  void addPart(mlir::Value value);

  llvm::MapVector<mlir::Value, TensorType> tensors;
  llvm::DenseMap<mlir::Value, Part> parts;
  llvm::DenseMap<mlir::Operation *, Part> inside;
  llvm::SmallVector<mlir::Operation *> lists;
  llvm::DenseSet<mlir::Operation *> views, writes, doubtful;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> picks;
  llvm::SetVector<mlir::Value> written;
  mlir::Type element;
  int64_t count = 0;
  PossibleSizes sizes;
  bool hasOpenPart = false; // of which nobody knows how large it gets
};

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_ONEMEMORY_H
