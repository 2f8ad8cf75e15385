//===- Targets.cpp - the one list of targets ------------------------------===//
#include "jit/Codegen/Cpu.h"
#include "jit/Codegen/Gpu.h"

using namespace jit;

llvm::ArrayRef<const Target *> jit::targets() {
  static const Target *const all[] = {&cpuTarget(), &cudaTarget(), &emulatedCudaTarget()};
  return all;
}

const Target *jit::findTarget(llvm::StringRef name) {
  for (const Target *target : targets())
    if (target->name() == name)
      return target;
  return nullptr;
}
