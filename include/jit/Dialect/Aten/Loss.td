//===- Loss.td - losses and distances ----------------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// A loss for each element or example; `reduction` is 0 for all of them, 1 for their mean, 2 for their sum.
class Loss<string name, dag args, string each>
    : Aten_Composite<name, "", args, "return reducedLoss(" # each # ", reduction);">;
defvar meanByDefault = Default<Int, "1">;

//===----------------------------------------------------------------------===//
// From a difference
//===----------------------------------------------------------------------===//

def Aten_MseLossOp : Loss<"mse_loss", (ins Tensor:$self, Tensor:$target, meanByDefault:$reduction),
    "square(self - target)">;
def Aten_L1LossOp : Loss<"l1_loss", (ins Tensor:$self, Tensor:$target, meanByDefault:$reduction),
    "abs(self - target)">;
def Aten_SmoothL1LossOp : Loss<"smooth_l1_loss",
    (ins Tensor:$self, Tensor:$target, meanByDefault:$reduction, Default<Float, "1.">:$beta),
    "smoothDistance(self - target, beta, /*isHuber=*/false)">;
def Aten_HuberLossOp : Loss<"huber_loss",
    (ins Tensor:$self, Tensor:$target, meanByDefault:$reduction, Default<Float, "1.">:$delta),
    "huberDistance(self, target, delta)">;

//===----------------------------------------------------------------------===//
// From probabilities
//===----------------------------------------------------------------------===//

class NegativeLogLikelihood<string name> : Aten_Composite<name, "",
    (ins Tensor:$self, Tensor:$target, Default<OptTensor, "None">:$weight, meanByDefault:$reduction,
         Default<SymInt, "-100">:$ignore_index),
    "return nllLoss(self, {target, weight, ignore_index}, reduction);">;
def Aten_NllLossNdOp : NegativeLogLikelihood<"nll_loss_nd">;
def Aten_NllLossOp : NegativeLogLikelihood<"nll_loss">;
def Aten_NllLoss2dOp : NegativeLogLikelihood<"nll_loss2d">;
def Aten_CrossEntropyLossOp : Aten_Composite<"cross_entropy_loss", "",
    (ins Tensor:$self, Tensor:$target, Default<OptTensor, "None">:$weight, meanByDefault:$reduction,
         Default<SymInt, "-100">:$ignore_index, Default<Float, "0.">:$label_smoothing),
    "return crossEntropy(self, {target, weight, ignore_index}, reduction, label_smoothing);">;
def Aten_BinaryCrossEntropyOp : Aten_Composite<"binary_cross_entropy", "",
    (ins Tensor:$self, Tensor:$target, Default<OptTensor, "None">:$weight, meanByDefault:$reduction),
    "return binaryCrossEntropy(self, target, weight, reduction);">;
def Aten_BinaryCrossEntropyWithLogitsOp : Aten_Composite<"binary_cross_entropy_with_logits", "",
    (ins Tensor:$self, Tensor:$target, Default<OptTensor, "None">:$weight, Default<OptTensor, "None">:$pos_weight,
         meanByDefault:$reduction),
    "return binaryCrossEntropyOfLogits(self, target, weight, pos_weight, reduction);">;
def Aten_KlDivOp : Aten_Composite<"kl_div", "",
    (ins Tensor:$self, Tensor:$target, meanByDefault:$reduction, Kw<Default<Bool, "False">>:$log_target),
    "return divergence(self, target, reduction, log_target);">;
def Aten_PoissonNllLossOp : Aten_Composite<"poisson_nll_loss", "",
    (ins Tensor:$input, Tensor:$target, Bool:$log_input, Bool:$full, Float:$eps, Int:$reduction),
    "return poissonLoss(input, target, {log_input, full}, eps, reduction);">;

//===----------------------------------------------------------------------===//
// With a margin
//===----------------------------------------------------------------------===//

def Aten_HingeEmbeddingLossOp : Loss<"hinge_embedding_loss",
    (ins Tensor:$self, Tensor:$target, Default<Float, "1.">:$margin, meanByDefault:$reduction),
    "hinged(self, target, margin)">;
