//===- EmitMachineCode.cpp - LLVM's work as a pass ------------------------===//
#include "jit/Codegen/LLVM/Passes.h"
#include "LLVM/MachineCode.h"

namespace jit::codegen {
#define GEN_PASS_DEF_EMITMACHINECODE
#include "jit/Codegen/LLVM/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

namespace {
struct EmitMachineCode : jit::codegen::impl::EmitMachineCodeBase<EmitMachineCode> {
  using EmitMachineCodeBase::EmitMachineCodeBase;

  EmitMachineCode(const jit::codegen::EmitMachineCodeOptions &options, TimingScope *timing,
                  jit::codegen::Objects &objects, jit::codegen::BaselineParts *baseline)
      : EmitMachineCodeBase(options), timing(timing), objects(&objects), baseline(baseline) {}

  void runOnOperation() override {
    jit::codegen::Machine machine = jit::codegen::hostMachine();
    if (!triple.empty())
      machine.triple = triple;
    if (!cpu.empty()) {
      machine.cpu = cpu;
      machine.features = features;
      machine.lanes = lanes;
    }
    auto made = jit::codegen::compileMachineCode(getOperation(), machine, threads,
                                                 quick ? jit::Tier::Baseline : jit::Tier::Optimised,
                                                 timing, baseline);
    if (!made) {
      getOperation().emitError() << "code generation failed: " << llvm::toString(made.takeError());
      return signalPassFailure();
    }
    if (objects)
      llvm::append_range(*objects, llvm::make_range(std::make_move_iterator(made->begin()),
                                                    std::make_move_iterator(made->end())));
  }

  TimingScope *timing = nullptr;
  jit::codegen::Objects *objects = nullptr;
  jit::codegen::BaselineParts *baseline = nullptr;
};
} // namespace

std::unique_ptr<Pass> jit::codegen::createEmitMachineCode(const Machine &machine, unsigned threads,
                                                          Tier tier, TimingScope *timing,
                                                          Objects &objects,
                                                          BaselineParts *baseline) {
  EmitMachineCodeOptions options{machine.triple, machine.cpu, machine.features,
                                 machine.lanes,  threads,     tier != Tier::Optimised};
  return std::make_unique<EmitMachineCode>(options, timing, objects, baseline);
}
