//===- Norm.td - normalization ------------------------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

defvar eps = Default<Float, "1.0000000000000001e-05">;

//===----------------------------------------------------------------------===//
// Over the batch
//===----------------------------------------------------------------------===//

def Aten_NormalizedBatchOp : Aten_Op<"_normalized_batch", "", (ins Tensor:$self, OptTensor:$weight, OptTensor:$bias, IntList:$dims, Float:$eps),
    (outs Tensor:$result, Tensor:$mean, Tensor:$variance, Tensor:$rstd)> {
  let summary = "self without its mean along dims and over its deviation, times weight and plus bias, of size 1 there, with the statistics; no operator of PyTorch's";
  let type = "Type(self), statisticsAlong(infer, self, dims), statisticsAlong(infer, self, dims), statisticsAlong(infer, self, dims)";
  let decompose = "return normalizedBatch(self, {weight, bias}, dims, eps);";
  let grads = [Grad<"self", "normalizedBatchGrad({self, mean, rstd, dims}, weight, {grad, grad_mean, grad_variance, grad_rstd})">,
               Grad<"weight", "sumAlong(grad * ((self - mean) * rstd), dims)">, Grad<"bias", "sumAlong(grad, dims)">];
}
def Aten_BatchNormOp : Aten_Op<"batch_norm", "", (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias,
    OptTensor:$running_mean, OptTensor:$running_var, Bool:$training, Float:$momentum, Float:$eps, Bool:$cudnn_enabled)> {
  let keepsChannelsLast = 1;
  let type = "Type(input)";
  let decompose = [{
    if (!training.known()) return build.notYet("the value of training");
    return batchNorm(input, {weight, bias}, running_mean, running_var, *training.known(), eps);
  }];
}
def Aten_NativeBatchNormLegitFunctionalOp : Aten_Op<"_native_batch_norm_legit_functional", "",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, Tensor:$running_mean, Tensor:$running_var, Bool:$training,
         Float:$momentum, Float:$eps),
    (outs Tensor:$result, Tensor:$save_mean, Tensor:$save_invstd, Spelled<Tensor, "Tensor running_mean_out">:$running_mean_out,
         Spelled<Tensor, "Tensor running_var_out">:$running_var_out)> {
  let summary = "batch_norm with the statistics that it used and the running ones after it";
  let type = "Type(input), channelStatistics(infer, input, running_mean), channelStatistics(infer, input, running_mean), Type(running_mean), Type(running_var)";
  let decompose = [{
    if (!training.known()) return build.notYet("the value of training");
    return batchNormWithStatistics(input, {weight, bias}, running_mean, running_var, *training.known(), {momentum, eps});
  }];
}
def Aten_NativeBatchNormLegitNoTrainingOp : Aten_Op<"_native_batch_norm_legit_no_training", "",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, Tensor:$running_mean, Tensor:$running_var, Float:$momentum, Float:$eps),
    (outs Tensor:$result, Tensor:$save_mean, Tensor:$save_invstd)> {
  let summary = "batch_norm by the running statistics; the statistics beside it are empty";
  let type = "Type(input), infer.tensor({0}, input.dtype()), infer.tensor({0}, input.dtype())";
  let decompose = "return batchNormWithoutTraining(input, {weight, bias}, running_mean, running_var, eps);";
}
def Aten_NativeBatchNormLegitNoStatsOp : Aten_Composite<"_native_batch_norm_legit", "no_stats",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, Bool:$training, Float:$momentum, Float:$eps),
    "return batchNormWithoutRunning(input, {weight, bias}, eps);", (outs Tensor:$result, Tensor:$save_mean, Tensor:$save_invstd)> {
  let summary = "batch_norm by the statistics of its input, and those; without running ones it always trains";
}
/// Where it trains by running statistics, jit-expose-batch-norm makes writes of what it does to them before its body is asked for.
class Aten_NativeBatchNorm<string name, dag statistics, dag numbers, string body, dag more = (outs)>
    : Aten_Composite<name, "", !con((ins Tensor:$input, OptTensor:$weight, OptTensor:$bias), statistics, numbers),
          "return " # body # ";", !con((outs Tensor:$result, Tensor:$save_mean, Tensor:$save_invstd), more)>;
defvar optionalStatistics = (ins OptTensor:$running_mean, OptTensor:$running_var);
defvar writtenStatistics = (ins Spelled<Tensor, "Tensor(a!)">:$running_mean, Spelled<Tensor, "Tensor(b!)">:$running_var);
def Aten_NativeBatchNormOp : Aten_NativeBatchNorm<"native_batch_norm", optionalStatistics,
    (ins Bool:$training, Float:$momentum, Float:$eps),
    "nativeBatchNorm(input, {weight, bias}, running_mean, running_var, training, eps)">;
def Aten_NativeBatchNormLegitOp : Aten_NativeBatchNorm<"_native_batch_norm_legit", writtenStatistics,
    (ins Bool:$training, Float:$momentum, Float:$eps),
    "nativeBatchNorm(input, {weight, bias}, {build, running_mean.v}, {build, running_var.v}, training, eps)">;
