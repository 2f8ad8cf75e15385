//===- Reduction.td - results over whole dimensions --------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

defvar keepDim = Default<Bool, "False">;
defvar asDType = Kw<Default<OptDType, "None">>;
def OptDims : Sized<OptIntList, 1>;
def Dims : Sized<IntList, 1>;

let givesRows = 1 in {

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

def Aten_SumOp : Aten_Op<"sum", "", (ins Tensor:$self, asDType:$dtype)> {
  let linear = [["self"]];
  let type = "infer.tensor({}, sumDtype(infer, self, dtype))";
  let decompose = "return build.op<SumDimIntListOp>(self, build.none(), false, dtype);";
}
def Aten_SumDimIntListOp : Aten_Op<"sum", "dim_IntList",
    (ins Tensor:$self, OptDims:$dim, keepDim:$keepdim, asDType:$dtype)> {
  let openSizes = 1;
  let linear = [["self"]];
  let type = "reduced(infer, self, dim, keepdim, sumDtype(infer, self, dtype))";
  let lowered = 1;
  let grads = [Grad<"self", "expandAs(keepDims(grad, self, dim, keepdim), self)">];
}
def Aten_NansumOp : Aten_Op<"nansum", "",
    (ins Tensor:$self, Default<OptDims, "None">:$dim, keepDim:$keepdim, asDType:$dtype)> {
  let type = "reduced(infer, self, dim, keepdim, sumDtype(infer, self, dtype))";
  let decompose = [{
    Tensor numbers = build.op<WhereScalarSelfOp>(build.op<IsnanOp>(self), 0, self);
    return build.op<SumDimIntListOp>(numbers, dim, keepdim, dtype);
  }];
  let grads = [Grad<"self", "nansumGrad({self, result, dim, keepdim}, grad)">];
}
def Aten_MeanOp : Aten_Op<"mean", "", (ins Tensor:$self, asDType:$dtype)> {
  let type = "infer.tensor({}, infer.dtypeOr(dtype, self.dtype()))";
  let decompose = "return build.op<MeanDimOp>(self, build.none(), false, dtype);";
}
def Aten_MeanDimOp : Aten_Op<"mean", "dim",
    (ins Tensor:$self, OptDims:$dim, keepDim:$keepdim, asDType:$dtype)> {
  let linear = [["self"]];
  let type = "reduced(infer, self, dim, keepdim, infer.dtypeOr(dtype, self.dtype()))";
  let decompose = "return meanAlong(self, dim, keepdim, dtype);";
}
def Aten_CountNonzeroDimIntListOp : Aten_Op<"count_nonzero", "dim_IntList", (ins Tensor:$self, IntList:$dim)> {
  let type = "reduced(infer, self, dim, false, infer.i64())";
  let decompose = [{
    return build.op<SumDimIntListOp>(build.op<NeScalarOp>(self, 0), dim, false, build.none());
  }];
}
def Aten_CountNonzeroOp : Aten_Op<"count_nonzero", "", (ins Tensor:$self, Default<OptInt, "None">:$dim)> {
  let type = "reduced(infer, self, dim, false, infer.i64())";
  let decompose = [{
    if (!dim.isSettled()) return build.notYet("whether dim is None");
    Any dims = dim ? Any(build.list(llvm::ArrayRef<Int>{*dim})) : build.none();
    return build.op<SumDimIntListOp>(build.op<NeScalarOp>(self, 0), dims, false, build.none());
  }];
}
def Aten_ProdOp : Aten_Op<"prod", "", (ins Tensor:$self, asDType:$dtype)> {
  let openSizes = 1;
  let type = "infer.tensor({}, sumDtype(infer, self, dtype))";
  let lowered = 1;
  let grads = [Grad<"self", "prodGrad({self, result, build.none(), build.flag(false)}, grad)">];
}
def Aten_ProdDimIntOp : Aten_Op<"prod", "dim_int",
    (ins Tensor:$self, Int:$dim, keepDim:$keepdim, asDType:$dtype)> {
  let openSizes = 1;
  let type = "reduced(infer, self, dim, keepdim, sumDtype(infer, self, dtype))";
  let lowered = 1;
  let grads = [Grad<"self", "prodGrad({self, result, dim, keepdim}, grad)">];
}

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

class Extreme<string name> : Aten_Op<name, "", (ins Tensor:$self, Default<Dims, "[]">:$dim, keepDim:$keepdim)> {
  let type = "reduced(infer, self, dim, keepdim, self.dtype())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "extremeGrad({self, result, dim, keepdim}, grad)">];
}
def Aten_AmaxOp : Extreme<"amax">;
def Aten_AminOp : Extreme<"amin">;
def Aten_LargestOp : Extreme<"_largest"> {
  let summary = "amax that gives the least number where there are no elements";
}
class WholeExtreme<string name, string each> : Aten_Op<name, "", (ins Tensor:$self)> {
  let type = "infer.tensor({}, self.dtype())";
  let decompose = "return build.op<" # each # ">(self, build.ints({}), false);";
  let grads = [Grad<"self", "wholeExtremeGrad(self, result, grad)">];
}
def Aten_MaxOp : WholeExtreme<"max", "AmaxOp">;
def Aten_MinOp : WholeExtreme<"min", "AminOp">;
def Aten_AminmaxOp : Aten_Op<"aminmax", "",
    (ins Tensor:$self, Kw<Default<OptInt, "None">>:$dim, Kw<Default<Bool, "False">>:$keepdim), (outs Tensor:$min, Tensor:$max)> {
  let namedResults = 1;
  let type = "reduced(infer, self, dim, keepdim, self.dtype()), reduced(infer, self, dim, keepdim, self.dtype())";
  let decompose = [{
    if (!dim.isSettled()) return build.notYet("whether dim is None");
    IntList dims = dim ? build.list(llvm::ArrayRef<Int>{*dim}) : build.ints({});
    return {build.op<AminOp>(self, dims, keepdim), build.op<AmaxOp>(self, dims, keepdim)};
  }];
}

/// Where NaN is, NaN is the extreme; of equal elements the first counts.
class ExtremeAlong<string name> : Aten_Op<name, "dim", (ins Tensor:$self, Int:$dim, keepDim:$keepdim),
    (outs Tensor:$values, Tensor:$indices)> {
  let namedResults = 1;
  let type = "reduced(infer, self, dim, keepdim, self.dtype()), reduced(infer, self, dim, keepdim, infer.i64())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "pickedGrad({self, indices, dim, keepdim}, grad)">];
}
def Aten_MaxDimOp : ExtremeAlong<"max">;
def Aten_MinDimOp : ExtremeAlong<"min">;
class ArgExtreme<string name> : Aten_Op<name, "", (ins Tensor:$self, Default<OptInt, "None">:$dim, keepDim:$keepdim)> {
  let type = "reduced(infer, self, dim, keepdim, infer.i64())";
  let lowered = 1;
  let openSizes = 1;
}
def Aten_ArgmaxOp : ArgExtreme<"argmax">;
def Aten_ArgminOp : ArgExtreme<"argmin">;

//===----------------------------------------------------------------------===//
// Truth
//===----------------------------------------------------------------------===//

multiclass Truth<string name> {
  def Op : Aten_Op<name, "", (ins Tensor:$self)> {
    let type = "infer.tensor({}, truthDtype(infer, self))";
    let lowered = 1;
    let openSizes = 1;
  }
  def DimOp : Aten_Op<name, "dim", (ins Tensor:$self, Int:$dim, keepDim:$keepdim)> {
    let type = "reduced(infer, self, dim, keepdim, truthDtype(infer, self))";
    let lowered = 1;
    let openSizes = 1;
  }
  def DimsOp : Aten_Op<name, "dims", (ins Tensor:$self, Default<OptIntList, "None">:$dim, keepDim:$keepdim)> {
    let type = "reduced(infer, self, dim, keepdim, truthDtype(infer, self))";
    let lowered = 1;
    let openSizes = 1;
  }
}
defm Aten_Any : Truth<"any">;
defm Aten_All : Truth<"all">;

//===----------------------------------------------------------------------===//
// Spread
//===----------------------------------------------------------------------===//

// The mean first, then the squares of the distances from it: as exact as Welford's way.
class SpreadOf<string name, string overload, dag args>
    : Aten_Op<name, overload, args, (outs Tensor:$result), [Pure, ComputesInOut]>;
multiclass Spread<string name, bit isRoot> {
  def Op : SpreadOf<name, "", (ins Tensor:$self, Default<Bool, "True">:$unbiased)> {
    let type = "infer.tensor({}, partDtype(self))";
    let decompose = [{
      return spread(self, build.none(), toCorrection(unbiased), build.flag(false), }] # isRoot # [{).value;
    }];
    let grads = [Grad<"self", "spreadGrad({self, result, build.none(), build.flag(false)}, toCorrection(unbiased), grad, "
        # isRoot # ")">];
  }
  def DimOp : SpreadOf<name, "dim", (ins Tensor:$self, OptDims:$dim, Default<Bool, "True">:$unbiased, keepDim:$keepdim)> {
    let type = "reduced(infer, self, dim, keepdim, partDtype(self))";
    let decompose = "return spread(self, dim, toCorrection(unbiased), keepdim, " # isRoot # ").value;";
    let grads = [Grad<"self", "spreadGrad({self, result, dim, keepdim}, toCorrection(unbiased), grad, " # isRoot # ")">];
  }
  def CorrectionOp : SpreadOf<name, "correction", (ins Tensor:$self, Default<OptDims, "None">:$dim,
      Kw<Default<OptScalar, "None">>:$correction, Kw<Default<Bool, "False">>:$keepdim)> {
    let type = "reduced(infer, self, dim, keepdim, partDtype(self))";
    let decompose = "return spread(self, dim, correction, keepdim, " # isRoot # ").value;";
    let grads = [Grad<"self", "spreadGrad({self, result, dim, keepdim}, correction, grad, " # isRoot # ")">];
  }
}
defm Aten_Var : Spread<"var", 0>;
defm Aten_Std : Spread<"std", 1>;
class SpreadAndMean<string name, string overload, dag args> : Aten_Op<name, overload, args, (outs Tensor:$spread, Tensor:$mean)> {
  let type = "reduced(infer, self, dim, keepdim, self.dtype()), reduced(infer, self, dim, keepdim, self.dtype())";
}
class SpreadAndMeanCorrection<string name, bit isRoot> : SpreadAndMean<name, "correction", (ins Tensor:$self,
    Default<OptDims, "None">:$dim, Kw<Default<OptScalar, "None">>:$correction, Kw<Default<Bool, "False">>:$keepdim)> {
  let decompose = "return spread(self, dim, correction, keepdim, " # isRoot # ").both();";
  let grads = [Grad<"self", "spreadAndMeanGrad({self, spread, dim, keepdim}, correction, grad, grad_mean, " # isRoot # ")">];
}
def Aten_VarMeanCorrectionOp : SpreadAndMeanCorrection<"var_mean", 0>;
def Aten_StdMeanCorrectionOp : SpreadAndMeanCorrection<"std_mean", 1>;
class SpreadAndMeanDim<string name, bit isRoot> : SpreadAndMean<name, "dim",
    (ins Tensor:$self, OptDims:$dim, Default<Bool, "True">:$unbiased, keepDim:$keepdim)> {
  let decompose = "return spread(self, dim, toCorrection(unbiased), keepdim, " # isRoot # ").both();";
  let grads = [Grad<"self", "spreadAndMeanGrad({self, spread, dim, keepdim}, toCorrection(unbiased), grad, grad_mean, "
      # isRoot # ")">];
}
def Aten_VarMeanDimOp : SpreadAndMeanDim<"var_mean", 0>;
def Aten_StdMeanDimOp : SpreadAndMeanDim<"std_mean", 1>;

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

class Softmax<string name, string overload, string body>
    : Aten_Op<name, overload, (ins Tensor:$self, Int:$dim, Default<OptDType, "None">:$dtype)> {
  let type = "infer.along(self, dim, infer.dtypeOr(dtype, self.dtype()))";
  let decompose = "if (!dtype.isSettled()) return build.notYet(\"whether dtype is None\");\nreturn " # body # "(self, dim, dtype);";
  let grads = [Grad<"self", body # "Grad(result, dim, grad)">];
}
def Aten_SoftmaxIntOp : Softmax<"softmax", "int", "softmax">;
def Aten_LogSoftmaxIntOp : Softmax<"log_softmax", "int", "logSoftmax">;
class RawSoftmax<string name, string body>
    : Aten_Op<name, "", (ins Tensor:$self, Int:$dim, Bool:$half_to_float)> {
  let type = "infer.along(self, dim, half_to_float.known.value_or(false) ? infer.f32() : self.dtype())";
  let decompose = [{
    if (half_to_float.known() != false) return build.notYet("False as half_to_float");
    return }] # body # "(self, dim, build.none());";
  let grads = [Grad<"self", body # "Grad(result, dim, grad)">];
}
def Aten_RawSoftmaxOp : RawSoftmax<"_softmax", "softmax">;
def Aten_RawLogSoftmaxOp : RawSoftmax<"_log_softmax", "logSoftmax">;
def Aten_LogsumexpOp : Aten_Op<"logsumexp", "", (ins Tensor:$self, Dims:$dim, keepDim:$keepdim)> {
  let type = "reduced(infer, self, dim, keepdim, floatDtype(infer, self))";
  let decompose = "return logSumExp(self, dim, keepdim);";
  let grads = [Grad<"self", "keepDims(grad, self, dim, keepdim) * exp(self - keepDims(result, self, dim, keepdim))">];
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

def Aten_LinalgVectorNormOp : Aten_Op<"linalg_vector_norm", "", (ins Tensor:$self, Default<Scalar, "2">:$ord,
    Default<OptDims, "None">:$dim, keepDim:$keepdim, asDType:$dtype)> {
  let type = "reduced(infer, self, dim, keepdim, infer.dtypeOr(dtype, partDtype(self)))";
  let decompose = "return vectorNorm(self, ord, dim, keepdim, dtype);";
  let grads = [Grad<"self", "vectorNormGrad({self, result, dim, keepdim}, ord, grad)">];
}
def Aten_NormScalarOp : Aten_Op<"norm", "Scalar", (ins Tensor:$self, Default<Scalar, "2">:$p)> {
  let type = "infer.tensor({}, partDtype(self))";
  let decompose = "return vectorNorm(self, p, build.none(), build.flag(false), build.none());";
  let grads = [Grad<"self", "vectorNormGrad({self, result, build.none(), build.flag(false)}, p, grad)">];
}
def Aten_NormScalarOptDimOp : Aten_Op<"norm", "ScalarOpt_dim",
    (ins Tensor:$self, OptScalar:$p, Dims:$dim, keepDim:$keepdim)> {
  let type = "reduced(infer, self, dim, keepdim, partDtype(self))";
  let decompose = [{
    if (!p.isSettled()) return build.notYet("whether p is None");
    return vectorNorm(self, p ? Any(p) : Any(build.i(2)), dim, keepdim, build.none());
  }];
  let grads = [Grad<"self", "vectorNormGrad({self, result, dim, keepdim}, orderOr2(p), grad)">];
}
def Aten_NormScalarOptDimDtypeOp : Aten_Op<"norm", "ScalarOpt_dim_dtype",
    (ins Tensor:$self, OptScalar:$p, Dims:$dim, Bool:$keepdim, Kw<DType>:$dtype)> {
  let type = "reduced(infer, self, dim, keepdim, infer.dtypeOr(dtype, partDtype(self)))";
  let decompose = [{
    if (!p.isSettled()) return build.notYet("whether p is None");
    return vectorNorm(self, p ? Any(p) : Any(build.i(2)), dim, keepdim, dtype);
  }];
  let grads = [Grad<"self", "vectorNormGrad({self, result, dim, keepdim}, orderOr2(p), grad)">];
}
def Aten_FrobeniusNormDimOp : Aten_Op<"frobenius_norm", "dim", (ins Tensor:$self, Dims:$dim, keepDim:$keepdim)> {
  let type = "reduced(infer, self, dim, keepdim, partDtype(self))";
  let decompose = "return vectorNorm(self, build.i(2), dim, keepdim, build.none());";
  let grads = [Grad<"self", "vectorNormGrad({self, result, dim, keepdim}, build.i(2), grad)">];
}

//===----------------------------------------------------------------------===//
// Running sums
//===----------------------------------------------------------------------===//

class Scan<string name, string grad> : Aten_Op<name, "", (ins Tensor:$self, Int:$dim, asDType:$dtype),
    (outs Tensor:$result), [Pure, ScansElements]> {
  let type = "infer.along(self, dim, sumDtype(infer, self, dtype))";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", grad>];
}
def Aten_CumsumOp : Scan<"cumsum", "sumFromEnd(grad, dim)">;
def Aten_CumprodOp : Scan<"cumprod", "cumprodGrad(self, result, dim, grad)">;

} // givesRows
