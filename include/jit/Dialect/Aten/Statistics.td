//===- Statistics.td - orders, differences and moments -----*- tablegen -*-===//
//
// Compositions of the operators of Reduction.td and Index.td.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

defvar keepDimension = Default<Bool, "False">;

//===----------------------------------------------------------------------===//
// Moments
//===----------------------------------------------------------------------===//

def Aten_NanmeanOp : Aten_Composite<"nanmean", "", (ins Tensor:$self, Default<Sized<OptIntList, 1>, "None">:$dim,
    keepDimension:$keepdim, Kw<Default<OptDType, "None">>:$dtype), [{
  if (!self.info().dtype()) return build.notYet("the element type of self");
  int64_t own = int64_t(*typeToDtype(self.info().dtype()));
  Tensor isNumber = build.op<ToDTypeOp>(build.op<LogicalNotOp>(build.op<IsnanOp>(self)), own, false, false, build.none());
  Tensor count = build.op<SumDimIntListOp>(isNumber, dim, keepdim, build.none());
  return build.op<NansumOp>(self, dim, keepdim, dtype) / count;
}]>;
class WholeMoments<string name> : Aten_Composite<name, "", (ins Tensor:$self, Default<Bool, "True">:$unbiased),
    "return bothResults(build, build.multi<" # !if(!eq(name, "var_mean"), "VarMeanDimOp", "StdMeanDimOp")
      # ">(self, build.none(), unbiased, false));",
    (outs Tensor:$spread, Tensor:$mean)>;
def Aten_VarMeanOp : WholeMoments<"var_mean">;
def Aten_StdMeanOp : WholeMoments<"std_mean">;
def Aten_CovOp : Aten_Composite<"cov", "", (ins Tensor:$self, Kw<Default<Int, "1">>:$correction,
    Kw<Default<OptTensor, "None">>:$fweights, Kw<Default<OptTensor, "None">>:$aweights),
    "return covariance(self, correction, fweights, aweights);">;
def Aten_CorrcoefOp : Aten_Composite<"corrcoef", "", (ins Tensor:$self), "return correlation(self);">;

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

def Aten_MsortOp : Aten_Composite<"msort", "", (ins Tensor:$self),
    "return Tensor(build, build.multi<SortOp>(self, 0, false)->getResult(0));">;
class Ordered<string name, dag args, string rank> : Aten_Composite<name, !if(!eq(name, "kthvalue"), "", "dim"), args,
    "return orderStatistic(self, dim, keepdim, " # rank # ");", (outs Tensor:$values, Tensor:$indices)> {
  let namedResults = 1;
}
def Aten_KthvalueOp : Ordered<"kthvalue",
    (ins Tensor:$self, SymInt:$k, Default<Int, "-1">:$dim, keepDimension:$keepdim), "k">;
def Aten_MedianDimOp : Ordered<"median", (ins Tensor:$self, Int:$dim, keepDimension:$keepdim), "medianRank(self, dim)">;
def Aten_MedianOp : Aten_Op<"median", "", (ins Tensor:$self)> {
  let type = "infer.tensor({}, self.dtype())";
  let decompose = "return wholeMedian(build.op<ReshapeOp>(self, build.ints({-1})));";
  let grads = [Grad<"self", "wholeExtremeGrad(self, result, grad)">];
}
class Quantile<string overload, AtenArg q_> : Aten_Composite<"quantile", overload,
    (ins Tensor:$self, q_:$q, Default<OptInt, "None">:$dim, keepDimension:$keepdim,
         Kw<Default<Str, "\"linear\"">>:$interpolation), "return quantile(self, q, dim, keepdim, interpolation);">;
def Aten_QuantileScalarOp : Quantile<"scalar", Float>;
class Quantiles<string name, string overload, AtenArg q_, string skipsNan> : Aten_Composite<name, overload,
    (ins Tensor:$self, q_:$q, Default<OptInt, "None">:$dim, keepDimension:$keepdim,
         Kw<Default<Str, "\"linear\"">>:$interpolation),
    "return quantiles(self, q, dim, keepdim, {interpolation, " # skipsNan # "});">;
def Aten_QuantileOp : Quantiles<"quantile", "", Tensor, "false">;
def Aten_NanquantileOp : Quantiles<"nanquantile", "", Tensor, "true">;
def Aten_NanquantileScalarOp : Quantiles<"nanquantile", "scalar", Float, "true">;

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

def Aten_DiffOp : Aten_Composite<"diff", "", (ins Tensor:$self, Default<Int, "1">:$n, Default<Int, "-1">:$dim,
    Default<OptTensor, "None">:$prepend, Default<OptTensor, "None">:$append),
    "return differences(self, n, dim, prepend, append);">;
class Trapezoids<string name, string overload, AtenArg step, string stepName, string sums> : Aten_Composite<name, overload,
    !con((ins Tensor:$y), !dag(ins, [!if(!eq(overload, "x"), step, Kw<step>)], [stepName]),
         (ins Kw<Default<Int, "-1">>:$dim)), "return " # sums # "(y, " # stepName # ", dim);">;
foreach name = ["trapezoid", "trapz"] in {
  def Aten_#name#XOp : Trapezoids<name, "x", Tensor, "x", "areaOfTrapezoids">;
  def Aten_#name#DxOp : Trapezoids<name, "dx", !if(!eq(name, "trapz"), Default<Float, "1.">, Default<Scalar, "1">),
      "dx", "areaOfTrapezoids">;
}
def Aten_CumulativeTrapezoidXOp : Trapezoids<"cumulative_trapezoid", "x", Tensor, "x", "runningAreaOfTrapezoids">;
def Aten_CumulativeTrapezoidDxOp : Trapezoids<"cumulative_trapezoid", "dx", Default<Scalar, "1">, "dx",
    "runningAreaOfTrapezoids">;

class Slopes<string overload, dag args, string body> : Aten_Composite<"gradient", overload,
    !con((ins Tensor:$self), args, (ins Kw<Default<Int, "1">>:$edge_order)), "return gradients(self, " # body # ", edge_order);",
    (outs Spelled<TensorList, "Tensor[]">:$result)>;
defvar anyDim = Kw<Default<OptInt, "None">>;
def Aten_GradientScalarintOp : Slopes<"scalarint", (ins Kw<Default<OptScalar, "None">>:$spacing, anyDim:$dim), "dim, spacing">;
def Aten_GradientScalararrayOp : Slopes<"scalararray", (ins Kw<Scalar>:$spacing, Kw<IntList>:$dim), "dim, {spacing}">;
def Aten_GradientArrayOp : Slopes<"array", (ins Kw<IntList>:$dim), "dim, {build.i(1)}">;
foreach kind = ["Scalar", "Tensor"] in {
  defvar isScalar = !eq(kind, "Scalar");
  def Aten_Gradient#kind#sIntOp : Slopes<!if(isScalar, "scalarrayint", "tensorarrayint"),
      (ins Kw<Spelled<AnyList, kind # "[]">>:$spacing, anyDim:$dim), "dim, spacing">;
  def Aten_Gradient#kind#sArrayOp : Slopes<!if(isScalar, "scalarrayarray", "tensorarray"),
      (ins Kw<Spelled<AnyList, kind # "[]">>:$spacing, Kw<IntList>:$dim), "dim, spacing">;
}
