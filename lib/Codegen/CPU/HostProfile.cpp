//===- HostProfile.cpp - vectors and caches of the CPU to compile for -----===//
#include "HostProfile.h"

#include "MachineCode.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <unistd.h>

jit::CpuProfile jit::profileFor(const CodegenOptions &options) {
  CpuProfile profile;
  auto builder = machineFor(options);
  if (!builder) {
    // Emission meets the same error and reports it.
    llvm::consumeError(builder.takeError());
    return profile;
  }
  auto machine = builder->createTargetMachine();
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return profile;
  }
  const llvm::MCSubtargetInfo *features = (*machine)->getMCSubtargetInfo();
  if ((*machine)->getTargetTriple().isX86()) {
    bool wide = features->checkFeatures("+avx512f");
    profile.lanes = wide ? 16 : features->checkFeatures("+avx") ? 8 : 4;
    profile.registers = wide ? 32 : 16;
    profile.convertsF16 = wide || features->checkFeatures("+f16c");
    profile.roundsToBf16 =
        features->checkFeatures("+avx512bf16") || features->checkFeatures("+avxneconvert");
    profile.multipliesPairs = features->checkFeatures("+avx512bf16");
    profile.multipliesBytes = features->checkFeatures(wide ? "+avx512vnni" : "+avxvnni");
  } else {
    profile.lanes = 4;
    profile.registers = 32;
  }
  if (long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE); bytes > 0)
    profile.l1Bytes = bytes;
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    profile.l2Bytes = bytes;
  return profile;
}
