//===- Registration.cpp - the targets of GPUs, and what their passes rely on ----===//
#include "Targets/Gpu/Pipelines.h"
#include "Targets/GpuTargets.h"
#include "jit/Codegen/Emulation/Passes.h"
#include "jit/Codegen/Gpu.h"
#include "jit/Codegen/Kernels/Passes.h"
#include "jit/Codegen/NVVM/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

using namespace mlir;

llvm::ArrayRef<const jit::codegen::Target *> jit::codegen::gpuTargets() {
  static const Target *const all[] = {&cudaTarget(), &emulatedCudaTarget()};
  return all;
}

void jit::codegen::registerGpu(DialectRegistry &registry) {
  registry.insert<gpu::GPUDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect>();
  registerNVVMDialectTranslation(registry);
}

namespace {
struct GpuPipelineOptions : PassPipelineOptions<GpuPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("NVIDIA's name of the GPU"),
                           llvm::cl::init(jit::codegen::CodegenOptions().chip)};
  Option<std::string> ncLoads{*this, "nc-loads",
                              llvm::cl::desc("loads through the read-only cache: of operands that "
                                             "are broadcast, all or none"),
                              llvm::cl::init(jit::codegen::CodegenOptions().gpuNcLoads)};
  Option<bool> tf32{*this, "tf32", llvm::cl::desc("round the factors of products of f32 to tf32"),
                    llvm::cl::init(jit::codegen::CodegenOptions().gpuTf32)};
  Option<bool> libraries{*this, "libraries",
                         llvm::cl::desc("leave plain products and convolutions to libraries"),
                         llvm::cl::init(false)};
};
} // namespace

namespace {
struct MapKernelsOptions : PassPipelineOptions<MapKernelsOptions> {
  Option<int64_t> multiprocessors{*this, "multiprocessors",
                                  llvm::cl::desc("how many blocks run side by side at least"),
                                  llvm::cl::init(jit::codegen::GpuMachine().multiprocessors)};
  Option<bool> warpgroupProducts{*this, "warpgroup-products",
                                 llvm::cl::desc("multiply halves by groups of four warps"),
                                 llvm::cl::init(false)};
  Option<bool> tf32{*this, "tf32", llvm::cl::desc("round the factors of products of f32 to tf32"),
                    llvm::cl::init(false)};
  Option<bool> libraryProducts{*this, "library-products",
                               llvm::cl::desc("leave plain products to a library"),
                               llvm::cl::init(false)};
  Option<bool> libraryConvolutions{*this, "library-convolutions",
                                   llvm::cl::desc("leave convolutions to a library"),
                                   llvm::cl::init(false)};
};
} // namespace

void jit::codegen::registerGpuPasses() {
  registerJitKernelsPasses();
  registerJitNVVMPasses();
  registerJitEmulationPasses();
  PassPipelineRegistration<MapKernelsOptions>(
      "jit-gpu-map-kernels", "Turn computations on buffers into launches of kernels",
      [](OpPassManager &pm, const MapKernelsOptions &options) {
        GpuMachine machine{.multiprocessors = options.multiprocessors,
                           .hasWarpgroupProducts = options.warpgroupProducts};
        addMapKernels(pm, machine, options.tf32, options.libraryProducts,
                      options.libraryConvolutions);
      });
  PassPipelineRegistration<GpuPipelineOptions>(
      "jit-to-nvptx", "Lower entries on tensors to kernels in the NVVM dialect and their launches",
      [](OpPassManager &pm, const GpuPipelineOptions &options) {
        CodegenOptions codegen;
        codegen.chip = options.chip;
        codegen.gpuNcLoads = options.ncLoads;
        codegen.gpuTf32 = options.tf32;
        codegen.gpuLibraries = options.libraries ? GpuLibraries::On : GpuLibraries::Off;
        cudaTarget().addLoweringPasses(pm, codegen);
      });
}
