//===- Gpu.cpp - a build without GPUs -------------------------------------===//
#include "Targets/GpuTargets.h"

llvm::ArrayRef<const jit::codegen::Target *> jit::codegen::gpuTargets() { return {}; }

void jit::codegen::registerGpu(mlir::DialectRegistry & /*registry*/) {}

void jit::codegen::registerGpuPasses() {}
