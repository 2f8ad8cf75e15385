//===- Norm.cpp - builders for the rules of Norm.td -----------------------===//

#include "Rules/Norm.h"
#include "ElementTypes.h"
#include "Rules/GraphBuilders.h"
#include "Rules/OpenNumbers.h"
#include "Rules/Reduction.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Norm.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include <limits>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Halves are normalized in f32, as PyTorch does.
static Tensor widened(Tensor t) {
  Type dtype = t.info().dtype();
  if (!isHalf(dtype))
    return t;
  Type wide = Float32Type::get(dtype.getContext());
  return t.b->op<aten::ToDTypeOp>(t, int64_t(*typeToDtype(wide)), false, false, t.b->none());
}
static Tensor likeInput(Tensor t, Tensor input) {
  if (t.info().dtype() == input.info().dtype())
    return t;
  int64_t dtype = int64_t(*typeToDtype(input.info().dtype()));
  return t.b->op<aten::ToDTypeOp>(t, dtype, false, false, t.b->none());
}

static bool hasFloats(Tensor t) { return isa_and_nonnull<FloatType>(t.info().dtype()); }
static bool hasFloats(OptTensor t) { return t.isSettled() && (!t || hasFloats(*t)); }

/// Enough is known to normalize along dimensions that are named: element type and rank, and whether
/// there are weights. All of them are floats.
static bool isRanked(Tensor input, Affine affine) {
  return input.info().hasRank() && hasFloats(input) && hasFloats(affine.weight) &&
         hasFloats(affine.bias);
}

/// The same, and how many channels there are: dimension 1 of at least `rank`.
static bool hasChannels(Tensor input, Affine affine, int64_t rank) {
  return isRanked(input, affine) && input.info().rank() >= rank &&
         input.info().size(1) != TensorType::kDynamic;
}

/// One number per channel, as dimension 1 of a tensor of `rank`.
static Tensor perChannel(Tensor t, int64_t channels, int64_t rank) {
  SmallVector<int64_t> sizes(rank, 1);
  sizes[1] = channels;
  return t.b->op<aten::ReshapeOp>(widened(t), t.b->ints(sizes));
}

/// A statistic that is given beside the value: in PyTorch no gradient flows through it.
static Tensor statistic(Tensor t) { return t.b->op<aten::DetachOp>(t); }

static Tensor reciprocalDeviation(Tensor variance, Any eps) {
  GraphBuilder &build = *variance.b;
  return build.op<aten::RsqrtOp>(build.op<aten::AddScalarOp>(variance, eps, 1));
}

namespace {
/// x - mean over the deviation, and what that is made of: 1 / sqrt(variance + eps).
struct Normalized {
  Tensor value, mean, variance, rstd;
};
} // namespace

/// How many elements there are along `dims`.
static Int countAlong(Tensor x, ArrayRef<int64_t> dims) {
  Int count = x.b->i(1);
  for (int64_t dim : dims)
    count = count * sizeOf(x, dim);
  return count;
}

/// The variance of a sample of `count` from that of its elements.
static Tensor ofSample(Tensor variance, Int count) {
  GraphBuilder &build = *variance.b;
  if (auto known = count.known())
    return variance * (double(*known) / double(std::max<int64_t>(*known - 1, 1)));
  Tensor sum = build.op<aten::MulScalarOp>(variance, count);
  return build.op<aten::DivScalarOp>(sum, atLeastOne(count - build.i(1)));
}

static Any countOf(Tensor x, ArrayRef<int64_t> dims) {
  Int elements = countAlong(x, dims);
  return elements.known() ? Any(x.b->f(double(*elements.known()))) : Any(elements);
}

