//===- Passes.td - the Specialize stage --------------------*- tablegen -*-===//
#ifndef JIT_SPECIALIZE_PASSES_TD
#define JIT_SPECIALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def JitSpecialize : Pass<"jit-specialize", "::mlir::ModuleOp"> {
  let summary = "The program of one entry for one kind of call";
  let description = [{
    Partially evaluates an entry for given arguments: element types and sizes of tensors, None or a value
    for Optionals, the values of numbers and flags. Types are inferred on the way, branches that the
    arguments decide are taken and the rest dropped, loops stay loops where what they carry keeps its
    type (the first trips are peeled off until it does), and a list that grows by one tensor per trip
    becomes a tensor that is filled slice by slice; other lists of tensors that change are carried in
    one tensor. What depends on the data of tensors stays control flow.
    Where the two ways of a branch on data give tensors of different types, other lists, None or a value,
    what follows the branch is evaluated in each of them, six such branches deep; operands that do not go
    together are an exception there. A tensor whose sizes change in place (`jit.become`) is another view
    from there on, under all its names, and so is an `out=` tensor of other sizes than the result, whose
    memory becomes larger where it has to; a list or dict that changes (`jit.append`, `jit.replace`) is another
    one under all its names and in all containers. `x.fill_diagonal_(v)` of a matrix becomes a write to the view of its
    diagonal: what lies beside that is not written.

    *Needs:* a functionalised module: entries take module state as arguments and give it as results.

    *Gives:* the one entry, its arguments and results flat: tensors and numbers alone. Each argument says
    where it comes from (`jit.arg = [argument, element, ...]`, or `jit.slot` with the state's path); the
    function attribute `jit.outputs` says what the original results are made of. Names of sizes stay with
    the arguments (`jit.size_names`), and a function all of whose open sizes have one is `jit.symbolic`.
    A result that is one of two, which no type has in common, is both, and data say which (`"either"`).
    `jit.device` is the device of its tensors where that is not the CPU.

    *Refuses:* a spec that does not fit the signature; operands that do not go together, with the line of
    the Python source; recursion between a list and the loop that fills it; sizes that change in place of
    an argument, or of a tensor that a loop of unknown length carries; a list in a list that changes in such
    a loop, or at a place that data tell.

    The grammar of `args` stands in docs/call-spec.md: `args=f32[1,512],16000,none`. Arguments that
    it leaves out take their defaults, module state its initial value.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"forward\"", "The entry to specialise">,
    Option<"args", "args", "std::string", "\"\"", "What is known of each argument">,
    Option<"raises", "raises", "bool", "false", "Operands that do not go together are an exception of the call">,
    Option<"dataSqueeze", "data-squeeze", "bool", "true", "Data choose ranks where they tell whether squeeze drops a dimension">,
    Option<"keepsArgumentMemory", "keeps-argument-memory", "bool", "false", "No argument changes to sizes that its memory has no room for">
  ];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect"];
}

#endif // JIT_SPECIALIZE_PASSES_TD
