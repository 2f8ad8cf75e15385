//===- OutlinedFunctions.h - one function for loops of one shape -*- C++ -*-===//
#ifndef JIT_CODEGEN_LOOPS_OUTLINEDFUNCTIONS_H
#define JIT_CODEGEN_LOOPS_OUTLINEDFUNCTIONS_H

#include "Loops/Closure.h"

namespace jit::codegen {

/// Functions of closures that were outlined. Of equal ones one is kept, and, with `sharesSizes`, of
/// those that differ in nothing but sizes, which it reads from a table.
class OutlinedFunctions {
public:
  explicit OutlinedFunctions(bool sharesSizes) : sharesSizes(sharesSizes) {}

  /// What a caller names and hands over: `made`, or an earlier function of the same shape, and the
  /// closure, stored at `b`. `made` is gone then.
  std::pair<mlir::func::FuncOp, mlir::Value> add(mlir::func::FuncOp made, const Closure &closure,
                                                 mlir::OpBuilder &b);
  /// To be called once all are there: gives each function its sizes.
  void finish();

private:
  struct Caller {
    mlir::Value closure;
    llvm::SmallVector<int64_t> sizes;
  };
  struct Shared {
    mlir::func::FuncOp func;
    /// The word of the closure behind the last.
    size_t tableWord;
    llvm::SmallVector<Caller, 1> callers;
  };

  static void giveSizes(Shared &shared);
  /// Hands each caller's row to the function.
  static void storeTables(const Shared &shared, llvm::ArrayRef<llvm::SmallVector<int64_t>> rows);

  bool sharesSizes;
  std::vector<Shared> functions;
  llvm::DenseMap<size_t, llvm::SmallVector<size_t, 1>> byHash;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_LOOPS_OUTLINEDFUNCTIONS_H
