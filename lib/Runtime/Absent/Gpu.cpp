//===- Gpu.cpp - a build without GPUs -------------------------------------===//
#include "Gpu/DeviceExecutor.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Runtime/CudaChip.h"

using namespace jit;
using namespace jit::runtime;

static Error absent() {
  return {ErrorCode::Unsupported, "expected a build of the runtime with GPUs, got one without"};
}

Result<std::unique_ptr<Executor>> DeviceExecutor::create(std::shared_ptr<const Artifact>,
                                                         const Entry *, const WeightSource &) {
  return absent();
}

std::string jit::runtime::cudaChip() { return {}; }

Result<void> jit::runtime::findProductLibrary() { return absent(); }

Result<void> jit::runtime::findConvolutionLibrary() { return absent(); }

bool jit::runtime::isOnCudaDevice(const void *) { return false; }
