//===- Attention.cpp - builders for the rules of Attention.td -------------===//

#include "Rules/Attention.h"
#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Attention.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Norm.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include <cmath>

using namespace mlir;

namespace jit {

static constexpr int64_t unknown = TensorType::kDynamic;

/// The batches of all, broadcast. Heads of keys and values that serve groups of queries' do not
/// count.
static std::optional<SmallVector<int64_t>> batchOf(ArrayRef<TensorInfo> inputs,
                                                   BoolInfo isGrouped) {
  int64_t rank = 2;
  for (const TensorInfo &input : inputs) {
    if (!input.hasRank() || input.rank() < 2)
      return std::nullopt;
    rank = std::max(rank, input.rank());
  }
  if (rank > 2 && !isGrouped.known)
    return std::nullopt;
  SmallVector<int64_t> sizes(rank - 2, 1);
  for (auto [number, input] : llvm::enumerate(inputs))
    for (int64_t back = 3; back <= input.rank(); ++back) {
      if (back == 3 && number > 0 && *isGrouped.known)
        continue;
      auto common = broadcastDim(sizes[rank - back], input.size(-back));
      if (!common)
        return std::nullopt;
      sizes[rank - back] = *common;
    }
  return sizes;
}

Type attention(TypeRules &infer, AttentionTypes types, BoolInfo isGrouped) {
  auto [query, key, value] = types;
  auto sizes = batchOf({query, key, value}, isGrouped);
  if (!sizes)
    return infer.unranked(query.dtype());
  sizes->append({query.size(-2), value.size(-1)});
  return infer.tensor(*sizes, query.dtype());
}

Type attentionShares(TypeRules &infer, TensorInfo query, TensorInfo key, BoolInfo isGrouped) {
  auto sizes = batchOf({query, key}, isGrouped);
  if (!sizes)
    return infer.unranked(query.dtype());
  sizes->append({query.size(-2), key.size(-2)});
  return infer.tensor(*sizes, query.dtype());
}

Type attentionWeights(TypeRules &infer, AttentionSizes sizes, BoolInfo needed, BoolInfo averaged) {
  Type dtype = sizes.query.dtype();
  if (needed.known == false)
    return infer.tensor({0}, dtype);
  if (!needed.known || !averaged.known || !sizes.query.hasRank() || sizes.query.rank() != 3 ||
      !sizes.key.hasRank() || sizes.key.rank() != 3)
    return infer.unranked(dtype);
  int64_t batch = sizes.query.size(0), queries = sizes.query.size(1), keys = sizes.key.size(1);
  if (*averaged.known)
    return infer.tensor({batch, queries, keys}, dtype);
  return infer.tensor({batch, sizes.heads.known.value_or(unknown), queries, keys}, dtype);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// True where a key does not come after its query.
static Tensor causalMask(Tensor query, Tensor key) {
  GraphBuilder &build = *query.b;
  auto count = [&](Int size) {
    Any none = build.none();
    return build.op<aten::ArangeStartStepOp>(0, size, 1, none, none, none, none);
  };
  Tensor rows = build.op<aten::UnsqueezeOp>(count(sizeOf(query, -2)), 1);
  return build.op<aten::LeTensorOp>(count(sizeOf(key, -2)), rows);
}

/// The scores with a mask of numbers added. One of bools adds minus infinity, so that a score that
/// is NaN or infinite is not hidden; no gradient flows through that.
static Tensor masked(Tensor scores, Tensor mask) {
  if (!mask.info().dtype().isInteger(1))
    return scores + mask;
  Tensor hidden = scores.b->op<aten::DetachOp>(scores + -INFINITY);
  return where(mask, scores, hidden);
}

/// Over the keys; zeros where a mask leaves none of them.
static Tensor shares(Tensor scores, bool mayBeEmpty) {
  GraphBuilder &build = *scores.b;
  Tensor shares = build.op<aten::SoftmaxIntOp>(scores, -1, build.none());
  if (!mayBeEmpty)
    return shares;
  Tensor best = build.op<aten::LargestOp>(scores, build.ints({-1}), true);
  return build.op<aten::WhereScalarSelfOp>(build.op<aten::EqScalarOp>(best, -INFINITY), 0.0,
                                           shares);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Each head of `t` as often as there are heads of `query` for it.
static std::optional<Tensor> perQueryHead(Tensor t, Tensor query) {
  int64_t heads = t.info().rank() > 2 ? t.info().size(-3) : unknown;
  int64_t wanted = query.info().rank() > 2 ? query.info().size(-3) : unknown;
  if (heads == unknown || wanted == unknown || heads == 0 || wanted % heads != 0)
    return std::nullopt;
  GraphBuilder &build = *t.b;
  return build.op<aten::RepeatInterleaveSelfIntOp>(t, wanted / heads, -3, build.none());
}

/// Halves are multiplied to f32: scores decide by their differences, and may be larger than any
/// half.
static Tensor scoresOf(Tensor query, Tensor keys, Any factor) {
  GraphBuilder &build = *query.b;
  Type dtype = query.info().dtype();
  bool isHalf = isa<FloatType>(dtype) && dtype.getIntOrFloatBitWidth() < 32;
  if (isHalf && keys.info().dtype() == dtype)
    return build.op<aten::MulScalarOp>(build.op<aten::WideMatmulOp>(query, keys), factor);
  return build.op<aten::MatmulOp>(build.op<aten::MulScalarOp>(query, factor), keys);
}

/// What each query takes of each key's value, where enough is known.
static std::optional<Tensor> sharesOf(Tensor query, Tensor key, OptTensor mask, OptFloat scale,
                                      bool isCausal, bool mayBeEmpty = true) {
  GraphBuilder &build = *query.b;
  TensorInfo info = query.info();
  bool isKnown = info.hasRank() && info.rank() >= 2 && info.size(-1) != unknown && info.dtype() &&
                 key.info().hasRank();
  if (!isKnown || (mask && !TensorInfo((*mask).v).dtype()) || (mask && isCausal))
    return std::nullopt;
  Any factor = scale ? Any(*scale) : Any(build.f(1.0 / std::sqrt(double(info.size(-1)))));
  Tensor keys = build.op<aten::TransposeIntOp>(key, -2, -1);
  Tensor scores = scoresOf(query, keys, factor);
  if (mask)
    scores = masked(scores, *mask);
  if (isCausal)
    scores = where(causalMask(query, key), scores, -INFINITY);
  return converted(shares(scores, mayBeEmpty && mask), info.dtype());
}

/// Shares, and the values that they are of, where enough is known.
static std::optional<std::pair<Tensor, Tensor>> sharesAndValues(AttentionInputs inputs,
                                                                AttentionOptions options) {
  auto [query, key, value] = inputs;
  bool isSettled = options.mask.isSettled() && options.scale.isSettled() &&
                   options.isCausal.known() && options.isGrouped.known();
  bool areRanked = query.info().hasRank() && key.info().hasRank() && value.info().hasRank();
  if (!isSettled || !areRanked)
    return std::nullopt;
  if (*options.isGrouped.known()) {
    auto keys = perQueryHead(key, query), values = perQueryHead(value, query);
    if (!keys || !values)
      return std::nullopt;
    key = *keys, value = *values;
  }
  std::optional<Tensor> shares =
      sharesOf(query, key, options.mask, options.scale, *options.isCausal.known());
  if (!shares)
    return std::nullopt;
  return std::pair(*shares, value);
}

Decomposition attention(AttentionInputs inputs, AttentionOptions options) {
  auto found = sharesAndValues(inputs, options);
  if (!found)
    return failure();
  return inputs.query.b->op<aten::MatmulOp>(found->first, found->second);
}

Decomposition attentionAndShares(AttentionInputs inputs, AttentionOptions options) {
  auto found = sharesAndValues(inputs, options);
  if (!found)
    return failure();
  return {inputs.query.b->op<aten::MatmulOp>(found->first, found->second), found->first};
}

Decomposition attentionAndShares(AttentionInputs inputs, AttentionOptions options, Tensor isKept,
                                 Float probability) {
  auto found = sharesAndValues(inputs, options);
  if (!found)
    return failure();
  GraphBuilder &build = *inputs.query.b;
  Tensor shares = where(isKept, found->first, 0.0);
  Tensor result = build.op<aten::MatmulOp>(shares, found->second);
  return {scaledUp(result, probability), shares};
}

Attended attendAtRandom(AttentionInputs inputs, AttentionOptions options, Float probability) {
  GraphBuilder &build = *inputs.query.b;
  auto attend = [&](Any probability, Any isKept) {
    return build.multi<aten::ScaledDotProductAttentionMathOp>(
        inputs.query, inputs.key, inputs.value, options.mask, probability, options.isCausal, isKept,
        options.scale, options.isGrouped);
  };
  // Its shares have the sizes of what is drawn.
  Tensor shares(build, attend(build.f(0), build.none())->getResult(1));
  Operation *kept = attend(probability, drawLike(shares) >= Any(probability));
  return {Tensor(build, kept->getResult(0)), shares};
}

/// An exclusion mask as one of [batch, heads, queries, keys] that is true where a key is seen.
static std::optional<Tensor> seen(ExclusionMask mask) {
  GraphBuilder &build = *mask.mask.b;
  Tensor excluded = *mask.mask;
  if (!mask.kind || !(*mask.kind).known() || !excluded.info().hasRank() || !excluded.info().dtype())
    return std::nullopt;
  // The layer writes minus infinity for true where the mask was one of bools.
  if (!excluded.info().dtype().isInteger(1))
    excluded = build.op<aten::NeScalarOp>(excluded, 0);
  if ((*mask.kind).known() == 1 && excluded.info().rank() == 2)
    excluded = build.op<aten::UnsqueezeOp>(build.op<aten::UnsqueezeOp>(excluded, 1), 1);
  return build.op<aten::LogicalNotOp>(excluded);
}

/// The shares as a result of their own.
static Tensor weightsOf(Tensor query, Tensor shares, AttentionWeights weights) {
  GraphBuilder &build = *query.b;
  Any none = build.none();
  if (!weights.areNeeded)
    return build.op<aten::NewZerosOp>(query, build.ints({0}), none, none, none, none);
  return weights.areAveraged ? build.op<aten::MeanDimOp>(shares, build.ints({1}), false, none)
                             : shares;
}

Decomposition multiHeadAttention(AttentionInputs inputs, Projections projections,
                                 ExclusionMask mask, AttentionWeights weights) {
  Tensor query = inputs.query;
  GraphBuilder &build = *query.b;
  TensorInfo info = query.info();
  auto heads = projections.heads.known();
  bool isKnown = info.hasRank() && info.rank() == 3 && info.size(-1) != unknown && info.dtype();
  if (!isKnown || !heads || *heads <= 0 || !mask.mask.isSettled() || !mask.kind.isSettled())
    return build.notYet("queries of rank 3 of known width and element type, the number of heads "
                        "and whether there are masks");
  int64_t width = info.size(-1), part = 0;
  auto project = [&](Tensor input) {
    auto ofPart = [&](Tensor t) {
      return build.op<aten::SliceTensorOp>(t, 0, part * width, (part + 1) * width, 1);
    };
    Tensor projected = build.op<aten::LinearOp>(input, ofPart(projections.inputs.weight),
                                                ofPart(projections.inputs.bias));
    ++part;
    IntList sizes =
        build.list({sizeOf(input, 0), sizeOf(input, 1), build.i(*heads), build.i(width / *heads)});
    return build.op<aten::TransposeIntOp>(build.op<aten::ReshapeOp>(projected, sizes), 1, 2);
  };
  Tensor queries = project(query), keys = project(inputs.key), values = project(inputs.value);
  OptTensor visible(build, mask.mask.v);
  if (mask.mask) {
    std::optional<Tensor> known = seen(mask);
    if (!known)
      return build.notYet("the sizes and kind of the mask");
    visible = OptTensor(build, known->v);
  }
  // Where a query sees no key PyTorch's operator has NaN, which attention by itself has not.
  std::optional<Tensor> shares = sharesOf(queries, keys, visible, OptFloat(build, build.none().v),
                                          /*isCausal=*/false, /*mayBeEmpty=*/false);
  if (!shares)
    return build.notYet("the sizes of queries and keys");
  Tensor heard =
      build.op<aten::TransposeIntOp>(Tensor(build.op<aten::MatmulOp>(*shares, values)), 1, 2);
  heard = build.op<aten::ReshapeOp>(heard, sizesOf(query));
  return {build.op<aten::LinearOp>(heard, projections.output.weight, projections.output.bias),
          weightsOf(query, *shares, weights)};
}

Decomposition encoderLayer(Tensor src, Projections projections, EncoderLayer layer,
                           ExclusionMask mask) {
  GraphBuilder &build = *src.b;
  auto normalized = [&](Tensor t, LinearLayer norm) {
    IntList last = build.list({sizeOf(t, -1)});
    return build.op<aten::LayerNormOp>(t, last, norm.weight, norm.bias, layer.eps, true);
  };
  if (!src.info().hasRank() || src.info().rank() != 3)
    return build.notYet("a src of rank 3");
  Tensor input = layer.isNormFirst ? normalized(src, layer.norm1) : src;
  Decomposition attended = multiHeadAttention({input, input, input}, projections, mask, {});
  if (failed(attended.values))
    return attended;
  Tensor sum = src + Tensor(build, attended.values->front());
  if (!layer.isNormFirst)
    sum = normalized(sum, layer.norm1);
  Tensor inner = layer.isNormFirst ? normalized(sum, layer.norm2) : sum;
  inner = build.op<aten::LinearOp>(inner, layer.feedForward1.weight, layer.feedForward1.bias);
  inner = layer.isGelu ? build.op<aten::GeluOp>(inner, build.str("none"))
                       : build.op<aten::ReluOp>(inner);
  sum = sum + build.op<aten::LinearOp>(inner, layer.feedForward2.weight, layer.feedForward2.bias);
  return layer.isNormFirst ? sum : normalized(sum, layer.norm2);
}

} // namespace jit
