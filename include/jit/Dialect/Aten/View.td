//===- View.td - sizes, and operators whose result shares memory -*- tablegen -*-===//
include "jit/Dialect/Aten/ViewBase.td"

//===----------------------------------------------------------------------===//
// Questions to a tensor: constants as soon as its type has the answer
//===----------------------------------------------------------------------===//

def Aten_SizeOp : Aten_Op<"size", "", (ins Tensor:$self), (outs IntList:$result)> {
  let summary = "All sizes, as a list";
  let decompose = [{
    if (!self.info().hasRank()) return build.notYet("the rank of self");
    return sizesOf(self);
  }];
}
def Aten_SizeIntOp : Aten_Op<"size", "int", (ins Tensor:$self, Int:$dim), (outs Int:$result)> {
  let openSizes = 1;
  let summary = "One size";
  let type = "oneSize(infer, self, dim)";
  let decompose = [{
    if (!dim.known() || !isSizeKnown(self, *dim.known())) return build.notYet("the value of dim and the size in that dimension of self");
    return sizeOf(self, *dim.known());
  }];
}
def Aten_DimOp : Aten_Op<"dim", "", (ins Tensor:$self), (outs Int:$result)> {
  let decompose = [{
    if (!self.info().hasRank()) return build.notYet("the rank of self");
    return build.i(self.info().rank());
  }];
}
def Aten_NumelOp : Aten_Op<"numel", "", (ins Tensor:$self), (outs Int:$result)> {
  let decompose = [{
    if (!self.info().hasRank()) return build.notYet("the rank of self");
    if (self.info().tensor.hasStaticSizes()) return build.i(elementCount(self));
    Int count = build.i(1);
    for (int64_t dim = 0; dim < self.info().rank(); ++dim)
      count = count * build.intOp<SizeIntOp>(self, dim);
    return count;
  }];
}
def Aten_StrideOp : Aten_Op<"stride", "", (ins Tensor:$self), (outs IntList:$result)> {
  let asksStrides = 1;
  let decompose = [{
    auto strides = stridesOf(self);
    if (!strides) return build.notYet("the strides of self");
    return build.ints(*strides);
  }];
}
def Aten_StrideIntOp : Aten_Op<"stride", "int", (ins Tensor:$self, Int:$dim), (outs Int:$result)> {
  let asksStrides = 1;
  let decompose = "return strideOf(self, dim);";
}

/// A bool that follows from the element type.
class Aten_DTypeQuestion<string base, string rule>
    : Aten_Op<base, "", (ins Tensor:$self), (outs Bool:$result)> {
  let decompose = "if (!self.info().dtype()) return build.notYet(\"the element type of self\"); return build.flag(::llvm::isa<" # rule
      # ">(self.info().dtype()));";
}
def Aten_IsFloatingPointOp : Aten_DTypeQuestion<"is_floating_point", "::mlir::FloatType">;
def Aten_IsComplexOp : Aten_DTypeQuestion<"is_complex", "::mlir::ComplexType">;
def Aten_ElementSizeOp : Aten_Op<"element_size", "", (ins Tensor:$self), (outs Int:$result)> {
  let summary = "Bytes of an element";
  let decompose = [{
    if (!self.info().dtype()) return build.notYet("the element type of self");
    return build.i(elementSize(*typeToDtype(self.info().dtype())));
  }];
}
def Aten_IsContiguousOp : Aten_Op<"is_contiguous", "", (ins Tensor:$self), (outs Bool:$result)> {
  let asksStrides = 1;
  let decompose = [{
    auto isRowMajor = self.info().hasRank() ? layoutOf(self.v).isRowMajor(self.info().sizes()) : std::nullopt;
    if (!isRowMajor) return build.notYet("the rank and the strides of self");
    return build.flag(*isRowMajor);
  }];
}
def Aten_StorageOffsetOp : Aten_Op<"storage_offset", "", (ins Tensor:$self), (outs Int:$result)> {
  let asksStrides = 1;
  let decompose = [{
    auto offset = layoutOf(self.v).offset();
    if (!offset) return build.notYet("where the memory of self begins");
    return build.i(*offset);
  }];
}
def Aten_IsSetToOp : Aten_Op<"is_set_to", "", (ins Tensor:$self, Tensor:$tensor), (outs Bool:$result)> {
  let asksStrides = 1;
  let decompose = [{
    auto isSame = showsTheSame(self, tensor);
    if (!isSame) return build.notYet("whether both show the same memory");
    return build.flag(*isSame);
  }];
}

