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

def LowerForeignCalls : Pass<"jit-lower-foreign-calls", "::mlir::ModuleOp"> {
  let summary = "Turns foreign.call into a call of the runtime";
  let description = [{
    The arguments are written on the stack as jit-c/Values.h has them, and jit_rt_operator calls the function, which the linker
    finds by its name. A guard behind it ends the call where that has failed.

    *Needs*: functions of jit-emit-entry.
    *Gives*: no foreign.call.
    *Refuses*: a function that is called like one of the module's own.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
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

def EmitMachineCode : Pass<"jit-emit-machine-code", "::mlir::ModuleOp"> {
  let summary = "Compiles a module to objects, as the last step of a compilation";
  let description = [{
    It is a pass so that a bundle (`--bundle`) of a crash within LLVM has what LLVM was given, and `jit-opt --run-reproducer`
    sees it again. By itself it only tells whether LLVM compiles the module: what it makes is dropped.

    *Needs*: the LLVM dialect.
    *Gives*: objects to who made the pass. Functions that call nothing leave the module, which declares them.
    *Refuses*: what does not translate to LLVM IR; a CPU that LLVM has no backend for.
  }];
  let options = [
    Option<"triple", "triple", "std::string", /*default=*/"", "of the machine, as LLVM writes it (the host's)">,
    Option<"cpu", "cpu", "std::string", /*default=*/"", "LLVM's name of the CPU (the host's)">,
    Option<"features", "features", "std::string", /*default=*/"", "what is not as LLVM has it for the CPU">,
    Option<"lanes", "lanes", "int64_t", /*default=*/"8", "f32 elements of a vector register">,
    Option<"threads", "threads", "unsigned", /*default=*/"1", "that compile at once; 0: one for each processor">,
    Option<"quick", "quick", "bool", /*default=*/"false", "leave LLVM's optimiser out where no value depends on it">,
  ];
}

#endif // JIT_CODEGEN_LLVM_PASSES
