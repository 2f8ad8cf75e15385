//===- Matmul.td - products of matrices and vectors --------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// Operands of rank 1 are vectors; dimensions before the last two are batches and broadcast.
class Product<string name, string other> : Aten_Op<name, "", !dag(ins, [Tensor, Tensor], ["self", other])> {
  let linear = [["self"], [other]];
  let type = "multiplied(infer, TensorInfo(operands[0]), TensorInfo(operands[1]))";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "matmulGradSelf(self, " # other # ", grad)">,
               Grad<other, "matmulGradOther(self, " # other # ", grad)">];
}
def Aten_MmOp : Product<"mm", "mat2"> {
  let givesRows = 1;
  let product = ["self", "mat2"];
}
def Aten_BmmOp : Product<"bmm", "mat2"> { let givesRows = 1; }
def Aten_MatmulOp : Product<"matmul", "other"> {
  let aliases = ["linalg_matmul"];
  let givesRowsOfLarger = 1; // PyTorch may compute the transposed product else
  let product = ["self", "other"];
}
def Aten_WideMatmulOp : Product<"_wide_matmul", "other"> {
  let summary = "matmul of halves whose sums stay f32, for what is computed of them next";
  let ns = "jit";
  let type = "multipliedWide(infer, self, other)";
  let linear = [];
  let grads = [Grad<"self", "matmulGradSelf(self, other, typeAs(grad, self))">,
               Grad<"other", "matmulGradOther(self, other, typeAs(grad, other))">];
}
def Aten_MvOp : Product<"mv", "vec">;
class InnerProduct<string name, string other> : Product<name, other> {
  let grads = [Grad<"self", "grad * " # other>, Grad<other, "grad * self">];
}
def Aten_DotOp : InnerProduct<"dot", "tensor">;
/// Bytes, with sums in int32. Any dimensions before the last of self are rows.
def Aten_IntMmOp : Aten_Op<"_int_mm", "", (ins Tensor:$self, Tensor:$mat2)> {
  let type = "multipliedBytes(infer, self, mat2)";
  let lowered = 1;
  let openSizes = 1;
}
/// Of floats of eight bits, each tensor or each of its rows with a factor.
def Aten_ScaledMmOp : Aten_Op<"_scaled_mm", "", (ins Tensor:$self, Tensor:$mat2, Tensor:$scale_a, Tensor:$scale_b,
    Default<OptTensor, "None">:$bias, Default<OptTensor, "None">:$scale_result, Default<OptDType, "None">:$out_dtype,
    Default<Bool, "False">:$use_fast_accum)> {
  let summary = "(self * scale_a) @ (mat2 * scale_b) + bias, summed in f32";
  let type = "scaledProduct(infer, self, mat2, out_dtype)";
  let decompose = "return scaledProduct(self, mat2, scale_a, scale_b, bias, scale_result, out_dtype);";
}
def Aten_VdotOp : InnerProduct<"vdot", "other"> { let openSizes = 0; }

/// beta * self + alpha * (a @ b).
class AddedProduct<string name, string a, string b>
    : Aten_Op<name, "", !con((ins Tensor:$self), !dag(ins, [Tensor, Tensor], [a, b]),
          (ins Kw<Default<Scalar, "1">>:$beta, Kw<Default<Scalar, "1">>:$alpha))> {
  let givesRows = 1;
  let type = "addedTo(infer, operands[0], multiplied(infer, TensorInfo(operands[1]), TensorInfo(operands[2])))";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "grad * beta">,
               Grad<a, "matmulGradSelf(" # a # ", " # b # ", grad * alpha)">,
               Grad<b, "matmulGradOther(" # a # ", " # b # ", grad * alpha)">];
}
def Aten_AddmmOp : AddedProduct<"addmm", "mat1", "mat2"> { let product = ["mat1", "mat2"]; }
def Aten_BaddbmmOp : AddedProduct<"baddbmm", "batch1", "batch2">;
def Aten_AddmvOp : AddedProduct<"addmv", "mat", "vec">;

def Aten_OuterOp : Aten_Op<"outer", "", (ins Tensor:$self, Tensor:$vec2)> {
  let aliases = ["ger"];
  let type = "outer(infer, self, vec2)";
  let decompose = "return outer(self, vec2);";
}

def Aten_LinearOp : Aten_Op<"linear", "", (ins Tensor:$input, Tensor:$weight, Default<OptTensor, "None">:$bias)> {
  let product = ["input", "weight"];
  let givesRows = 1;
  let openSizes = 1;
  let summary = "input @ weight.t() + bias";
  let type = "addedTo(infer, operands[2], linear(infer, input, weight))";
  let lowered = 1;
  let grads = [Grad<"input", "linearGradInput(weight, grad)">,
               Grad<"weight", "linearGradWeight(input, weight, grad)">, Grad<"bias", "grad">];
}
