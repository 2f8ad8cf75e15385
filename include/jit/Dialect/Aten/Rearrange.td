//===- Rearrange.td - copies, diagonals, turns, and what joins and splits -*- tablegen -*-===//
//
// Compositions of the operators of View.td and Index.td.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Views that are copied
//===----------------------------------------------------------------------===//

class ViewCopy<string name, string overload, dag args, string view>
    : Aten_Composite<name # "_copy", overload, args, "return build.op<CloneOp>(" # view # ", 0);">; // in rows
def Aten_AliasCopyOp : ViewCopy<"alias", "", (ins Tensor:$self), "self">;
def Aten_DiagonalCopyOp : ViewCopy<"diagonal", "",
    (ins Tensor:$self, Default<Int, "0">:$offset, Default<Int, "0">:$dim1, Default<Int, "1">:$dim2),
    "build.op<DiagonalOp>(self, offset, dim1, dim2)">;
def Aten_ExpandCopyOp : ViewCopy<"expand", "", (ins Tensor:$self, SymIntList:$size, Kw<Default<Bool, "False">>:$implicit),
    "build.op<ExpandOp>(self, size, implicit)">;
def Aten_NarrowCopyOp : ViewCopy<"narrow", "", (ins Tensor:$self, Int:$dim, SymInt:$start, SymInt:$length),
    "build.op<NarrowOp>(self, dim, start, length)">;
def Aten_PermuteCopyOp : ViewCopy<"permute", "", (ins Tensor:$self, IntList:$dims), "build.op<PermuteOp>(self, dims)">;
def Aten_SelectCopyOp : ViewCopy<"select", "int", (ins Tensor:$self, Int:$dim, SymInt:$index),
    "build.op<SelectIntOp>(self, dim, index)">;
def Aten_SliceCopyOp : ViewCopy<"slice", "Tensor",
    (ins Tensor:$self, Default<Int, "0">:$dim, Default<OptSymInt, "None">:$start, Default<OptSymInt, "None">:$end,
         Default<SymInt, "1">:$step), "build.op<SliceTensorOp>(self, dim, start, end, step)">;
def Aten_SqueezeCopyOp : ViewCopy<"squeeze", "", (ins Tensor:$self), "build.op<SqueezeOp>(self)">;
def Aten_SqueezeCopyDimOp : ViewCopy<"squeeze", "dim", (ins Tensor:$self, Int:$dim), "build.op<SqueezeDimOp>(self, dim)">;
def Aten_SqueezeCopyDimsOp : ViewCopy<"squeeze", "dims", (ins Tensor:$self, IntList:$dim),
    "build.op<SqueezeDimsOp>(self, dim)">;
def Aten_TCopyOp : ViewCopy<"t", "", (ins Tensor:$self), "build.op<TOp>(self)">;
def Aten_TransposeCopyOp : ViewCopy<"transpose", "int", (ins Tensor:$self, Int:$dim0, Int:$dim1),
    "build.op<TransposeIntOp>(self, dim0, dim1)">;
def Aten_UnfoldCopyOp : ViewCopy<"unfold", "", (ins Tensor:$self, Int:$dimension, Int:$size, Int:$step),
    "build.op<UnfoldOp>(self, dimension, size, step)">;
def Aten_UnsqueezeCopyOp : ViewCopy<"unsqueeze", "", (ins Tensor:$self, Int:$dim), "build.op<UnsqueezeOp>(self, dim)">;
def Aten_ViewCopyOp : ViewCopy<"view", "", (ins Tensor:$self, SymIntList:$size), "build.op<ViewOp>(self, size)">;

def Aten_PadSequenceOp : Aten_Composite<"pad_sequence", "", (ins TensorList:$sequences, Default<Bool, "False">:$batch_first,
    Default<Float, "0.">:$padding_value, Default<Str, "\"right\"">:$padding_side),
    "return paddedSequences(sequences, batch_first, padding_value, padding_side);">;

/// Of these the unsafe ones share memory.
class SplitCopy<string name, string overload, dag args, string parts>
    : Aten_Composite<name, overload, args, "return " # parts # ";", (outs TensorList:$result)>;
def Aten_SplitCopyOp : SplitCopy<"split_copy", "Tensor",
    (ins Tensor:$self, SymInt:$split_size, Default<Int, "0">:$dim), "eachCopied(build, splitEvery(self, split_size, dim))">;
def Aten_SplitWithSizesCopyOp : SplitCopy<"split_with_sizes_copy", "",
    (ins Tensor:$self, SymIntList:$split_sizes, Default<Int, "0">:$dim), "eachCopied(build, splitInto(self, split_sizes, dim))">;
def Aten_UnbindCopyOp : SplitCopy<"unbind_copy", "int", (ins Tensor:$self, Default<Int, "0">:$dim), "eachCopied(build, unbound(self, dim))">;
def Aten_UnsafeChunkOp : SplitCopy<"unsafe_chunk", "", (ins Tensor:$self, Int:$chunks, Default<Int, "0">:$dim),
    "chunked(self, chunks, dim)">;
