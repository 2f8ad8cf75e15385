//===- Targets.cpp - the one list of targets ------------------------------===//
#include "Targets/GpuTargets.h"
#include "jit/Codegen/Cpu.h"

#include "llvm/ADT/SmallVector.h"

using namespace jit;
using namespace jit::codegen;

llvm::ArrayRef<const Target *> jit::codegen::targets() {
  static const llvm::SmallVector<const Target *> all = [] {
    llvm::SmallVector<const Target *> list = {&cpuTarget()};
    llvm::append_range(list, gpuTargets());
    return list;
  }();
  return all;
}

const Target *jit::codegen::findTarget(llvm::StringRef name) {
  for (const Target *target : targets())
    if (target->name() == name)
      return target;
  return nullptr;
}
