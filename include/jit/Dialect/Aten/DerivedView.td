//===- DerivedView.td - views that are others with other arguments -*- tablegen -*-===//
//
// No stage asks for one of these by name: they are what PyTorch has beside the views of View.td.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/ViewBase.td"

//===----------------------------------------------------------------------===//
// The same elements in the same order, under other sizes
//===----------------------------------------------------------------------===//

def Aten_ReshapeAsOp : Aten_Reshaping<"reshape_as", "", (ins Tensor:$self, Tensor:$other)> {
  let type = "viewedAs(infer, self, other)";
}
def Aten_RavelOp : Aten_Reshaping<"ravel", "", (ins Tensor:$self)> {
  let type = "raveled(infer, self)";
  let view = "raveledView(base, self)";
}
def Aten_UnflattenIntOp : Aten_Viewing<"unflatten", "int", (ins Tensor:$self, Int:$dim, SymIntList:$sizes)> {
  let type = "unflattened(infer, self, dim, sizes)";
}

//===----------------------------------------------------------------------===//
// Dimensions in another order
//===----------------------------------------------------------------------===//

def Aten_SwapAxesOp : Aten_Op<"swapaxes", "", (ins Tensor:$self, Int:$axis0, Int:$axis1)> {
  let type = "transposed(infer, self, axis0, axis1)";
  let decompose = "return build.op<TransposeIntOp>(self, axis0, axis1);";
  let scatter = "build.op<TransposeIntOp>(written, axis0, axis1)";
  let view = "swappedView(base, self, axis0.known(), axis1.known())";
}
def Aten_SwapDimsOp : Aten_Op<"swapdims", "", (ins Tensor:$self, Int:$dim0, Int:$dim1)> {
  let type = "transposed(infer, self, dim0, dim1)";
  let decompose = "return build.op<TransposeIntOp>(self, dim0, dim1);";
  let scatter = "build.op<TransposeIntOp>(written, dim0, dim1)";
  let view = "swappedView(base, self, dim0.known(), dim1.known())";
}
/// All dimensions in reverse.
class Aten_Reversed<string base, string overload> : Aten_Op<base, overload, (ins Tensor:$self)> {
  let type = "reversed(infer, self)";
  let decompose = "return reversed(self);";
  let scatter = "build.op<NumpyTOp>(written)";
  let view = "reversedView(base, self)";
}
def Aten_TOp : Aten_Reversed<"t", ""> { let type = "matrixReversed(infer, self)"; }
def Aten_NumpyTOp : Aten_Reversed<"numpy_T", "">;
def Aten_NumpyTAOp : Aten_Reversed<"numpy_T", "a">;
def Aten_MTOp : Aten_Op<"mT", "", (ins Tensor:$self)> {
  let type = "matrixTransposed(infer, self)";
  let decompose = "return matrixTransposed(self);";
  let scatter = "build.op<MTOp>(written)";
  let view = "swappedView(base, self, -2, -1)";
}
def Aten_MoveDimIntOp : Aten_Op<"movedim", "int", (ins Tensor:$self, Int:$source, Int:$destination)> {
  let aliases = ["moveaxis.int"];
  let type = "moved(infer, self, source, destination)";
  let decompose = "return moved(self, source, destination);";
  let scatter = "build.op<MoveDimIntOp>(written, destination, source)";
  let view = "movedView(base, self, source, destination)";
}
def Aten_MoveDimIntListOp : Aten_Op<"movedim", "intlist", (ins Tensor:$self, IntList:$source, IntList:$destination)> {
  let aliases = ["moveaxis.intlist"];
  let type = "moved(infer, self, source, destination)";
  let decompose = "return moved(self, source, destination);";
  let scatter = "build.op<MoveDimIntListOp>(written, destination, source)";
  let view = "movedView(base, self, source.known(), destination.known())";
}

//===----------------------------------------------------------------------===//
// Elements that appear more than once: these cannot be written through
//===----------------------------------------------------------------------===//

