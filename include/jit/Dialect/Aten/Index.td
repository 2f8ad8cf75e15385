//===- Index.td - joining, picking and placing elements --------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

def Aten_CatOp : Aten_Op<"cat", "", (ins TensorList:$tensors, Default<Int, "0">:$dim)> {
  let givesRows = 1;
  let keepsChannelsLast = 1;
  let summary = "Tensors joined along one dimension";
  let description = [{
    Of a list that a loop has filled (`jit.list_from_tensor`) canonicalization makes a reordering of the loop's
    tensor; parts of a `jit.list_concat` are joined one by one.
  }];
  let type = "joined(infer, tensors, dim)";
  let newLayout = "joinedLayout(tensors.v, dim, result, stridedOf, /*stacks=*/false)";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"tensors", "cutApart(grad, tensors, dim)">];
  let hasCanonicalizeMethod = 1;
  let aliases = ["concat", "concatenate"];
}
def Aten_StackOp : Aten_Op<"stack", "", (ins TensorList:$tensors, Default<Int, "0">:$dim)> {
  let givesRows = 1;
  let keepsChannelsLast = 1;
  let summary = "Tensors joined along a new dimension";
  let type = "stacked(infer, tensors, dim)";
  let newLayout = "joinedLayout(tensors.v, dim, result, stridedOf, /*stacks=*/true)";
  let decompose = "return stacked(tensors, dim);";
}
def Aten_HStackOp : Aten_Op<"hstack", "", (ins TensorList:$tensors)> {
  let type = "joinedAtLeast(infer, tensors, 1)";
  let decompose = "return joinedAtLeast(tensors, 1);";
}
def Aten_VStackOp : Aten_Op<"vstack", "", (ins TensorList:$tensors)> {
  let type = "joinedAtLeast(infer, tensors, 2)";
  let decompose = "return joinedAtLeast(tensors, 2);";
}

//===----------------------------------------------------------------------===//
// Picking by index tensors. Every index is checked at run time before it is used.
//===----------------------------------------------------------------------===//

def OptTensorList : Spelled<AnyList, "Tensor?[]">;

def Aten_IndexTensorOp : Aten_Op<"index", "Tensor", (ins Tensor:$self, OptTensorList:$indices)> {
  let summary = "self[i, :, j]: dimensions with an index tensor become the broadcast dimensions of these";
  let description = [{
    A mask among the indices stands for the places where it holds, one index for each of its dimensions: canonicalization
    replaces it by these.
  }];
  let type = "indexed(infer, self, indices)";
  let newLayout = "indexedLayout(self, indices.v, result, stridedOf)";
  let lowered = 1;
  let openSizes = 1;
  let hasCanonicalizeMethod = 1;
  // Its indices are within bounds by PyTorch's account; we look all the same.
  let aliases = ["_unsafe_index.Tensor"];
  let grads = [Grad<"self", "build.op<IndexPutOp>(zerosLike(self), indices, grad, true)">];
}
def Aten_IndexSelectOp : Aten_Op<"index_select", "", (ins Tensor:$self, Int:$dim, Tensor:$index)> {
  let givesRows = 1;
  let type = "indexSelected(infer, self, dim, index)";
  let decompose = "return indexSelected(self, dim, index);";
}
def Aten_EmbeddingOp : Aten_Op<"embedding", "",
    (ins Tensor:$weight, Tensor:$indices, Default<SymInt, "-1">:$padding_idx, Default<Bool, "False">:$scale_grad_by_freq,
         Default<Bool, "False">:$sparse)> {
  let type = "indexSelected(infer, weight, 0, indices)";
  let decompose = "return pickedFromFront(weight, 0, indices);";
  let grads = [Grad<"weight", "embeddingGrad(weight, indices, padding_idx, scale_grad_by_freq, grad)">];
}
def Aten_EmbeddingDenseBackwardOp : Aten_Composite<"embedding_dense_backward", "",
    (ins Tensor:$grad_output, Tensor:$indices, SymInt:$num_weights, SymInt:$padding_idx, Bool:$scale_grad_by_freq),
    "return embeddingDenseBackward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq);">;
def Aten_GatherOp : Aten_Op<"gather", "",
    (ins Tensor:$self, Int:$dim, Tensor:$index, Kw<Default<Bool, "False">>:$sparse_grad)> {
  let givesRows = 1;
  let type = "sizedLike(infer, index, self)";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "build.op<ScatterAddOp>(zerosLike(self), dim, index, grad)">];
}
def Aten_TakeAlongDimOp : Aten_Op<"take_along_dim", "", (ins Tensor:$self, Tensor:$indices, Default<OptInt, "None">:$dim)> {
  let type = "takenAlong(infer, self, indices, dim)";
  let decompose = "return takenAlong(self, indices, dim, (*this)->getResult(0));";
}
def Aten_OneHotOp : Aten_Op<"one_hot", "", (ins Tensor:$self, Default<Int, "-1">:$num_classes)> {
  let type = "oneHot(infer, self, num_classes)";
  let decompose = "return oneHot(self, num_classes);";
}