def Aten_UnsafeSplitOp : SplitCopy<"unsafe_split", "Tensor",
    (ins Tensor:$self, SymInt:$split_size, Default<Int, "0">:$dim), "splitEvery(self, split_size, dim)">;
def Aten_UnsafeSplitWithSizesOp : SplitCopy<"unsafe_split_with_sizes", "",
    (ins Tensor:$self, SymIntList:$split_sizes, Default<Int, "0">:$dim), "splitInto(self, split_sizes, dim)">;

//===----------------------------------------------------------------------===//
// Joining and splitting
//===----------------------------------------------------------------------===//

def Aten_BroadcastTensorsOp : Aten_Composite<"broadcast_tensors", "", (ins TensorList:$tensors),
    "return broadcastTogether(tensors);", (outs TensorList:$result)> {
  let type = "broadcastList(infer, tensors)";
}
foreach n = [1, 2, 3] in {
  def Aten_Atleast#n#dOp : Aten_Composite<"atleast_" # n # "d", "", (ins Tensor:$self), "return atLeast(self, " # n # ");"> {
    let mayGiveOperand = 1;
  }
  def Aten_Atleast#n#dSequenceOp : Aten_Composite<"atleast_" # n # "d", "Sequence", (ins TensorList:$tensors),
      "return allAtLeast(tensors, " # n # ");", (outs TensorList:$result)>;
}
def Aten_ColumnStackOp : Aten_Composite<"column_stack", "", (ins TensorList:$tensors), "return columnStack(tensors);">;
def Aten_DStackOp : Aten_Composite<"dstack", "", (ins TensorList:$tensors), "return depthStack(tensors);">;
def Aten_BlockDiagOp : Aten_Composite<"block_diag", "", (ins TensorList:$tensors), "return blockDiagonal(tensors);">;
def Aten_CartesianProdOp : Aten_Composite<"cartesian_prod", "", (ins TensorList:$tensors),
    "return cartesianProduct(tensors);"> {
  let mayGiveOperand = 1;
}

def DividedSelf : Spelled<Tensor, "Tensor(a -> *)">;
class Divided<string name, string overload, AtenArg how, string how_, string body>
    : Aten_Op<name, overload, !dag(ins, [DividedSelf, how], ["self", how_]),
              (outs Spelled<TensorList, "Tensor(a)[]">:$result)> {
  let decompose = body;
}
def Aten_HSplitIntOp : Divided<"hsplit", "int", Int, "sections", "return splitEqually(self, sections, columnDim(self));">;
def Aten_HSplitArrayOp : Divided<"hsplit", "array", IntList, "indices", "return splitAt(self, indices, columnDim(self));">;
def Aten_VSplitIntOp : Divided<"vsplit", "int", Int, "sections", "return splitEqually(self, sections, build.i(0));">;
def Aten_VSplitArrayOp : Divided<"vsplit", "array", IntList, "indices", "return splitAt(self, indices, build.i(0));">;
def Aten_DSplitIntOp : Divided<"dsplit", "int", Int, "sections", "return splitEqually(self, sections, build.i(2));">;
def Aten_DSplitArrayOp : Divided<"dsplit", "array", IntList, "indices", "return splitAt(self, indices, build.i(2));">;

//===----------------------------------------------------------------------===//
// Turning
//===----------------------------------------------------------------------===//

def Aten_FliplrOp : Aten_Composite<"fliplr", "", (ins Tensor:$self), "return build.op<FlipOp>(self, build.ints({1}));">;
def Aten_FlipudOp : Aten_Composite<"flipud", "", (ins Tensor:$self), "return build.op<FlipOp>(self, build.ints({0}));">;
def Aten_Rot90Op : Aten_Composite<"rot90", "", (ins Tensor:$self, Default<Int, "1">:$k, Default<IntList, "[0, 1]">:$dims),
    "return turned(self, k, dims);">;
class Shifted<string name, string forward> : Aten_Composite<name, "", (ins Tensor:$self,
    Default<Sized<OptIntList, 1>, "None">:$dim), "return halfShifted(self, dim, " # forward # ");">;
def Aten_FftFftshiftOp : Shifted<"fft_fftshift", "true">;
def Aten_FftIfftshiftOp : Shifted<"fft_ifftshift", "false">;

//===----------------------------------------------------------------------===//
// Diagonals
//===----------------------------------------------------------------------===//

def Aten_DiagEmbedOp : Aten_Composite<"diag_embed", "",
    (ins Tensor:$self, Default<Int, "0">:$offset, Default<Int, "-2">:$dim1, Default<Int, "-1">:$dim2),
    "return diagonalEmbedded(self, offset, dim1, dim2);">;
