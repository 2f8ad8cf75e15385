//===- LoopPhases.h - a loop of kernels as phases of one ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_LOOPPHASES_H
#define JIT_CODEGEN_KERNELS_LOOPPHASES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace jit::codegen {

/// The memory of the device that work reads and writes.
struct Footprint {
  llvm::SmallPtrSet<mlir::Value, 8> read, written;
  /// Memory that may be any.
  bool readsAny = false, writesAny = false;

  void add(const Footprint &other);
  bool writes(mlir::Value root) const { return writesAny || written.contains(root); }
};

/// What all blocks do before any of them goes on: a launch, or a copy.
struct Phase {
  mlir::Operation *op;
  Footprint touches;
  /// Whether the blocks meet before it.
  bool meets = false;

  mlir::gpu::LaunchOp launch() const { return llvm::cast<mlir::gpu::LaunchOp>(op); }
};

/// Of a loop that one kernel can hold.
struct LoopPhases {
  /// In the order of the loop's body.
  llvm::SmallVector<Phase> phases;
  /// All that the loop touches.
  Footprint touches;
};

/// Blocks and threads of a launch of one dimension, and bytes that its blocks share beside what
/// they declare; nullopt where the host computes them, or there are more dimensions.
struct LaunchSize {
  int64_t blocks, threads, dynamicBytes;
};
std::optional<LaunchSize> sizeOf(mlir::gpu::LaunchOp launch);

/// The phases of a loop; nullopt where one kernel cannot hold it. `mostBlocks` is what a phase may
/// have.
std::optional<LoopPhases> findPhases(mlir::scf::ForOp loop, int64_t mostBlocks);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_LOOPPHASES_H
