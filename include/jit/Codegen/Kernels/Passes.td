//===- Passes.td - buffers to kernels for GPUs -------------*- tablegen -*-===//
#ifndef JIT_CODEGEN_KERNELS_PASSES
#define JIT_CODEGEN_KERNELS_PASSES

include "mlir/Pass/PassBase.td"

def BranchBuffers : Pass<"jit-gpu-branch-buffers", "::mlir::func::FuncOp"> {
  let summary = "Has both sides of a branch give their buffers at one place";
  let description = [{
    A plan knows where each buffer is before it runs. A buffer that a branch on data gives is allocated before the
    branch, and each side writes it: where a side allocates it, there and not in one of its own; else by a copy. A
    choice between buffers is such a branch.

    *Needs*: buffers as bufferisation leaves them: the canonicalizer makes a choice of two buffers of a branch that
    writes them, and the choice is made before they are written.
    *Gives*: branches that give no buffers of known sizes.
    *Refuses*: nothing; buffers of sizes that are not known, or of strides that no new buffer has, stay results.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def StoreScalars : Pass<"jit-gpu-store-scalars", "::mlir::func::FuncOp"> {
  let summary = "Keeps the numbers that a program computes in the device's memory";
  let description = [{
    The host computes nothing but sizes, from those that the call tells: a number read from a tensor, carried by
    a loop or given by a branch lives in a buffer of rank 0, a cell. Where the program needs one (in a kernel) it is loaded by a memref.load
    with the attribute `jit.cell`; where the host needs one (to branch, to bound a loop, to check a
    guard, to ask for memory) its value is stored to a cell and loaded by a memref.load with the attribute `jit.read`.

    *Needs*: buffers; before the passes that map computations to kernels.
    *Gives*: outside of linalg ops, numbers that are arguments, constants, induction variables, loads with one
    of the two attributes, or pure functions of these.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

defvar multiprocessorsOption =
  Option<"multiprocessors", "multiprocessors", "int64_t", "108", "how many blocks the device runs side by side at least">;

defvar warpgroupProductsOption =
  Option<"warpgroupProducts", "warpgroup-products", "bool", "false",
         "multiply halves by groups of four warps (wgmma), from what the device copies by itself (TMA)">;

def LowerCopies : Pass<"jit-gpu-lower-copies", "::mlir::func::FuncOp"> {
  let summary = "Turns copies that the driver cannot do into linalg ops";
  let description = [{
    The driver copies contiguous memory that is not a constant of the program. Other copies are computations like
    any other, and may become parts of kernels. A copy of a buffer to itself goes.

    *Needs*: buffers.
    *Gives*: memref.copy of contiguous memory alone, and copies of no elements.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def MapAttention : Pass<"jit-gpu-map-attention", "::mlir::func::FuncOp"> {
  let summary = "Two products of halves with a softmax between them become one kernel";
  let description = [{
    Keys and values go through shared memory block by block, scores stay in registers. Blocks of keys that a causal
    mask excludes are left out. Where the device has groups of four warps, and can copy the operands by itself, these
    multiply.

    *Needs*: linalg on buffers, jit-gpu-lower-copies before it.
    *Gives*: a gpu.launch in place of each attention; all else as it was.
    *Refuses*: nothing: heads that do not fit into registers stay products.
  }];
  let options = [multiprocessorsOption, warpgroupProductsOption];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def MapProducts : Pass<"jit-gpu-map-products", "::mlir::func::FuncOp"> {
  let summary = "Products and convolutions become kernels, with what goes on with their sums";
  let description = [{
    Tiles in shared memory, elementwise ops on their sums in the same kernel; halves go to tensor cores through a
    pipeline of asynchronous copies, by groups of four warps where the device has that; so does f32 where tf32 is
    allowed. Where a library is allowed, plain products are left to it. Where tiles are few, long sums are cut into
    pieces, which a second kernel adds up.

    Factors of a convolution for tensor cores are stored with their channels side by side first, by kernels of their
    own, with zeros behind them where they are no whole pieces of 16 bytes; floats are rounded to tf32 there.

    *Needs*: linalg on buffers, after jit-gpu-map-attention.
    *Gives*: a gpu.launch, or an op with `jit.library_product` or `jit.library_convolution`, in place of each
    product of at least 16 rows and columns.
    *Refuses*: nothing: products of open sizes stay.
  }];
  let options = [
    multiprocessorsOption,
    warpgroupProductsOption,
    Option<"tf32", "tf32", "bool", "false", "multiply f32 on tensor cores, factors rounded to tf32 (10 bits)">,
    Option<"libraryProducts", "library-products", "bool", "false", "leave plain products to a library">,
    Option<"libraryConvolutions", "library-convolutions", "bool", "false", "leave convolutions to a library">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def MapRows : Pass<"jit-gpu-map-rows", "::mlir::func::FuncOp"> {
  let summary = "Ops on the same rows become one kernel";
  let description = [{
    Softmax, norms, what is computed before and after them: the rows in registers. Where registers are too few, or the
    length of rows is open: a block for each row, which goes along it for each number of the row. Sums across the rows, as
    of columns and of all elements, are a part of that kernel: each block has those of its rows, and they are joined in the order of blocks.

    *Needs*: linalg on buffers, after jit-gpu-map-products.
    *Gives*: a gpu.launch in place of each group of ops on rows.
    *Refuses*: nothing.
  }];
  let options = [multiprocessorsOption];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def MapOps : Pass<"jit-gpu-map-ops", "::mlir::func::FuncOp"> {
  let summary = "Each op that is left becomes a kernel of its own";
  let description = [{
    Elementwise ops: contiguous dimensions become one, and one thread computes as many neighbours as 128 bits
    hold, where strides and alignment allow; a load of a broadcast operand gets the attribute `jit.broadcast`.
    Reductions of very many points to few numbers: pieces in one kernel, joined in a fixed order by a second.
    Other reductions of few long rows: a group of threads for each row, shuffles, a fixed order. Everything else: a
    thread for each element of the output.

    Ops of open sizes: a grid that fills the device once, and strides of it; vectors where the call's sizes allow
    them, else the same elements one by one.

    *Needs*: linalg on buffers, after the other passes that map.
    *Gives*: no linalg but what the plan has a library do.
    *Refuses*: products of open sizes, and open sizes that no operand has.
  }];
  let options = [multiprocessorsOption];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def SinkScalars : Pass<"jit-gpu-sink-scalars", "::mlir::func::FuncOp"> {
  let summary = "Kernels load and compute for themselves the numbers that they need";
  let description = [{
    Loads with `jit.cell`, and pure functions of numbers, are repeated inside of each gpu.launch that uses them.

    *Needs*: gpu.launch; after the passes that map.
    *Gives*: no load with `jit.cell` outside of kernels.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def NcLoads : Pass<"jit-gpu-nc-loads", "::mlir::func::FuncOp"> {
  let summary = "Chooses which loads go through the read-only cache";
  let description = [{
    A load that is chosen gets the attribute `jit.nc`: of operands that are broadcast (the default), of all
    operands, or of none. Memory that the same kernel writes is never read this way.

    *Needs*: gpu.launch as the passes make them that map computations; before jit-plan-memory.
    *Gives*: the same launches, loads marked, no `jit.broadcast`.
    *Refuses*: a policy other than broadcast, all and none.
  }];
  let options = [Option<"policy", "policy", "std::string", "\"broadcast\"", "broadcast, all or none">];
}

def PersistentLoops : Pass<"jit-gpu-persistent-loops", "::mlir::func::FuncOp"> {
  let summary = "A loop of kernels becomes one kernel";
  let description = [{
    A loop whose body is launches, copies and what is computed from its variable becomes a gpu.launch with the attribute
    `jit.cooperative`, which holds the loop. What was a launch is a phase: the blocks that there are go along its grid, and
    threads that it does not have do nothing. Where a phase may depend on what was done since, or overwrite what was read,
    the blocks meet before it: one thread of each counts up a number in memory, which a kernel of one thread sets to 0
    before, and waits until all have. Loads of memory that the loop writes lose `jit.nc`.

    *Needs*: gpu.launch, jit-gpu-nc-loads before it; before jit-plan-memory.
    *Gives*: one gpu.launch in place of each such loop, which walks grids by gpu.grid_dim.
    *Refuses*: nothing. Loops stay that carry buffers, read on the host, ask for memory of open sizes, have other control flow
    in them or phases of more than 8 blocks for each multiprocessor; whose kernels use maps of tensors or groups of four warps,
    share more than 48 KB together, or have barriers in blocks of different sizes.
  }];
  let options = [multiprocessorsOption];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def OutlineKernels : Pass<"jit-gpu-outline", "::mlir::ModuleOp"> {
  let summary = "Moves kernels into a gpu.module";
  let description = [{
    The body of each gpu.launch becomes a gpu.func of the module `kernels`. It takes pointers to whole buffers, open sizes,
    maps of tensors that the device copies by itself, and numbers that only the host has; views, constants and what is computed from them is computed
    inside. Launches of one size whose bodies are equal share a kernel.

    *Needs*: jit-plan-memory and jit-widen-bool before it.
    *Gives*: gpu.launch_func.
    *Refuses*: a captured value that cannot travel; more parameters, maps or blocks than a launch takes.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

#endif // JIT_CODEGEN_KERNELS_PASSES
