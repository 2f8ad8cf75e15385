//===- StageChannels.h - factors with their channels side by side -*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_STAGECHANNELS_H
#define JIT_CODEGEN_KERNELS_STAGECHANNELS_H

#include "Analysis/ProductGroup.h"
#include "Kernels/KernelEmitters.h"

namespace jit::codegen {

/// Where the builder stands, writes launches that store an image and its filters with the channels
/// that a convolution sums over side by side, and puts a product of these in place of the group's,
/// whose last loop goes along the channels. Zeros around the image are stored along with it, and
/// zeros behind channels that are no whole pieces of 16 bytes; floats are rounded to tf32. Nothing
/// where zeros would be most of what is stored, where there is no window, and where elements would
/// not be read often enough to pay for it.
void stageChannels(ProductGroup &group, mlir::IRRewriter &b, const GpuMachine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_STAGECHANNELS_H
