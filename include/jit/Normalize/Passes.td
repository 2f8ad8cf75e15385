//===- Passes.td - the passes of the stage Normalize -------*- tablegen -*-===//
#ifndef JIT_NORMALIZE_PASSES_TD
#define JIT_NORMALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

class NormalizePass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = ["::jit::JitDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect"];
}

def InlineMethodsPass : NormalizePass<"jit-inline-methods"> {
  let summary = "Every call becomes the body of what it calls";
  let description = [{
    *Needs* private functions of one block each, called by name from public ones.
    *Gives* the public functions alone, without calls. A location inlined keeps the location of its call.
    *Refuses* recursion, naming its cycle, a call of a function that has no body, calls nested too deep, and
    programs that grow too far: a few lines that call each other twice would fill any memory.

    Example: test/Normalize/inline-methods.mlir
  }];
  let options = [
    Option<"maxGrowth", "max-growth", "int64_t", "maxInlinedOperations",
           "Operations that inlining may make, beside sixteen times those that the program has">,
    Option<"maxDepth", "max-depth", "unsigned", "maxCallDepth", "Calls within calls">,
    Option<"maxRegions", "max-regions", "unsigned", "maxRegionDepth", "Branches and loops within each other">
  ];
}

def LowerOpaquePass : NormalizePass<"jit-lower-opaque"> {
  let summary = "Nodes of a printed graph that are not known become errors of the calls that get to them";
  let description = [{
    *Needs* functions without calls.
    *Gives* `jit.missing` for each result of a `jit.opaque` that something uses, or for the node itself.
    *Refuses* a node that takes the module: no call gets as far as to it.

    Example: test/Normalize/lower-opaque.mlir
  }];
}

def ResolveObjectsPass : NormalizePass<"jit-resolve-objects"> {
  let summary = "Attributes of objects become slots of module state, or values";
  let description = [{
    *Needs* functions without calls.
    *Gives* functions without objects: the argument marked `jit.self` is gone, an attribute reached from it
    through submodules is a slot under its path (shared submodules under their first one), and the attributes
    of an object that is made in the function are the values last assigned to them. The module says which paths are second
    ones (`jit.aliases`). A slot with `jit.attributes`
    holds an object, or None, as the tuple of its attributes.
    *Refuses* an attribute without a slot, an object that is not the same one whichever way was taken, and an
    object that changes once a slot holds it.

    Example: test/Normalize/resolve-objects.mlir
  }];
}

def ResolveGradModePass : NormalizePass<"jit-resolve-grad-mode"> {
  let summary = "What is computed where gradients are off has none";
  let description = [{
    *Needs* functions without calls and objects: a mode that a caller sets holds for what it calls.
    *Gives* functions that neither set nor read the mode. What an operator computes while it is off goes through
    `aten.detach`; a write keeps the gradient of what it is written to, as that of the new elements is not recorded
    (`aten._with_elements`), and so do a tensor whose sizes change in place and an out= tensor, which may take those of
    the result: their `jit.become` and `jit.overwrite` have `jit.gradients_off`; so do, in any mode, `x.logical_not_()` and its kin, of which autograd knows nothing. A mode
    that depends on a value is a branch on that value. At the beginning of a function the mode is on.
    *Refuses* an operator that makes a list of a list of unknown length while the mode is off.

    Example: test/Normalize/resolve-grad-mode.mlir
  }];
}

def ResolveAutocastPass : NormalizePass<"jit-resolve-autocast"> {
  let summary = "Regions of automatic precision become casts of operands";
  let description = [{
    *Needs* functions without calls and objects, as a region that a caller enters holds for what it calls, and constants folded:
    a region's arguments are some of them.
    *Gives* functions that neither set nor read the state of autocast. What an operator takes where it is enabled goes
    through `jit.autocast_to`, which becomes a conversion, or nothing, once a call says which device its tensors are on and
    what elements they have. Which operators, and to which element type: `lib/Dialect/Aten/AutocastPolicy.cpp`. What PyTorch
    makes of several operators has `jit.autocast`, so that the casts are made as it becomes them. A write by an operator, in
    place or through `out=`, is none of a region's. At the beginning of a function autocast is disabled.
    *Refuses* a device that is not known; where autocast may be enabled, operators that PyTorch refuses there, or makes of
    parts that ours are not made of, become errors of the calls that get to them.

    Example: test/Normalize/resolve-autocast.mlir
  }];
}