//===----------------------------------------------------------------------===//
// Placing
//===----------------------------------------------------------------------===//

def Aten_IndexPutOp : Aten_Op<"index_put", "",
    (ins Tensor:$self, OptTensorList:$indices, Tensor:$values, Default<Bool, "False">:$accumulate)> {
  let summary = "self with `values` in the places that index.Tensor would pick";
  let keepsStrides = 1;
  let type = "overwrittenAt(infer, self, indices, values, accumulate)";
  let lowered = 1;
  let openSizes = 1;
  let hasCanonicalizeMethod = 1;
  let aliases = ["_unsafe_index_put"];
  let grads = [Grad<"self", "indexPutGrad(indices, values, accumulate, grad)">,
               Grad<"values", "build.op<IndexTensorOp>(grad, indices)">];
}
def Aten_IndexPutImplOp : Aten_Composite<"_index_put_impl", "", (ins Tensor:$self, OptTensorList:$indices, Tensor:$values,
    Default<Bool, "False">:$accumulate, Default<Bool, "False">:$unsafe), "return build.op<IndexPutOp>(self, indices, values, accumulate);">;
class Aten_Scatter<string base, string overload, dag args> : Aten_Op<base, overload, args> {
  let givesRows = 1;
  let type = "Type(self)";
  let lowered = 1;
  let openSizes = 1;
}
defvar scatteredOver = Grad<"self", "build.op<ScatterValueOp>(grad, dim, index, 0)">;
defvar scatterSource = Grad<"src", "filledUp(build.op<GatherOp>(grad, dim, index, false), src)">;
def Aten_ScatterSrcOp : Aten_Scatter<"scatter", "src", (ins Tensor:$self, Int:$dim, Tensor:$index, Tensor:$src)> {
  let grads = [scatteredOver, scatterSource];
}
def Aten_ScatterValueOp : Aten_Scatter<"scatter", "value", (ins Tensor:$self, Int:$dim, Tensor:$index, Scalar:$value)> {
  let grads = [scatteredOver];
}
def Aten_ScatterAddOp : Aten_Scatter<"scatter_add", "", (ins Tensor:$self, Int:$dim, Tensor:$index, Tensor:$src)> {
  let grads = [Grad<"self", "grad">, scatterSource];
}

//===----------------------------------------------------------------------===//
// Rearranging
//===----------------------------------------------------------------------===//

def Aten_FlipOp : Aten_Op<"flip", "", (ins Tensor:$self, IntList:$dims)> {
  let keepsStrides = 1;
  let type = "infer.along(self, dims, self.dtype())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "build.op<FlipOp>(grad, dims)">];
}
def Aten_RollOp : Aten_Op<"roll", "", (ins Tensor:$self, Sized<SymIntList, 1>:$shifts, Default<Sized<IntList, 1>, "[]">:$dims)> {
  let givesRows = 1;
  let keepsChannelsLast = 1;
  let type = "infer.along(self, dims, self.dtype())";
  let decompose = "return rolled(self, shifts, dims);";
  let grads = [Grad<"self", "build.op<RollOp>(grad, negated(shifts), dims)">];
}
def Aten_RepeatOp : Aten_Op<"repeat", "", (ins Tensor:$self, SymIntList:$repeats)> {
  let givesRows = 1;
  let type = "repeatedSizes(infer, self, repeats, /*isTile=*/false)";
  let decompose = "return repeated(self, repeats);";
}
def Aten_TileOp : Aten_Op<"tile", "", (ins Tensor:$self, SymIntList:$dims)> {
  let givesRows = 1;
  let type = "repeatedSizes(infer, self, dims, /*isTile=*/true)";
  let decompose = "return repeated(self, dims);";
}
def Aten_RepeatInterleaveSelfIntOp : Aten_Op<"repeat_interleave", "self_int",
    (ins Tensor:$self, SymInt:$repeats, Default<OptInt, "None">:$dim, Kw<Default<OptSymInt, "None">>:$output_size)> {
  let givesRows = 1;
  let type = "interleaved(infer, self, repeats, dim)";
  let decompose = "return interleaved(self, repeats, dim);";
}
defvar total = Kw<Default<OptSymInt, "None">>;
def Aten_RepeatInterleaveOp : Aten_Composite<"repeat_interleave", "Tensor", (ins Tensor:$repeats, total:$output_size),
    "return placesRepeated(repeats, output_size);">;