/// `x` minus its mean and over its deviation along `dims`, which stay with size 1. PyTorch sums up
/// a batch in double, an example in its own type.
static Normalized normalized(Tensor x, ArrayRef<int64_t> dims, Any eps, bool isOfBatch = false) {
  GraphBuilder &build = *x.b;
  Any count = countOf(x, dims);
  Any type = isOfBatch ? Any(build.i(int64_t(ScalarType::Double))) : build.none();
  auto meanOf = [&](Tensor t) {
    Tensor sum = build.op<aten::SumDimIntListOp>(t, build.ints(dims), true, type);
    return likeInput(build.op<aten::DivScalarOp>(sum, count), x);
  };
  Tensor mean = meanOf(x);
  Tensor distance = x - mean;
  Tensor variance = meanOf(distance * distance), rstd = reciprocalDeviation(variance, eps);
  return {distance * rstd, mean, variance, rstd};
}

static SmallVector<int64_t> lastDims(int64_t rank, int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
}

/// value * weight + bias, each where it is not None.
static Tensor scaled(Tensor value, Affine affine, function_ref<Tensor(Tensor)> shaped) {
  if (affine.weight)
    value = value * shaped(*affine.weight);
  if (affine.bias)
    value = value + shaped(*affine.bias);
  return value;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

Tensor throughNorm(Tensor grad, Tensor value, Tensor factor, ArrayRef<int64_t> dims) {
  GraphBuilder &build = *grad.b;
  auto meanOf = [&](Tensor t) -> Tensor {
    return build.op<aten::DivScalarOp>(sumAlong(t, build.ints(dims)), countOf(t, dims));
  };
  return (grad - meanOf(grad) - value * meanOf(grad * value)) * factor;
}

Decomposition normalizedBatch(Tensor self, Affine affine, IntList dims, Float eps) {
  auto along = dims.known();
  if (!along || !affine.weight.isSettled() || !affine.bias.isSettled())
    return self.b->notYet("the values of dims, and whether weight and bias are None");
  Normalized norm = normalized(self, *along, eps, /*isOfBatch=*/true);
  Tensor value = scaled(norm.value, affine, [](Tensor t) { return t; });
  return {likeInput(value, self), norm.mean, norm.variance, norm.rstd};
}

Gradient normalizedBatchGrad(const NormalizedBatch &of, OptTensor weight,
                             const NormalizedBatchGradients &gradients) {
  GraphBuilder &build = *of.self.b;
  auto along = of.dims.known();
  if (!along || !weight.isSettled())
    return build.notYet("the values of dims, and whether weight is None");
  Any count = countOf(of.self, *along);
  auto shared = [&](Tensor t) -> Tensor { return build.op<aten::DivScalarOp>(t, count); };
  Tensor distance = of.self - of.mean, value = distance * of.rstd, grad = gradients.result;
  // With the weight in the factor its sums are those that weight and bias get.
  Tensor flow = throughNorm(grad, value, weight ? of.rstd * *weight : of.rstd, *along);
  if (!isZeros(gradients.mean.v))
    flow = flow + shared(gradients.mean);
  if (!isZeros(gradients.variance.v))
    flow = flow + distance * shared(gradients.variance * 2.0);
  if (!isZeros(gradients.rstd.v))
    flow = flow - distance * shared(gradients.rstd * of.rstd * of.rstd * of.rstd);
  return flow;
}

/// `input` normalized along `dims` by one weight and one bias per channel, in single or double.
static Normalized normalizedChannels(Tensor input, Affine affine, ArrayRef<int64_t> dims,
                                     Float eps) {
  GraphBuilder &build = *input.b;
  auto shaped = [&](const OptTensor &t) {
    return t ? Any(perChannel(*t, input.info().size(1), input.info().rank())) : build.none();
  };
  Operation *op = build.multi<aten::NormalizedBatchOp>(widened(input), shaped(affine.weight),
                                                       shaped(affine.bias), build.ints(dims), eps);
  auto result = [&](unsigned i) { return Tensor(build, op->getResult(i)); };
  return {result(0), result(1), result(2), result(3)};
}

/// With the statistics given: one factor and one summand per channel, which depend on weights
/// alone.
static Decomposition withStatistics(Tensor input, Affine affine, Tensor mean, Tensor variance,
                                    Any eps) {
  TensorInfo info = input.info();
  int64_t channels = info.size(1), rank = info.rank();
  Tensor factor = reciprocalDeviation(widened(variance), eps);
  if (affine.weight)
    factor = factor * widened(*affine.weight);
  Tensor shift = widened(mean) * factor;
  shift = affine.bias ? widened(*affine.bias) - shift : shift * -1.0;
  Tensor result = widened(input) * perChannel(factor, channels, rank);
  return likeInput(result + perChannel(shift, channels, rank), input);
}

Decomposition batchNorm(Tensor input, Affine affine, OptTensor mean, OptTensor variance,
                        bool isTraining, Float eps) {
  TensorInfo info = input.info();
  if (!isTraining) {
    if (!hasChannels(input, affine, 2) || !mean || !variance || !hasFloats(mean) ||
        !hasFloats(variance))
      return failure();
    return withStatistics(input, affine, *mean, *variance, eps);
  }
  if (!hasChannels(input, affine, 2))
    return failure();
  SmallVector<int64_t> dims = {0};
  llvm::append_range(dims, llvm::seq<int64_t>(2, info.rank()));
  return likeInput(normalizedChannels(input, affine, dims, eps).value, input);
}

Decomposition batchNormWithStatistics(Tensor input, Affine affine, Tensor mean, Tensor variance,
                                      bool isTraining, BatchNormNumbers numbers) {
  GraphBuilder &build = *input.b;
  TensorInfo info = input.info();
  if (!hasChannels(input, affine, 2) || !numbers.momentum.known() || !hasFloats(mean) ||
      !hasFloats(variance))
    return failure();
  if (!isTraining) {
    Decomposition value = withStatistics(input, affine, mean, variance, numbers.eps);
    if (failed(value.values))
      return failure();
    return {Any(build, value.values->front()), mean,
            reciprocalDeviation(widened(variance), numbers.eps), mean, variance};
  }
  SmallVector<int64_t> dims = {0};
  llvm::append_range(dims, llvm::seq<int64_t>(2, info.rank()));
  Normalized norm = normalizedChannels(input, affine, dims, numbers.eps);
  IntList channels = build.ints({info.size(1)});
  auto flat = [&](Tensor t) { return build.op<aten::ReshapeOp>(t, channels); };
  Tensor batchMean = flat(norm.mean), rstd = flat(norm.rstd);
  Tensor spread = ofSample(flat(norm.variance), countAlong(input, dims));
  double momentum = *numbers.momentum.known();
  auto running = [&](Tensor old, Tensor now) {
    return build.op<aten::LerpScalarOp>(old, likeInput(now, old), momentum);
  };
  return {likeInput(norm.value, input), statistic(batchMean), statistic(rstd),
          statistic(running(mean, batchMean)), statistic(running(variance, spread))};
}

Decomposition batchNormWithoutTraining(Tensor input, Affine affine, Tensor mean, Tensor variance,
                                       Float eps) {
  if (!hasChannels(input, affine, 2) || !hasFloats(mean) || !hasFloats(variance))
    return failure();
  Decomposition value = withStatistics(input, affine, mean, variance, eps);
  if (failed(value.values))
    return failure();
  Tensor none = likeInput(input.b->op<aten::SliceTensorOp>(mean, 0, 0, 0, 1), input);
  return {Any(*input.b, value.values->front()), none, none};
}

Decomposition batchNormWithoutRunning(Tensor input, Affine affine, Float eps) {
  TensorInfo info = input.info();
  if (!hasChannels(input, affine, 2))
    return failure();
  GraphBuilder &build = *input.b;
  SmallVector<int64_t> dims = {0};
  llvm::append_range(dims, llvm::seq<int64_t>(2, info.rank()));
  Normalized norm = normalizedChannels(input, affine, dims, eps);
  IntList channels = build.ints({info.size(1)});
  auto flat = [&](Tensor t) {
    return likeInput(statistic(build.op<aten::ReshapeOp>(t, channels)), input);
  };
  return {likeInput(norm.value, input), flat(norm.mean), flat(norm.rstd)};
}

Decomposition nativeBatchNorm(Tensor input, Affine affine, OptTensor mean, OptTensor variance,
                              Bool training, Float eps) {
  if (training.known() == false && mean && variance)
    return batchNormWithoutTraining(input, affine, *mean, *variance, eps);
  if (training.known() == true && mean.isNone() && variance.isNone())
    return batchNormWithoutRunning(input, affine, eps);
  return failure();
}

Decomposition withReserve(Decomposition norm, GraphBuilder &build) {
  if (failed(norm.values))
    return failure();
  Any none = build.none();
  norm.values->push_back(
      build.op<aten::ZerosOp>(build.ints({0}), int64_t(ScalarType::Byte), none, none, none).v);
  return norm;
}

Decomposition instanceNorm(Tensor input, Affine affine, OptTensor mean, OptTensor variance,
                           bool useInput, Float eps) {
  TensorInfo info = input.info();
  if (!hasChannels(input, affine, 3))
    return failure();
  if (!useInput)
    return batchNorm(input, affine, mean, variance, /*isTraining=*/false, eps);
  SmallVector<int64_t> dims = lastDims(info.rank(), info.rank() - 2);
  return likeInput(normalizedChannels(input, affine, dims, eps).value, input);
}

/// The last dimensions of `input`, which have the sizes `shape`: the call ends where an open one
/// has not. None where their number is not known.
static std::optional<SmallVector<int64_t>> normalizedDims(Tensor input, IntList shape) {
  auto sizes = shape.elements();
  int64_t rank = input.info().rank(), count = sizes ? sizes->size() : 0;
  if (!sizes || count > rank)
    return std::nullopt;
  for (auto [i, value] : llvm::enumerate(*sizes)) {
    int64_t dim = rank - count + i;
    Int size(*input.b, value);
    if (input.info().size(dim) != TensorType::kDynamic || !size.known())
      continue;
    Int have = sizeOf(input, dim);
    GuardOp::create(input.b->builder, input.b->loc, compared(arith::CmpIPredicate::eq, have, size),
                    "builtins.RuntimeError",
                    "expected size {} of a dimension that is normalized over, got {}",
                    ValueRange{size.v, have.v});
  }
  return lastDims(rank, count);
}

Decomposition layerNorm(Tensor input, IntList shape, Affine affine, Float eps,
                        bool withStatistics) {
  auto dims = isRanked(input, affine) ? normalizedDims(input, shape) : std::nullopt;
  if (!dims)
    return input.b->notYet("the ranks of its tensors and the length of normalized_shape");
  Normalized norm = normalized(widened(input), *dims, eps);
  Tensor value = scaled(norm.value, affine, widened);
  if (!withStatistics)
    return likeInput(value, input);
  return {likeInput(value, input), statistic(likeInput(norm.mean, input)),
          statistic(likeInput(norm.rstd, input))};
}

Decomposition rmsNorm(Tensor input, IntList shape, OptTensor weight, OptFloat eps) {
  GraphBuilder &build = *input.b;
  TensorInfo info = input.info();
  auto over = isRanked(input, {weight, weight}) ? normalizedDims(input, shape) : std::nullopt;
  if (!over)
    return build.notYet("the ranks of its tensors and the length of normalized_shape");
  auto &semantics = cast<FloatType>(info.dtype()).getFloatSemantics();
  double ulp = std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(semantics)));
  Any offset = eps ? Any(*eps) : Any(build.f(ulp));
  Tensor x = widened(input);
  IntList dims = build.ints(*over);
  Tensor squares = build.op<aten::MeanDimOp>(x * x, dims, true, build.none());
  Tensor value = x * reciprocalDeviation(squares, offset);
  if (weight)
    value = value * widened(*weight);
  return likeInput(value, input);
}

