//===- Attention.h - builders for the rules of Attention.td -----*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_ATTENTION_H
#define JIT_LIB_DIALECT_ATEN_RULES_ATTENTION_H

#include "Rules/Random.h"

namespace jit {

struct AttentionTypes {
  TensorInfo query, key, value;
};
mlir::Type attention(TypeRules &infer, AttentionTypes types, BoolInfo isGrouped);
/// Of [batch, queries, keys], whatever the batch.
mlir::Type attentionShares(TypeRules &infer, TensorInfo query, TensorInfo key, BoolInfo isGrouped);

struct AttentionSizes {
  TensorInfo query, key;
  IntInfo heads;
};
/// Of [batch, queries, keys], or with the heads behind the batch; nothing where they are not
/// needed.
mlir::Type attentionWeights(TypeRules &infer, AttentionSizes sizes, BoolInfo needed,
                            BoolInfo averaged);

struct AttentionInputs {
  Tensor query, key, value;
};
struct AttentionOptions {
  OptTensor mask;
  OptFloat scale;
  /// No query sees the keys after it.
  Bool isCausal;
  /// Fewer heads of keys and values, each for a group of heads of queries.
  Bool isGrouped;
};
/// softmax(query @ key^T * scale + mask) @ value. A query that may see no key gives zeros.
Decomposition attention(AttentionInputs inputs, AttentionOptions options);
/// The same, and the softmax.
Decomposition attentionAndShares(AttentionInputs inputs, AttentionOptions options);
/// Where `isKept` is false shares are zero; the others count 1 / (1 - probability) times.
Decomposition attentionAndShares(AttentionInputs inputs, AttentionOptions options, Tensor isKept,
                                 Float probability);

struct Attended {
  Tensor result, shares;
};
/// With shares dropped out at random; the second result has all of them. Nothing need be known.
Attended attendAtRandom(AttentionInputs inputs, AttentionOptions options, Float probability);

struct LinearLayer {
  Tensor weight, bias;
};
/// The projections to all heads' queries, keys and values, one under the other, and back.
struct Projections {
  Int heads;
  LinearLayer inputs, output;
};
/// True where nothing is seen; its kind says which dimensions it has: 0 for [queries, keys], 1 for
/// [batch, keys], 2 for [batch, heads, queries, keys].
struct ExclusionMask {
  OptTensor mask;
  OptInt kind;
};
/// What of each query's shares of the keys is a result too.
struct AttentionWeights {
  bool areNeeded = false, areAveraged = false;
};
Decomposition multiHeadAttention(AttentionInputs inputs, Projections projections,
                                 ExclusionMask mask, AttentionWeights weights);

struct EncoderLayer {
  LinearLayer norm1, norm2, feedForward1, feedForward2;
  Float eps;
  bool isGelu, isNormFirst;
};
Decomposition encoderLayer(Tensor src, Projections projections, EncoderLayer layer,
                           ExclusionMask mask);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_ATTENTION_H
