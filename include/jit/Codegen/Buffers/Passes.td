//===- Passes.td - from tensors to buffers, and where these lie -*- tablegen -*-===//
#ifndef JIT_CODEGEN_BUFFERS_PASSES
#define JIT_CODEGEN_BUFFERS_PASSES

include "mlir/Pass/PassBase.td"

def HoistInit : Pass<"jit-hoist-init", "::mlir::ModuleOp"> {
  let summary = "Moves what depends on weights alone into NAME.init";
  let description = [{
    Weights have the same bytes at every call, so what is computed from them alone is computed once:
    it moves to a function `@NAME.init`, which takes all `jit.weight` arguments of `@NAME` in order and
    returns the hoisted tensors; `@NAME` receives them as trailing arguments with the attribute
    `jit.packed`. A mere view or broadcast of a weight stays where it is used.

    *Needs*: entries as Lower leaves them, no calls. A tensor whose size a weight says stays where it is, and what follows from it.
    *Gives*: the same entries and at most one `.init` beside each; no weight argument is dropped, used or not.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect"];
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

def ChecksFirst : Pass<"jit-checks-first", "::mlir::func::FuncOp"> {
  let summary = "Checks stand before what they do not need";
  let description = [{
    In a block that puts tensors into parts of others a `jit.guard` moves up, with what it needs, to the one before it or to the last
    operation with effects: a tensor that is computed in the part that it is put into is then computed where the part is known to be one.

    *Needs*: tensor and linalg ops on tensors.
    *Gives*: the same, guards in the same order.
    *Refuses*: nothing.
  }];
}

def EliminateEmpty : Pass<"jit-eliminate-empty", "::mlir::ModuleOp"> {
  let summary = "Computes a tensor in the part of another one that it is put into";
  let description = [{
    As upstream's `eliminate-empty-tensors`; but where an arm of a branch puts a tensor of open sizes, made outside of it, into a part of another one,
    the tensor keeps memory of its own: in the other arm it need not have the sizes of that part. So does a tensor that a loop begins with, too,
    which would not be dense; and one between which and the part a `jit.guard` stands, unless the part is known without it.

    *Needs*: tensor and linalg ops on tensors.
    *Gives*: parts of tensors, `tensor.extract_slice`, in place of `tensor.empty`.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::tensor::TensorDialect"];
}

def InPlaceResults : Pass<"jit-in-place-results", "::mlir::func::FuncOp"> {
  let summary = "Marks results that are written where arguments lie";
  let description = [{
    The new value of a slot, or of an argument that the program writes, is a result of its own, in memory of its
    own: who calls puts it in the place of the old one. Where the function writes parts of the old value, as a cache
    is written, and nothing reads that afterwards, the result is marked `jit.in_place`, with the number of the
    argument: it is computed there, and costs what is written. So is the new value of an argument that is computed
    element by element, which would be copied there else; state has two sides that take turns.

    A call that fails leaves arguments and state as they were. So nothing is marked in front of which stands a write
    and behind which a check or a call of the user's own operators, and nothing where data tell the size of a result,
    for which the caller may have given other memory. Memory that is exhausted may end a call that has written.

    *Needs*: an entry as Lower leaves it, with `jit.outputs`; one of gradients is left alone, for its backward
    function may ask for the old value.
    *Gives*: the same entry; a result that is not marked is as before.
    *Refuses*: nothing.
  }];
}

def DestinationStyle : Pass<"jit-destination-style", "::mlir::func::FuncOp"> {
  let summary = "Gives results a buffer to be computed in";
  let description = [{
    Tensor arguments become memrefs that are read; each result becomes a memref argument with the
    attribute `jit.result` that is written (a scalar one of rank 0). A result of open size is a buffer of
    the function's own, marked `jit.open_result`: made at its start where the sizes follow from those of the
    arguments, otherwise at its end. A result with `jit.in_place` is copied to its argument, then marked `jit.written`, at the very end, and has
    a `jit.result` that nothing writes, if its size is known: bufferization computes it in the argument, which it may
    write, and then nothing is copied. Where it has come to be what an argument was, nothing but that copy writes its argument; of another
    argument that is written it takes a copy first.

    *Needs*: an entry on ranked tensors and scalars with one return.
    *Gives*: a function without tensor types in its signature and without results.
    *Refuses*: other types.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def WriteChains : Pass<"jit-write-chains", "::mlir::func::FuncOp"> {
  let summary = "Makes one buffer of a tensor that many operations after each other write parts of";
  let description = [{
    `x[0] += 1; x[1] += 2; ...` is a chain of tensor.insert_slice. The analysis of bufferization compares each of its
    writes with each read, along the chain: a hundred writes take it half a minute. Of a long chain it gets none: the
    writes are copies into parts of a buffer, in the same order, and what is read between two writes is read from there.

    *Needs*: tensors; after the inits are apart.
    *Gives*: memref.copy into subviews of a memref.alloc for chains of more than `most` writes.
    *Refuses*: nothing; a tensor that is read after the next write, or written by two operations, is no chain.
  }];
  let options = [Option<"most", "most", "int64_t", /*default=*/"32", "writes of a chain that is left to the analysis">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LoopChains : Pass<"jit-loop-chains", "::mlir::func::FuncOp"> {
  let summary = "Copies a tensor that comes through many loops and branches in a row";
  let description = [{
    Before bufferization makes a buffer it asks for its type, which takes it twice through each loop that carries the
    tensor and through both ways of each branch: two to the power of their number. What comes through more than `most` in a
    row is copied, and the copy begins anew.

    *Needs*: tensors; before `jit-carry-in-place`, as what a trip hands on may be such a copy.
    *Gives*: linalg.copy to a bufferization.alloc_tensor behind every loop, branch or selection after `most` others.
    *Refuses*: nothing.
  }];
  let options = [Option<"most", "most", "unsigned", /*default=*/"8", "loops, branches and selections in a row that are left to bufferization">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def BranchSizes : Pass<"jit-branch-sizes", "::mlir::func::FuncOp"> {
  let summary = "Has branches give the sizes of the buffers that they give";
  let description = [{
    A host that runs a plan knows the sizes of arguments and of memory that it asked for, not those of what a branch
    gives.

    *Needs*: buffers.
    *Gives*: one more result of an scf.if for each size that is asked of its results.
    *Refuses*: nothing; a dimension that is not a constant is left as it is.

    Example: test/Codegen/Buffers/branch-sizes.mlir
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def CarryByCopy : Pass<"jit-carry-by-copy", "::mlir::func::FuncOp"> {
  let summary = "Gives the tensors of many loops and branches buffers of their own";
  let description = [{
    One-shot bufferization counts all that may share a buffer as one, and its work grows with the cube of
    that. Where branches and selections give more than a few tensors, each way copies what it gives, and a loop
    copies what it begins with and what it hands on, so that none of them share a buffer. A loop whose trips do
    nothing with a tensor but write elements of it, as sums to places do, hands its buffer on as it is.

    *Needs*: tensors; before empty tensors are eliminated, which analyses the same.
    *Gives*: the same function; where it has few choices nothing is changed.
    *Refuses*: an scf.while whose condition gives a tensor of an open size that the loop does not carry.

    Example: test/Codegen/Buffers/carry-by-copy.mlir
  }];
  let options = [Option<"most", "most", "unsigned", /*default=*/"16", "tensors given by choices that are left to the analysis">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CarryInPlace : Pass<"jit-carry-in-place", "::mlir::func::FuncOp"> {
  let summary = "Makes loops yield into the buffers that they carry";
  let description = [{
    A tensor that scf.for or scf.while hands to its next iteration materializes in the buffer in which it
    came, so that no allocation leaves an iteration. The condition of scf.while forwards
    carried values in their own places. Where one-shot bufferization would find no order of writes and
    reads then, no loop and no branch of the function shares a buffer with another, at a copy each.
    What an iteration hands on as a `bufferization.alloc_tensor` with a copy may have another size than what it was given: the loop carries
    a buffer, and each iteration stores the copy in memory for its size, marked `jit.open_carried`.

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

    *Needs*: memrefs, right after bufferization; results are arguments with `jit.result`, or with `jit.written` where
    one is in the memory of an argument.
    *Gives*: the same function, its last copies independent of their order.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def CollapseUnitDims : Pass<"jit-collapse-unit-dims"> {
  let summary = "Says which unit dimensions a subview drops where its strides leave that open";
  let description = [{
    A rank-reducing `memref.subview` does not name the dimensions that it drops. MemRef's transformations find them by the
    strides that its result lacks; where those are not known, and one of several unit dimensions stays, they may take another
    one than its shape means. Such a subview keeps all dimensions here, and a `memref.collapse_shape` drops them.

    *Needs*: memrefs.
    *Gives*: subviews that mean the same by their shapes as by their strides.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PlanMemory : Pass<"jit-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Places all allocations in one arena by liveness";
  let description = [{
    Every memref.alloc becomes a view at a constant offset of one argument, the arena, which is
    added as the last one with the attribute `jit.arena`. Two buffers share bytes if one
    is dead before the other is first touched; a buffer made outside of a loop lives through all of it.
    A buffer of open size is marked `jit.open_scratch` with the number of the piece of memory it lies in,
    which the runtime keeps from call to call; buffers share pieces by the same rule. One that is marked `jit.open_carried` lives through all of the
    outermost loop that hands it on.

    *Needs*: bufferized code; allocations of identity layout.
    *Gives*: no memref.alloc; the arena's size is the size of its type.
    *Refuses*: another allocation that one iteration of a loop hands to the next.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
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

#endif // JIT_CODEGEN_BUFFERS_PASSES
