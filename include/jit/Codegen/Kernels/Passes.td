//===- Passes.td - buffers to kernels for GPUs -------------*- tablegen -*-===//
#ifndef JIT_CODEGEN_KERNELS_PASSES
#define JIT_CODEGEN_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def StoreScalars : Pass<"jit-gpu-store-scalars", "::mlir::func::FuncOp"> {
  let summary = "Keeps the numbers that a program computes in the device's memory";
  let description = [{
    The host computes nothing but sizes, from those that the call tells: a number read from a tensor, carried by
    a loop or given by a branch lives in a buffer of rank 0, a cell. Where the program needs one (in a kernel) it is loaded by a memref.load
    with the attribute `jit.cell`; where the host needs one (to branch, to bound a loop, to check a
    guard, to ask for memory) its value is stored to a cell and loaded by a memref.load with the attribute `jit.read`.

    *Needs*: buffers; before jit-gpu-map-kernels.
    *Gives*: outside of linalg ops, numbers that are arguments, constants, induction variables, loads with one
    of the two attributes, or pure functions of these.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

def MapKernels : Pass<"jit-gpu-map-kernels", "::mlir::func::FuncOp"> {
  let summary = "Turns each computation on buffers into a gpu.launch";
  let description = [{
    Elementwise ops: contiguous dimensions become one, and one thread computes as many neighbours as 128 bits
    hold, where strides and alignment allow; a load of a broadcast operand gets the attribute `jit.broadcast`.
    Ops on the same rows (softmax, norms, what is computed before and after): one kernel, the rows in registers. Where
    registers are too few, or the length of rows is open: a block for each row, which goes along it for each number of the row.
    Reductions of very many points to few numbers: pieces in one kernel, joined in a fixed order by a second.
    Other reductions of few long rows: a group of threads for each row, shuffles, a fixed order. Products and
    convolutions: tiles in shared memory, elementwise ops on their sums in the same kernel; halves go to tensor cores
    through a pipeline of asynchronous copies, by groups of four warps where the device has that; so does f32
    where tf32 is allowed. Two products of halves with a softmax between them: one kernel, keys and values block by
    block, scores in registers. Everything else: a thread for each element of the output. Copies between whole
    buffers stay memref.copy; stores of numbers, and loops in which nothing else happens, run on one thread.

    Elementwise ops, rows and reductions of open sizes: a grid that fills the device once, and strides of it; vectors where
    the call's sizes allow them, else the same elements one by one.

    *Needs*: linalg on buffers; jit-gpu-store-scalars before it.
    *Gives*: gpu.launch of constant size, memref.copy of contiguous memory, scf, jit.guard and loads with
    `jit.read`; no linalg but what the plan has a library do: ops with `jit.library_product` or
    `jit.library_convolution`.
    *Refuses*: products of open sizes, and open sizes that no operand has.
  }];
  let options = [
    Option<"multiprocessors", "multiprocessors", "int64_t", "108", "how many blocks the device runs side by side at least">,
    Option<"warpgroupProducts", "warpgroup-products", "bool", "false",
           "multiply halves by groups of four warps (wgmma), from what the device copies by itself (TMA)">,
    Option<"tf32", "tf32", "bool", "false", "multiply f32 on tensor cores, factors rounded to tf32 (10 bits)">,
    Option<"libraryProducts", "library-products", "bool", "false", "leave plain products to a library">,
    Option<"libraryConvolutions", "library-convolutions", "bool", "false", "leave convolutions to a library">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def NcLoads : Pass<"jit-gpu-nc-loads", "::mlir::func::FuncOp"> {
  let summary = "Chooses which loads go through the read-only cache";
  let description = [{
    A load that is chosen gets the attribute `jit.nc`: of operands that are broadcast (the default), of all
    operands, or of none. Memory that the same kernel writes is never read this way.

    *Needs*: gpu.launch as jit-gpu-map-kernels makes them; before jit-plan-memory.
    *Gives*: the same launches, loads marked, no `jit.broadcast`.
    *Refuses*: a policy other than broadcast, all and none.
  }];
  let options = [Option<"policy", "policy", "std::string", "\"broadcast\"", "broadcast, all or none">];
}

def OutlineKernels : Pass<"jit-gpu-outline", "::mlir::ModuleOp"> {
  let summary = "Moves kernels into a gpu.module";
  let description = [{
    The body of each gpu.launch becomes a gpu.func of the module `kernels`. It takes pointers to whole buffers, open sizes,
    maps of tensors that the device copies by itself, and numbers that only the host has; views, constants and what is computed from them is computed
    inside. Launches of one size whose bodies are equal share a kernel.

    *Needs*: jit-plan-memory and jit-widen-bool before it.
    *Gives*: gpu.launch_func.
    *Refuses*: a captured value that cannot travel.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

#endif // JIT_CODEGEN_KERNELS_PASSES
