//===- Backward.td - gradients that are operators ----------*- tablegen -*-===//
//
// What the joint graphs of exported programs name: PyTorch's own formulas for what flows back. Our autodiff has no use for them.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

class Backward<string name, dag args, string body, dag outs_ = (outs Tensor:$result)>
    : Aten_Composite<name, "", args, "return " # body # ";", outs_>;

//===----------------------------------------------------------------------===//
// Of activations
//===----------------------------------------------------------------------===//

class OfActivation<string name, string body, dag more = (ins)>
    : Backward<name, !con((ins Tensor:$grad_output, Tensor:$self), more), body>;

def Aten_SigmoidBackwardOp : Backward<"sigmoid_backward", (ins Tensor:$grad_output, Tensor:$output),
    "grad_output * (output * (1.0 - output))">;
def Aten_TanhBackwardOp : Backward<"tanh_backward", (ins Tensor:$grad_output, Tensor:$output),
    "grad_output * (1.0 - output * output)">;
def Aten_ThresholdBackwardOp : OfActivation<"threshold_backward", "where(self <= threshold, 0.0, grad_output)", (ins Scalar:$threshold)>;
def Aten_GeluBackwardOp : OfActivation<"gelu_backward", "asBody(geluGrad(self, approximate, grad_output))",
    (ins Kw<Default<Str, "\"none\"">>:$approximate)>;
def Aten_SiluBackwardOp : OfActivation<"silu_backward", "grad_output * (sigmoid(self) * (self * (1.0 - sigmoid(self)) + 1.0))">;
def Aten_MishBackwardOp : OfActivation<"mish_backward", "mishGrad(self, grad_output)">;
def Aten_HardtanhBackwardOp : OfActivation<"hardtanh_backward", "where(self > min_val && self < max_val, grad_output, 0.0)",
    (ins Scalar:$min_val, Scalar:$max_val)>;
def Aten_HardsigmoidBackwardOp : OfActivation<"hardsigmoid_backward", "where(self > -3.0 && self < 3.0, grad_output * double(1.0f / 6.0f), 0.0)">;
def Aten_HardswishBackwardOp : OfActivation<"hardswish_backward",
    "where(self <= -3.0, 0.0, where(self >= 3.0, grad_output, grad_output * (self / 3.0 + 0.5)))">;
// Of a slope that is not negative, self and the result have one sign.
def Aten_LeakyReluBackwardOp : OfActivation<"leaky_relu_backward", "where(self > 0.0, grad_output, grad_output * negative_slope)",
    (ins Scalar:$negative_slope, Bool:$self_is_result)>;
def Aten_EluBackwardOp : Backward<"elu_backward",
    (ins Tensor:$grad_output, Scalar:$alpha, Scalar:$scale, Scalar:$input_scale, Bool:$is_result, Tensor:$self_or_result),
    "eluBackward(grad_output, {alpha, scale, input_scale}, is_result, self_or_result)">;
def Aten_SoftplusBackwardOp : OfActivation<"softplus_backward",
    "where(self * beta > threshold, grad_output, grad_output * sigmoid(self * beta))", (ins Scalar:$beta, Scalar:$threshold)>;
def Aten_SoftshrinkBackwardOp : OfActivation<"softshrink_backward", "where(abs(self) > lambd, grad_output, 0.0)", (ins Scalar:$lambd)>;
def Aten_HardshrinkBackwardOp : Backward<"hardshrink_backward", (ins Tensor:$grad_out, Tensor:$self, Scalar:$lambd),
    "where(abs(self) > lambd, grad_out, 0.0)">;
