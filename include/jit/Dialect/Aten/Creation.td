//===- Creation.td - tensors from sizes and numbers ------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// What every factory takes at its end.
defvar options = (ins Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
    Kw<Default<OptDevice, "None">>:$device, Kw<Default<OptBool, "None">>:$pin_memory);
defvar format = (ins Kw<Default<OptMemoryFormat, "None">>:$memory_format);

//===----------------------------------------------------------------------===//
// One number in every element
//===----------------------------------------------------------------------===//

def Aten_FullOp : Aten_Op<"full", "", !con((ins SymIntList:$size, Scalar:$fill_value), options)> {
  let openSizes = 1;
  let fill = "fill_value";
  let type = "sized(infer, size, infer.dtypeOr(dtype, dtypeOfNumber(infer, fill_value.type())))";
  let lowered = 1;
}

/// `value` in every element of a tensor of the inferred type, which has to be static.
class Aten_Filled<string base, string overload, dag args, string typeRule, string value> : Aten_Op<base, overload, args> {
  let type = typeRule;
  let fill = !cond(!eq(value, "build.i(0)") : "0", !eq(value, "build.i(1)") : "1", true : "");
  let givesOneNumber = 1;
  let decompose = "return filled(build, " # value # ", (*this)->getResult(0));";
}
defvar ofSize = "sized(infer, size, infer.dtypeOr(dtype, infer.f32()))";
def Aten_ZerosOp : Aten_Filled<"zeros", "", !con((ins SymIntList:$size), options), ofSize, "build.i(0)">;
def Aten_OnesOp : Aten_Filled<"ones", "", !con((ins SymIntList:$size), options), ofSize, "build.i(1)">;
/// What an uninitialized tensor holds is open: zeros keep programs that read it repeatable.
def Aten_EmptyOp : Aten_Filled<"empty", "memory_format", !con((ins SymIntList:$size), options, format), ofSize, "build.i(0)">;

def Aten_EmptyStridedOp : Aten_Filled<"empty_strided", "", !con((ins SymIntList:$size, SymIntList:$stride), options), ofSize,
    "build.i(0)">;
def Aten_EmptyPermutedOp : Aten_Filled<"empty_permuted", "", !con((ins SymIntList:$size, IntList:$physical_layout), options),
    ofSize, "build.i(0)">;

defvar likeSelf = "Type(self.tensor.withDtype(infer.dtypeOr(dtype, self.dtype())))";
def Aten_ZerosLikeOp : Aten_Filled<"zeros_like", "", !con((ins Tensor:$self), options, format), likeSelf, "build.i(0)"> { let keepsStrides = 1; }
def Aten_OnesLikeOp : Aten_Filled<"ones_like", "", !con((ins Tensor:$self), options, format), likeSelf, "build.i(1)"> { let keepsStrides = 1; }
def Aten_EmptyLikeOp : Aten_Filled<"empty_like", "", !con((ins Tensor:$self), options, format), likeSelf, "build.i(0)"> { let keepsStrides = 1; }
def Aten_FullLikeOp : Aten_Filled<"full_like", "", !con((ins Tensor:$self, Scalar:$fill_value), options, format),
    likeSelf, "fill_value"> { let keepsStrides = 1; }

defvar newOfSize = "sized(infer, size, infer.dtypeOr(dtype, self.dtype()))";
def Aten_NewZerosOp : Aten_Filled<"new_zeros", "", !con((ins Tensor:$self, SymIntList:$size), options), newOfSize, "build.i(0)"> { let givesRows = 1; }
def Aten_NewOnesOp : Aten_Filled<"new_ones", "", !con((ins Tensor:$self, SymIntList:$size), options), newOfSize, "build.i(1)"> { let givesRows = 1; }
def Aten_NewEmptyOp : Aten_Filled<"new_empty", "", !con((ins Tensor:$self, SymIntList:$size), options), newOfSize, "build.i(0)"> { let givesRows = 1; }
def Aten_NewEmptyStridedOp : Aten_Filled<"new_empty_strided", "",
    !con((ins Tensor:$self, SymIntList:$size, SymIntList:$stride), options), newOfSize, "build.i(0)">;
def Aten_NewFullOp : Aten_Filled<"new_full", "", !con((ins Tensor:$self, SymIntList:$size, Scalar:$fill_value), options),
    newOfSize, "fill_value"> { let givesRows = 1; }
def Aten_ZeroOp : Aten_Filled<"zero", "", (ins Tensor:$self), "Type(self)", "build.i(0)"> {
  let grads = [Grad<"self", "zerosLike(grad)">];
}
def Aten_FillScalarOp : Aten_Filled<"fill", "Scalar", (ins Tensor:$self, Scalar:$value), "Type(self)", "value"> {
  let grads = [Grad<"self", "zerosLike(grad)">];
}

// Tensors of rank 0.
def Aten_NumToTensorScalarOp : Aten_Filled<"NumToTensor", "Scalar", (ins Scalar:$a),
    "infer.tensor({}, wideDtypeOfNumber(infer, a.type()))", "a"> {
  let ns = "prim";
}
def Aten_NumToTensorBoolOp : Aten_Filled<"NumToTensor", "bool", (ins Bool:$a), "infer.tensor({}, infer.i1())", "a"> {
  let ns = "prim";
}
def Aten_ScalarTensorOp : Aten_Filled<"scalar_tensor", "", !con((ins Scalar:$s), options),
    "infer.tensor({}, infer.dtypeOr(dtype, infer.f32()))", "s">;