Decomposition groupNorm(Tensor input, int64_t groups, Affine affine, Float eps,
                        bool withStatistics) {
  GraphBuilder &build = *input.b;
  TensorInfo info = input.info();
  if (!hasChannels(input, affine, 2) || groups < 1 || info.size(1) % groups != 0)
    return failure();
  Int batch = sizeOf(input, 0), each = build.i(info.size(1) / groups);
  each = each * countAlong(input, lastDims(info.rank(), info.rank() - 2));
  IntList sizes = build.list({batch, build.i(groups), each});
  Tensor split = build.op<aten::ReshapeOp>(widened(input), sizes);
  Normalized norm = normalized(split, 2, eps);
  Tensor value = build.op<aten::ReshapeOp>(norm.value, sizesOf(input));
  auto shaped = [&](Tensor t) { return perChannel(t, info.size(1), info.rank()); };
  Tensor result = likeInput(scaled(value, affine, shaped), input);
  if (!withStatistics)
    return result;
  IntList perGroup = build.list({batch, build.i(groups)});
  auto flat = [&](Tensor t) { return likeInput(build.op<aten::ReshapeOp>(t, perGroup), input); };
  return {result, flat(norm.mean), flat(norm.rstd)};
}

Decomposition cosineSimilarity(Tensor a, Tensor b, Int dim, Float eps) {
  GraphBuilder &build = *a.b;
  if (!a.info().dtype() || !b.info().dtype() || !dim.known())
    return failure();
  Type common = promotedType({a.v, b.v}, /*toFloat=*/false);
  if (!isa<FloatType>(common))
    return build.notYet("operands of a floating-point type");
  // Lengths are those of what was broadcast, each of a float in its own type.
  TypeRules rules{build.builder.getContext(), build.loc};
  bool isFitting = true;
  auto sizes = rules.broadcastSizes({a.v, b.v}, isFitting);
  if (!isFitting || !sizes)
    return failure();
  for (Tensor *t : {&a, &b}) {
    *t = converted(*t, comparedType(t->v, common));
    if (t->info().sizes() == ArrayRef(*sizes))
      continue;
    if (llvm::is_contained(*sizes, TensorType::kDynamic))
      return failure();
    *t = build.op<aten::ExpandOp>(*t, build.ints(*sizes), false);
  }
  IntList dims = build.list(ArrayRef<Int>{dim});
  auto unit = [&](Tensor t) {
    Any norm = build.op<aten::LinalgVectorNormOp>(t, 2, dims, true, build.none());
    return t / build.op<aten::ClampMinOp>(norm, eps);
  };
  return build.op<aten::SumDimIntListOp>(unit(a) * unit(b), dims, false, build.none());
}

