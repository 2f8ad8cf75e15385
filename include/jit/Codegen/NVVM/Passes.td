//===- Passes.td - to the NVVM dialect ---------------------*- tablegen -*-===//
#ifndef JIT_CODEGEN_NVVM_PASSES
#define JIT_CODEGEN_NVVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertToNVVM : Pass<"jit-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Converts kernels to the NVVM dialect";
  let description = [{
    One full conversion. Buffers are bare pointers into global memory; indices have 32 bits where no buffer
    and no iteration space needs more. A load with `jit.nc` is invariant. Math functions that
    LLVM's backend lacks become calls of libdevice.

    *Needs*: gpu.func with branches instead of scf.
    *Gives*: the LLVM and NVVM dialects.
    *Refuses*: any op without a conversion, by name.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // JIT_CODEGEN_NVVM_PASSES
