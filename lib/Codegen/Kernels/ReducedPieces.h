//===- ReducedPieces.h - what pieces of a reduction reduce to ----*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_REDUCEDPIECES_H
#define JIT_CODEGEN_KERNELS_REDUCEDPIECES_H

#include "Kernels/KernelEmitters.h"
#include "Kernels/Reducer.h"
#include "Loops/ElementEmitter.h"

namespace jit::codegen {

/// A reduction whose points are cut into pieces: what each of them reduces to lies in memory until
/// a second kernel joins it. No atomics: two calls give the same bits.
class ReducedPieces {
public:
  /// Allocates memory where the builder stands, in front of the kernel.
  ReducedPieces(mlir::linalg::LinalgOp op, Reducer reducer, int64_t pieces, mlir::OpBuilder &b);

  /// The op's first point that is reduced to output number `output`.
  llvm::SmallVector<mlir::Value> pointOf(mlir::Value output);
  /// Stores what piece number `piece` has for an output.
  void store(mlir::ValueRange values, mlir::Value output, mlir::Value piece);
  /// The same of several outputs side by side, from number `output`, a multiple of how many they
  /// are, on: all results of the first one, then of the next.
  void storeNeighbours(llvm::ArrayRef<mlir::Value> values, mlir::Value output, mlir::Value piece);
  /// The same of one by the thread whose number is 0.
  void storeOfFirst(mlir::Value thread, mlir::ValueRange values, mlir::Value output,
                    mlir::Value piece);
  /// Writes the second kernel: a warp joins the pieces of an output, or a thread does, whose
  /// neighbours have neighbouring outputs.
  void joinByWarps();
  void joinByThreads(const GpuMachine &machine);

private:
  /// Joins every `step`-th piece of an output's, from `first` on.
  llvm::SmallVector<mlir::Value> join(mlir::Value output, mlir::Value first, int64_t step);
  void storeOutput(mlir::ValueRange values, mlir::Value output);
  /// Goes on inside of a branch for the thread whose number is 0.
  void enterFirst(mlir::Value thread);
  mlir::Value index(int64_t value) { return constantIndex(b, loc, value); }

  mlir::linalg::LinalgOp op;
  Reducer reducer;
  mlir::OpBuilder &b;
  mlir::Location loc;
  ElementEmitter element;
  llvm::SmallVector<unsigned> parallel;
  llvm::SmallVector<int64_t> sizes;
  int64_t pieces, outputs = 1;
  /// For each result: pieces by outputs.
  llvm::SmallVector<mlir::Value> partial;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_REDUCEDPIECES_H
