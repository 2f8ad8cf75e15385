//===- Algebra.td - compositions of products ---------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def Aten_InnerOp : Aten_Composite<"inner", "", (ins Tensor:$self, Tensor:$other), [{
  if (!self.info().hasRank() || !other.info().hasRank()) return build.notYet("the ranks of self and other");
  if (self.info().rank() == 0 || other.info().rank() == 0) return self * other;
  return build.op<TensordotOp>(self, other, build.ints({-1}), build.ints({-1}));
}]>;
def Aten_TensordotOp : Aten_Composite<"tensordot", "",
    (ins Tensor:$self, Tensor:$other, IntList:$dims_self, IntList:$dims_other),
    "return tensordot(self, other, dims_self, dims_other);">;
def Aten_EinsumOp : Aten_Composite<"einsum", "",
    (ins Str:$equation, TensorList:$tensors, Kw<Default<OptIntList, "None">>:$path), "return einsum(equation, tensors);"> {
  let mayGiveOperand = 1;
}
def Aten_KronOp : Aten_Composite<"kron", "", (ins Tensor:$self, Tensor:$other), "return kronecker(self, other);">;
def Aten_LinalgCrossOp : Aten_Composite<"linalg_cross", "",
    (ins Tensor:$self, Tensor:$other, Kw<Default<Int, "-1">>:$dim), "return crossProduct(self, other, dim);">;
def Aten_CrossOp : Aten_Composite<"cross", "", (ins Tensor:$self, Tensor:$other, Default<OptInt, "None">:$dim), [{
  if (!dim.isSettled()) return build.notYet("whether dim is None");
  return dim ? crossProduct(self, other, *dim) : crossProductAlongThree(self, other);
}]>;
def Aten_LinalgVecdotOp : Aten_Composite<"linalg_vecdot", "",
    (ins Tensor:$x, Tensor:$y, Kw<Default<Int, "-1">>:$dim),
    "return build.op<SumDimIntListOp>(x * y, build.list(::llvm::ArrayRef<Int>{dim}), false, build.none());">;
def Aten_AddrOp : Aten_Composite<"addr", "", (ins Tensor:$self, Tensor:$vec1, Tensor:$vec2,
    Kw<Default<Scalar, "1">>:$beta, Kw<Default<Scalar, "1">>:$alpha),
    "return outerProductAdded(self, beta, {vec1, vec2}, alpha);">;
def Aten_AddbmmOp : Aten_Composite<"addbmm", "", (ins Tensor:$self, Tensor:$batch1, Tensor:$batch2,
    Kw<Default<Scalar, "1">>:$beta, Kw<Default<Scalar, "1">>:$alpha),
    "return weightedSum(self, beta, typeAs(sum(build.op<BmmOp>(batch1, batch2), {0}, false), batch1), alpha);">;
foreach name = ["linalg_multi_dot", "chain_matmul"] in
  def Aten_#name#Op : Aten_Composite<name, "",
      !dag(ins, [TensorList], [!if(!eq(name, "chain_matmul"), "matrices", "tensors")]),
      "return chained(" # !if(!eq(name, "chain_matmul"), "matrices", "tensors") # ");">;
def Aten_MatrixPowerOp : Aten_Composite<"matrix_power", "", (ins Tensor:$self, Int:$n), "return matrixPower(self, n);"> {
  let aliases = ["linalg_matrix_power"];
}
def Aten_BilinearOp : Aten_Composite<"bilinear", "",
    (ins Tensor:$input1, Tensor:$input2, Tensor:$weight, Default<OptTensor, "None">:$bias),
    "return bilinear(input1, input2, weight, bias);">;
def Aten_TrilinearOp : Aten_Composite<"_trilinear", "",
    (ins Tensor:$i1, Tensor:$i2, Tensor:$i3, IntList:$expand1, IntList:$expand2, IntList:$expand3, IntList:$sumdim,
         Default<Int, "1">:$unroll_dim), "return trilinear({i1, i2, i3}, {expand1, expand2, expand3}, sumdim, unroll_dim);">;

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

defvar lastTwo = Default<IntList, "[-2, -1]">;
defvar norm_ = (ins Default<Bool, "False">:$keepdim, Kw<Default<OptDType, "None">>:$dtype);
def Aten_LinalgMatrixNormOp : Aten_Composite<"linalg_matrix_norm", "",
    !con((ins Tensor:$self, Scalar:$ord, lastTwo:$dim), norm_), "return matrixNorm(self, ord, dim, keepdim, dtype);">;
def Aten_LinalgMatrixNormStrOp : Aten_Composite<"linalg_matrix_norm", "str_ord",
    !con((ins Tensor:$self, Default<Str, "\"fro\"">:$ord, lastTwo:$dim), norm_), [{
  if (ord.known() == "nuc") return nuclearNorm(self, dim, keepdim, dtype);
  if (ord.known() != "fro") return build.notYet("\"fro\" or \"nuc\" as ord");
  return build.op<LinalgVectorNormOp>(self, 2, dim, keepdim, dtype);
}]>;
def Aten_LinalgNormOp : Aten_Composite<"linalg_norm", "",
    !con((ins Tensor:$self, Default<OptScalar, "None">:$ord, Default<Sized<OptIntList, 1>, "None">:$dim), norm_),
    "return anyNorm(self, ord, dim, keepdim, dtype);">;
def Aten_LinalgNormStrOp : Aten_Composite<"linalg_norm", "ord_str",
    !con((ins Tensor:$self, Str:$ord, Default<Sized<OptIntList, 1>, "None">:$dim), norm_), [{
  if (ord.known() == "nuc") return nuclearNorm(self, dim, keepdim, dtype);
  if (ord.known() != "fro") return build.notYet("\"fro\" or \"nuc\" as ord");
  return build.op<LinalgVectorNormOp>(self, 2, dim, keepdim, dtype);
}]>;
def Aten_NuclearNormOp : Aten_Composite<"nuclear_norm", "", (ins Tensor:$self, Default<Bool, "False">:$keepdim),
    "return nuclearNorm(self, build.none(), keepdim, build.none());">;
def Aten_NuclearNormDimOp : Aten_Composite<"nuclear_norm", "dim",
    (ins Tensor:$self, Sized<IntList, 2>:$dim, Default<Bool, "False">:$keepdim),
    "return nuclearNorm(self, dim, keepdim, build.none());">;
def Aten_RenormOp : Aten_Composite<"renorm", "", (ins Tensor:$self, Scalar:$p, Int:$dim, Scalar:$maxnorm),
    "return renormalized(self, p, dim, maxnorm);">;