class Aten_Property<string base, AtenArg result_, string rule>
    : Aten_Op<base, "", (ins Tensor:$a), (outs result_:$result)> {
  let ns = "prim";
  let decompose = rule;
}
def Aten_DTypeOp : Aten_Property<"dtype", Int, [{
  auto number = typeToDtype(a.info().dtype());
  if (!number) return build.notYet("the element type of a");
  return build.i(int64_t(*number));
}]>;
def Aten_LayoutOp : Aten_Property<"layout", Spelled<Int, "Layout">, [{
  if (isSparse(a.v)) return build.notYet("a tensor that is not sparse");
  return build.i(0);
}]>;
def Aten_is_sparseOp : Aten_Property<"is_sparse", Bool, [{
  if (isSparse(a.v)) return build.notYet("a tensor that is not sparse");
  return build.flag(false);
}]>;
def Aten_DeviceOp : Aten_Property<"device", Device, "return device(build);">;
def Aten_IsCpuOp : Aten_Property<"is_cpu", Bool, "return isOnDevice(build, \"cpu\");">;
def Aten_IsCudaOp : Aten_Property<"is_cuda", Bool, "return isOnDevice(build, \"cuda\");">;
foreach name = ["is_quantized", "is_mkldnn", "is_meta", "is_mps", "is_nested"] in
  def Aten_#name#Op : Aten_Property<name, Bool, "return build.flag(false);">;

//===----------------------------------------------------------------------===//
// The same elements in the same order, under other sizes
//===----------------------------------------------------------------------===//

def Aten_ViewOp : Aten_Op<"view", "", (ins Tensor:$self, SymIntList:$size)> {
  let openSizes = 1;
  let type = "viewed(infer, self, size)";
  let lowered = 1;
  let scatter = "build.op<ViewAsOp>(written, self)";
  let view = "sharedView(base, self, viewed)";
}
def Aten_ReshapeOp : Aten_Reshaping<"reshape", "", (ins Tensor:$self, SymIntList:$shape)> {
  let type = "viewed(infer, self, shape)";
}
def Aten_UnsafeViewOp : Aten_Op<"_unsafe_view", "", (ins Tensor:$self, SymIntList:$size)> {
  let type = "viewed(infer, self, size)";
  let decompose = "return reshaped(self, (*this)->getResult(0));";
}
def Aten_ViewAsOp : Aten_Viewing<"view_as", "", (ins Tensor:$self, Tensor:$other)> {
  let type = "viewedAs(infer, self, other)";
}
def Aten_FlattenUsingIntsOp : Aten_Reshaping<"flatten", "using_ints",
    (ins Tensor:$self, Default<Int, "0">:$start_dim, Default<Int, "-1">:$end_dim)> {
  let mayBeSelf = 1;
  let type = "flattened(infer, self, start_dim, end_dim)";
  let view = "flattenedView(base, self, viewed)";
}
def Aten_SqueezeOp : Aten_Viewing<"squeeze", "", (ins Tensor:$self)> {
  let type = "squeezed(infer, self)";
  let view = "squeezedView(base, self)";
}
def Aten_SqueezeDimOp : Aten_Viewing<"squeeze", "dim", (ins Tensor:$self, Int:$dim)> {
  let type = "squeezed(infer, self, dim)";
  let view = "squeezedView(base, self, dim)";
}
def Aten_SqueezeDimsOp : Aten_Viewing<"squeeze", "dims", (ins Tensor:$self, IntList:$dim)> {
  let type = "squeezed(infer, self, dim)";
  let view = "squeezedView(base, self, dim)";
}
def Aten_UnsqueezeOp : Aten_Viewing<"unsqueeze", "", (ins Tensor:$self, Int:$dim)> {
  let type = "unsqueezed(infer, self, dim)";
  let view = "unsqueezedView(base, self, dim)";
  let scatter = "build.op<SqueezeDimOp>(written, dim)";
}