def Aten_MarginRankingLossOp : Loss<"margin_ranking_loss",
    (ins Tensor:$input1, Tensor:$input2, Tensor:$target, Default<Float, "0.">:$margin, meanByDefault:$reduction),
    "positivePart(-target * (input1 - input2) + margin)">;
def Aten_SoftMarginLossOp : Loss<"soft_margin_loss", (ins Tensor:$self, Tensor:$target, meanByDefault:$reduction),
    "softMargin(self, target)">;
def Aten_CosineEmbeddingLossOp : Loss<"cosine_embedding_loss",
    (ins Tensor:$input1, Tensor:$input2, Tensor:$target, Default<Float, "0.">:$margin, meanByDefault:$reduction),
    "cosineEmbedding(input1, input2, target, margin)">;
def Aten_TripletMarginLossOp : Aten_Composite<"triplet_margin_loss", "",
    (ins Tensor:$anchor, Tensor:$positive, Tensor:$negative, Default<Float, "1.">:$margin, Default<Float, "2.">:$p,
         Default<Float, "9.9999999999999995e-07">:$eps, Default<Bool, "False">:$swap, meanByDefault:$reduction),
    "return tripletMargin({anchor, positive, negative}, margin, p, eps, swap, reduction);">;
def Aten_MultiMarginLossOp : Aten_Composite<"multi_margin_loss", "",
    (ins Tensor:$self, Tensor:$target, Default<Scalar, "1">:$p, Default<Scalar, "1">:$margin,
         Default<OptTensor, "None">:$weight, meanByDefault:$reduction),
    "return multiMargin(self, target, weight, {p, margin}, reduction);">;
def Aten_MultilabelMarginLossOp : Aten_Composite<"multilabel_margin_loss", "",
    (ins Tensor:$self, Tensor:$target, meanByDefault:$reduction), "return multilabelMargin(self, target, reduction);">;

class CtcLoss<string overload, AtenArg lengths> : Aten_Composite<"ctc_loss", overload,
    (ins Tensor:$log_probs, Tensor:$targets, lengths:$input_lengths, lengths:$target_lengths, Default<Int, "0">:$blank,
         meanByDefault:$reduction, Default<Bool, "False">:$zero_infinity),
    "return ctcLoss({log_probs, targets, input_lengths, target_lengths}, {blank, reduction, zero_infinity});">;
def Aten_CtcLossTensorOp : CtcLoss<"Tensor", Tensor>;
def Aten_CtcLossIntListOp : CtcLoss<"IntList", IntList>;

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

def Aten_PairwiseDistanceOp : Aten_Composite<"pairwise_distance", "",
    (ins Tensor:$x1, Tensor:$x2, Default<Float, "2.">:$p, Default<Float, "9.9999999999999995e-07">:$eps,
         Default<Bool, "False">:$keepdim),
    "return distance(x1, x2, p, eps, keepdim);">;
def Aten_DistOp : Aten_Composite<"dist", "", (ins Tensor:$self, Tensor:$other, Default<Scalar, "2">:$p),
    "return build.op<LinalgVectorNormOp>(self - other, p, build.none(), false, build.none());">;
def Aten_CdistOp : Aten_Composite<"cdist", "",
    (ins Tensor:$x1, Tensor:$x2, Default<Float, "2.">:$p, Default<OptInt, "None">:$compute_mode), [{
  return crossDistances(x1, x2, p);
}]>;
def Aten_CdistForwardOp : Aten_Composite<"_cdist_forward", "",
    (ins Tensor:$x1, Tensor:$x2, Float:$p, OptInt:$compute_mode), "return build.op<CdistOp>(x1, x2, p, compute_mode);">;
def Aten_PdistForwardOp : Aten_Composite<"_pdist_forward", "", (ins Tensor:$self, Default<Float, "2.">:$p), "return pairDistances(self, p);">;
def Aten_PdistOp : Aten_Composite<"pdist", "", (ins Tensor:$self, Default<Float, "2.">:$p), "return pairDistances(self, p);">;
