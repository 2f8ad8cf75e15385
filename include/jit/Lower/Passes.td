//===- Passes.td - from PyTorch's operators to loops over tensors -*- tablegen -*-===//
#ifndef JIT_LOWER_PASSES_TD
#define JIT_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerPass : Pass<"jit-lower", "::mlir::ModuleOp"> {
  let summary = "Operators become linalg, tensor, arith and math on builtin tensors";
  let description = [{
    *Needs* functions as Specialize gives them: tensors of static type and numbers as arguments and results,
    control flow in scf, nothing mutated, and module state either an argument or the `jit.slot_get` of a
    frozen tensor slot. In a function with `jit.symbolic` many operators take sizes that types leave open
    from their operands; where these have to agree and types do not say so, a `jit.guard` of the class
    `jit.UnequalSizes` compares them.

    *Gives* functions on builtin tensors: bodies of linalg, tensor, arith, math and scf, `foreign.call` of a user's own
    operators, and `jit.guard` with numbers alone as its arguments. Each frozen slot that a function reads is one more argument at its end
    with the attribute `jit.weight = "path"`. Unsigned elements are
    signless integers, floats of eight bits their bits; arguments and results of these carry
    `jit.dtype`, PyTorch's number of the type.

    A loop in a function without `jit.symbolic` may carry a tensor whose size only data tell from trip to trip in another size: with
    `carries-sizes` what it hands on, and what it begins with, is a `bufferization.alloc_tensor` with a copy, else a `jit.guard` compares sizes.

    *Refuses* tensors whose rank or element type is not known, open sizes elsewhere, values other than tensors and numbers
    among arguments and results, and operators without a lowering.
  }];
  let options = [Option<"carriesSizes", "carries-sizes", "bool", "true",
                        "Loops may carry tensors whose sizes change, which code for GPUs does not take">];
  let dependentDialects = ["::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::jit::foreign::ForeignDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def JitHoistGuards : Pass<"jit-hoist-guards", "::mlir::func::FuncOp"> {
  let summary = "Checks of sizes stand before what they check, which counts on them";
  let description = [{
    A `jit.guard` that asks for nothing but sizes moves up to the guard before it, or to the function's
    beginning: what it passes has no effects. Behind a guard of `a == b` the two are one value; a tensor whose
    size along a dimension is known by it has that size in its type.

    *Needs*: what Lower gives.
    *Gives*: the same, guards in the same order.
    *Refuses*: nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // JIT_LOWER_PASSES_TD
