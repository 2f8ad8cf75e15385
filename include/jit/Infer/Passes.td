//===- Passes.td - the Infer stage -------------------------*- tablegen -*-===//
#ifndef JIT_INFER_PASSES_TD
#define JIT_INFER_PASSES_TD

include "mlir/Pass/PassBase.td"

def JitInferTypes : Pass<"jit-infer-types", "::mlir::func::FuncOp"> {
  let summary = "Element types and sizes from the operators' type rules";
  let description = [{
    Narrows the type of every value to what follows from the function's arguments. A value that two
    branches give has what both know of it. A loop's variables start as what is carried in and lose
    what a trip does not keep, until every trip keeps the rest.

    *Needs:* a functionalised function; the more its argument types say, the more follows.

    *Gives:* the same operations with narrower types, and the function's result types to match.

    *Refuses:* operands that do not go together, with the line of the Python source.
  }];
  let dependentDialects = ["::jit::JitDialect"];
}

def JitSplitComplex : Pass<"jit-split-complex", "::mlir::func::FuncOp"> {
  let summary = "Complex tensors as pairs of real ones";
  let description = [{
    An operator on complex tensors becomes operators on their real and on their imaginary parts, a Fourier transform
    products with the matrices of shorter ones. What follows, gradients and kernels too, sees real tensors alone. In
    memory, of arguments, results, module state and what control flow carries, a complex tensor stays one: there
    `aten.view_as_real` and `aten.view_as_complex` stand.

    *Needs:* inferred types.

    *Gives:* no operator on complex tensors but these two views.

    *Refuses:* an operator that does not take complex tensors, or a complex number where it is given one.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

def JitExpandSparse : Pass<"jit-expand-sparse", "::mlir::func::FuncOp"> {
  let summary = "Products of sparse matrices as sums over the elements that are given";
  let description = [{
    A product of a matrix that `sparse_coo_tensor` made becomes rows of the other factor, picked by the elements' columns, times
    the elements, added to the rows of the result. No dense matrix is made, and gradients go by these operators.

    *Needs:* inferred types, before writes in place are resolved: PyTorch's sparse tensor shows the memory of its values.

    *Gives:* no sparse matrix.

    *Refuses:* a sparse matrix that is in anything but a product with a dense matrix or vector, such as a result of the function.
  }];
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect"];
}

#endif // JIT_INFER_PASSES_TD