//===----------------------------------------------------------------------===//
// Dimensions in another order
//===----------------------------------------------------------------------===//

def Aten_PermuteOp : Aten_Op<"permute", "", (ins Tensor:$self, IntList:$dims)> {
  let openSizes = 1;
  let type = "permuted(infer, self, dims)";
  let lowered = 1;
  let scatter = "unpermuted(written, dims)";
  let view = "permutedView(base, self, dims)";
}
def Aten_TransposeIntOp : Aten_Op<"transpose", "int", (ins Tensor:$self, Int:$dim0, Int:$dim1)> {
  let summary = "Two dimensions swapped";
  let type = "transposed(infer, self, dim0, dim1)";
  let decompose = "return swapped(self, dim0, dim1);";
  let scatter = "build.op<TransposeIntOp>(written, dim0, dim1)";
  let view = "swappedView(base, self, dim0.known(), dim1.known())";
}

//===----------------------------------------------------------------------===//
// Elements that appear more than once: these cannot be written through
//===----------------------------------------------------------------------===//

def Aten_ExpandOp : Aten_Op<"expand", "", (ins Tensor:$self, SymIntList:$size, Kw<Default<Bool, "False">>:$implicit)> {
  let openSizes = 1;
  let grads = [Grad<"self", "grad">];
  let type = "expanded(infer, self, size)";
  let lowered = 1;
  let scatter = "notWritable(self)";
  let view = "expandedView(base, self, viewed)";
  let repeatsElements = 1;
}
def Aten_UnfoldOp : Aten_Op<"unfold", "", (ins Tensor:$self, Int:$dimension, Int:$size, Int:$step)> {
  let summary = "Windows of `size` along one dimension, in a new last dimension";
  let grads = [Grad<"self", "unfoldGrad(self, dimension, size, step, grad)">];
  let type = "windows(infer, self, dimension, size, step)";
  let lowered = 1;
  let openSizes = 1;
  let scatter = "notWritable(self)";
  let view = "unfoldedView(base, self, dimension, size, step)";
  let repeatsElements = 1;
}

//===----------------------------------------------------------------------===//
// The adjoint of broadcasting
//===----------------------------------------------------------------------===//

