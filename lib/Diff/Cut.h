//===- Cut.h - parts of a program as programs -------------------*- C++ -*-===//
#ifndef JIT_LIB_DIFF_CUT_H
#define JIT_LIB_DIFF_CUT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace jit {

/// Whether a value of the type can be an argument or a result of a call: a tensor of known rank and
/// element type, or a number.
bool isCallType(mlir::Type type);

/// Whether the value is one that something computes, and of such a type.
bool canBeShown(mlir::Value value);

/// The values of the function's own block that can be shown, in order.
llvm::SmallVector<mlir::Value> shownValues(mlir::func::FuncOp func);

/// Gives the function the results that its `return` has, and takes away what was said of others.
void updateType(mlir::func::FuncOp func);

/// A copy of a program whose entry gives those of its shown values that `numbers` says, and its own
/// results before them if `keepResults`.
mlir::OwningOpRef<mlir::ModuleOp> withResults(mlir::ModuleOp program, llvm::StringRef entry,
                                              llvm::ArrayRef<unsigned> numbers, bool keepResults);

/// An operator or a block as a function of its own, and the values that are its arguments, in
/// order.
struct Part {
  mlir::func::FuncOp func;
  llvm::SmallVector<mlir::Value> inputs;
};

/// Takes a program apart: makes functions in a copy of its module that has none.
class Cutter {
public:
  /// `givenType` says what is known of a value that a call gets; null where it is computed again.
  Cutter(mlir::ModuleOp program, std::function<mlir::Type(mlir::Value)> givenType);

  /// The operation alone, its shown results the results. Floats are f64 if `isWide`, as far as the
  /// operator does not say an element type.
  mlir::FailureOr<Part> cutOperation(mlir::Operation *op, llvm::StringRef name, bool isWide);

  /// A block of a region; its arguments come first. Gives those of the values that it ends with
  /// that a call can give: `ends` gets their numbers.
  mlir::FailureOr<Part> cutBlock(mlir::Block &block, llvm::StringRef name,
                                 llvm::SmallVectorImpl<unsigned> &ends);

  mlir::OwningOpRef<mlir::ModuleOp> take() { return std::move(made); }

private:
  mlir::func::FuncOp begin(mlir::Location loc, llvm::StringRef name);
  void finish(mlir::func::FuncOp func, mlir::ValueRange results);
  mlir::LogicalResult need(mlir::Value value);
  mlir::LogicalResult needOperands(mlir::Operation *op);
  mlir::Operation *clone(mlir::Operation *op);

  mlir::OwningOpRef<mlir::ModuleOp> made;
  mlir::func::FuncOp model; // what the functions are like
  std::function<mlir::Type(mlir::Value)> givenType;
  bool isWide = false;
  mlir::func::FuncOp current;
  mlir::OpBuilder builder;
  mlir::IRMapping mapping;
  llvm::SmallVector<mlir::Value> inputs;
};

} // namespace jit

#endif // JIT_LIB_DIFF_CUT_H
