//===- Passes.td - the passes of the stage Functionalize ---*- tablegen -*-===//
#ifndef JIT_FUNCTIONALIZE_PASSES_TD
#define JIT_FUNCTIONALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

class FunctionalizePass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::func::FuncDialect"];
}

def PromoteSlotsPass : FunctionalizePass<"jit-promote-slots"> {
  let summary = "Module state that changes becomes arguments and results";
  let description = [{
    *Needs* slots marked `jit.mutable` where some function may write them.
    *Gives* each of them that a function uses as a last argument of it with the attribute `jit.slot`, and as a
    last result with the same attribute if the function may write it, or a slot that it may share memory with
    (`jit.shares`). Sizes and element type of its type are not known: both may change from call to call. The
    initial value stays in the slot.
    *Refuses* control flow other than scf.if, scf.for and scf.while.

    Example: test/Functionalize/promote-slots.mlir
  }];
}

def ElementViewsPass : FunctionalizePass<"jit-element-views"> {
  let summary = "Parts of a tensor that is written become views of their own";
  let description = [{
    *Needs* nothing.
    *Gives* a select or a slice of the tensor for each element that the program takes out of what `aten.unbind`,
    `aten.chunk` or `aten.split` makes of a tensor whose memory is written, and a guard that there are as many as
    are unpacked. Writes to the parts are writes to the tensor then.
    *Refuses* nothing: elements at places that may be counted from the back stay elements of a list, and so do all of a
    function that changes sizes in place: an element is one tensor there, however often it is taken.

    Example: test/Functionalize/element-views.mlir
  }];
}

def FunctionalizeListsPass : FunctionalizePass<"jit-functionalize-lists"> {
  let summary = "Lists and dicts that change become new ones";
  let description = [{
    *Needs* module state as arguments and results.
    *Gives* `jit.list_append`, which gives the new list, for each `jit.append`, and the new content for each
    `jit.replace`. A list or dict that is an argument and changes is handed back as a last result with the attribute
    `jit.mutates`.
    A list or dict that changes while what may be the same one is used by another name, such as an element of a list,
    is left as it is, with all that may share with it: Specialize knows which it is.
    *Refuses* nothing.

    Example: test/Functionalize/functionalize-lists.mlir
  }];
}

def ForwardWritesPass : FunctionalizePass<"jit-forward-writes"> {
  let summary = "In-place operators give the tensor that they wrote";
  let description = [{
    *Needs* nothing.
    *Gives* the same program where nobody uses the result of a `jit.overwrite`, but the tensor that it wrote, and where
    loops do not carry what is one tensor all the time.
    *Refuses* nothing.

    Example: test/Functionalize/forward-writes.mlir
  }];
}

def ResolveLeavesPass : FunctionalizePass<"jit-resolve-leaves"> {
  let summary = "A tensor that comes to require a gradient is another value from there on";
  let description = [{
    *Needs* a program for one kind of call, whose lists and branches are settled: a tensor has one name then.
    *Gives* functions without `aten.requires_grad_`: from such a call on the tensor is an `aten._leaf` of what it was, or an
    `aten.detach` where the call takes the mark away. What was made of the tensor before has nothing to do with it.
    *Refuses* a tensor that is used under another name too, by which a branch, a loop or a list handed it on; and a write in
    place to an argument, or to a detached tensor, that requires a gradient, where gradients are on.

    Example: test/Functionalize/resolve-leaves.mlir
  }];
}

def FunctionalizeTensorsPass : FunctionalizePass<"jit-functionalize-tensors"> {
  let summary = "Tensors that are written in place become new tensors";
  let description = [{
    *Needs* element types and ranks, module state as arguments and results, and no equal operations merged.
    *Gives* for each `jit.overwrite` the new tensor: what the view that was written is a view of takes the written
    elements, and views used later are taken of the new tensor. Whether an operator such as reshape shares memory follows
    from strides. What may be one of several memories (a branch's result, a loop's variable, an element of a list) has
    elements of its own and a condition for each memory that it may be: writes are passed on under these, and where it is read
    it shows what that memory shows. A detached name
    through which something is written has a history of gradients of its own, too, and shares elements alone. Where that is
    not enough, such as for a view of one of two memories that copies one of them, what follows a branch is written into
    both of its arms, and a loop of few trips out. A tensor that is an argument and written is handed back as a last
    result with the attribute `jit.mutates`.
    *Refuses* a write to what may or may not be a copy, to elements that share a place, also by `select_scatter` and its kin into
    windows that overlap, to an element of a list that is not known, and to a variable of a loop of unknown length that is a view of what it was before.

    Example: test/Functionalize/functionalize-tensors.mlir
  }];
}

def MarkVariablesPass : FunctionalizePass<"jit-mark-variables"> {
  let summary = "What a gradient is taken by is equal to no other value";
  let description = [{
    *Needs* a function that writes nothing in place.
    *Gives* an `aten._variable` after each value by which an `aten._gradient` differentiates, in all uses of that value, but
    where it is an `aten._leaf` already. Two equal computations may be merged from here on; a gradient is that by one of
    them.
    *Refuses* nothing.

    Example: test/Functionalize/mark-variables.mlir
  }];
}

def DropWideningPass : FunctionalizePass<"jit-drop-widening"> {
  let summary = "Operators read tensors under the narrowest type";
  let description = [{
    *Needs* nothing.
    *Gives* the same program where no operator takes a tensor that was only derefined to a wider tensor type: it
    takes the tensor itself. Threading through branches and loops leaves such casts behind.
    *Refuses* nothing.

    Example: test/Functionalize/drop-widening.mlir
  }];
}

#endif // JIT_FUNCTIONALIZE_PASSES_TD
