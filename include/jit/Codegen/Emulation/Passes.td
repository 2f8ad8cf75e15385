//===- Passes.td - kernels for the host's CPU --------------*- tablegen -*-===//
#ifndef JIT_CODEGEN_EMULATION_PASSES
#define JIT_CODEGEN_EMULATION_PASSES

include "mlir/Pass/PassBase.td"

def EmulateKernels : Pass<"jit-gpu-emulate", "::mlir::ModuleOp"> {
  let summary = "Turns kernels into functions for the host's CPU";
  let description = [{
    Each gpu.func becomes `void NAME(jit_thread *, void *const *args)`, which does the work of one thread. The
    runtime runs it for each thread of the grid; barriers and shuffles are calls into the runtime, which switches
    from thread to thread. For machines without a GPU: it is the kernels themselves that run, slowly.

    *Needs*: jit-gpu-outline before it.
    *Gives*: func.func; no gpu.module, and no function of the host: its plan has been taken.
    *Refuses*: gpu ops other than ids, barrier, shuffle and what warps do with halves.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // JIT_CODEGEN_EMULATION_PASSES
