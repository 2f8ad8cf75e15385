//===- Search.td - finding, counting and combining elements -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

defvar no = Default<Bool, "False">;

//===----------------------------------------------------------------------===//
// Places in an order
//===----------------------------------------------------------------------===//

defvar side = (ins Kw<no>:$out_int32, Kw<no>:$right);
class Searchsorted<string overload, AtenArg values> : Aten_Composite<"searchsorted", overload,
    !con((ins Tensor:$sorted_sequence, values:$self), side, (ins Kw<Default<OptStr, "None">>:$side,
         Kw<Default<OptTensor, "None">>:$sorter)),
    "return placesInOrder(sorted_sequence, self, {out_int32, right, side, sorter});">;
def Aten_SearchsortedTensorOp : Searchsorted<"Tensor", Tensor>;
def Aten_SearchsortedScalarOp : Searchsorted<"Scalar", Scalar>;
class Bucketize<string overload, AtenArg values> : Aten_Composite<"bucketize", overload,
    !con((ins values:$self, Tensor:$boundaries), side), "return placesAmong(boundaries, self, {out_int32, right});">;
def Aten_BucketizeTensorOp : Bucketize<"Tensor", Tensor>;
def Aten_BucketizeScalarOp : Bucketize<"Scalar", Scalar>;

class Isin<string overload, dag args, string body> : Aten_Composite<"isin", overload,
    !con(args, (ins Kw<no>:$assume_unique, Kw<no>:$invert)), "return " # body # ";">;
def Aten_IsinTensorTensorOp : Isin<"Tensor_Tensor", (ins Tensor:$elements, Tensor:$test_elements),
    "isAmong(elements, test_elements, invert)">;
def Aten_IsinTensorScalarOp : Isin<"Tensor_Scalar", (ins Tensor:$elements, Scalar:$test_element),
    "isNumber(elements, test_element, invert)">;
def Aten_IsinScalarTensorOp : Isin<"Scalar_Tensor", (ins Scalar:$element, Tensor:$test_elements),
    "isAnywhere(test_elements, element, invert)">;

//===----------------------------------------------------------------------===//
// Histograms
//===----------------------------------------------------------------------===//

def Aten_HistcOp : Aten_Composite<"histc", "", (ins Tensor:$self, Default<Int, "100">:$bins, Default<Scalar, "0">:$min,
    Default<Scalar, "0">:$max), "return histogram(self, bins, min, max);">;
class Histogram<string overload, dag args, string edges> : Aten_Composite<"histogram", overload,
    !con(args, (ins Kw<Default<OptTensor, "None">>:$weight, Kw<no>:$density)),
    "return histogram(self, " # edges # ", weight, density);", (outs Tensor:$hist, Tensor:$bin_edges)> {
  let namedResults = 1;
}
def Aten_HistogramBinCtOp : Histogram<"bin_ct", (ins Tensor:$self, Default<Int, "100">:$bins,
    Kw<Default<OptFloatList, "None">>:$range), "edgesOf(self, bins, range)">;
def Aten_HistogramBinsTensorOp : Histogram<"bins_tensor", (ins Tensor:$self, Tensor:$bins), "bins">;

def Aten_BincountOp : Aten_Composite<"bincount", "",
    (ins Tensor:$self, Default<OptTensor, "None">:$weights, Default<SymInt, "0">:$minlength),
    "return occurrences(self, weights, minlength);">;

//===----------------------------------------------------------------------===//
// Elements that meet in one place
//===----------------------------------------------------------------------===//

defvar combining = (ins Str:$reduce, Kw<Default<Bool, "True">>:$include_self);
def Aten_ScatterReduceTwoOp : Aten_Op<"scatter_reduce", "two",
    !con((ins Tensor:$self, Int:$dim, Tensor:$index, Tensor:$src), combining)> {
  let summary = "The elements of `src` combined into the places of self that `index` names along `dim`";
  let type = "Type(self)";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "combinedGradOfSelf({self, dim, index, src, reduce, include_self, result}, grad)">,
               Grad<"src", "combinedGradOfSource({self, dim, index, src, reduce, include_self, result}, grad)">];
}
def Aten_SegmentReduceOp : Aten_Composite<"segment_reduce", "",
    (ins Tensor:$data, Str:$reduce, Kw<Default<OptTensor, "None">>:$lengths, Kw<Default<OptTensor, "None">>:$indices,
         Kw<Default<OptTensor, "None">>:$offsets, Kw<Default<Int, "0">>:$axis, Kw<no>:$unsafe, Kw<Default<OptScalar, "None">>:$initial),
    "return segmentsReduced(data, reduce, {lengths, offsets, axis, initial, unsafe});">;
