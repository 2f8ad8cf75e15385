//===- EmulatedTarget.cpp - the GPU's kernels on the host's CPU -----------===//
//
// For machines without a GPU, and to see that kernels compute what they should: everything is as
// for the GPU but the last step.
//
//===----------------------------------------------------------------------===//
#include "Targets/Gpu/LowerToKernels.h"
#include "Targets/Gpu/Pipelines.h"
#include "jit/Codegen/Gpu.h"
#include "jit/Runtime/Emulation.h"
#include "LLVM/LinkedCode.h"

using namespace mlir;

namespace {
class EmulatedTarget : public jit::codegen::Target {
public:
  llvm::StringRef name() const override { return "cuda-emulation"; }
  void addLoweringPasses(OpPassManager &pm,
                         const jit::codegen::CodegenOptions &options) const override {
    jit::codegen::addKernelPipeline(pm, options);
    jit::codegen::addEmulationPipeline(pm, options);
  }
  FailureOr<std::shared_ptr<jit::runtime::Artifact>>
  emit(ModuleOp module, const jit::codegen::CodegenOptions &options) const override;
};
} // namespace

/// What kernels do that a CPU has no instruction for.
static SmallVector<jit::codegen::NamedFunction> emulation() {
  using llvm::orc::ExecutorAddr;
  return {{"jit_rt_barrier", ExecutorAddr::fromPtr(&jit_rt_barrier)},
          {"jit_rt_shuffle", ExecutorAddr::fromPtr(&jit_rt_shuffle)},
          {"jit_rt_async_copy", ExecutorAddr::fromPtr(&jit_rt_async_copy)},
          {"jit_rt_async_group", ExecutorAddr::fromPtr(&jit_rt_async_group)},
          {"jit_rt_async_wait", ExecutorAddr::fromPtr(&jit_rt_async_wait)},
          {"jit_rt_load_matrices", ExecutorAddr::fromPtr(&jit_rt_load_matrices)},
          {"jit_rt_multiply_f16", ExecutorAddr::fromPtr(&jit_rt_multiply_f16)},
          {"jit_rt_multiply_bf16", ExecutorAddr::fromPtr(&jit_rt_multiply_bf16)},
          {"jit_rt_multiply_tf32", ExecutorAddr::fromPtr(&jit_rt_multiply_tf32)},
          {"jit_rt_mbarrier_init", ExecutorAddr::fromPtr(&jit_rt_mbarrier_init)},
          {"jit_rt_mbarrier_arrive", ExecutorAddr::fromPtr(&jit_rt_mbarrier_arrive)},
          {"jit_rt_mbarrier_wait", ExecutorAddr::fromPtr(&jit_rt_mbarrier_wait)},
          {"jit_rt_tensor_copy", ExecutorAddr::fromPtr(&jit_rt_tensor_copy)},
          {"jit_rt_warpgroup_multiply", ExecutorAddr::fromPtr(&jit_rt_warpgroup_multiply)},
          {"jit_rt_warpgroup_multiply_registers",
           ExecutorAddr::fromPtr(&jit_rt_warpgroup_multiply_registers)},
          {"jit_rt_warpgroup_commit", ExecutorAddr::fromPtr(&jit_rt_warpgroup_commit)},
          {"jit_rt_warpgroup_wait", ExecutorAddr::fromPtr(&jit_rt_warpgroup_wait)}};
}

/// Fills in addresses and sizes; `lowered` is the module after the passes.
static llvm::Error resolve(jit::runtime::DeviceKernel &kernel, ModuleOp lowered,
                           jit::codegen::LinkedCode &code) {
  auto address = code.lookup(kernel.name);
  if (!address)
    return address.takeError();
  kernel.emulated = address->toPtr<jit_thread_fn>();
  Operation *func = lowered.lookupSymbol(kernel.name);
  kernel.sharedBytes = func->getAttrOfType<IntegerAttr>("jit.shared_bytes").getInt();
  kernel.waits = func->hasAttr("jit.waits");
  // One block does all: here they run one after another.
  if (kernel.isCooperative)
    kernel.grid = {1, 1, 1};
  return llvm::Error::success();
}

FailureOr<std::shared_ptr<jit::runtime::Artifact>>
EmulatedTarget::emit(ModuleOp module, const jit::codegen::CodegenOptions &options) const {
  auto code = std::make_shared<jit::runtime::DeviceCode>();
  code->isEmulated = true;
  auto artifact = jit::codegen::lowerToKernels(module, options, code);
  if (failed(artifact))
    return failure();
  PassManager pm(module.getContext());
  pm.enableVerifier(options.verify);
  jit::codegen::addEmulationPipeline(pm, options);
  if (failed(pm.run(module)))
    return failure();
  auto fail = [&](llvm::Error error) {
    return module.emitError() << "code generation failed: " << llvm::toString(std::move(error));
  };
  auto functions = jit::codegen::loadMachineCode(module, options, emulation());
  if (!functions)
    return fail(functions.takeError());
  for (jit::runtime::DeviceKernel &kernel : code->kernels)
    if (llvm::Error error = resolve(kernel, module, **functions))
      return fail(std::move(error));
  code->functions = std::move(*functions);
  return artifact;
}

const jit::codegen::Target &jit::codegen::emulatedCudaTarget() {
  static const EmulatedTarget target;
  return target;
}