def Aten_LogSigmoidBackwardOp : OfActivation<"log_sigmoid_backward", "grad_output * sigmoid(-self)", (ins Tensor:$buffer)>;
def Aten_LogitBackwardOp : OfActivation<"logit_backward", "logitGrad(self, eps, grad_output)", (ins Default<OptFloat, "None">:$eps)>;
def Aten_GluBackwardOp : OfActivation<"glu_backward", "gluBackward(grad_output, self, dim)", (ins Int:$dim)>;
def Aten_PreluKernelOp : Aten_Composite<"_prelu_kernel", "", (ins Tensor:$self, Tensor:$weight),
    "return where(self > 0.0, self, self * weight);"> {
  let summary = "prelu with a weight of the dimensions of self";
}
def Aten_PreluKernelBackwardOp : Aten_Composite<"_prelu_kernel_backward", "", (ins Tensor:$grad_output, Tensor:$self, Tensor:$weight),
    "return {where(self > 0.0, grad_output, grad_output * weight), where(self > 0.0, 0.0, self * grad_output)};",
    (outs Tensor:$grad_self, Tensor:$grad_weight)>;
def Aten_LogSoftmaxBackwardDataOp : Backward<"_log_softmax_backward_data",
    (ins Tensor:$grad_output, Tensor:$output, Int:$dim, DType:$input_dtype),
    "inDtype(logSoftmaxGrad(output, dim, grad_output), input_dtype)">;

//===----------------------------------------------------------------------===//
// Of norms: input, weight and bias; those that the mask leaves out are not read
//===----------------------------------------------------------------------===//

defvar threeGradients = (outs Tensor:$grad_input, Tensor:$grad_weight, Tensor:$grad_bias);
def Aten_NativeLayerNormBackwardOp : Backward<"native_layer_norm_backward",
    (ins Tensor:$grad_out, Tensor:$input, SymIntList:$normalized_shape, Tensor:$mean, Tensor:$rstd, OptTensor:$weight,
         OptTensor:$bias, Sized<BoolList, 3>:$output_mask),
    "layerNormBackward(grad_out, input, normalized_shape, {mean, rstd}, weight)", threeGradients>;
def Aten_NativeGroupNormBackwardOp : Backward<"native_group_norm_backward",
    (ins Tensor:$grad_out, Tensor:$input, Tensor:$mean, Tensor:$rstd, OptTensor:$weight, SymInt:$N, SymInt:$C, SymInt:$HxW,
         Int:$group, Sized<BoolList, 3>:$output_mask),
    "groupNormBackward(grad_out, input, group, {mean, rstd}, weight)", threeGradients>;
def Aten_NativeBatchNormBackwardOp : Backward<"native_batch_norm_backward",
    (ins Tensor:$grad_out, Tensor:$input, OptTensor:$weight, OptTensor:$running_mean, OptTensor:$running_var,
         OptTensor:$save_mean, OptTensor:$save_invstd, Bool:$train, Float:$eps, Sized<BoolList, 3>:$output_mask),
    "batchNormBackward(grad_out, input, weight, {running_mean, running_var, save_mean, save_invstd}, train, eps)", threeGradients>;
def Aten_BatchNormBackwardOp : Backward<"batch_norm_backward",
    (ins Tensor:$grad_out, Tensor:$input, Tensor:$weight, OptTensor:$running_mean, OptTensor:$running_var, OptTensor:$save_mean,
         OptTensor:$save_var, Bool:$update, Float:$eps, Sized<BoolList, 3>:$output_mask, Tensor:$reserve),
    "batchNormBackward(grad_out, input, {build, weight.v}, {running_mean, running_var, save_mean, save_var}, update, eps)",
    threeGradients>;

//===----------------------------------------------------------------------===//
// Of losses
//===----------------------------------------------------------------------===//

class OfLoss<string name, string each, dag more = (ins Int:$reduction)>
    : Backward<name, !con((ins Tensor:$grad_output, Tensor:$self, Tensor:$target), more),
               "ofReduction(grad_output * " # each # ", self, reduction)">;
