//===- Passes.td - loops of CPUs and their threads ---------*- tablegen -*-===//
#ifndef JIT_CODEGEN_LOOPS_PASSES
#define JIT_CODEGEN_LOOPS_PASSES

include "mlir/Pass/PassBase.td"

def FuseLoops : Pass<"jit-fuse-loops", "::mlir::func::FuncOp"> {
  let summary = "Fuses elementwise linalg ops into their consumers";
  let description = [{
    Named linalg ops that are elementwise become linalg.generic, then an elementwise producer with one
    user is computed inside that user, unless that would repeat work. An elementwise op writes over
    an operand that nothing else reads. Contractions, convolutions and pooling stay named for the
    passes that know them. Tensor ops that have no buffer form are decomposed. A reduction that gives one number whatever it reads keeps
    what it begins with where it may read nothing.

    *Needs*: linalg and tensor ops on tensors.
    *Gives*: fewer, larger linalg.generic.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitLoops : Pass<"jit-split-loops", "::mlir::func::FuncOp"> {
  let summary = "Cuts reductions into parts that threads can share";
  let description = [{
    A reduction with less than a few independent iterations, such as a sum over all elements or over
    the batch, gets them: its longest run of results is cut into parts, or else the reduction is, and partial
    results are combined after it. Parts are by size alone, so that any number of threads gives the same bits.

    *Needs*: linalg ops on memrefs; reductions of one combining op per output.
    *Gives*: reductions with an outer parallel dimension.
    *Refuses*: nothing; sizes that no number of parts divides stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def FuseRows : Pass<"jit-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Runs ops that share their outer loops row by row";
  let description = [{
    Ops beside each other that write and read the same places of memory in the same iteration of some outer
    loops become one scf.parallel over these, with `jit.flops`: what one op leaves of a row is in
    the first-level cache when the next one reads it. That holds for reductions along rows and what is computed
    from their results, such as softmax and norms, and for channels. A buffer that only the
    group uses shrinks to one row, a memref.alloca, where that is small.

    *Needs*: linalg ops on memrefs; buffers of static size and layout.
    *Gives*: the same ops on views of rows, inside of loops.
    *Refuses*: nothing; windows, gathers and open sizes stay as they are.
  }];
  let options = [Option<"chains", "chains", "bool", "false", "only from product to product, by tiles of rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def PrefetchRows : Pass<"jit-prefetch-rows", "::mlir::func::FuncOp"> {
  let summary = "Reads the next row while this one is computed";
  let description = [{
    In a loop over rows as jit-fuse-rows makes it, whose buffers together exceed a cache, the costliest elementwise op
    on a row is cut into chunks. Ahead of each chunk memref.prefetch asks for as much of the next row of each buffer that is
    read, and of this row of those that are written later in the iteration.

    *Needs*: scf.parallel over rows of static size; linalg ops on memrefs in it.
    *Gives*: the same loop with an scf.for over chunks and prefetches.
    *Refuses*: nothing; rows under 1 KiB, rows that together exceed 16 KiB and sizes without a divisor from 64 to 128 stay as
    they are.
  }];
  let options = [Option<"cacheBytes", "cache-bytes", "int64_t", "1048576",
                        "Buffers of fewer bytes are taken to be in a cache">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerStructured : Pass<"jit-lower-structured", "::mlir::func::FuncOp"> {
  let summary = "Turns the remaining linalg ops into loops that LLVM can vectorise";
  let description = [{
    Dimensions that are contiguous for every operand are collapsed; the dimension that most
    operands walk with stride one becomes the innermost loop; trailing reductions accumulate in
    registers, with reassociation allowed for float sums and products; outer parallel dimensions
    become one scf.parallel with the attribute `jit.flops`, the number of scalar operations in it.
    Copies between views become loops as well.

    *Needs*: linalg ops on memrefs.
    *Gives*: scf, affine.apply, memref and arith ops; no linalg.
    *Refuses*: operands that are tensors.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def EmitEntry : Pass<"jit-emit-entry", "::mlir::ModuleOp"> {
  let summary = "Gives entries the C interface of compiled code";
  let description = [{
    A public function becomes `int32_t NAME(jit_call *, void *const *args)`: arguments, results, packed
    buffers and the arena are pointers in `args`, in that order. Its sizes are kept as the attributes
    `jit.packed_bytes` and `jit.arena_bytes`, the pointers that the code reads as `jit.read_places`. Where types leave sizes of arguments open, a pointer to
    these follows, an i64 each, in order. The memory of buffers of open size comes from the runtime:
    jit_rt_result for results, jit_rt_scratch for others.

    *Needs*: the signature that jit-destination-style and jit-plan-memory leave.
    *Gives*: a function of two pointers that returns an i32.
    *Refuses*: argument types that are neither memref, i64, f64 nor i1.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect", "::jit::JitDialect"];
}

def OutlineParallel : Pass<"jit-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Turns large parallel loops into functions that the runtime's threads share";
  let description = [{
    An outermost scf.parallel with at least `threshold` scalar operations becomes a function
    `(closure, begin, end)` and a call of jit_rt_parallel_for; its dimensions are walked as one.
    Views are made again inside, so that only base pointers, places in the arena and scalars travel in the
    closure. Equal loops share one function. So do, with `share-sizes`, those that differ in nothing but sizes, strides and offsets: what they differ in
    is a table of constants for each, behind the closure's last word. Every other scf.parallel becomes scf.for.
    A serial loop around loops that only fill memory is marked so that LLVM does not unroll it.

    *Needs*: jit-emit-entry before it; iterations that are independent and free of jit.guard.
    *Gives*: no scf.parallel.
    *Refuses*: nothing: what cannot be outlined runs on the calling thread.
  }];
  let options = [
    Option<"threshold", "threshold", "int64_t", "65536",
           "scalar operations below which a loop stays serial; negative: all stay serial">,
    Option<"shareSizes", "share-sizes", "bool", "true",
           "whether loops that differ in sizes alone are one function">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def OutlineLoops : Pass<"jit-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Turns the loops of large functions into functions, those of one shape into one";
  let description = [{
    An outermost loop of an entry with more than `largest` operations becomes a function of a closure and a call. Layers
    that differ only in where their buffers lie and in their sizes then share their code, as in jit-outline-parallel, and no function is so large that compiling
    it takes more than a time in proportion to its size. What is computed from a loop's results goes with it. A loop that calls, or that guards, stays where it is; loops inside of it
    become functions where it is itself larger than `largest`.

    *Needs*: jit-outline-parallel before it.
    *Gives*: functions `NAME.loopN` that are not inlined again.
    *Refuses*: nothing: what cannot be outlined stays.
  }];
  let options = [
    Option<"largest", "largest", "int64_t", "400", "operations of an entry whose loops stay">,
    Option<"shareSizes", "share-sizes", "bool", "true",
           "whether loops that differ in sizes alone are one function">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def MarkAliasing : Pass<"jit-mark-aliasing", "::mlir::func::FuncOp"> {
  let summary = "Tells LLVM which loads and stores never overlap";
  let description = [{
    Each memref.load and memref.store gets alias scopes as attributes (kept by
    jit-convert-to-llvm): two different pointers of an entry never overlap, nor do two ranges of
    the arena that have no byte in common.

    *Needs*: base pointers marked `jit.root` by jit-emit-entry and jit-outline-parallel.
    *Gives*: attributes `jit.scope` and `jit.noalias`; accesses of unknown origin have none.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // JIT_CODEGEN_LOOPS_PASSES
