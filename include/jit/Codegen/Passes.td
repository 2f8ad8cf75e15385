//===- Passes.td - tensors to machine code for CPUs --------*- tablegen -*-===//
#ifndef JIT_CODEGEN_PASSES
#define JIT_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def HoistInit : Pass<"jit-hoist-init", "::mlir::ModuleOp"> {
  let summary = "Moves what depends on weights alone into NAME.init";
  let description = [{
    Weights have the same bytes at every call, so what is computed from them alone is computed once:
    it moves to a function `@NAME.init`, which takes all `jit.weight` arguments of `@NAME` in order and
    returns the hoisted tensors; `@NAME` receives them as trailing arguments with the attribute
    `jit.packed`. A mere view or broadcast of a weight stays where it is used.

    *Needs*: entries as Lower leaves them: tensors of static shape, no calls.
    *Gives*: the same entries and at most one `.init` beside each; no weight argument is dropped, used or not.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect"];
}

def FuseLoops : Pass<"jit-fuse-loops", "::mlir::func::FuncOp"> {
  let summary = "Fuses elementwise linalg ops into their consumers";
  let description = [{
    Named linalg ops that are elementwise become linalg.generic, then an elementwise producer with one
    user is computed inside that user, unless that would repeat work. An elementwise op writes over
    an operand that nothing else reads. Contractions, convolutions and pooling stay named for the
    passes that know them. Tensor ops that have no buffer form are decomposed.

    *Needs*: linalg and tensor ops on tensors.
    *Gives*: fewer, larger linalg.generic.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DestinationStyle : Pass<"jit-destination-style", "::mlir::func::FuncOp"> {
  let summary = "Gives results a buffer to be computed in";
  let description = [{
    Tensor arguments become memrefs that are read; each result becomes a memref argument with the
    attribute `jit.result` that is written (a scalar one of rank 0). A result of open size is a buffer of
    the function's own, marked `jit.open_result`: made at its start where the sizes follow from those of the
    arguments, otherwise at its end.

    *Needs*: an entry on ranked tensors and scalars with one return.
    *Gives*: a function without tensor types in its signature and without results.
    *Refuses*: other types.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def SeparateInits : Pass<"jit-separate-inits", "::mlir::func::FuncOp"> {
  let summary = "Gives each computation a tensor of its own to write over";
  let description = [{
    An empty or filled tensor that several ops write over is made again for each of them, and inside of a loop
    for one that writes over it there: sharing it would mean a copy for all but one.

    *Needs*: linalg and tensor ops on tensors; no common subexpressions eliminated later.
    *Gives*: tensor.empty, and linalg.fill of it, with one writer each.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CarryInPlace : Pass<"jit-carry-in-place", "::mlir::func::FuncOp"> {
  let summary = "Makes loops yield into the buffers that they carry";
  let description = [{
    A tensor that scf.for or scf.while hands to its next iteration materializes in the buffer in which it
    came, so that no allocation leaves an iteration. The condition of scf.while forwards
    carried values in their own places.

    *Needs*: tensors; after empty tensors are eliminated, for a destination that an iteration still reads
    cannot be given away.
    *Gives*: loops that one-shot bufferization accepts without allocations in their yields.
    *Refuses*: an scf.while whose condition gives a tensor of an open size that the loop does not carry.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def VerifyModule : Pass<"jit-verify-module", "::mlir::ModuleOp"> {
  let summary = "Verifies the module, whatever the pass manager was told";
  let description = [{
    Stands before Codegen, and behind the bufferisation, which guesses types of buffers before it makes them.
    Where something does not fit, what is built further on may be well formed and compute something else.

    *Needs*: nothing.
    *Gives*: the same module.
    *Refuses*: what is not well formed, with the verifier's words.
  }];
}

def SeparateResults : Pass<"jit-separate-results", "::mlir::func::FuncOp"> {
  let summary = "Keeps the copy into one result from overwriting what another is copied from";
  let description = [{
    Bufferization may compute one result in the buffer of another one, and does not see that the copies at
    the end of the function write those buffers. What a copy reads from a result that an earlier copy has
    overwritten is taken aside first. What would copy a result to itself is removed.

    *Needs*: memrefs, right after bufferization; results are arguments with `jit.result`.
    *Gives*: the same function, its last copies independent of their order.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
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

def PlanMemory : Pass<"jit-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Places all allocations in one arena by liveness";
  let description = [{
    Every memref.alloc becomes a view at a constant offset of one argument, the arena, which is
    added as the last one with the attribute `jit.arena`. Two buffers share bytes if one
    is dead before the other is first touched; a buffer made outside of a loop lives through all of it.
    A buffer of open size is marked `jit.open_scratch` with the number of the piece of memory it lies in,
    which the runtime keeps from call to call; buffers share pieces by the same rule.

    *Needs*: bufferized code; allocations of identity layout.
    *Gives*: no memref.alloc; the arena's size is the size of its type.
    *Refuses*: an allocation that one iteration of a loop hands to the next.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
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

def ExpandMath : Pass<"jit-expand-math", "::mlir::func::FuncOp"> {
  let summary = "Replaces math functions by arithmetic that vectorises";
  let description = [{
    exp, tanh, log, erf, sin, cos and their like on f32 become polynomials of a few ulp; f16 and bf16
    are computed in f32, and converted by integer arithmetic where the machine has no instruction for it; other
    functions are left for the C library. Float multiply and add may
    contract to a fused multiply-add.

    *Needs*: math and arith ops on scalars or vectors.
    *Gives*: arith ops, and math ops that LLVM or the C library has.
    *Refuses*: nothing.
  }];
  let options = [Option<"ldexp", "ldexp", "bool", "false",
                        "The machine multiplies a vector by powers of two: AVX-512's scalef">,
                 Option<"f16", "f16", "bool", "true", "The machine converts f16 and f32 into each other">,
                 Option<"bf16", "bf16", "bool", "true", "The machine rounds f32 to bf16">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

def WidenBool : Pass<"jit-widen-bool", "::mlir::ModuleOp"> {
  let summary = "Stores booleans as bytes";
  let description = [{
    LLVM packs vectors of i1 into bits in memory, PyTorch stores one byte each. Buffers of i1 become
    buffers of i8; loads truncate and stores extend.

    *Needs*: loops over memrefs (no linalg).
    *Gives*: no memref of i1.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
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
    closure. Loops of one shape, which differ in nothing but sizes, strides and offsets, share one function: what they differ in
    is a table of constants for each, behind the closure's last word. Every other scf.parallel becomes scf.for.
    A serial loop around loops that only fill memory is marked so that LLVM does not unroll it.

    *Needs*: jit-emit-entry before it; iterations that are independent and free of jit.guard.
    *Gives*: no scf.parallel.
    *Refuses*: nothing: what cannot be outlined runs on the calling thread.
  }];
  let options = [
    Option<"threshold", "threshold", "int64_t", "65536",
           "scalar operations below which a loop stays serial; negative: all stay serial">
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
    it takes more than a time in proportion to its size. A loop that calls, or that guards, stays where it is; loops inside of it
    become functions where it is itself larger than `largest`.

    *Needs*: jit-outline-parallel before it.
    *Gives*: functions `NAME.loopN` that are not inlined again.
    *Refuses*: nothing: what cannot be outlined stays.
  }];
  let options = [
    Option<"largest", "largest", "int64_t", "400", "operations of an entry whose loops stay">
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

#endif // JIT_CODEGEN_PASSES