foreach number = [Int, Float, Bool, ComplexNumber] in {
  defvar kind = number.spelling;
  defvar Kind = !toupper(!substr(kind, 0, 1)) # !substr(kind, 1);
  defvar rankZero = "infer.tensor({}, infer.dtypeOr(dtype, dtypeOfNumber(infer, t.type())))";
  def Aten_Tensor#Kind#Op : Aten_Filled<"tensor", kind,
      (ins number:$t, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptDevice, "None">>:$device,
           Kw<Default<Bool, "False">>:$requires_grad), rankZero, "t">;
  def Aten_AsTensor#Kind#Op : Aten_Filled<"as_tensor", kind,
      (ins number:$t, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptDevice, "None">>:$device), rankZero, "t">;
}

//===----------------------------------------------------------------------===//
// From lists and tensors
//===----------------------------------------------------------------------===//

def Aten_ShapeAsTensorOp : Aten_Composite<"_shape_as_tensor", "", (ins Tensor:$self), [{
  if (!self.info().hasRank()) return build.notYet("the rank of self");
  return build.op<TensorOp>(sizesOf(self), int64_t(ScalarType::Long), build.none(), false);
}]>;
def Aten_TensorOp : Aten_Op<"tensor", "",
    (ins AnyList:$data, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptDevice, "None">>:$device,
         Kw<Default<Bool, "False">>:$requires_grad)> {
  let summary = "A tensor of the numbers in nested lists";
  let type = "nested(infer, data, dtype)";
  let lowered = 1;
}
def Aten_AsTensorListOp : Aten_Op<"as_tensor", "list",
    (ins AnyList:$data, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptDevice, "None">>:$device)> {
  let type = "nested(infer, data, dtype)";
  let decompose = "return build.op<TensorOp>(data, dtype, device, false);";
}
def Aten_CopyOp : Aten_Op<"copy", "", (ins Tensor:$self, Tensor:$src, Default<Bool, "False">:$non_blocking)> {
  let summary = "`src` with the sizes and element type of self";
  let copiesStorage = 1;
  let type = "overwritten(infer, self, src)";
  let grads = [Grad<"self", "zerosLike(grad)">, Grad<"src", "grad">];
  let decompose = "return copied(self, src, (*this)->getResult(0));";
}
def Aten_FillTensorOp : Aten_Op<"fill", "Tensor", (ins Tensor:$self, Tensor:$value)> {
  let type = [{
    value.hasRank() && value.rank() > 0
        ? infer.error("expected a value without dimensions, got " + llvm::Twine(value.rank())) : Type(self)}];
  let givesOneNumber = 1;
  let grads = [Grad<"self", "zerosLike(grad)">, Grad<"value", "sum(grad)">];
  let decompose = "return withType(value, (*this)->getResult(0));";
}
class Aten_Meshgrid<string overload, dag args, string columnsFirst>
    : Aten_Op<"meshgrid", overload, args, (outs TensorList:$result)> {
  let decompose = "return meshgrid(tensors, " # columnsFirst # ");";
}
def Aten_MeshgridOp : Aten_Meshgrid<"", (ins TensorList:$tensors), "build.str(\"ij\")">;
def Aten_MeshgridIndexingOp : Aten_Meshgrid<"indexing", (ins TensorList:$tensors, Kw<Str>:$indexing), "indexing">;

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

def Aten_ArangeStartStepOp : Aten_Op<"arange", "start_step",
    !con((ins Scalar:$start, Scalar:$end, Default<Scalar, "1">:$step), options)> {
  let type = "sequence(infer, start, end, step, dtype)";
  let lowered = 1;
  let openSizes = 1;
}
def Aten_ArangeStartOp : Aten_Op<"arange", "start", !con((ins Scalar:$start, Scalar:$end), options)> {
  let type = "sequence(infer, start, end, std::nullopt, dtype)";
  let decompose = "return build.op<ArangeStartStepOp>(start, end, 1, dtype, layout, device, pin_memory);";
}
def Aten_ArangeOp : Aten_Op<"arange", "", !con((ins Scalar:$end), options)> {
  let type = "sequence(infer, std::nullopt, end, std::nullopt, dtype)";
  let decompose = "return build.op<ArangeStartStepOp>(0, end, 1, dtype, layout, device, pin_memory);";
}
def Aten_LinspaceOp : Aten_Op<"linspace", "", !con((ins Scalar:$start, Scalar:$end, Int:$steps), options)> {
  let type = "infer.tensor({steps.orDynamic()}, infer.dtypeOr(dtype, infer.f32()))";
  let lowered = 1;
  let openSizes = 1;
}
def Aten_EyeMOp : Aten_Op<"eye", "m", !con((ins SymInt:$n, SymInt:$m), options)> {
  let type = "infer.tensor({n.orDynamic(), m.orDynamic()}, infer.dtypeOr(dtype, infer.f32()))";
  let decompose = "return identity(n, m, (*this)->getResult(0));";
}
def Aten_EyeOp : Aten_Op<"eye", "", !con((ins SymInt:$n), options)> {
  let type = "infer.tensor({n.orDynamic(), n.orDynamic()}, infer.dtypeOr(dtype, infer.f32()))";
  let decompose = "return identity(n, n, (*this)->getResult(0));";
}
