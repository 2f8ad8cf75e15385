//===- LoopMemories.h - what a loop's variables may be ----------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H
#define JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace jit {

/// What the variables of a loop may be from trip to trip: for each the memories outside of the
/// loop, the variables before it that may be the same memory, and how the next trip tells. A while
/// loop's are those of its condition and behind them those of its body.
struct LoopMemories {
  struct Step {
    mlir::Value condition; // where the value is given; null for always
    mlir::Value root;      // a value of the trip that it shows; null for memory outside of the loop
    mlir::Value memory;
  };
  /// That a variable is a memory: one outside of the loop, or what an earlier variable is.
  struct Flag {
    unsigned variable;
    mlir::Value memory;
    bool operator==(const Flag &other) const {
      return variable == other.variable && memory == other.memory;
    }
  };

  explicit LoopMemories(mlir::ValueRange variables);

  std::optional<unsigned> find(mlir::Value value) const;
  /// What a variable may be is also what takes its value over may be; what two variables take over
  /// both are.
  void close();
  /// A step that takes over a part of what another variable may take over, or be; of a variable.
  std::optional<std::pair<unsigned, Step>> sharedPart() const;
  bool isEmpty() const;
  /// Those of the variables from `begin` to `end`, in order.
  llvm::SmallVector<Flag> flags(unsigned begin, unsigned end) const;
  llvm::SmallVector<mlir::Value> startFlags(mlir::OpBuilder &builder, mlir::Location loc,
                                            llvm::ArrayRef<Flag> flags) const;
  /// `flags` at the end of a block in which the variables that `now` is of have them as `values`.
  llvm::SmallVector<mlir::Value> nextFlags(mlir::Block &block, llvm::ArrayRef<Flag> flags,
                                           llvm::ArrayRef<Flag> now, mlir::ValueRange values) const;

  llvm::SmallVector<mlir::Value> variables;
  llvm::SmallVector<llvm::SmallSetVector<mlir::Value, 2>> of;
  llvm::SmallVector<llvm::SmallVector<Step>> next;
  llvm::SmallVector<mlir::Value> starts;

private:
  /// The flags of a block's variables, by their values.
  struct Now {
    llvm::ArrayRef<Flag> flags;
    mlir::ValueRange values;
    mlir::Value lookup(Flag flag) const;
  };
  bool mayBeSame(mlir::Value one, mlir::Value other) const;
  bool takeTheSame(unsigned one, unsigned other) const;
  mlir::Value isMemory(mlir::OpBuilder &builder, mlir::Location loc, const Step &step,
                       mlir::Value memory, const Now &now) const;
  mlir::Value areSame(mlir::OpBuilder &builder, mlir::Location loc, const Step &one,
                      const Step &other, const Now &now) const;
  mlir::Value nextFlag(mlir::OpBuilder &builder, mlir::Location loc, Flag flag,
                       const Now &now) const;

  /// For each variable the earlier ones that may be the same memory.
  llvm::SmallVector<llvm::SmallSetVector<unsigned, 2>> same;
};

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H