def Aten_BroadcastToOp : Aten_Op<"broadcast_to", "", (ins Tensor:$self, SymIntList:$size)> {
  let type = "expanded(infer, self, size)";
  let decompose = "return build.op<ExpandOp>(self, size, false);";
  let scatter = "notWritable(self)";
  let view = "expandedView(base, self, viewed)";
  let repeatsElements = 1;
}
def Aten_ExpandAsOp : Aten_Op<"expand_as", "", (ins Tensor:$self, Tensor:$other)> {
  let type = "expandedAs(infer, self, other)";
  let decompose = [{
    if (!other.info().hasRank()) return build.notYet("the rank of other");
    return build.op<ExpandOp>(self, sizesOf(other), false);
  }];
  let scatter = "notWritable(self)";
  let view = "expandedView(base, self, viewed)";
  let repeatsElements = 1;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def Aten_NarrowOp : Aten_Op<"narrow", "", (ins Tensor:$self, Int:$dim, SymInt:$start, SymInt:$length)> {
  let type = "narrowed(infer, self, dim, start, length)";
  let decompose = "return narrowed(self, dim, start, length);";
  let scatter = "withPart(self, written, dim, start, length)";
  let view = "slicedView(base, self, dim, OptInt(build, start.v), build.i(1))";
}

class Aten_Splitting<string base, string overload, dag args, string rule, string at = "">
    : Aten_Op<base, overload, args, (outs Spelled<TensorList, "Tensor(a)[]">:$result)> {
  let part = at;
  let decompose = "return " # rule # ";";
}
def SplitSelf : Spelled<Tensor, "Tensor(a -> *)">;
def Aten_ChunkOp : Aten_Splitting<"chunk", "", (ins SplitSelf:$self, Int:$chunks, Default<Int, "0">:$dim),
    "chunked(self, chunks, dim)", "partOfChunks(self, chunks, dim, at)">;
def Aten_SplitTensorOp : Aten_Splitting<"split", "Tensor",
    (ins SplitSelf:$self, SymInt:$split_size, Default<Int, "0">:$dim), "splitEvery(self, split_size, dim)",
    "partOfEvery(self, split_size, dim, at)">;
def Aten_SplitSizesOp : Aten_Splitting<"split", "sizes",
    (ins SplitSelf:$self, SymIntList:$split_size, Default<Int, "0">:$dim), "splitInto(self, split_size, dim)",
    "partOfSizes(self, split_size, dim, at)">;
def Aten_SplitOp : Aten_Splitting<"split", "",
    (ins SplitSelf:$self, IntList:$split_sizes, Default<Int, "0">:$dim), "splitInto(self, split_sizes, dim)",
    "partOfSizes(self, split_sizes, dim, at)">;
def Aten_SplitWithSizesOp : Aten_Splitting<"split_with_sizes", "",
    (ins SplitSelf:$self, SymIntList:$split_sizes, Default<Int, "0">:$dim), "splitInto(self, split_sizes, dim)",
    "partOfSizes(self, split_sizes, dim, at)">;
def Aten_TensorSplitSectionsOp : Aten_Splitting<"tensor_split", "sections",
    (ins SplitSelf:$self, SymInt:$sections, Default<Int, "0">:$dim), "splitEvenly(self, sections, dim)">;
def Aten_TensorSplitIndicesOp : Aten_Splitting<"tensor_split", "indices",
    (ins SplitSelf:$self, SymIntList:$indices, Default<Int, "0">:$dim), "splitAt(self, indices, dim)">;
def Aten_TensorSplitTensorOp : Aten_Splitting<"tensor_split", "tensor_indices_or_sections",
    (ins SplitSelf:$self, Tensor:$tensor_indices_or_sections, Default<Int, "0">:$dim),
    "splitByTensor(self, tensor_indices_or_sections, dim)">;
def Aten_UnbindIntOp : Aten_Splitting<"unbind", "int", (ins SplitSelf:$self, Default<Int, "0">:$dim),
    "unbound(self, dim)", "build.op<SelectIntOp>(self, dim, at)">;

def Aten_PartsOp : Aten_Op<"_parts", "", (ins Tensor:$self, Tensor:$bounds, Int:$dim), (outs TensorList:$result)> {
  let summary = "The list of as many parts of a tensor as data tell: what a list that grows in a loop is carried in";
  let description = [{
    Part `i` is `self[bounds[i]:bounds[i + 1]]` along `dim`, a constant that is not negative. `bounds` begins with 0 and ends with the
    size of that dimension. Gone after Specialize.
  }];
  let ns = "jit";
  let decompose = "return build.notYet(\"a list whose length is known\");";
}
