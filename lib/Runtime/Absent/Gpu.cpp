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
                                                         const Entry *, const WeightSource &, int) {
  return absent();
}

std::string jit::runtime::cudaChip(int) { return {}; }

Result<void> jit::runtime::findProductLibrary() { return absent(); }

Result<void> jit::runtime::findConvolutionLibrary() { return absent(); }

std::optional<int> jit::runtime::cudaDeviceOf(const void *) { return std::nullopt; }