def Aten_IndexReduceOp : Aten_Composite<"index_reduce", "",
    !con((ins Tensor:$self, Int:$dim, Tensor:$index, Tensor:$source), combining),
    "return reducedAlong(self, dim, index, source, reduce, include_self);">;
def Aten_ScatterReduceOp : Aten_Composite<"scatter", "reduce",
    (ins Tensor:$self, Int:$dim, Tensor:$index, Tensor:$src, Kw<Str>:$reduce), [{
  auto how = combinationOf(reduce);
  if (!how) return build.notYet("\"add\" or \"multiply\" as reduce");
  return build.op<ScatterReduceTwoOp>(self, dim, index, src, *how, true);
}]>;
def Aten_ScatterValueReduceOp : Aten_Composite<"scatter", "value_reduce",
    (ins Tensor:$self, Int:$dim, Tensor:$index, Scalar:$value, Kw<Str>:$reduce), [{
  auto how = combinationOf(reduce);
  if (!how || !self.info().dtype()) return build.notYet("\"add\" or \"multiply\" as reduce, and the element type of self");
  Any none = build.none();
  int64_t dtype = int64_t(*typeToDtype(self.info().dtype()));
  Tensor source = build.op<FullLikeOp>(index, value, dtype, none, none, none, none);
  return build.op<ScatterReduceTwoOp>(self, dim, index, source, *how, true);
}]>;

//===----------------------------------------------------------------------===//
// What was so far along a dimension
//===----------------------------------------------------------------------===//

class RunningExtreme<string name> : Aten_Composite<name, "", (ins Tensor:$self, Int:$dim),
    "return runningExtreme(self, dim, " # !if(!eq(name, "cummax"), "true", "false") # ");",
    (outs Tensor:$values, Tensor:$indices)> {
  let namedResults = 1;
}
def Aten_CummaxOp : RunningExtreme<"cummax">;
def Aten_CumminOp : RunningExtreme<"cummin">;
def Aten_LogcumsumexpOp : Aten_Composite<"logcumsumexp", "", (ins Tensor:$self, Int:$dim),
    "return runningLogSumExp(self, dim);">;

//===----------------------------------------------------------------------===//
// Orders without the NaN
//===----------------------------------------------------------------------===//

def Aten_NanmedianDimOp : Aten_Composite<"nanmedian", "dim", (ins Tensor:$self, Int:$dim, no:$keepdim),
    "return nanMedian(self, dim, keepdim);", (outs Tensor:$values, Tensor:$indices)> { let namedResults = 1; }
def Aten_NanmedianOp : Aten_Op<"nanmedian", "", (ins Tensor:$self)> {
  let summary = "The lower median of all elements that are not NaN; NaN where there is no other";
  let type = "infer.tensor({}, self.dtype())";
  let decompose = "return wholeNanMedian(build.op<ReshapeOp>(self, build.ints({-1})));";
  let grads = [Grad<"self", "wholeExtremeGrad(self, result, grad)">];
}
def Aten_ModeOp : Aten_Composite<"mode", "", (ins Tensor:$self, Default<Int, "-1">:$dim, no:$keepdim),
    "return mostFrequent(self, dim, keepdim);", (outs Tensor:$values, Tensor:$indices)> { let namedResults = 1; }
def Aten_ArgsortStableOp : Aten_Composite<"argsort", "stable", (ins Tensor:$self, Kw<Bool>:$stable, Kw<Default<Int, "-1">>:$dim,
    Kw<no>:$descending), "return build.op<ArgsortOp>(self, dim, descending);">;
