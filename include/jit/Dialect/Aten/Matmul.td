//===- Matmul.td - products of matrices and vectors --------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// Operands of rank 1 are vectors; dimensions before the last two are batches and broadcast.
class Product<string name, dag args> : Aten_Op<name, "", args> {
  let type = "multiplied(infer, TensorInfo(operands[0]), TensorInfo(operands[1]))";
  let lowered = 1;
}
def Aten_MmOp : Product<"mm", (ins Tensor:$self, Tensor:$mat2)> {
  let grads = [Grad<"self", "build.op<MmOp>(grad, transpose(mat2, 0, 1))">,
               Grad<"mat2", "build.op<MmOp>(transpose(self, 0, 1), grad)">];
}
def Aten_BmmOp : Product<"bmm", (ins Tensor:$self, Tensor:$mat2)> {
  let grads = [Grad<"self", "build.op<BmmOp>(grad, transpose(mat2, 1, 2))">,
               Grad<"mat2", "build.op<BmmOp>(transpose(self, 1, 2), grad)">];
}
def Aten_MatmulOp : Product<"matmul", (ins Tensor:$self, Tensor:$other)>;
def Aten_MvOp : Product<"mv", (ins Tensor:$self, Tensor:$vec)>;
def Aten_DotOp : Product<"dot", (ins Tensor:$self, Tensor:$tensor)>;
def Aten_VdotOp : Product<"vdot", (ins Tensor:$self, Tensor:$other)>;

/// beta * self + alpha * (a @ b).
class AddedProduct<string name, dag args> : Aten_Op<name, "", args> {
  let type = "multiplied(infer, TensorInfo(operands[1]), TensorInfo(operands[2]))";
  let lowered = 1;
}
defvar beta = Kw<Default<Scalar, "1">>;
defvar alpha = Kw<Default<Scalar, "1">>;
def Aten_AddmmOp : AddedProduct<"addmm",
    (ins Tensor:$self, Tensor:$mat1, Tensor:$mat2, beta:$beta, alpha:$alpha)>;
def Aten_BaddbmmOp : AddedProduct<"baddbmm",
    (ins Tensor:$self, Tensor:$batch1, Tensor:$batch2, beta:$beta, alpha:$alpha)>;
def Aten_AddmvOp : AddedProduct<"addmv",
    (ins Tensor:$self, Tensor:$mat, Tensor:$vec, beta:$beta, alpha:$alpha)>;

class Outer<string name> : Aten_Op<name, "", (ins Tensor:$self, Tensor:$vec2)> {
  let type = "outer(infer, self, vec2)";
  let decompose = "return outer(self, vec2);";
}
def Aten_OuterOp : Outer<"outer">;
def Aten_GerOp : Outer<"ger">;

def Aten_LinearOp : Aten_Op<"linear", "", (ins Tensor:$input, Tensor:$weight, Default<OptTensor, "None">:$bias)> {
  let summary = "input @ weight.t() + bias";
  let type = "linear(infer, input, weight)";
  let lowered = 1;
}

def Aten_ScaledDotProductAttentionOp : Aten_Op<"scaled_dot_product_attention", "",
    (ins Tensor:$query, Tensor:$key, Tensor:$value, Default<OptTensor, "None">:$attn_mask,
         Default<Float, "0.">:$dropout_p, Default<Bool, "False">:$is_causal, Kw<Default<OptFloat, "None">>:$scale,
         Kw<Default<Bool, "False">>:$enable_gqa)> {
  let type = "attention(infer, query, value)";
  let decompose = [{
    bool isPlain = dropout_p.known() == 0.0 && is_causal.known() == false && enable_gqa.known() == false;
    if (!isPlain || !attn_mask.isSettled() || !scale.isSettled()) return build.notYet();
    return attention(query, key, value, attn_mask, scale);
  }];
}
