//===- Passes.td - to the LLVM dialect ---------------------*- tablegen -*-===//
#ifndef JIT_CODEGEN_LLVM_PASSES
#define JIT_CODEGEN_LLVM_PASSES

include "mlir/Pass/PassBase.td"

def LowerGuards : Pass<"jit-lower-guards", "::mlir::ModuleOp"> {
  let summary = "Turns jit.guard into a branch to an exit";
  let description = [{
    Where the condition is false, control goes to a block that reports class, message, place and
    values by jit_rt_fail and returns 1.

    *Needs*: functions of jit-emit-entry, with control flow as branches (after scf).
    *Gives*: no jit.guard.
    *Refuses*: values in a message that are neither integers, floats nor booleans.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

def MaskHalves : Pass<"jit-mask-halves", "::mlir::ModuleOp"> {
  let summary = "Loads and stores vectors of f16 and bf16 under masks as integers";
  let description = [{
    Where a CPU has no such instruction for vectors of 16-bit numbers, LLVM takes them apart, and rounds each
    element by a function of the compiler's library, which neither processes nor packages have. Of integers
    no element is rounded.

    *Needs*: the LLVM dialect.
    *Gives*: the same with bitcasts around `llvm.intr.masked.load` and `llvm.intr.masked.store` of such vectors.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertToLLVM : Pass<"jit-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Converts everything to the LLVM dialect";
  let description = [{
    One full conversion of arith, math, cf, func, index, memref, ub and vector ops. Alias scopes of
    loads and stores are carried over.

    *Needs*: branches instead of scf; no linalg, tensor or jit op.
    *Gives*: the LLVM dialect alone.
    *Refuses*: any op without a conversion, by name.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // JIT_CODEGEN_LLVM_PASSES
