//===- Passes.td - the Autodiff stage ----------------------*- tablegen -*-===//
#ifndef JIT_AUTODIFF_PASSES_TD
#define JIT_AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def JitDifferentiate : Pass<"jit-differentiate", "::mlir::ModuleOp"> {
  let summary = "Adds to a function the gradients of what it computes";
  let description = [{
    Appends the backward pass to a specialised function, so that one graph holds both. Arguments marked
    `jit.requires_grad`, and with `parameters` every slot that is a parameter, get one more result each: the
    gradient. Rules are the operators' `grads`; an operator without goes through its decomposition, a view
    through its `scatter`. Branches become branches on the same condition, loops become loops that run
    backwards; what they need of the forward pass is kept in buffers with one slice per trip, and of what
    could be kept, the smallest number of bytes from which the rest is computed again (a minimum cut).

    Wherever an operator may have broadcast an operand the gradient goes through `aten._grad_sum_to_size`;
    `jit-eliminate-grad-sum-to-size` takes out those where nothing was.

    *Needs:* the output of `jit-infer-types`: ranks and element types known.

    *Gives:* the same function with more results, each an entry `{grad = NAME, value = N}` of `jit.outputs`.
    With `seed=ones` the gradients of the floating outputs are ones: those of the sum of all outputs. With
    `seed=arguments` each floating output that depends on what is differentiated gets one more argument,
    `jit.grad_of = output`.

    *Refuses:* an operator without a gradient, and a loop whose number of trips only the data tell, each with
    its Python line.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"forward\"", "The function to differentiate">,
    Option<"seed", "seed", "std::string", "\"ones\"", "Where output gradients come from: ones or arguments">,
    Option<"parameters", "parameters", "bool", "false", "Differentiate by every parameter too">
  ];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def JitEliminateGradSumToSize : Pass<"jit-eliminate-grad-sum-to-size", "::mlir::func::FuncOp"> {
  let summary = "Takes out the sums where nothing was broadcast";
  let description = [{
    `aten._size_if_not_equal` of sizes that are known becomes None or a constant, and `aten._grad_sum_to_size`
    with None becomes the gradient itself. A sum that a second sum follows disappears in it.

    *Needs:* a differentiated function.

    *Gives:* the function without the sums that types or arguments decide. With `remarks` each one that stays
    says why: the operand was broadcast, or its size is only known at run time.
  }];
  let options = [Option<"remarks", "remarks", "bool", "false", "Say of each sum that stays why">];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

#endif // JIT_AUTODIFF_PASSES_TD
