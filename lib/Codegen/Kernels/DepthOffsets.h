//===- DepthOffsets.h - where the summands of a product are ------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_DEPTHOFFSETS_H
#define JIT_CODEGEN_KERNELS_DEPTHOFFSETS_H

#include "Kernels/Launch.h"
#include "Kernels/LinearOperand.h"
#include "Kernels/PaddedWindow.h"

namespace jit::codegen {

/// A table in shared memory that says where the summands of an operand are, as far from the first
/// one, so that the arithmetic of their indices is done once in a block and not by each thread for
/// each element. The block has `threads` threads, each of which writes an entry at a time: those of
/// some slices of `slice` summands. The table has room for two times as many. Of padded windows it
/// also says which bits a summand needs.
class DepthOffsets {
public:
  DepthOffsets(mlir::OpBuilder &b, mlir::linalg::LinalgOp product, const Side &side,
               const LinearSide &depth, const PaddedWindow *window, int64_t threads, int64_t slice)
      : b(b), loc(product.getLoc()), loops(product.getNumLoops()), side(side), depth(depth),
        window(window), threads(threads), slice(slice) {}

  /// Whether its numbers count the elements of so much memory.
  static bool hasRoomFor(mlir::MemRefType type);

  void locate(Launch &launch);
  /// Writes the entries of slices from `first` on, a multiple of `slicesAtOnce`. Slice 0 begins
  /// `missing` summands in front of the first one, which have its place.
  void write(mlir::Value first, int64_t missing);
  /// Those of `count` summands of slice `number`, from its summand `at` on: how far they are, and
  /// which bits they need.
  llvm::SmallVector<mlir::Value> offsets(mlir::Value number, mlir::Value at, int64_t count);
  llvm::SmallVector<mlir::Value> needed(mlir::Value number, mlir::Value at, int64_t count);

private:
  llvm::SmallVector<mlir::Value> read(mlir::Value table, mlir::Value number, mlir::Value at,
                                      int64_t count);

  mlir::OpBuilder &b;
  mlir::Location loc;
  unsigned loops;
  /// The summands, as loops and in memory.
  const Side &side;
  LinearSide depth;
  const PaddedWindow *window;
  int64_t threads, slice;
  mlir::Value table, bits, thread;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_DEPTHOFFSETS_H