def Aten_DiagOp : Aten_Composite<"diag", "", (ins Tensor:$self, Default<Int, "0">:$diagonal), [{
  if (!self.info().hasRank()) return build.notYet("the rank of self");
  return self.info().rank() == 1 ? build.op<DiagEmbedOp>(self, diagonal, 0, 1) : build.op<DiagonalCopyOp>(self, diagonal, 0, 1);
}]>;
def Aten_DiagflatOp : Aten_Composite<"diagflat", "", (ins Tensor:$self, Default<Int, "0">:$offset),
    "return build.op<DiagEmbedOp>(build.op<ReshapeOp>(self, build.ints({-1})), offset, 0, 1);">;
def Aten_DiagonalScatterOp : Aten_Op<"diagonal_scatter", "",
    (ins Tensor:$self, Tensor:$src, Default<Int, "0">:$offset, Default<Int, "0">:$dim1, Default<Int, "1">:$dim2)> {
  let type = "Type(self)";
  let copiesStorage = 1;
  let decompose = "return diagonalWritten(self, src, offset, dim1, dim2);";
}
/// PyTorch has it in place alone.
def Aten_FillDiagonalOp : Aten_Op<"fill_diagonal", "", (ins Tensor:$self, Scalar:$fill_value, Default<Bool, "False">:$wrap)> {
  let type = "Type(self)";
  let decompose = "return diagonalFilled(self, fill_value, wrap);";
}
def AliasOfA : Spelled<Tensor, "Tensor(a)">;
def Aten_LinalgDiagonalOp : Aten_Composite<"linalg_diagonal", "", !con((ins AliasOfA:$A),
    (ins Kw<Default<Int, "0">>:$offset, Kw<Default<Int, "-2">>:$dim1, Kw<Default<Int, "-1">>:$dim2)),
    "return build.op<DiagonalOp>(A, offset, dim1, dim2);", (outs AliasOfA:$result)>;
def Aten_TraceOp : Aten_Composite<"trace", "", (ins Tensor:$self),
    "return traceOf(build.op<DiagonalOp>(self, 0, 0, 1));">;

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

def Aten_PixelShuffleOp : Aten_Composite<"pixel_shuffle", "", (ins Tensor:$self, Int:$upscale_factor),
    "return pixelsFromChannels(self, upscale_factor);">;
def Aten_PixelUnshuffleOp : Aten_Composite<"pixel_unshuffle", "", (ins Tensor:$self, Int:$downscale_factor),
    "return channelsFromPixels(self, downscale_factor);">;
def Aten_ChannelShuffleOp : Aten_Composite<"channel_shuffle", "", (ins Tensor:$self, SymInt:$groups),
    "return channelsShuffled(self, groups);"> {
  let aliases = ["native_channel_shuffle"];
}

//===----------------------------------------------------------------------===//
// Writing along a dimension
//===----------------------------------------------------------------------===//

def Aten_IndexAddOp : Aten_Composite<"index_add", "",
    (ins Tensor:$self, Int:$dim, Tensor:$index, Tensor:$source, Kw<Default<Scalar, "1">>:$alpha),
    "return writtenAlong(self, dim, index, source * alpha, /*adds=*/true);">;
def Aten_IndexCopyOp : Aten_Composite<"index_copy", "", (ins Tensor:$self, Int:$dim, Tensor:$index, Tensor:$source),
    "return writtenAlong(self, dim, index, source, /*adds=*/false);">;
class IndexFill<string overload, AtenArg value> : Aten_Composite<"index_fill", overload,
    (ins Tensor:$self, Int:$dim, Tensor:$index, value:$value), "return filledAlong(self, dim, index, value);"> {
  let type = "Type(self)";
}
def Aten_IndexFillScalarOp : IndexFill<"int_Scalar", Scalar>;
def Aten_IndexFillTensorOp : IndexFill<"int_Tensor", Tensor>;
def Aten_TakeOp : Aten_Composite<"take", "", (ins Tensor:$self, Tensor:$index), [{
  Tensor all = build.op<ReshapeOp>(self, build.ints({-1}));
  return build.op<IndexTensorOp>(all, optionals(build, {index}));
}]>;
def Aten_PutOp : Aten_Composite<"put", "",
    (ins Tensor:$self, Tensor:$index, Tensor:$source, Default<Bool, "False">:$accumulate), [{
  if (!index.info().hasRank()) return build.notYet("the rank of index");
  Tensor all = build.op<ReshapeOp>(self, build.ints({-1})), values = build.op<ReshapeAsOp>(source, index);
  return build.op<ViewAsOp>(build.op<IndexPutOp>(all, optionals(build, {index}), values, accumulate), self);
}]>;

def Aten_SumToSizeOp : Aten_Composite<"sum_to_size", "", (ins Tensor:$self, SymIntList:$size),
    "return summedToSize(self, size);"> {
  let mayGiveOperand = 1;
}
def Aten_ChunkCatOp : Aten_Composite<"_chunk_cat", "", (ins TensorList:$tensors, Int:$dim, Int:$num_chunks),
    "return chunksJoined(tensors, dim, num_chunks);">;
