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
    could be kept, the smallest number of bytes from which the rest is computed again (a minimum cut). A loop
    whose number of trips only the call tells keeps nothing: each trip backwards runs the trips before it once
    more. A while loop is run once to count its trips.

    Wherever an operator may have broadcast an operand the gradient goes through `aten._grad_sum_to_size`;
    `jit-eliminate-grad-sum-to-size` takes out those where nothing was.

    *Needs:* the output of `jit-infer-types`: ranks and element types known.

    *Gives:* the same function with more results, each an entry `{grad = NAME, value = N}` of `jit.outputs`.
    With `seed=ones` the gradients of the floating outputs are ones: those of the sum of all outputs. With
    `seed=arguments` each floating output that depends on what is differentiated gets one more argument,
    `jit.grad_of = output`.

    *Refuses:* an operator without a gradient (behind a branch on data in the backward passes of calls that came to it), and a loop of values of unknown sizes, each with its Python line.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"forward\"", "The function to differentiate">,
    Option<"seed", "seed", "std::string", "\"ones\"", "Where output gradients come from: ones or arguments">,
    Option<"parameters", "parameters", "bool", "false", "Differentiate by every parameter too">
  ];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def JitExpandGradients : Pass<"jit-expand-gradients", "::mlir::ModuleOp"> {
  let summary = "Computes the gradients that a program itself asks for";
  let description = [{
    Replaces each `aten._gradient`, which is what `torch.autograd.grad` has become, by a backward pass from its outputs to its
    inputs over what stands before it, in its block and in those around it. The first in the program comes first: a gradient
    of a gradient, and that which a caller asks for, is that of what the first has become. Without `create_graph`
    the result is detached. Then it answers `prim.requires_grad`, and takes away `aten._leaf` and `aten._variable`.

    An output or input that requires no gradient, an output of several elements without weight, weights of
    wrong sizes, and an input that no output depends on, are guards that fail, with PyTorch's messages. Where an output
    depends on an input in one way of a branch alone, or in none of the trips of a loop, its gradient is zeros.

    *Needs:* the output of `jit-functionalize` and `jit-infer-types`.

    *Gives:* the function without gradients that it asks for.

    *Refuses:* what `jit-differentiate` refuses; a gradient by what was computed before a loop around it, through
    what the loop carries; an input of a call with `allow_unused` that turns out unused this late, or of which the data tell;
    and a tensor of which the data tell whether it requires a gradient.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def JitEliminateGradSumToSize : Pass<"jit-eliminate-grad-sum-to-size", "::mlir::func::FuncOp"> {
  let summary = "Takes out the sums where nothing was broadcast";
  let description = [{
    `aten._size_if_not_equal` of sizes that are known becomes None or a constant, and `aten._grad_sum_to_size`
    with None becomes the gradient itself. A sum that a second sum follows disappears in it.

    *Needs:* a differentiated function.

    *Gives:* the function without the sums that types or arguments decide. Remarks say of each one that stays why:
    the operand was broadcast, or its size is only known at run time.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

def JitMergeGradSumToSize : Pass<"jit-merge-grad-sum-to-size", "::mlir::func::FuncOp"> {
  let summary = "One sum where two give the same";
  let description = [{
    Two sums of one gradient to one size are one sum (the two biases of an LSTM cell), and a sum of two sums
    to one size is the sum of what they sum: one reduction after one addition.

    *Needs:* a differentiated function, sums with known sizes.

    *Gives:* the function with fewer sums. Sums to sizes that are only known at run time are left alone.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

def JitMoveGradSumToSize : Pass<"jit-move-grad-sum-to-size", "::mlir::func::FuncOp"> {
  let summary = "Moves sums behind the pointwise operators that follow them";
  let description = [{
    A sum in the middle of a chain of pointwise operators splits what could be one kernel. It moves behind an
    operator that is linear in it, as long as the other operand does not vary over what is summed: `sum(g) * y`
    is `sum(g * y)` where `y` has size 1, or no dimension, wherever the sum runs.

    It moves only where what is summed comes from a pointwise operator and goes nowhere else, so that the work
    joins that kernel. It does not move past an addition, whose other addend would be added as many times as elements are
    summed, unless that is such a sum itself (`jit-merge-grad-sum-to-size`); nor past an operator of which only
    the run time knows the sizes.

    *Needs:* a differentiated function, sums with known sizes.

    *Gives:* the same gradients, sums as late as they may be.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

def JitPropagateAbsent : Pass<"jit-propagate-absent", "::mlir::func::FuncOp"> {
  let summary = "Takes out what gradients that are not there would have computed";
  let description = [{
    `jit.absent` stands for zeros. In a function with arguments `jit.grad_of`, which is linear in them together, whatever
    depends on absent gradients alone is absent again, through operators, branches and loops. In any other function an
    operator that is linear in an absent operand, beside zeros, gives `jit.absent`, and so does a branch or loop of which
    all that may come is absent or zeros. A sum with it is the other addend, and what no other use needs disappears with
    it. Where an operator needs the zeros, or the function returns them, they become zeros.

    *Needs:* a function specialised by arguments of which some are `undef`, or a backward function with `jit.absent`.

    *Gives:* the function without `jit.absent`.

    *Refuses:* an absent tensor of unknown sizes that an operator needs as zeros.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

def JitPartitionGradients : Pass<"jit-partition-gradients", "::mlir::ModuleOp"> {
  let summary = "Splits a differentiated function into forward and backward";
  let description = [{
    What depends on an argument `jit.grad_of` moves to a function `ENTRY.backward`. What that needs of the
    forward pass becomes results of the entry and arguments of the backward function, `jit.residual = N` on
    both, chosen by a minimum cut on bytes: cheap operators run again rather than keep a bigger tensor. Of a
    broadcast only `aten._size_if_not_equal` is kept, an Optional list of sizes: None in a call that broadcast
    nothing, and the backward function specialised by that has no sum.

    *Needs:* the output of `jit-differentiate=seed=arguments`.

    *Gives:* two functions. The backward function's arguments are the gradients of the outputs, then the
    residuals; its results the gradients. Of an argument that is never given, by `absent`, it has `jit.absent`
    instead.

    *Refuses:* a function none of whose results is a gradient.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"forward\"", "The function to split">,
    ListOption<"absent", "absent", "int64_t", "Results whose gradients the backward function is not given">,
  ];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def JitAddOptimizerSteps : Pass<"jit-add-optimizer-steps", "::mlir::ModuleOp"> {
  let summary = "Makes a method that returns a loss a training step";
  let description = [{
    Every parameter that the method reads becomes an argument and a result with its slot, the result a
    `jit.optimizer_step` of it. What the optimizer carries from step to step is new slots: `optimizer.step`, and
    for each parameter, by PyTorch's names, `optimizer.exp_avg.NAME`, `optimizer.exp_avg_sq.NAME` or
    `optimizer.momentum_buffer.NAME`, all of them zeros at first.

    *Needs:* a functionalised program.

    *Gives:* the method with that state as last arguments and results.

    *Refuses:* a method whose first result is no tensor, or that reads no parameter; an optimizer of another name;
    parameters that were saved in the memory of other state.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"forward\"", "The method that returns the loss">,
    Option<"optimizer", "optimizer", "std::string", "\"sgd\"", "sgd, adam or adamw">,
    Option<"lr", "lr", "double", "1e-3", "Learning rate">,
    Option<"weightDecay", "weight-decay", "double", "0", "Weight decay">,
    Option<"momentum", "momentum", "double", "0", "Momentum (sgd)">,
    Option<"dampening", "dampening", "double", "0", "Dampening of the momentum (sgd)">,
    Option<"nesterov", "nesterov", "bool", "false", "Nesterov momentum (sgd)">,
    Option<"beta1", "beta1", "double", "0.9", "Decay of the first average (adam, adamw)">,
    Option<"beta2", "beta2", "double", "0.999", "Decay of the second average (adam, adamw)">,
    Option<"eps", "eps", "double", "1e-8", "Added to the denominator (adam, adamw)">
  ];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

def JitExpandOptimizerSteps : Pass<"jit-expand-optimizer-steps", "::mlir::ModuleOp"> {
  let summary = "Computes the gradients that optimizer steps ask for, and the steps";
  let description = [{
    Differentiates the loss by all parameters at once, and replaces each `jit.optimizer_step` by its arithmetic.

    *Needs:* the output of `jit-infer-types`.

    *Gives:* the function without `jit.optimizer_step`: forward, backward and update in one.

    *Refuses:* a loss of more than one element, and what `jit-differentiate` refuses.
  }];
  let options = [Option<"entry", "entry", "std::string", "\"forward\"", "The function to expand">];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // JIT_AUTODIFF_PASSES_TD