def Aten_SizeIfNotEqualOp : Aten_Op<"_size_if_not_equal", "", (ins IntList:$self_size, IntList:$other_size),
    (outs OptIntList:$result)> {
  let summary = "The first sizes where the two differ, None where nothing was broadcast";
  let type = "sizeIfNotEqual(infer, self_size, other_size)";
  let decompose = "return sizeIfNotEqual(self_size, other_size);";
}
def Aten_GradSumToSizeOp : Aten_Op<"_grad_sum_to_size", "", (ins Tensor:$self, OptIntList:$size)> {
  let mayGiveOperand = 1;
  let summary = "The gradient summed over what was broadcast; the gradient itself where the sizes are None";
  let type = "summedTo(infer, self, size)";
  let decompose = "return summedTo(self, size);";
  let linear = [["self"]];
  let grads = [Grad<"self", "expandAs(grad, self)">];
  let isView = 1; // in the schema
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def Aten_SelectIntOp : Aten_Op<"select", "int", (ins Tensor:$self, Int:$dim, SymInt:$index)> {
  let openSizes = 1;
  let summary = "The slice at one index; the dimension disappears";
  let type = "selected(infer, self, dim, index)";
  let lowered = 1;
  let scatter = "build.op<SelectScatterOp>(self, written, dim, index)";
  let view = "selectedView(base, self, dim, index)";
}
def Aten_SelectScatterOp : Aten_Op<"select_scatter", "", (ins Tensor:$self, Tensor:$src, Int:$dim, SymInt:$index)> {
  let copiesStorage = 1;
  let linear = [["self", "src"]];
  let openSizes = 1;
  // Zeros like a part of the gradient: a loop keeps nothing of `src` for their sizes.
  let grads = [Grad<"self", "build.op<SelectScatterOp>(grad, zerosLike(build.op<SelectIntOp>(grad, dim, index)), dim, index)">,
               Grad<"src", "build.op<SelectIntOp>(grad, dim, index)">];
  let type = "withPart(infer, self, selected(infer, self, dim, index), src)";
  let lowered = 1;
}
def Aten_SliceTensorOp : Aten_Op<"slice", "Tensor",
    (ins Tensor:$self, Default<Int, "0">:$dim, Default<OptSymInt, "None">:$start, Default<OptSymInt, "None">:$end,
         Default<SymInt, "1">:$step)> {
  let openSizes = 1;
  let summary = "self[start:end:step] in one dimension";
  let type = "sliced(infer, self, dim, start, end, step)";
  let lowered = 1;
  let hasFolder = 1;
  let scatter = "build.op<SliceScatterOp>(self, written, dim, start, end, step)";
  let view = "slicedView(base, self, dim, start, step)";
}
def Aten_SliceScatterOp : Aten_Op<"slice_scatter", "",
    (ins Tensor:$self, Tensor:$src, Default<Int, "0">:$dim, Default<OptSymInt, "None">:$start,
         Default<OptSymInt, "None">:$end, Default<SymInt, "1">:$step)> {
  let copiesStorage = 1;
  let openSizes = 1;
  let linear = [["self", "src"]];
  let summary = "self with `src` in the place of self[start:end:step]";
  let grads = [Grad<"self", "build.op<SliceScatterOp>(grad, zerosLike(build.op<SliceTensorOp>(grad, dim, start, end, step)),"
                            " dim, start, end, step)">,
               Grad<"src", "build.op<SliceTensorOp>(grad, dim, start, end, step)">];
  let type = "withPart(infer, self, sliced(infer, self, dim, start, end, step), src)";
  let lowered = 1;
}
def Aten_DiagonalOp : Aten_Op<"diagonal", "",
    (ins Tensor:$self, Default<Int, "0">:$offset, Default<Int, "0">:$dim1, Default<Int, "1">:$dim2)> {
  let grads = [Grad<"self", "diagonalGrad(self, offset, dim1, dim2, grad)">];
  let type = "diagonalOf(infer, self, offset, dim1, dim2)";
  let lowered = 1;
  let openSizes = 1;
  let scatter = "notWritable(self)";
  let view = "diagonalView(base, self, offset, dim1, dim2)";
}

//===----------------------------------------------------------------------===//
// The tensor itself, where memory and gradients have no meaning
//===----------------------------------------------------------------------===//

def Aten_WithElementsOp : Aten_Op<"_with_elements", "", (ins Tensor:$self, Tensor:$elements), (outs Tensor:$result),
    [Pure, OfGradientsAlone]> {
  let summary = "A tensor after a write that autograd does not see: the elements of one, the gradient of the other";
  let type = "Type(self)";
  let decompose = "return elements;";
  let grads = [Grad<"self", "grad">, Grad<"elements", "build.none()">];
}

class Aten_Same<string base, string overload, dag args> : Aten_Op<base, overload, args> {
  let type = "Type(self)";
  let decompose = "return self;";
}
class Aten_SameView<string base, string overload, dag args> : Aten_Same<base, overload, args> {
  let scatter = "written";
  let view = "ViewOf::shares(base)";
}
def Aten_AliasOp : Aten_SameView<"alias", "", (ins Tensor:$self)>;
def Aten_DetachOp : Aten_Op<"detach", "", (ins Tensor:$self), (outs Tensor:$result), [Pure, OfGradientsAlone]> {
  let type = "Type(self)";
  let decompose = "return self;";
  let view = "ViewOf::shares(base)";
  let scatter = "build.op<WithElementsOp>(self, written)";
  let grads = [Grad<"self", "build.none()">];
}
def Aten_LiftFreshOp : Aten_SameView<"lift_fresh", "", (ins Tensor:$self)> {
  let mayBeSelf = 1;
}
def Aten_DetachCopyOp : Aten_Op<"detach_copy", "", (ins Tensor:$self), (outs Tensor:$result), [Pure, OfGradientsAlone]> {
  let type = "Type(self)";
  let decompose = "return self;";
  let grads = [Grad<"self", "build.none()">];
}
def Aten_LiftFreshCopyOp : Aten_Same<"lift_fresh_copy", "", (ins Tensor:$self)>;
def Aten_CloneOp : Aten_Same<"clone", "", (ins Tensor:$self, Kw<Default<OptMemoryFormat, "None">>:$memory_format)> {
  let keepsStrides = 1;
}
def Aten_ContiguousOp : Aten_Same<"contiguous", "",
    (ins Tensor:$self, Kw<Default<MemoryFormat, "0">>:$memory_format)> {
  let scatter = "written";
  let view = "inFormat(base, self, OptInt(build, memory_format.v))";
  let mayBeSelf = 1;
}
def Aten_DataOp : Aten_Op<"data", "", (ins Tensor:$a), (outs Tensor:$result), [Pure, OfGradientsAlone]> {
  let ns = "prim";
  let type = "Type(a)";
  let decompose = "return a;";
  let scatter = "build.op<WithElementsOp>(a, written)";
  let view = "ViewOf::shares(base)";
  let grads = [Grad<"a", "build.none()">];
}

//===----------------------------------------------------------------------===//
// Element type and device
//===----------------------------------------------------------------------===//

def Aten_ToDTypeOp : Aten_Op<"to", "dtype",
    (ins Tensor:$self, DType:$dtype, Default<Bool, "False">:$non_blocking, Default<Bool, "False">:$copy,
         Default<OptMemoryFormat, "None">:$memory_format)> {
  let summary = "The elements converted; the tensor itself where it has that element type already";
  let grads = [Grad<"self", "grad">];
  let type = "retyped(infer, self, dtype)";
  let scalar = "self";
  let hasFolder = 1;
  let scatter = "written";
  let view = "convertedView(base, self, viewed, copy, memory_format)";
  let mayBeSelf = 1;
}
class Aten_ToOther<string overload, dag args> : Aten_Op<"to", overload, args> {
  let grads = [Grad<"self", "grad">];
  let decompose = "return converted(self, (*this)->getResult(0));";
}
def Aten_ToDeviceOp : Aten_ToOther<"device",
    (ins Tensor:$self, Device:$device, DType:$dtype, Default<Bool, "False">:$non_blocking, Default<Bool, "False">:$copy,
         Default<OptMemoryFormat, "None">:$memory_format)> {
  let type = "retyped(infer, self, dtype)";
  let scatter = "written";
  let view = "convertedView(base, self, viewed, copy, memory_format)";
  let mayBeSelf = 1;
}
def Aten_ToDTypeLayoutOp : Aten_ToOther<"dtype_layout",
    (ins Tensor:$self, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
         Kw<Default<OptDevice, "None">>:$device, Kw<Default<OptBool, "None">>:$pin_memory,
         Kw<Default<Bool, "False">>:$non_blocking, Kw<Default<Bool, "False">>:$copy,
         Kw<Default<OptMemoryFormat, "None">>:$memory_format)> {
  let type = "retyped(infer, self, dtype)";
  let scatter = "written";
  let view = "convertedView(base, self, viewed, copy, memory_format)";
  let mayBeSelf = 1;
}
def Aten_ToOtherOp : Aten_ToOther<"other",
    (ins Tensor:$self, Tensor:$other, Default<Bool, "False">:$non_blocking, Default<Bool, "False">:$copy,
         Default<OptMemoryFormat, "None">:$memory_format)> {
  let grads = [Grad<"self", "grad">, Grad<"other", "build.none()">];
  let type = "Type(self.tensor.withDtype(other.dtype()))";
  let scatter = "written";
  let view = "convertedView(base, self, viewed, copy, memory_format)";
  let mayBeSelf = 1;
}
def AliasedSelf : Spelled<Tensor, "Tensor(a)">;
class Aten_ToPrim<string overload, dag args> : Aten_Op<"to", overload, args, (outs Spelled<Tensor, "Tensor(b|a)">:$result)> {
  let grads = [Grad<"self", "grad">];
  let decompose = "return converted(self, (*this)->getResult(0));";
  let isView = 0; // the schema is spelled out
}
def Aten_ToPrimDeviceOp : Aten_ToPrim<"prim_Device",
    (ins AliasedSelf:$self, OptDevice:$device, Default<Spelled<OptInt, "int?">, "None">:$dtype,
         Default<Bool, "False">:$non_blocking, Default<Bool, "False">:$copy)> {
  let type = "retyped(infer, self, dtype)";
  let scatter = "written";
  let view = "convertedView(base, self, viewed, copy)";
  let mayBeSelf = 1;
}
def Aten_ToPrimDTypeOp : Aten_ToPrim<"prim_dtype",
    (ins AliasedSelf:$self, Default<OptInt, "None">:$dtype, Default<Bool, "False">:$non_blocking,
         Default<Bool, "False">:$copy)> {
  let type = "retyped(infer, self, dtype)";
  let scatter = "written";
  let view = "convertedView(base, self, viewed, copy)";
  let mayBeSelf = 1;
}
def Aten_ToPrimOtherOp : Aten_ToPrim<"prim_other",
    (ins AliasedSelf:$self, Default<Bool, "False">:$non_blocking, Default<Bool, "False">:$copy)> {
  let type = "Type(self)";
  let scatter = "written";
  let view = "convertedView(base, self, viewed, copy)";
  let mayBeSelf = 1;
}
def Aten_CpuOp : Aten_Op<"cpu", "", (ins AliasedSelf:$self), (outs Spelled<Tensor, "Tensor(b|a)">:$result)> {
  let type = "Type(self)";
  let decompose = "return self;";
  let scatter = "written";
  let view = "ViewOf::shares(base)";
  let mayBeSelf = 1;
  let isView = 0;
}
/// Of a dense tensor, which all are here.
def Aten_ToDenseOp : Aten_Op<"to_dense", "",
    (ins Tensor:$self, Default<OptDType, "None">:$dtype, Kw<Default<OptBool, "None">>:$masked_grad)> {
  let type = "retyped(infer, self, dtype)";
  let grads = [Grad<"self", "grad">];
  let decompose = "return converted(self, (*this)->getResult(0));";
  let scatter = "written";
  let view = "convertedView(base, self, viewed)";
  let mayBeSelf = 1;
  let isView = 0;
}
def Aten_ToCopyOp : Aten_Op<"_to_copy", "",
    (ins Tensor:$self, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
         Kw<Default<OptDevice, "None">>:$device, Kw<Default<OptBool, "None">>:$pin_memory,
         Kw<Default<Bool, "False">>:$non_blocking, Kw<Default<OptMemoryFormat, "None">>:$memory_format)> {
  let type = "retyped(infer, self, dtype)";
  let decompose = "return converted(self, (*this)->getResult(0));";
}
def Aten_AsTensorOp : Aten_Op<"as_tensor", "",
    (ins Spelled<Tensor, "Tensor(a)">:$data, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptDevice, "None">>:$device),
    (outs Spelled<Tensor, "Tensor(b|a)">:$result)> {
  let type = "retyped(infer, data, dtype)";
  let grads = [Grad<"data", "grad">];
  let decompose = "return converted(data, (*this)->getResult(0));";
  let scatter = "written";
  let view = "convertedView(base, data, viewed)";
  let mayBeSelf = 1;
  let isView = 0;
}
def Aten_TypeAsOp : Aten_Op<"type_as", "", (ins Tensor:$self, Tensor:$other)> {
  let type = "Type(self.tensor.withDtype(other.dtype()))";
  let grads = [Grad<"self", "grad">, Grad<"other", "build.none()">];
  let decompose = "return converted(self, (*this)->getResult(0));";
  let scatter = "written";
  let view = "convertedView(base, self, viewed)";
  let mayBeSelf = 1;
  let isView = 0;
}
