//===- TensorMemory.h - which values of a function share memory -*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_TENSORMEMORY_H
#define JIT_FUNCTIONALIZE_TENSORMEMORY_H

#include "jit/Dialect/Aten/Layout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/IntEqClasses.h"

namespace jit {

/// Whether `view` shares its operand's memory. Most do, or do not, whatever the layout of that is,
/// which takes the function before it to be known.
ViewOf::Kind kindOf(Layouts &layouts, mlir::Operation *view);

/// True for a view of which it is not known whether it shares memory with its operand.
bool mayCopyOrShare(mlir::Operation *op);

/// The sets of values of a function that may share memory, whatever the way: views, branches,
/// loops, lists.
class MemoryClasses {
public:
  explicit MemoryClasses(mlir::func::FuncOp func);

  /// Whether two values may share memory.
  bool share(mlir::Value a, mlir::Value b) const {
    auto one = classOf(a);
    return one && one == classOf(b);
  }
  /// Whether the memory of `value` may be written somewhere in the function.
  bool isWritten(mlir::Value value) const;
  /// A write to the memory of `value` that may be run after `op` while `value` exists or a later
  /// trip of a loop has its memory, or inside of `op`; null if there is none.
  mlir::Operation *writeAfter(mlir::Value value, mlir::Operation *op) const;
  /// The same of writes outside of `op`, and of those inside that another trip of a loop around it
  /// may come to.
  mlir::Operation *writeBehind(mlir::Value value, mlir::Operation *op) const;
  /// `other` is one more name for the memory of `known`.
  void add(mlir::Value known, mlir::Value other);
  /// `to` has taken the place of `from`, which is about to be gone.
  void replace(mlir::Value from, mlir::Value to);

private:
  llvm::SmallVector<mlir::Operation *> handingOn(mlir::Value value, mlir::Operation *op) const;
  llvm::ArrayRef<mlir::Operation *> writesTo(mlir::Value value) const;
  void unite(mlir::Value a, mlir::Value b);

  unsigned numberOf(mlir::Value value);
  std::optional<unsigned> classOf(mlir::Value value) const;

  /// A value that is gone has no number any more: another one may lie where it was.
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  unsigned count = 0;
  llvm::IntEqClasses classes;
  /// By the leaders of classes.
  llvm::DenseMap<unsigned, llvm::SmallVector<mlir::Operation *>> writes;
};

/// True if the memory that `value` shows is seen, after `op` or inside of it, by a name that does
/// not come out of `op`, or comes out of it under two names or in several trips of a loop around
/// it: then a write to what comes out of it has to reach that memory.
bool isSeenBeside(mlir::Value value, mlir::Operation *op);

/// A name for memory that may be that of another value: where `condition` holds, it shows what
/// `memory` shows. Between the two every write is passed on.
struct Link {
  mlir::Value condition;
  mlir::Value memory;
};
using Links = llvm::DenseMap<mlir::Value, llvm::SmallVector<Link>>;

/// `to` has taken the place of `from`, as a name, a condition or a memory.
void replaceInLinks(Links &links, mlir::Value from, mlir::Value to);

/// What a function is not functionalised for: each is null where it is nothing of the kind.
struct Obstacle {
  /// Of which it is not known what it may be.
  mlir::Value name;
  /// Of which it is not known where it goes.
  mlir::Operation *write = nullptr;
};

/// Gives each result of a branch or loop, and each variable of a loop, that may be one of several
/// memories which are written, a link to each that has another name. Loops carry which one it is.
mlir::FailureOr<Links> linkNames(mlir::func::FuncOp func, MemoryClasses &classes,
                                 Obstacle &obstacle);

/// Makes values of all writes in `func`. What changes of its arguments become last results with the
/// attribute `jit.mutates`.
llvm::LogicalResult threadTensors(mlir::func::FuncOp func, MemoryClasses classes, Links links,
                                  Obstacle &obstacle);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_TENSORMEMORY_H
