//===- CudaTarget.cpp - artifacts of NVIDIA's GPUs ------===//
#include "NVVM/PtxCode.h"
#include "Targets/Gpu/LowerToKernels.h"
#include "Targets/Gpu/Pipelines.h"
#include "jit/Codegen/Gpu.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace {
class CudaTarget : public jit::codegen::Target {
public:
  llvm::StringRef name() const override { return "cuda"; }
  void addLoweringPasses(OpPassManager &pm,
                         const jit::codegen::CodegenOptions &options) const override {
    jit::codegen::addKernelPipeline(pm, options);
    jit::codegen::addNvvmPipeline(pm);
  }
  FailureOr<std::shared_ptr<jit::runtime::Artifact>>
  emit(ModuleOp module, const jit::codegen::CodegenOptions &options) const override;
};
} // namespace

/// The options with the name of a chip.
static jit::codegen::CodegenOptions withChip(jit::codegen::CodegenOptions options) {
  if (options.chip.empty())
    options.chip = jit::codegen::hostChip();
  return options;
}

/// The PTX of `module`, lowered; empty where it has no kernels.
static FailureOr<std::string> emitPtx(ModuleOp module,
                                      const jit::codegen::CodegenOptions &options) {
  std::string text;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    llvm::Expected<std::string> ptx = jit::codegen::emitPtx(kernels, options.chip);
    if (!ptx)
      return module.emitError() << "code generation failed: " << llvm::toString(ptx.takeError());
    text += *ptx;
  }
  return text;
}

FailureOr<std::shared_ptr<jit::runtime::Artifact>>
CudaTarget::emit(ModuleOp module, const jit::codegen::CodegenOptions &given) const {
  jit::codegen::CodegenOptions options = withChip(given);
  auto code = std::make_shared<jit::runtime::DeviceCode>();
  code->chip = options.chip;
  auto artifact = jit::codegen::lowerToKernels(module, options, code);
  if (failed(artifact))
    return failure();
  PassManager pm(module.getContext());
  pm.enableVerifier(options.verify);
  if (options.timing)
    pm.enableTiming(*options.timing);
  jit::codegen::addNvvmPipeline(pm);
  if (failed(pm.run(module)))
    return failure();
  mlir::TimingScope time = options.timing ? options.timing->nest("machine code") : TimingScope();
  FailureOr<std::string> ptx = emitPtx(module, options);
  if (failed(ptx))
    return failure();
  // A program may only copy.
  if (ptx->empty())
    return artifact;
  // The driver compiles PTX itself; the toolkit's assembler is quicker and optimises more.
  llvm::Expected<std::string> cubin = jit::codegen::assemblePtx(*ptx, options.chip);
  if (!cubin)
    return module.emitError() << "code generation failed: " << llvm::toString(cubin.takeError());
  code->ptx = std::move(*ptx);
  code->cubin = std::move(*cubin);
  return artifact;
}

FailureOr<std::string> jit::codegen::compileToPtx(ModuleOp module, const CodegenOptions &given) {
  CodegenOptions options = withChip(given);
  PassManager pm(module.getContext());
  pm.enableVerifier(options.verify);
  cudaTarget().addLoweringPasses(pm, options);
  if (failed(pm.run(module)))
    return failure();
  return ::emitPtx(module, options);
}

const jit::codegen::Target &jit::codegen::cudaTarget() {
  static const CudaTarget target;
  return target;
}
