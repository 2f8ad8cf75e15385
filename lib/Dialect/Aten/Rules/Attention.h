//===- Attention.h - words for the rules of Attention.td --------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_ATTENTION_H
#define JIT_LIB_DIALECT_ATEN_RULES_ATTENTION_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

mlir::Type attention(TypeRules &infer, TensorInfo query, TensorInfo value);

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
struct AttentionForm {
  bool isCausal;
  /// Fewer heads of keys and values, each for a group of heads of queries.
  bool isGrouped;
};
/// softmax(query @ key^T * scale + mask) @ value. A query that may see no key gives zeros.
Decomposition attention(AttentionInputs inputs, OptTensor mask, OptFloat scale, AttentionForm form);

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