Decomposition rowsShortened(Tensor self, Tensor indices, Float most, Float order) {
  GraphBuilder &build = *self.b;
  TensorInfo info = self.info();
  if (!info.hasRank() || info.rank() != 2 || !indices.info().hasRank())
    return build.notYet("a matrix and the rank of indices");
  Tensor length =
      build.op<aten::LinalgVectorNormOp>(self, order, build.ints({1}), true, build.none());
  Any none = build.none();
  Tensor rows = build.op<aten::ArangeOp>(sizeOf(self, 0), none, none, none, none);
  Tensor named = build.op<aten::ReshapeOp>(indices, build.ints({1, -1}));
  Tensor isNamed = build.op<aten::AnyDimOp>(unsqueeze(rows, 1) == named, 1, true);
  Tensor shorter = self * (build.op<aten::ReciprocalOp>(length + 1e-7) * Any(most));
  return where(isNamed && length > Any(most), shorter, self);
}

Decomposition weightNorm(Tensor v, Tensor g, Int dim) {
  GraphBuilder &build = *v.b;
  if (!v.info().hasRank() || !dim.known())
    return build.notYet("the rank of v and the value of dim");
  // -1 is here the length of all of it.
  SmallVector<int64_t> summed;
  for (int64_t i = 0; i < v.info().rank(); ++i)
    if (i != *dim.known())
      summed.push_back(i);
  Tensor length =
      build.op<aten::LinalgVectorNormOp>(v, 2.0, build.ints(summed), true, build.none());
  return v * (g / length);
}

} // namespace jit
