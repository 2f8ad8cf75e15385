//===- Host.cpp - the machine that this process runs on -------------------===//
//
// The one file of the compiler that asks it.
//
//===----------------------------------------------------------------------===//
#include "Machine/Subtarget.h"
#include "jit/Runtime/CudaChip.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <unistd.h>

static jit::codegen::Machine askHost() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  jit::codegen::Machine machine{.triple = llvm::sys::getProcessTriple(),
                                .cpu = llvm::sys::getHostCPUName().str(),
                                .features = features.getString()};
  // Without a backend for itself it fails where code is made, which says why.
  jit::codegen::describeSubtarget(machine);
  if (long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE); bytes > 0)
    machine.l1Bytes = bytes;
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    machine.l2Bytes = bytes;
  return machine;
}

const jit::codegen::Machine &jit::codegen::hostMachine() {
  static const Machine machine = askHost();
  return machine;
}

std::string jit::codegen::hostChip(int device) {
  std::string chip = runtime::cudaChip(device);
  return chip.empty() ? "sm_80" : chip;
}

bool jit::codegen::hostHasProductLibrary() { return bool(runtime::findProductLibrary()); }

bool jit::codegen::hostHasConvolutionLibrary() { return bool(runtime::findConvolutionLibrary()); }
