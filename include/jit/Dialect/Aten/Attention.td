//===- Attention.td - attention, alone and with its projections -*- tablegen -*-===//
include "jit/Dialect/Aten/RandomBase.td"

// What drops shares out is made of other operators before anything is known of its operands (jit-seed-random).
def Aten_ScaledDotProductAttentionOp : Aten_Op<"scaled_dot_product_attention", "",
    (ins Tensor:$query, Tensor:$key, Tensor:$value, Default<OptTensor, "None">:$attn_mask,
         Default<Float, "0.">:$dropout_p, Default<Bool, "False">:$is_causal, Kw<Default<OptFloat, "None">>:$scale,
         Kw<Default<Bool, "False">>:$enable_gqa), (outs Tensor:$result), [Pure, DrawsNumbers]> {
  let dropout = ["dropout_p"];
  let unusualStrides = 1;
  let type = "attention(infer, {query, key, value}, enable_gqa)";
  let decompose = [{
    AttentionOptions options = {attn_mask, scale, is_causal, enable_gqa};
    if (dropout_p.known() == 0.0) return attention({query, key, value}, options);
    if (!guardProbability(dropout_p)) return build.notYet("a dropout_p from 0 to 1");
    return attendAtRandom({query, key, value}, options, dropout_p).result;
  }];
}
def Aten_ScaledDotProductAttentionMathOp : Aten_Op<"_scaled_dot_product_attention_math", "",
    (ins Tensor:$query, Tensor:$key, Tensor:$value, Default<OptTensor, "None">:$attn_mask,
         Default<Float, "0.">:$dropout_p, Default<Bool, "False">:$is_causal, Default<OptTensor, "None">:$dropout_mask,
         Kw<Default<OptFloat, "None">>:$scale, Kw<Default<Bool, "False">>:$enable_gqa),
    (outs Tensor:$result, Tensor:$shares), [Pure, DrawsNumbers]> {
  let dropout = ["dropout_p"];
  let summary = "Attention, and what each query takes of each key's value; those where a mask is false are dropped out";
  let unusualStrides = 1;
  let type = "attention(infer, {query, key, value}, enable_gqa), attentionShares(infer, query, key, enable_gqa)";
  let decompose = [{
    AttentionOptions options = {attn_mask, scale, is_causal, enable_gqa};
    if (dropout_p.known() == 0.0) return attentionAndShares({query, key, value}, options);
    if (dropout_mask) return attentionAndShares({query, key, value}, options, *dropout_mask, dropout_p);
    if (!dropout_mask.isSettled() || !guardProbability(dropout_p)) return build.notYet("whether dropout_mask is None, and a dropout_p from 0 to 1");
    Attended attended = attendAtRandom({query, key, value}, options, dropout_p);
    return {attended.result, attended.shares};
  }];
}

// What PyTorch runs in their place when a layer of torch.nn is called without gradients.
defvar projections = (ins Int:$embed_dim, Int:$num_heads, Tensor:$qkv_weight, Tensor:$qkv_bias, Tensor:$proj_weight,
    Tensor:$proj_bias);
def Aten_NativeMultiHeadAttentionOp : Aten_Op<"_native_multi_head_attention", "",
    (ins Tensor:$query, Tensor:$key, Tensor:$value, Int:$embed_dim, Int:$num_head, Tensor:$qkv_weight, Tensor:$qkv_bias,
         Tensor:$proj_weight, Tensor:$proj_bias, Default<OptTensor, "None">:$mask, Default<Bool, "True">:$need_weights,
         Default<Bool, "True">:$average_attn_weights, Default<OptInt, "None">:$mask_type),
    (outs Tensor:$result, Tensor:$weights)> {
  let summary = "Attention between projections of its inputs; without weights the second result holds nothing";
  let type = "Type(query), attentionWeights(infer, {query, key, num_head}, need_weights, average_attn_weights)";
  let decompose = [{
    if (!need_weights.known() || !average_attn_weights.known()) return build.notYet("the values of need_weights and average_attn_weights");
    return multiHeadAttention({query, key, value}, {num_head, {qkv_weight, qkv_bias}, {proj_weight, proj_bias}},
                              {mask, mask_type}, {*need_weights.known(), *average_attn_weights.known()});
  }];
}
def Aten_TransformerEncoderLayerFwdOp : Aten_Op<"_transformer_encoder_layer_fwd", "",
    !con((ins Tensor:$src), projections, (ins Bool:$use_gelu, Bool:$norm_first, Float:$eps, Tensor:$norm_weight_1,
         Tensor:$norm_bias_1, Tensor:$norm_weight_2, Tensor:$norm_bias_2, Tensor:$ffn_weight_1, Tensor:$ffn_bias_1,
         Tensor:$ffn_weight_2, Tensor:$ffn_bias_2, Default<OptTensor, "None">:$mask, Default<OptInt, "None">:$mask_type))> {
  let type = "Type(src)";
  let decompose = [{
    if (!use_gelu.known() || !norm_first.known()) return build.notYet("the values of use_gelu and norm_first");
    return encoderLayer(src, {num_heads, {qkv_weight, qkv_bias}, {proj_weight, proj_bias}},
                        {{norm_weight_1, norm_bias_1}, {norm_weight_2, norm_bias_2}, {ffn_weight_1, ffn_bias_1},
                         {ffn_weight_2, ffn_bias_2}, eps, *use_gelu.known(), *norm_first.known()}, {mask, mask_type});
  }];
}
