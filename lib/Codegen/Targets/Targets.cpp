//===- Targets.cpp - the one list of targets ------------------------------===//
#include "jit/Codegen/Cpu.h"
#include "jit/Codegen/Gpu.h"

using namespace jit;
using namespace jit::codegen;

llvm::ArrayRef<const Target *> jit::codegen::targets() {
  static const Target *const all[] = {&cpuTarget(), &cudaTarget(), &emulatedCudaTarget()};
  return all;
}

const Target *jit::codegen::findTarget(llvm::StringRef name) {
  for (const Target *target : targets())
    if (target->name() == name)
      return target;
  return nullptr;
}
