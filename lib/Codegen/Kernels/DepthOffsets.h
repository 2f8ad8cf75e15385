//===- DepthOffsets.h - where the summands of a product are ------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_DEPTHOFFSETS_H
#define JIT_CODEGEN_KERNELS_DEPTHOFFSETS_H

#include "Kernels/Launch.h"
#include "Kernels/LinearOperand.h"

namespace jit::codegen {

/// A table in shared memory that says where the summands of an operand are, as far from the first
/// one, so that the arithmetic of their indices is done once in a block and not by each thread for
/// each element. The block has `threads` threads, each of which writes an entry at a time: those of
/// some slices of `slice` summands. The table has room for two times as many.
class DepthOffsets {
public:
  DepthOffsets(mlir::OpBuilder &b, mlir::Location loc, const LinearSide &depth, int64_t threads,
               int64_t slice)
      : b(b), loc(loc), depth(depth), threads(threads), slice(slice) {}

  void locate(Launch &launch);
  /// Writes the entries of slices from `first` on, a multiple of `slicesAtOnce`. Slice 0 begins
  /// `missing` summands in front of the first one, which have its place.
  void write(mlir::Value first, int64_t missing);
  /// Those of summands `at` and following ones of a slice.
  llvm::SmallVector<mlir::Value> read(mlir::Value number, mlir::Value at, int64_t count);

private:
  mlir::OpBuilder &b;
  mlir::Location loc;
  LinearSide depth;
  int64_t threads, slice;
  mlir::Value table, thread;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_DEPTHOFFSETS_H
