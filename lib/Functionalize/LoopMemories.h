//===- LoopMemories.h - what a loop's variables may be ----------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H
#define JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace jit {

/// What the variables of a loop may be from trip to trip: for each the memories outside of the
/// loop, the other variables that it may show, and how the next trip tells. A while loop's are
/// those of its condition and behind them those of its body.
struct LoopMemories {
  struct Step {
    mlir::Value condition; // where the value is given; null for always
    mlir::Value root;      // a value of the trip that it shows; null for memory outside of the loop
    mlir::Value memory;
    bool isPart() const { return root && memory != root; }
  };
  /// That a variable is a memory of outside, or what another variable is; of that this view, where
  /// there is one, as it was made of some value of the trip.
  struct Flag {
    unsigned variable;
    mlir::Value memory;
    mlir::Value view = {};
    bool operator==(const Flag &other) const;
  };

  explicit LoopMemories(mlir::ValueRange variables);

  std::optional<unsigned> find(mlir::Value value) const;
  /// What a variable may be is also what takes its value over may be; what two variables take over
  /// both are.
  void close();
  /// A step of a variable that takes over what another one has in part, in a way that flags do not
  /// tell.
  std::optional<std::pair<unsigned, Step>> unclear() const;
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
  /// What two steps make of two variables: `flag` where `through`, which is of two variables of the
  /// trip before, holds, or always. Without a flag nothing tells it.
  struct Sharing {
    std::optional<Flag> flag, through;
  };
  llvm::SmallVector<Sharing> sharingOf(unsigned one, const Step &step, unsigned other,
                                       const Step &with) const;
  Sharing sharingOfOne(unsigned one, const Step &step, unsigned other, const Step &with) const;
  Flag same(unsigned one, unsigned other) const;
  Flag shows(unsigned variable, unsigned whole, mlir::Value view) const;
  bool showsItself(unsigned variable) const;
  mlir::Value isMemory(mlir::OpBuilder &builder, mlir::Location loc, const Step &step,
                       mlir::Value memory, const Now &now) const;
  mlir::Value nextFlag(mlir::OpBuilder &builder, mlir::Location loc, const Flag &flag,
                       const Now &now) const;

  /// For each variable what others it may show.
  llvm::SmallVector<llvm::SmallVector<Flag>> shown;
};

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_LOOPMEMORIES_H
