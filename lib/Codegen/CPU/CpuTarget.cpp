//===- CpuTarget.cpp - the passes and the artifact of the CPU target ------===//
#include "Bufferize.h"
#include "HostConversion.h"
#include "HostProfile.h"
#include "MachineCode.h"
#include "Signature.h"
#include "jit/Codegen/Cpu.h"
#include "jit/Codegen/Passes.h"
#include "jit/Codegen/Products/Passes.h"

#include "mlir/Transforms/Passes.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace mlir;

namespace {
class CpuTarget : public jit::Target {
public:
  llvm::StringRef name() const override { return "cpu"; }
  void addLoweringPasses(OpPassManager &pm, const jit::CodegenOptions &options) const override;
  FailureOr<std::shared_ptr<jit::runtime::Artifact>>
  emit(ModuleOp module, const jit::CodegenOptions &options) const override;
};
} // namespace

/// Entries on tensors: what runs once, what runs in one loop, which buffer it is computed in.
static void addTensorPasses(OpPassManager &pm, const jit::CpuProfile &profile,
                            const jit::CodegenOptions &options) {
  jit::ProductTuning tuning = options.tuning;
  if (tuning.table && tuning.table->cpu() != jit::cpuName(options))
    tuning.table = nullptr;
  pm.addNestedPass<func::FuncOp>(jit::createFoldTransposes());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addNestedPass<func::FuncOp>(jit::createPrepareFactors(profile));
  pm.addNestedPass<func::FuncOp>(jit::createChannelsLast(profile));
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(jit::createStorePadded());
  pm.addNestedPass<func::FuncOp>(jit::createFoldWindows());
  if (options.numerics == jit::Numerics::Fast)
    pm.addNestedPass<func::FuncOp>(jit::createUseWinograd(profile));
  // Packing first: what it does to weights is then hoisted like any other computation on them.
  pm.addNestedPass<func::FuncOp>(jit::createPackProducts(profile, tuning));
  jit::addBufferization(pm);
}

/// Entries on buffers: places in memory, loops, threads.
static void addBufferPasses(OpPassManager &pm, const jit::CpuProfile &profile,
                            const jit::CodegenOptions &options) {
  pm.addNestedPass<func::FuncOp>(jit::createFuseRows({.chains = true}));
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(jit::createEmitProducts(profile));
  if (profile.multipliesBytes)
    pm.addNestedPass<func::FuncOp>(jit::createEmitByteProducts(profile));
  pm.addNestedPass<func::FuncOp>(jit::createSplitLoops());
  pm.addNestedPass<func::FuncOp>(jit::createFuseRows());
  pm.addNestedPass<func::FuncOp>(jit::createPrefetchRows({.cacheBytes = profile.l2Bytes}));
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(jit::createPlanMemory());
  pm.addNestedPass<func::FuncOp>(jit::createLowerStructured());
  jit::addCleanup(pm);
  // Vectors of 16 are AVX-512's, which scales them by powers of two.
  pm.addNestedPass<func::FuncOp>(jit::createExpandMath(
      {.ldexp = profile.lanes == 16, .f16 = profile.convertsF16, .bf16 = profile.roundsToBf16}));
  pm.addPass(jit::createWidenBool());
  pm.addPass(jit::createEmitEntry());
  jit::OutlineParallelOptions outline;
  outline.threshold = options.parallelThreshold;
  pm.addPass(jit::createOutlineParallel(outline));
  pm.addPass(jit::createOutlineLoops());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(jit::createMarkAliasing());
}

void CpuTarget::addLoweringPasses(OpPassManager &pm, const jit::CodegenOptions &options) const {
  jit::CpuProfile profile = jit::profileFor(options);
  addTensorPasses(pm, profile, options);
  addBufferPasses(pm, profile, options);
  jit::addHostConversion(pm);
}

std::string jit::cpuName(const CodegenOptions &options) {
  auto machine = machineFor(options);
  if (machine)
    return machine->getCPU();
  llvm::consumeError(machine.takeError());
  return "";
}

/// Fills in addresses and sizes; `lowered` is the module after the passes.
static llvm::Error resolve(jit::runtime::Entry &entry, ModuleOp lowered, llvm::orc::LLJIT &code) {
  auto find = [&](const std::string &name) -> llvm::Expected<jit_entry_fn> {
    auto address = code.lookup(name);
    if (!address)
      return address.takeError();
    return address->toPtr<jit_entry_fn>();
  };
  auto run = find(entry.name);
  if (!run)
    return run.takeError();
  entry.run = *run;
  Operation *func = lowered.lookupSymbol(entry.name);
  entry.arenaBytes = func->getAttrOfType<IntegerAttr>("jit.arena_bytes").getInt();
  auto packed = func->getAttrOfType<DenseI64ArrayAttr>("jit.packed_bytes").asArrayRef();
  entry.packedBytes.assign(packed.begin(), packed.end());
  std::string initName = entry.name + ".init";
  Operation *initFunc = lowered.lookupSymbol(initName);
  if (!initFunc)
    return llvm::Error::success();
  auto init = find(initName);
  if (!init)
    return init.takeError();
  entry.init = *init;
  entry.initArenaBytes = initFunc->getAttrOfType<IntegerAttr>("jit.arena_bytes").getInt();
  return llvm::Error::success();
}

FailureOr<std::shared_ptr<jit::runtime::Artifact>>
CpuTarget::emit(ModuleOp module, const jit::CodegenOptions &options) const {
  FailureOr<std::vector<jit::runtime::Entry>> entries = jit::describeEntries(module);
  if (failed(entries))
    return failure();
  PassManager pm(module.getContext());
  if (options.timing)
    pm.enableTiming(*options.timing);
  pm.enableVerifier(options.verify);
  addLoweringPasses(pm, options);
  if (failed(pm.run(module)))
    return failure();
  auto fail = [&](llvm::Error error) {
    return module.emitError() << "code generation failed: " << llvm::toString(std::move(error));
  };
  auto code = jit::loadMachineCode(module, options);
  if (!code)
    return fail(code.takeError());
  auto artifact = std::make_shared<jit::runtime::Artifact>();
  for (jit::runtime::Entry &entry : *entries)
    if (llvm::Error error = resolve(entry, module, **code))
      return fail(std::move(error));
  artifact->entries = std::move(*entries);
  artifact->code = std::move(*code);
  return artifact;
}

const jit::Target &jit::cpuTarget() {
  static const CpuTarget target;
  return target;
}
