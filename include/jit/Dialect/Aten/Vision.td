//===- Vision.td - torchvision's operators: boxes in images -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Boxes that are kept
//===----------------------------------------------------------------------===//

def Aten_NmsOp : Aten_Composite<"nms", "", (ins Tensor:$dets, Tensor:$scores, Float:$iou_threshold),
    "return keptByScore(dets, scores, iou_threshold);"> {
  let summary = "The boxes, best score first, that no better kept one overlaps by more than the threshold; equal scores keep their order";
  let type = "placesOfKept(infer, dets, scores)";
  let ns = "torchvision";
}
def Aten_KeptBoxesOp : Aten_Op<"_kept_boxes", "", (ins Tensor:$boxes, Float:$iou_threshold)> {
  let summary = "Whether no kept box before it overlaps a box by more than the threshold";
  let ns = "jit";
  let type = "keptBoxes(infer, boxes)";
  let lowered = 1;
  let openSizes = 1;
}

//===----------------------------------------------------------------------===//
// What boxes show, in bins
//===----------------------------------------------------------------------===//

defvar boxes = (ins Tensor:$rois);
defvar bins = (ins Float:$spatial_scale, SymInt:$pooled_height, SymInt:$pooled_width);
defvar imageSizes = (ins SymInt:$batch_size, SymInt:$channels, SymInt:$height, SymInt:$width);

class Vision_Op<string name, dag args, dag outs_ = (outs Tensor:$result)> : Aten_Op<name, "", args, outs_> {
  let ns = "torchvision";
  let lowered = 1;
  let openSizes = 1;
}
/// `how` are the arguments that an operator has beside these; in `grad`, SIZES are those of the input.
class Regions<string name, dag how, dag outs_, bit ownChannels, string grad>
    : Vision_Op<name, !con((ins Tensor:$input), boxes, bins, how), outs_> {
  defvar sizes4 = "sizeOf(input, 0), sizeOf(input, 1), sizeOf(input, 2), sizeOf(input, 3)";
  defvar sizes = "(infer, input, rois, {pooled_height, pooled_width, " # !if(ownChannels, "true", "false") # "})";
  let type = "regions" # sizes # !if(!gt(!size(outs_), 1), ", placesOfRegions" # sizes, "");
  let grads = [Grad<"input", !subst("SIZES", sizes4, grad)>, Grad<"rois", "build.none()">];
}
def Aten_RoiAlignOp : Regions<"roi_align", (ins Int:$sampling_ratio, Bool:$aligned), (outs Tensor:$result), 0,
    "build.op<RoiAlignBackwardOp>(grad, rois, spatial_scale, pooled_height, pooled_width, SIZES, sampling_ratio, aligned)"> {
  let summary = "The mean of each bin of each box, of samples between four pixels";
}
def Aten_PsRoiAlignOp : Regions<"ps_roi_align", (ins Int:$sampling_ratio), (outs Tensor:$values, Tensor:$channel_mapping), 1,
    "build.op<PsRoiAlignBackwardOp>(grad, rois, channel_mapping, spatial_scale, pooled_height, pooled_width, sampling_ratio, SIZES)"> {
  let summary = "The same, each bin of channels of its own; and which";
}
def Aten_RoiPoolOp : Regions<"roi_pool", (ins), (outs Tensor:$values, Tensor:$argmax), 0,
    "build.op<RoiPoolBackwardOp>(grad, rois, argmax, spatial_scale, pooled_height, pooled_width, SIZES)"> {
  let summary = "The largest pixel of each bin of each box, 0 of none; and its place in the image, -1 of none";
}
def Aten_PsRoiPoolOp : Regions<"ps_roi_pool", (ins), (outs Tensor:$values, Tensor:$channel_mapping), 1,
    "build.op<PsRoiPoolBackwardOp>(grad, rois, channel_mapping, spatial_scale, pooled_height, pooled_width, SIZES)"> {
  let summary = "The mean of the pixels of each bin of each box, each bin of channels of its own; and which";
}

//===----------------------------------------------------------------------===//
// What flows back: to each pixel its share of each bin
//===----------------------------------------------------------------------===//

class RegionsBackward<string name, dag args> : Vision_Op<name, args> {
  let type = "imagesOfRegions(infer, grad, rois, {pooled_height, pooled_width, false}, {batch_size, channels, height, width})";
}
def Aten_RoiAlignBackwardOp : RegionsBackward<"_roi_align_backward",
    !con((ins Tensor:$grad), boxes, bins, imageSizes, (ins Int:$sampling_ratio, Bool:$aligned))>;
def Aten_PsRoiAlignBackwardOp : RegionsBackward<"_ps_roi_align_backward",
    !con((ins Tensor:$grad), boxes, (ins Tensor:$channel_mapping), bins, (ins Int:$sampling_ratio), imageSizes)>;
def Aten_RoiPoolBackwardOp : RegionsBackward<"_roi_pool_backward",
    !con((ins Tensor:$grad), boxes, (ins Tensor:$argmax), bins, imageSizes)>;
def Aten_PsRoiPoolBackwardOp : RegionsBackward<"_ps_roi_pool_backward",
    !con((ins Tensor:$grad), boxes, (ins Tensor:$channel_mapping), bins, imageSizes)>;

//===----------------------------------------------------------------------===//
// Convolution whose taps are moved
//===----------------------------------------------------------------------===//

def Aten_DeformConv2dOp : Aten_Composite<"deform_conv2d", "",
    (ins Tensor:$input, Tensor:$weight, Tensor:$offset, Tensor:$mask, Tensor:$bias, SymInt:$stride_h, SymInt:$stride_w,
         SymInt:$pad_h, SymInt:$pad_w, SymInt:$dilation_h, SymInt:$dilation_w, SymInt:$groups, SymInt:$offset_groups,
         Bool:$use_mask), "return deformedConv({input, weight, offset, mask, bias}, convInfo((*this)->getOperands()));"> {
  let summary = "A convolution that reads each tap where `offset` moves it to, between four pixels, times `mask`";
  let type = "deformedConv(infer, convInfo(operands))";
  let ns = "torchvision";
}
