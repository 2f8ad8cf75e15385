//===- QuickCode.cpp - machine code in less time --------------------------===//
#include "LLVM/QuickCode.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// Whether a pass that is named `argument` can be left out: none of these makes anything possible
/// that a later one relies on.
static bool isForSpeedAlone(StringRef argument) {
  static const StringSet<> passes = {
      // of LLVM IR
      "codegenprepare", "loop-reduce", "canon-freeze", "mergeicmps", "expand-memcmp", "consthoist",
      "interleaved-access", "partially-inline-libcalls", "x86-partial-reduction", "tlshoist",
      // of instructions
      "early-machinelicm", "machinelicm", "machine-cse", "machine-sink", "machine-scheduler",
      "post-RA-sched", "machine-cp", "block-placement", "branch-folder", "tailduplication",
      "early-tailduplication", "opt-phis", "early-ifcvt", "machine-combiner", "shrink-wrap",
      "x86-cmov-conversion", "x86-domain-reassignment", "x86-avoid-SFB", "x86-optimize-LEAs",
      "x86-fixup-LEAs", "x86-fixup-bw-insts", "x86-fixup-inst-tuning",
      "x86-fixup-vector-constants"};
  return passes.contains(argument);
}

namespace {
/// Passes on to a pass manager what code needs.
class NeededPasses : public legacy::PassManagerBase {
public:
  explicit NeededPasses(legacy::PassManager &passes) : passes(passes) {}
  void add(Pass *pass) override {
    const PassInfo *info = Pass::lookupPassInfo(pass->getPassID());
    if (info && isForSpeedAlone(info->getPassArgument()))
      delete pass;
    else
      passes.add(pass);
  }

private:
  legacy::PassManager &passes;
};
} // namespace

Expected<std::unique_ptr<MemoryBuffer>> jit::codegen::emitQuickly(Module &code,
                                                                  TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  NeededPasses needed(passes);
  MCContext *context = nullptr;
  if (machine.addPassesToEmitMC(needed, context, stream))
    return createStringError("expected a target that LLVM makes objects for");
  passes.run(code);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(bytes), code.getModuleIdentifier(),
                                                   /*RequiresNullTerminator=*/false);
}
