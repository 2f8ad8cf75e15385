//===- Prims.td - what decompositions end in ---------------*- tablegen -*-===//
//
// PyTorch's prims: operators without broadcasting or promotion, of which an exported program has some where it was decomposed
// by other tables than the core one. Each is the operator that we have for it.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

class Prim<string name, dag args, string body, dag outs_ = (outs Tensor:$result)>
    : Aten_Composite<"prims_" # name, "", args, "return " # body # ";", outs_> {
  // In the dialect each has a name beside that of the operator of PyTorch's that is called so, too.
  let schema = "prims::" # name # signature;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

foreach pair = [["abs", "Abs"], ["acos", "Acos"], ["acosh", "Acosh"], ["asin", "Asin"], ["asinh", "Asinh"], ["atan", "Atan"],
                ["atanh", "Atanh"], ["bessel_i0", "I0"], ["bessel_i0e", "SpecialI0e"], ["bessel_i1", "SpecialI1"],
                ["bessel_i1e", "SpecialI1e"], ["bessel_j0", "SpecialBesselJ0"], ["bessel_j1", "SpecialBesselJ1"],
                ["bitwise_not", "BitwiseNot"], ["ceil", "Ceil"], ["cos", "Cos"], ["cosh", "Cosh"], ["digamma", "Digamma"],
                ["erf", "Erf"], ["erf_inv", "Erfinv"], ["erfc", "Erfc"], ["erfcx", "SpecialErfcx"], ["exp", "Exp"], ["exp2", "Exp2"],
                ["expm1", "Expm1"], ["floor", "Floor"], ["isfinite", "Isfinite"], ["lgamma", "Lgamma"], ["log", "Log"],
                ["log10", "Log10"], ["log1p", "Log1p"], ["log2", "Log2"], ["ndtri", "SpecialNdtri"], ["neg", "Neg"],
                ["reciprocal", "Reciprocal"], ["round", "Round"], ["rsqrt", "Rsqrt"], ["sign", "Sign"], ["signbit", "Signbit"],
                ["sin", "Sin"], ["sinh", "Sinh"], ["sqrt", "Sqrt"], ["tan", "Tan"], ["tanh", "Tanh"], ["trunc", "Trunc"]] in
  def Aten_Prims#pair[0]#Op : Prim<pair[0], (ins Tensor:$self), "build.op<" # pair[1] # "Op>(self)">;

foreach pair = [["atan2", "Atan2"], ["bitwise_and", "BitwiseAndTensor"], ["bitwise_or", "BitwiseOrTensor"],
                ["bitwise_xor", "BitwiseXorTensor"], ["eq", "EqTensor"], ["fmax", "Fmax"], ["fmin", "Fmin"],
                ["fmod", "FmodTensor"], ["gcd", "Gcd"], ["ge", "GeTensor"], ["gt", "GtTensor"], ["hypot", "Hypot"],
                ["igamma", "Igamma"], ["igammac", "Igammac"], ["le", "LeTensor"], ["lt", "LtTensor"], ["maximum", "Maximum"],
                ["minimum", "Minimum"], ["mul", "MulTensor"], ["ne", "NeTensor"], ["nextafter", "Nextafter"],
                ["pow", "PowTensorTensor"], ["remainder", "RemainderTensor"], ["shift_left", "BitwiseLeftShiftTensor"],
                ["shift_right_arithmetic", "BitwiseRightShiftTensor"], ["zeta", "SpecialZeta"]] in
  def Aten_Prims#pair[0]#Op : Prim<pair[0], (ins Tensor:$self, Tensor:$other), "build.op<" # pair[1] # "Op>(self, other)">;

def Aten_PrimsAddOp : Prim<"add", (ins Tensor:$self, Tensor:$other), "self + other">;
def Aten_PrimsSubOp : Prim<"sub", (ins Tensor:$self, Tensor:$other), "self - other">;
// Of integers it is rounded towards 0.
def Aten_PrimsDivOp : Prim<"div", (ins Tensor:$self, Tensor:$other), "quotient(self, other)">;
def Aten_PrimsWhereOp : Prim<"where", (ins Tensor:$pred, Tensor:$a, Tensor:$b), "where(pred, a, b)">;
def Aten_PrimsConvertElementTypeOp : Prim<"convert_element_type", (ins Tensor:$a, DType:$dtype),
    "build.op<ToDTypeOp>(a, dtype, false, true, build.none())">;

