//===- Passes.td - the Fuse stage --------------------------*- tablegen -*-===//
#ifndef JIT_FUSE_PASSES_TD
#define JIT_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def JitGuardDivision : Pass<"jit-guard-division", "::mlir::func::FuncOp"> {
  let summary = "Integers that are divided by zero are an exception";
  let description = [{
    Behind each division of integers by what may be zero (rounded, or its remainder) stands a `jit.guard`, with the
    exception that PyTorch raises on CPUs; on GPUs it gives any number, and so do we.

    *Needs:* element types and ranks.

    *Gives:* the same functions, with guards. A division of nothing has none, nor one by a constant other than zero.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

def JitDecompose : Pass<"jit-decompose", "::mlir::ModuleOp"> {
  let summary = "Operators that are made of simpler ones become those";
  let description = [{
    Replaces every operator that has a `decompose` rule by its body, until only pointwise operators and those with
    a lowering of their own are left.

    *Needs:* ranks, element types and whatever constants the bodies ask for.

    *Gives:* the same functions in simpler operators. An operator of which too little is known stays.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::math::MathDialect"];
}

def JitFusePointwise : Pass<"jit-fuse-pointwise", "::mlir::func::FuncOp"> {
  let summary = "Groups the pointwise operators that one pass over the elements can compute";
  let description = [{
    Pointwise operators that feed each other and give tensors of the same sizes become a `jit.group`, however many
    of its values are used outside: a group stores as many results as it has to. An operator joins the group of
    a producer unless something between the two depends on the one and feeds the other. The pass asks
    interfaces alone and names no operator.

    *Needs:* operators decomposed, sizes known.

    *Gives:* the same function; pointwise operators that share a pass stand in one `jit.group`, at the place of the
    last of them. One that shares with no other stays as it is.

    *Refuses:* nothing; what has unknown sizes is left alone.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect"];
}

#endif // JIT_FUSE_PASSES_TD
