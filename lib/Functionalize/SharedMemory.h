//===- SharedMemory.h - writes that could be seen by another name -*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_SHAREDMEMORY_H
#define JIT_FUNCTIONALIZE_SHAREDMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace jit {

/// The value that `value` is certainly a view of: one with memory of its own as far as its
/// definition shows.
mlir::Value memoryRoot(mlir::Value value);

/// Which values of a function may share memory.
class SharedMemory {
public:
  explicit SharedMemory(mlir::func::FuncOp func);

  /// Fails, with an error that names both places, if the write `op` to the memory of `root` may be
  /// seen through a value that is not certainly a view of `root`.
  mlir::LogicalResult checkWrite(mlir::Operation *op, mlir::Value root) const;

  /// The lists, dicts and tuples that may be, hold or be in what `root` may be, hold or be in, and
  /// `root`.
  llvm::SetVector<mlir::Value> related(mlir::Value root) const;

private:
  struct Sharer {
    mlir::Value value;
    /// A list or dict made from the elements of the other one: they themselves are two.
    bool elementsOnly;
  };
  using Flows = llvm::DenseMap<mlir::Value, llvm::SmallVector<Sharer>>;
  void add(mlir::Value from, Sharer to);
  static void close(llvm::SetVector<mlir::Value> &values, const Flows &flows, mlir::Type memory);
  mlir::LogicalResult checkSharer(mlir::Operation *op, mlir::Value sharer) const;

  /// What a value's memory may go to, and where it may come from.
  Flows targets, sources;
};

} // namespace jit

#endif // JIT_FUNCTIONALIZE_SHAREDMEMORY_H