def Aten_CombinationsOp : Aten_Composite<"combinations", "",
    (ins Tensor:$self, Default<Int, "2">:$r, Default<Bool, "False">:$with_replacement),
    "return combinations(self, r, with_replacement);">;
def Aten_LinalgVanderOp : Aten_Composite<"linalg_vander", "", (ins Tensor:$x, Kw<Default<OptSymInt, "None">>:$N),
    "return powersOf(x, N);">;
def Aten_VanderOp : Aten_Composite<"vander", "",
    (ins Tensor:$x, Default<OptInt, "None">:$N, Default<Bool, "False">:$increasing), "return powersOf(x, N, increasing);">;

//===----------------------------------------------------------------------===//
// Elements close to others, of rows, of masks
//===----------------------------------------------------------------------===//

def Aten_IscloseOp : Aten_Composite<"isclose", "", (ins Tensor:$self, Tensor:$other, Default<Float, "1.0000000000000001e-05">:$rtol,
    Default<Float, "1e-08">:$atol, no:$equal_nan), "return isClose(self, other, rtol, atol, equal_nan);">;
def Aten_EqualOp : Aten_Op<"equal", "", (ins Tensor:$self, Tensor:$other), (outs Bool:$result)> {
  let decompose = "return areEqual(self, other);";
}
def Aten_LeftAlignedOp : Aten_Op<"_nested_tensor_from_mask_left_aligned", "", (ins Tensor:$t, Tensor:$mask),
    (outs Bool:$result)> {
  let summary = "Whether in each row of mask all that holds comes before all that does not";
  let decompose = "return isLeftAligned(t, mask);";
}
def Aten_IsSameSizeOp : Aten_Op<"is_same_size", "", (ins Tensor:$self, Tensor:$other), (outs Bool:$result)> {
  let decompose = "return haveSameSizes(self, other);";
}
def Aten_AllcloseOp : Aten_Op<"allclose", "", (ins Tensor:$self, Tensor:$other, Default<Float, "1.0000000000000001e-05">:$rtol,
    Default<Float, "1e-08">:$atol, no:$equal_nan), (outs Bool:$result)> {
  let decompose = "return holdForAll(build.op<IscloseOp>(self, other, rtol, atol, equal_nan));";
}
def Aten_IsNonzeroOp : Aten_Op<"is_nonzero", "", (ins Tensor:$self), (outs Bool:$result)> {
  let decompose = [{
    if (!self.info().dtype()) return build.notYet("the element type of self");
    return build.op<BoolTensorOp>(self);
  }];
}
def Aten_IsrealOp : Aten_Composite<"isreal", "", (ins Tensor:$self), "return isReal(self);">;
def Aten_UnsafeMaskedIndexOp : Aten_Composite<"_unsafe_masked_index", "",
    (ins Tensor:$self, Tensor:$mask, Spelled<AnyList, "Tensor?[]">:$indices, Scalar:$fill),
    "return maskedIndex(self, mask, indices, fill);">;
def Aten_UnsafeMaskedIndexPutAccumulateOp : Aten_Composite<"_unsafe_masked_index_put_accumulate", "",
    (ins Tensor:$self, Tensor:$mask, Spelled<AnyList, "Tensor?[]">:$indices, Tensor:$values),
    "return maskedPut(self, mask, indices, values);">;
def Aten_SoftmaxBackwardDataOp : Aten_Composite<"_softmax_backward_data", "",
    (ins Tensor:$grad_output, Tensor:$output, Int:$dim, DType:$input_dtype),
    "return inDtype(softmaxGrad(output, dim, grad_output), input_dtype);">;
def Aten_NativeDropoutBackwardOp : Aten_Composite<"native_dropout_backward", "",
    (ins Tensor:$grad_output, Tensor:$mask, Float:$scale), "return grad_output * mask * scale;">;

def Aten_LogspaceOp : Aten_Composite<"logspace", "", (ins Scalar:$start, Scalar:$end, Int:$steps, Default<Float, "10.">:$base,
    Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout, Kw<Default<OptDevice, "None">>:$device,
    Kw<Default<OptBool, "None">>:$pin_memory), "return powersBetween(start, end, steps, base, dtype);">;