def Aten_RepeatInterleaveSelfTensorOp : Aten_Composite<"repeat_interleave", "self_Tensor",
    (ins Tensor:$self, Tensor:$repeats, Default<OptInt, "None">:$dim, total:$output_size),
    "return slicesRepeated(self, repeats, dim, output_size);">;
def Aten_TrilOp : Aten_Op<"tril", "", (ins Tensor:$self, Default<SymInt, "0">:$diagonal)> {
  let givesRows = 1;
  let grads = [Grad<"self", "build.op<TrilOp>(grad, diagonal)">];
  let type = "triangular(infer, self)";
  let lowered = 1;
  let openSizes = 1;
}
def Aten_TriuOp : Aten_Op<"triu", "", (ins Tensor:$self, Default<SymInt, "0">:$diagonal)> {
  let givesRows = 1;
  let grads = [Grad<"self", "build.op<TriuOp>(grad, diagonal)">];
  let type = "triangular(infer, self)";
  let lowered = 1;
  let openSizes = 1;
}

//===----------------------------------------------------------------------===//
// Ordering
//===----------------------------------------------------------------------===//

def Aten_SortOp : Aten_Op<"sort", "", (ins Tensor:$self, Default<Int, "-1">:$dim, Default<Bool, "False">:$descending),
    (outs Tensor:$values, Tensor:$indices)> {
  let summary = "Elements in order, and where they were; equal ones keep their order";
  let keepsStrides = 1;
  let type = "infer.along(self, dim, self.dtype()), infer.along(self, dim, infer.i64())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "scattered(self, dim, indices, grad)">];
  let namedResults = 1;
}
def Aten_SortStableOp : Aten_Op<"sort", "stable",
    (ins Tensor:$self, Kw<OptBool>:$stable, Kw<Default<Int, "-1">>:$dim, Kw<Default<Bool, "False">>:$descending),
    (outs Tensor:$values, Tensor:$indices)> {
  let type = "infer.along(self, dim, self.dtype()), infer.along(self, dim, infer.i64())";
  let decompose = "return bothResults(build, build.multi<SortOp>(self, dim, descending));";
  let namedResults = 1;
}
def Aten_ArgsortOp : Aten_Op<"argsort", "", (ins Tensor:$self, Default<Int, "-1">:$dim, Default<Bool, "False">:$descending)> {
  let type = "infer.along(self, dim, infer.i64())";
  let decompose = "return Any(build, build.multi<SortOp>(self, dim, descending)->getResult(1));";
}
def Aten_TopkOp : Aten_Op<"topk", "",
    (ins Tensor:$self, SymInt:$k, Default<Int, "-1">:$dim, Default<Bool, "True">:$largest, Default<Bool, "True">:$sorted),
    (outs Tensor:$values, Tensor:$indices)> {
  let givesRows = 1;
  let type = "topmost(infer, self, k, dim), retypedAs(topmost(infer, self, k, dim), infer.i64())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "scattered(self, dim, indices, grad)">];
  let namedResults = 1;
}

//===----------------------------------------------------------------------===//
// Padding: pairs of (before, after), last dimension first
//===----------------------------------------------------------------------===//

/// PyTorch gives rows, but where nothing is added a copy that keeps strides.
def Aten_ConstantPadNdOp : Aten_Op<"constant_pad_nd", "", (ins Tensor:$self, SymIntList:$pad, Default<Scalar, "0">:$value)> {
  let type = "padded(infer, self, pad)";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "build.op<ConstantPadNdOp>(grad, negated(pad), 0)">];
}
def Aten_PadOp : Aten_Op<"pad", "",
    (ins Tensor:$self, SymIntList:$pad, Default<Str, "\"constant\"">:$mode, Default<OptFloat, "None">:$value)> {
  let type = "padded(infer, self, pad)";
  let decompose = "return padded(self, pad, mode, value);";
}
class Aten_BorderPad<string base, AtenArg sizes, string mode> : Aten_Op<base, "", (ins Tensor:$self, sizes:$padding)> {
  let type = "padded(infer, self, padding)";
  let decompose = "return borderPadded(self, padding, \"" # mode # "\");";
}
foreach n = [1, 2, 3] in {
  def Aten_ReflectionPad#n#dOp : Aten_BorderPad<"reflection_pad" # n # "d", Sized<SymIntList, !mul(2, n)>, "reflect">;
  def Aten_ReplicationPad#n#dOp : Aten_BorderPad<"replication_pad" # n # "d", Sized<SymIntList, !mul(2, n)>, "replicate">;
}
