//===- LoopMemories.h - what a loop's variables may be ----------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H
#define JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace jit {

/// What the variables of a loop may be from trip to trip: for each the memories outside of the
/// loop, and how the next trip tells that it is one of them. A while loop's are those of its
/// condition and behind them those of its body.
struct LoopMemories {
  struct Step {
    mlir::Value condition;        // where the value is given; null for always
    std::optional<unsigned> from; // as this variable is now; else just the memory
    mlir::Value memory;
  };
  /// That a variable is a memory.
  using Flag = std::pair<unsigned, unsigned>;

  explicit LoopMemories(mlir::ValueRange variables);

  std::optional<unsigned> find(mlir::Value value) const;
  void add(unsigned variable, mlir::Value memory);
  /// What a variable may be is also what takes its value over may be.
  void close();
  /// Those of the variables from `begin` to `end`, in order.
  llvm::SmallVector<Flag> flags(unsigned begin, unsigned end) const;
  llvm::SmallVector<mlir::Value> startFlags(mlir::OpBuilder &builder, mlir::Location loc,
                                            llvm::ArrayRef<Flag> flags) const;
  /// `flags` at the end of a block in which the variables that `now` is of have them as `values`.
  llvm::SmallVector<mlir::Value> nextFlags(mlir::Block &block, llvm::ArrayRef<Flag> flags,
                                           llvm::ArrayRef<Flag> now, mlir::ValueRange values) const;

  llvm::SmallVector<mlir::Value> variables;
  llvm::SetVector<mlir::Value> memories;
  llvm::SmallVector<llvm::SmallSetVector<unsigned, 2>> of;
  llvm::SmallVector<llvm::SmallVector<Step>> next;
  llvm::SmallVector<mlir::Value> starts;
  /// Which variable takes over what a trip makes.
  llvm::DenseMap<mlir::Value, unsigned> takers;

private:
  mlir::Value nextFlag(mlir::OpBuilder &builder, mlir::Location loc, Flag flag,
                       llvm::ArrayRef<Flag> now, mlir::ValueRange values) const;
};

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H
