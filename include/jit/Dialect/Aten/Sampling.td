//===- Sampling.td - images at places of a grid, rows in bags, elements at strides -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

foreach name = ["grid_sampler", "grid_sampler_2d", "grid_sampler_3d"] in
  def Aten_#name#Op : Aten_Composite<name, "",
      (ins Tensor:$input, Tensor:$grid, Int:$interpolation_mode, Int:$padding_mode, Bool:$align_corners),
      "return sampledAt(input, grid, interpolation_mode, padding_mode, align_corners);">;

def Aten_AffineGridGeneratorOp : Aten_Composite<"affine_grid_generator", "",
    (ins Tensor:$theta, SymIntList:$size, Bool:$align_corners), "return affineGrid(theta, size, align_corners);">;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

defvar bagOptions = (ins Default<Bool, "False">:$scale_grad_by_freq, Default<Int, "0">:$mode, Default<Bool, "False">:$sparse,
    Default<OptTensor, "None">:$per_sample_weights, Default<Bool, "False">:$include_last_offset);
defvar bagResults = (outs Tensor:$result, Tensor:$offset2bag, Tensor:$bag_size, Tensor:$max_indices);
def Aten_EmbeddingBagOp : Aten_Composite<"embedding_bag", "",
    !con((ins Tensor:$weight, Tensor:$indices, Tensor:$offsets), bagOptions), [{
  return bags(weight, indices, offsets, {mode, per_sample_weights, include_last_offset, std::nullopt});
}], bagResults>;
def Aten_EmbeddingBagPaddingIdxOp : Aten_Composite<"embedding_bag", "padding_idx",
    (ins Tensor:$weight, Tensor:$indices, Tensor:$offsets, Bool:$scale_grad_by_freq, Int:$mode, Bool:$sparse,
         OptTensor:$per_sample_weights, Bool:$include_last_offset, OptInt:$padding_idx), [{
  return bags(weight, indices, offsets, {mode, per_sample_weights, include_last_offset, padding_idx});
}], bagResults>;
foreach name = ["_embedding_bag", "_embedding_bag_forward_only"] in
  def Aten_Raw#name#Op : Aten_Composite<name, "", !con((ins Tensor:$weight, Tensor:$indices, Tensor:$offsets), bagOptions,
      (ins Default<Int, "-1">:$padding_idx)), [{
    if (!padding_idx.known()) return build.notYet("the value of padding_idx");
    std::optional<OptInt> padding;
    if (*padding_idx.known() >= 0) padding = OptInt(build, padding_idx.v);
    return bags(weight, indices, offsets, {mode, per_sample_weights, include_last_offset, padding});
  }], bagResults>;

//===----------------------------------------------------------------------===//
// Strides, of a tensor whose elements lie one after the other
//===----------------------------------------------------------------------===//

defvar strided = (ins SymIntList:$size, SymIntList:$stride, Default<OptSymInt, "None">:$storage_offset);
def Aten_AsStridedOp : Aten_Op<"as_strided", "", !con((ins Tensor:$self), strided)> {
  let asksStrides = 1;
  let repeatsElements = 1;
  let type = "strided(infer, self, size, stride)";
  let decompose = [{
    return atStrides(self, {size, stride, storage_offset, (*this)->hasAttr(ofMemoryAttr)},
                     (*this)->getAttrOfType<mlir::DenseBoolArrayAttr>(shownAttr));
  }];
  let scatter = "writtenThroughStrides(self, written, {size, stride, storage_offset})";
  let view = "stridedView(base, stride, storage_offset, (*this)->hasAttr(fromStartAttr))";
}
// What PyTorch makes of a reshape that shares memory.
def Aten_ReshapeAliasOp : Aten_Composite<"_reshape_alias", "", (ins Spelled<Tensor, "Tensor(a)">:$self, SymIntList:$size, SymIntList:$stride),
    "return build.op<AsStridedOp>(self, size, stride, build.none());", (outs Spelled<Tensor, "Tensor(a)">:$result)>;
/// `x.resize_(size)` is `jit.become %x, (aten._resized %x, size)`. What it shows of which memory Specialize knows.
def Aten_ResizedOp : Aten_Op<"_resized", "", (ins Tensor:$self, SymIntList:$size, Kw<Default<OptMemoryFormat, "None">>:$memory_format)> {
  let ns = "jit";
  let summary = "The memory of a tensor under other sizes, as resize_ shows it";
  let type = "ofSizes(infer, self, size)";
  let lowered = 1;
}
def Aten_AsStridedCopyOp : Aten_Composite<"as_strided_copy", "", !con((ins Tensor:$self), strided),
    "return copiedAtStrides(self, size, stride, storage_offset);">;
def Aten_AsStridedScatterOp : Aten_Composite<"as_strided_scatter", "", !con((ins Tensor:$self, Tensor:$src), strided),
    "return writtenAtStrides(self, src, {size, stride, storage_offset, (*this)->hasAttr(ofMemoryAttr)});"> {
  let type = "Type(self)";
}