def ExposeSavedMemoryPass : NormalizePass<"jit-expose-saved-memory"> {
  let summary = "Slots that were saved in one memory are parts of one slot";
  let description = [{
    *Needs* module state in slots.
    *Gives* `jit.part_of`, the name of a slot that has all of the memory, on the slots that were saved in one record of
    the archive where calls may see that: one of several is written in place, or `as_strided` shows whatever lies in the
    memory that state is a part of. That slot is one of them or a new one, `@"x/memory"`, which has no path in the
    program.
    *Refuses* nothing. Parameters, complex numbers, elements of lists and slots of several element types stay as they are.

    Example: test/Normalize/expose-saved-memory.mlir
  }];
}

def FreezePass : NormalizePass<"jit-freeze"> {
  let summary = "Module state that nothing writes becomes constants and weights";
  let description = [{
    *Needs* module state in slots.
    *Gives* `jit.mutable` on each slot that some function may write, by assignment or in place. Any other
    is frozen: a tensor is read under the precise type of its slot, anything else is a constant. Of slots that
    are in one memory, or that some order of calls may leave there, each has `jit.shares`, the first one's name, and all
    are written if any is; `jit.unobserved` where no method could tell. `jit.written_in_place` on each that a method writes in place.
    *Refuses* an initial value that does not fit its type.

    Example: test/Normalize/freeze.mlir
  }];
}

def LowerExceptionsPass : NormalizePass<"jit-lower-exceptions"> {
  let summary = "Exceptions become guards";
  let description = [{
    *Needs* functions without calls.
    *Gives* a `jit.guard` for each `jit.raise`, with the same class and the message as a template over
    scalars. Where one way of a branch raises, the other one follows the guard unconditionally; nothing
    follows an exception that is raised for certain.
    *Refuses* nothing.

    Example: test/Normalize/lower-exceptions.mlir
  }];
}

def LowerTuplesPass : NormalizePass<"jit-lower-tuples"> {
  let summary = "Tuples and complex numbers become their elements, through branches and loops";
  let description = [{
    *Needs* structured control flow.
    *Gives* branches and loops that hand on the elements of tuples, and the parts of complex numbers. Either
    stays where it is an argument or result of a function, an element of a list, or under an Optional.
    *Refuses* nothing.

    Example: test/Normalize/lower-tuples.mlir
  }];
}

def FoldKnownPass : NormalizePass<"jit-fold-known"> {
  let summary = "Folds what is known, and drops the branches that are not taken";
  let description = [{
    *Needs* nothing; tensors and lists may still be written in place.
    *Gives* the same program with operators on scalars as arithmetic, operators on known values as values, and
    branches on constants gone. Equal operations are not merged: a tensor may be written between them. Questions about strides stay: a call answers them. So here, and
    only here, one value is one object for `is`; of two results of a branch each arm says whether they are.
    *Refuses* nothing.

    Example: test/Normalize/fold-known.mlir
  }];
}

def ExposeBatchNormPass : NormalizePass<"jit-expose-batch-norm"> {
  let summary = "What batch norm does to its running statistics becomes a write";
  let description = [{
    In training `aten.batch_norm` updates its running mean and variance, which its schema does not say.
    *Needs* constants folded: `training` is one where the flag of the module is frozen.
    *Gives* for each training batch norm with running statistics the operator that gives them as results, and
    a `jit.overwrite` of each.
    *Refuses* nothing.

    Example: test/Normalize/expose-batch-norm.mlir
  }];
}

def SetTrainingPass : NormalizePass<"jit-set-training"> {
  let summary = "Puts every module in training mode";
  let description = [{
    *Needs* an imported program.
    *Gives* the same program, each flag `training` of a module true: what `module.train()` does.
    *Refuses* nothing.

    Example: test/Normalize/set-training.mlir
  }];
}

def SeedRandomPass : NormalizePass<"jit-seed-random"> {
  let summary = "Random operators draw from the module's state";
  let description = [{
    *Needs* module state in slots, and frozen flags.
    *Gives* functions whose only random operator is `aten.rand.generator`, with the number of the draw as its generator: a
    float slot that each draw reads and increments, so that the calls of one session go on drawing and a new session, or
    one that was reset, repeats them. Where only the call says whether it trains, dropout becomes a branch. Attention
    and recurrent networks that drop out are made of such that do not, and dropout.
    *Refuses* nothing: an operator that draws with parameters that are not constants stays, and is refused later.

    Example: test/Normalize/seed-random.mlir
  }];
}

#endif // JIT_NORMALIZE_PASSES_TD
