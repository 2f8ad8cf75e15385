//===- HostBlocks.cpp - blocks outside of kernels -------------------------===//
#include "Kernels/HostBlocks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

SmallVector<Block *> jit::codegen::hostBlocks(func::FuncOp func) {
  SmallVector<Block *> blocks;
  func.walk([&](Block *block) {
    Operation *parent = block->getParentOp();
    if (!isa<linalg::LinalgOp>(parent) && !parent->getParentOfType<gpu::LaunchOp>() &&
        !isa<gpu::LaunchOp>(parent))
      blocks.push_back(block);
  });
  return blocks;
}
