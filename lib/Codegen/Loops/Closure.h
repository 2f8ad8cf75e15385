//===- Closure.h - what outlined code takes along ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LOOPS_CLOSURE_H
#define JIT_CODEGEN_LOOPS_CLOSURE_H

#include "Loops/EntryPointers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace jit::codegen {

/// What ops beside each other use of the function around them, and how that gets into a function of
/// their own. Scalars, base pointers, buffers on the stack and places in the arena travel as words
/// of a closure; views and constants are made again.
class Closure {
public:
  Closure(llvm::ArrayRef<mlir::Operation *> ops, const PointerToMemref &pointers);

  /// False where `value` cannot travel.
  bool capture(mlir::Value value);
  /// Captures what the ops use.
  bool captureUses();
  /// Reads the words behind `address` and makes again what did not travel.
  void load(mlir::OpBuilder &b, mlir::Value address, mlir::IRMapping &map) const;
  /// Writes the words at `b`; gives their address, on the stack of the function. Behind them is
  /// room for one more.
  mlir::Value store(mlir::OpBuilder &b) const;
  size_t size() const { return words.size(); }

private:
  bool isWord(mlir::Value value) const;

  llvm::SmallVector<mlir::Operation *> ops;
  const PointerToMemref &pointers;
  /// False where two places in the arena have bytes in common: functions take base pointers for
  /// memory of their own.
  bool placesTravel = true;
  llvm::SetVector<mlir::Value> words;
  /// Ops to repeat inside, in order.
  llvm::SetVector<mlir::Operation *> repeated;
};

/// The address of a closure's word.
mlir::Value wordAddress(mlir::OpBuilder &b, mlir::Location loc, mlir::Value closure, size_t number);

/// Whether a value is, or is made of, what a closure holds.
bool canTravel(mlir::Value value);

/// False where a call or a guard inside of `op` may need the frame of its function.
bool isAlone(mlir::Operation *op);

/// Moves allocas to the function's start: inside of a loop one would take more of the stack in each
/// iteration.
void hoistAllocas(mlir::func::FuncOp func);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LOOPS_CLOSURE_H