def Aten_BatchNormWithUpdateOp : Aten_NativeBatchNorm<"_batch_norm_with_update", writtenStatistics,
    (ins Float:$momentum, Float:$eps), "build.notYet(\"to be followed by what updates the running statistics\")", (outs Tensor:$reserve)>;
def Aten_BatchNormNoUpdateOp : Aten_NativeBatchNorm<"_batch_norm_no_update", optionalStatistics,
    (ins Float:$momentum, Float:$eps),
    "withReserve(nativeBatchNorm(input, {weight, bias}, running_mean, running_var, build.flag(false), eps), build)",
    (outs Tensor:$reserve)>;
def Aten_InstanceNormOp : Aten_Op<"instance_norm", "", (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias,
    OptTensor:$running_mean, OptTensor:$running_var, Bool:$use_input_stats, Float:$momentum, Float:$eps,
    Bool:$cudnn_enabled)> {
  let type = "Type(input)";
  let decompose = [{
    if (!use_input_stats.known()) return build.notYet("the value of use_input_stats");
    return instanceNorm(input, {weight, bias}, running_mean, running_var, *use_input_stats.known(), eps);
  }];
}

//===----------------------------------------------------------------------===//
// Over one example
//===----------------------------------------------------------------------===//

def Aten_LayerNormOp : Aten_Op<"layer_norm", "", (ins Tensor:$input, SymIntList:$normalized_shape,
    Default<OptTensor, "None">:$weight, Default<OptTensor, "None">:$bias, eps:$eps,
    Default<Bool, "True">:$cudnn_enable)> {
  let type = "normalizedOver(infer, input, normalized_shape)";
  let decompose = "return layerNorm(input, normalized_shape, {weight, bias}, eps);";
}
def Aten_RmsNormOp : Aten_Op<"rms_norm", "", (ins Tensor:$input, SymIntList:$normalized_shape,
    Default<OptTensor, "None">:$weight, Default<OptFloat, "None">:$eps)> {
  let type = "normalizedOver(infer, input, normalized_shape)";
  let decompose = [{
    if (!eps.isSettled()) return build.notYet("whether eps is None");
    return rmsNorm(input, normalized_shape, weight, eps);
  }];
}
def Aten_GroupNormOp : Aten_Op<"group_norm", "", (ins Tensor:$input, Int:$num_groups,
    Default<OptTensor, "None">:$weight, Default<OptTensor, "None">:$bias, eps:$eps,
    Default<Bool, "True">:$cudnn_enabled)> {
  let type = "normalizedInGroups(infer, input, num_groups)";
  let decompose = [{
    if (!num_groups.known()) return build.notYet("the value of num_groups");
    return groupNorm(input, *num_groups.known(), {weight, bias}, eps);
  }];
}
def Aten_NativeGroupNormOp : Aten_Composite<"native_group_norm", "",
    (ins Tensor:$input, OptTensor:$weight, OptTensor:$bias, SymInt:$N, SymInt:$C, SymInt:$HxW, Int:$group, Float:$eps), [{
      if (!group.known()) return build.notYet("the value of group");
      return groupNorm(input, *group.known(), {weight, bias}, eps, /*withStatistics=*/true);
    }], (outs Tensor:$result, Tensor:$mean, Tensor:$rstd)> {
  let summary = "group_norm with the mean and reciprocal deviation of each group";
}
def Aten_NativeLayerNormOp : Aten_Op<"native_layer_norm", "",
    (ins Tensor:$input, SymIntList:$normalized_shape, OptTensor:$weight, OptTensor:$bias, Float:$eps),
    (outs Tensor:$result, Tensor:$mean, Tensor:$rstd)> {
  let type = "Type(input), normStatistics(infer, input, normalized_shape), normStatistics(infer, input, normalized_shape)";
  let decompose = "return layerNorm(input, normalized_shape, {weight, bias}, eps, /*withStatistics=*/true);";
}

//===----------------------------------------------------------------------===//
// To a length
//===----------------------------------------------------------------------===//

def Aten_CosineSimilarityOp : Aten_Op<"cosine_similarity", "",
    (ins Tensor:$x1, Tensor:$x2, Default<Int, "1">:$dim, Default<Float, "1e-08">:$eps)> {
  let type = "similarity(infer, operands, dim)";
  let decompose = "return cosineSimilarity(x1, x2, dim, eps);";
}
def Aten_WeightNormOp : Aten_Op<"_weight_norm", "", (ins Tensor:$v, Tensor:$g, Default<Int, "0">:$dim)> {
  let summary = "v with each slice along `dim` scaled to the length that g gives";
  let type = "Type(v)";
  let decompose = "return weightNorm(v, g, dim);";
}
def Aten_EmbeddingRenormOp : Aten_Composite<"embedding_renorm", "",
    (ins Tensor:$self, Tensor:$indices, Float:$max_norm, Float:$norm_type),
    "return rowsShortened(self, indices, max_norm, norm_type);">;