def Aten_MseLossBackwardOp : OfLoss<"mse_loss_backward", "((self - target) * 2.0)">;
def Aten_SmoothL1LossBackwardOp : OfLoss<"smooth_l1_loss_backward", "slopeOfDistance(self - target, beta, /*isHuber=*/false)",
    (ins Int:$reduction, Float:$beta)>;
def Aten_HuberLossBackwardOp : OfLoss<"huber_loss_backward", "slopeOfDistance(self - target, delta, /*isHuber=*/true)",
    (ins Int:$reduction, Float:$delta)>;
def Aten_SoftMarginLossBackwardOp : OfLoss<"soft_margin_loss_backward", "(-target * sigmoid(-(target * self)))">;
def Aten_BinaryCrossEntropyBackwardOp : Backward<"binary_cross_entropy_backward",
    (ins Tensor:$grad_output, Tensor:$self, Tensor:$target, Default<OptTensor, "None">:$weight, Default<Int, "1">:$reduction),
    "binaryCrossEntropyBackward(grad_output, self, target, weight, reduction)">;
foreach name = ["nll_loss", "nll_loss2d"] in {
  def Aten_#name#ForwardOp : Aten_Composite<name # "_forward", "",
      (ins Tensor:$self, Tensor:$target, OptTensor:$weight, Int:$reduction, SymInt:$ignore_index),
      "return nllForward(self, {target, weight, ignore_index}, reduction);", (outs Tensor:$output, Tensor:$total_weight)> {
    let summary = "nll_loss, and the weight that its mean is over";
    let namedResults = 1;
  }
  def Aten_#name#BackwardOp : Backward<name # "_backward",
      (ins Tensor:$grad_output, Tensor:$self, Tensor:$target, OptTensor:$weight, Int:$reduction, SymInt:$ignore_index,
           Tensor:$total_weight),
      "nllBackward(grad_output, self, {target, weight, ignore_index}, reduction, total_weight)">;
}

//===----------------------------------------------------------------------===//
// Of parts of a tensor: zeros around them
//===----------------------------------------------------------------------===//

def Aten_SelectBackwardOp : Backward<"select_backward", (ins Tensor:$grad_output, SymIntList:$input_sizes, Int:$dim, SymInt:$index),
    "build.op<SelectScatterOp>(zerosOf(grad_output, input_sizes), grad_output, dim, index)">;
def Aten_SliceBackwardOp : Backward<"slice_backward",
    (ins Tensor:$grad_output, SymIntList:$input_sizes, Int:$dim, SymInt:$start, SymInt:$end, SymInt:$step),
    "build.op<SliceScatterOp>(zerosOf(grad_output, input_sizes), grad_output, dim, start, end, step)">;
def Aten_DiagonalBackwardOp : Backward<"diagonal_backward",
    (ins Tensor:$grad_output, SymIntList:$input_sizes, Int:$offset, Int:$dim1, Int:$dim2),
    "build.op<DiagonalScatterOp>(zerosOf(grad_output, input_sizes), grad_output, offset, dim1, dim2)">;
def Aten_IndexSelectBackwardOp : Backward<"index_select_backward", (ins Tensor:$grad, SymIntList:$self_sizes, Int:$dim, Tensor:$index),
    "build.op<IndexAddOp>(zerosOf(grad, self_sizes), dim, index, grad, 1)">;
def Aten_EmbeddingBackwardOp : Backward<"embedding_backward",
    (ins Tensor:$grad, Tensor:$indices, SymInt:$num_weights, SymInt:$padding_idx, Bool:$scale_grad_by_freq, Bool:$sparse),
    "build.op<EmbeddingDenseBackwardOp>(grad, indices, num_weights, padding_idx, scale_grad_by_freq)">;
def Aten_ValueSelectingReductionBackwardOp : Backward<"value_selecting_reduction_backward",
    (ins Tensor:$grad, Int:$dim, Tensor:$indices, SymIntList:$sizes, Bool:$keepdim),
    "selectedBackward(grad, dim, indices, sizes, keepdim)">;