//===----------------------------------------------------------------------===//
// New tensors
//===----------------------------------------------------------------------===//

defvar kind = (ins Kw<DType>:$dtype, Kw<Device>:$device, Kw<Bool>:$requires_grad);
def Aten_PrimsFullOp : Prim<"full", !con((ins SymIntList:$shape, Scalar:$fill_value), kind),
    "build.op<FullOp>(shape, fill_value, dtype, build.none(), device, build.none())">;
def Aten_PrimsFullLikeOp : Prim<"full_like", !con((ins Tensor:$a, Scalar:$fill_value), kind),
    "build.op<FullLikeOp>(a, fill_value, dtype, build.none(), device, build.none(), build.none())">;
def Aten_PrimsFillOp : Prim<"fill", (ins Tensor:$self, Scalar:$value), "build.op<FillScalarOp>(self, value)">;
def Aten_PrimsScalarTensorOp : Prim<"scalar_tensor",
    (ins Scalar:$s, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptDevice, "None">>:$device),
    "build.op<ScalarTensorOp>(s, dtype, build.none(), device, build.none())">;
def Aten_PrimsIotaOp : Prim<"iota", !con((ins SymInt:$length, Kw<SymInt>:$start, Kw<SymInt>:$step), kind),
    "build.op<ArangeStartStepOp>(start, start + length * step, step, dtype, build.none(), device, build.none())">;
def Aten_PrimsCloneOp : Prim<"clone", (ins Tensor:$self, Kw<Default<OptMemoryFormat, "None">>:$memory_format),
    "build.op<CloneOp>(self, memory_format)">;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

defvar SharedA = Spelled<Tensor, "Tensor(a)">;
class PrimView<string name, dag args, string body> : Prim<name, args, body, (outs SharedA:$result)>;
def Aten_PrimsBroadcastInDimOp : PrimView<"broadcast_in_dim",
    (ins SharedA:$a, SymIntList:$shape, IntList:$broadcast_dimensions), "broadcastInDim(a, shape, broadcast_dimensions)">;
def Aten_PrimsTransposeOp : PrimView<"transpose", (ins SharedA:$a, IntList:$permutation), "build.op<PermuteOp>(a, permutation)">;
def Aten_PrimsSqueezeOp : PrimView<"squeeze", (ins SharedA:$a, IntList:$dimensions), "build.op<SqueezeDimsOp>(a, dimensions)">;
def Aten_PrimsCollapseViewOp : PrimView<"collapse_view", (ins SharedA:$a, Int:$start, Int:$end),
    "build.op<FlattenUsingIntsOp>(a, start, end)">;
def Aten_PrimsCollapseOp : Prim<"collapse", (ins Tensor:$a, Int:$start, Int:$end),
    "build.op<CloneOp>(Tensor(build.op<FlattenUsingIntsOp>(a, start, end)), build.none())">;
def Aten_PrimsSplitDimOp : PrimView<"split_dim", (ins SharedA:$a, Int:$dim, SymInt:$outer_length),
    "build.op<UnflattenIntOp>(a, dim, build.list({outer_length, build.i(-1)}))">;
def Aten_PrimsReshapeOp : Prim<"reshape", (ins Tensor:$a, SymIntList:$shape), "build.op<ReshapeOp>(a, shape)">;
def Aten_PrimsRevOp : Prim<"rev", (ins Tensor:$a, IntList:$dims), "build.op<FlipOp>(a, dims)">;
def Aten_PrimsCatOp : Prim<"cat", (ins TensorList:$tensors, Int:$dim), "build.op<CatOp>(tensors, dim)">;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

defvar reduction = (ins Tensor:$inp, OptIntList:$dims, Kw<Default<OptDType, "None">>:$output_dtype);
def Aten_PrimsSumOp : Prim<"sum", reduction, "build.op<SumDimIntListOp>(inp, dims, false, output_dtype)">;
foreach pair = [["amax", "Amax"], ["amin", "Amin"]] in
  def Aten_Prims#pair[0]#Op : Prim<pair[0], reduction, "extremeAlong<" # pair[1] # "Op>(inp, dims, output_dtype)">;
