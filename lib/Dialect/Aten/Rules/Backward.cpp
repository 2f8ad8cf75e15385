//===- Backward.cpp - builders for the rules of Backward.td ---------------===//

#include "Rules/Backward.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Norm.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"

using namespace mlir;

namespace jit {

Decomposition asBody(const Gradient &gradient) {
  if (failed(gradient.values))
    return failure();
  Decomposition body = failure();
  body.values = gradient.values;
  return body;
}

Tensor zerosOf(Tensor like, IntList sizes) {
  Any none = like.b->none();
  return like.b->op<aten::NewZerosOp>(like, sizes, none, none, none, none);
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

Decomposition eluBackward(Tensor grad, EluNumbers numbers, Bool isResult, Tensor selfOrResult) {
  if (!isResult.known())
    return grad.b->notYet("the value of is_result");
  auto [alpha, scale, inputScale] = numbers;
  Tensor steep = grad * scale;
  Tensor bent = *isResult.known()
                    ? grad * inputScale * (selfOrResult + fullLike(selfOrResult, alpha) * scale)
                    : steep * inputScale * alpha * exp(selfOrResult * inputScale);
  return where(selfOrResult > 0.0, steep, bent);
}

Decomposition gluBackward(Tensor grad, Tensor self, Int dim) {
  if (!isStatic(self) || !dim.known() || !isSizeKnown(self, *dim.known()))
    return grad.b->notYet("the sizes of self and the value of dim");
  GraphBuilder &build = *grad.b;
  int64_t half = self.info().size(*dim.known()) / 2;
  Tensor value = slice(self, *dim.known(), 0, half);
  Tensor gate = sigmoid(slice(self, *dim.known(), half, 2 * half));
  Tensor ofValue = grad * gate;
  return build.op<aten::CatOp>(
      build.list(ArrayRef<Tensor>{ofValue, ofValue * (1.0 - gate) * value}), dim);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

static Tensor shaped(Tensor t, ArrayRef<int64_t> sizes) {
  return t.b->op<aten::ReshapeOp>(t, t.b->ints(sizes));
}

Decomposition layerNormBackward(Tensor grad, Tensor input, IntList shape, NormStatistics used,
                                OptTensor weight) {
  auto elements = shape.elements();
  if (!isStatic(input) || !isStatic(grad) || !elements || !weight.isSettled())
    return grad.b->notYet("the sizes of input, and whether weight is None");
  int64_t rank = input.info().rank(), kept = rank - int64_t(elements->size());
  auto inner = llvm::to_vector(llvm::seq(kept, rank)),
       outer = llvm::to_vector(llvm::seq<int64_t>(0, kept));
  Tensor normalized = (input - used.mean) * used.rstd;
  Tensor ofWeight = grad * normalized, ofBias = grad;
  if (!outer.empty()) {
    ofWeight = sum(ofWeight, outer, false);
    ofBias = sum(ofBias, outer, false);
  }
  Tensor scaled = weight ? grad * *weight : grad;
  return {throughNorm(scaled, normalized, used.rstd, inner), ofWeight, ofBias};
}

Decomposition groupNormBackward(Tensor grad, Tensor input, Int groups, NormStatistics used,
                                OptTensor weight) {
  if (!isStatic(input) || !isStatic(grad) || !groups.known() || *groups.known() < 1 ||
      !weight.isSettled() || input.info().rank() < 2)
    return grad.b->notYet("the sizes of input, the number of groups, and whether weight is None");
  int64_t batch = input.info().size(0), channels = input.info().size(1);
  int64_t group = *groups.known(), each = channels / group;
  auto grouped = [&](Tensor t) { return shaped(t, {batch, group, each, -1}); };
  auto statistic = [&](Tensor t) { return shaped(t, {batch, group, 1, 1}); };
  Tensor rstd = statistic(used.rstd), flow = grouped(grad);
  Tensor normalized = (grouped(input) - statistic(used.mean)) * rstd;
  auto ofChannels = [&](Tensor t) { return shaped(sum(t, {0, 3}, false), {channels}); };
  Tensor scaled = weight ? flow * shaped(*weight, {1, group, each, 1}) : flow;
  Tensor ofInput = throughNorm(scaled, normalized, rstd, {2, 3});
  return {shaped(ofInput, input.info().sizes()), ofChannels(flow * normalized), ofChannels(flow)};
}

Decomposition batchNormBackward(Tensor grad, Tensor input, OptTensor weight, BatchStatistics of,
                                Bool isTraining, Float eps) {
  GraphBuilder &build = *grad.b;
  bool isKnown = isStatic(input) && isStatic(grad) && input.info().rank() >= 2;
  if (!isKnown || !isTraining.known() || !weight.isSettled())
    return build.notYet("the sizes of input, the value of train, and whether weight is None");
  bool trains = *isTraining.known();
  if (trains ? !of.mean || !of.rstd : !of.runningMean || !of.runningVariance)
    return build.notYet(trains ? StringLiteral("the statistics that the norm used")
                               : StringLiteral("running statistics"));
  int64_t rank = input.info().rank(), channels = input.info().size(1);
  SmallVector<int64_t> dims = {0}, sizes(rank, 1);
  llvm::append_range(dims, llvm::seq<int64_t>(2, rank));
  sizes[1] = channels;
  auto broadcast = [&](Tensor t) { return shaped(t, sizes); };
  Tensor mean = trains ? *of.mean : *of.runningMean;
  Tensor rstd = trains ? *of.rstd : rsqrt(build.op<aten::AddScalarOp>(*of.runningVariance, eps, 1));
  Tensor normalized = (input - broadcast(mean)) * broadcast(rstd);
  Tensor scaled = weight ? grad * broadcast(*weight) : grad;
  Tensor ofInput =
      trains ? throughNorm(scaled, normalized, broadcast(rstd), dims) : scaled * broadcast(rstd);
  return {ofInput, sum(grad * normalized, dims, false), sum(grad, dims, false)};
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

Decomposition ofReduction(Tensor each, Tensor self, Int reduction) {
  if (!reduction.known() || !isStatic(self))
    return each.b->notYet("the sizes of self and the value of reduction");
  if (*reduction.known() != 1)
    return each;
  return each / double(ShapedType::getNumElements(self.info().sizes()));
}

Tensor slopeOfDistance(Tensor difference, Float limit, bool isHuber) {
  Tensor isNear = abs(difference) < Any(limit);
  if (isHuber)
    return where(isNear, difference, sign(difference) * Any(limit));
  if (limit.known() == 0.0)
    return sign(difference);
  return where(isNear, difference / Any(limit), sign(difference));
}

Decomposition binaryCrossEntropyBackward(Tensor grad, Tensor self, Tensor target, OptTensor weight,
                                         Int reduction) {
  if (!weight.isSettled())
    return grad.b->notYet("whether weight is None");
  // PyTorch's bound: without it a probability of 0 or 1 would divide by 0.
  Tensor spread = grad.b->op<aten::ClampMinOp>((1.0 - self) * self, 1e-12);
  Tensor each = grad * ((self - target) / spread);
  return ofReduction(weight ? each * *weight : each, self, reduction);
}

namespace {
/// The classes of a loss: a place for each, and the weight of each, both with a dimension of size 1
/// where the classes are.
struct NllClasses {
  int64_t dim;
  Tensor place, weight;
};
} // namespace

static std::optional<NllClasses> classesOf(Tensor self, ClassTargets of) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !isStatic(of.target) || self.info().rank() < 1 || !of.weight.isSettled())
    return std::nullopt;
  int64_t dim = self.info().rank() == 1 ? 0 : 1;
  Tensor target = unsqueeze(of.target, dim);
  Tensor isIgnored = target == Any(of.ignored);
  Tensor place = build.op<aten::WhereScalarSelfOp>(isIgnored, 0,
                                                   converted(target, build.builder.getI64Type()));
  Tensor weight = converted(!isIgnored, self.info().dtype());
  if (of.weight) {
    SmallVector<int64_t> sizes(self.info().rank(), 1);
    sizes[dim] = self.info().size(dim);
    Tensor all =
        build.op<aten::ExpandOp>(shaped(*of.weight, sizes), build.ints(self.info().sizes()), false);
    weight = where(isIgnored, 0.0, build.op<aten::GatherOp>(all, dim, place, false));
  }
  return NllClasses{dim, place, weight};
}

Decomposition nllForward(Tensor self, ClassTargets targets, Int reduction) {
  auto classes = classesOf(self, targets);
  if (!classes || !reduction.known())
    return self.b->notYet("the sizes of self and target, the value of reduction, and whether "
                          "weight is None");
  Decomposition loss = nllLoss(self, targets, reduction);
  if (failed(loss.values))
    return loss;
  // The loss of each element has no weight beside it.
  Tensor total = sum(classes->weight);
  bool isEach = *reduction.known() == 0 && self.info().rank() > 1;
  return {Any(*self.b, loss.values->front()), isEach ? zerosLike(total) : total};
}

Decomposition nllBackward(Tensor grad, Tensor self, ClassTargets targets, Int reduction,
                          Tensor total) {
  GraphBuilder &build = *self.b;
  auto classes = classesOf(self, targets);
  if (!classes || !reduction.known() || !grad.info().hasRank())
    return build.notYet("the sizes of self and target, the value of reduction, and whether weight "
                        "is None");
  if (*reduction.known() == 1)
    grad = grad / total;
  if (grad.info().rank() > 0)
    grad = unsqueeze(grad, classes->dim);
  Tensor each = -(classes->weight * grad);
  return build.op<aten::ScatterSrcOp>(zerosLike(self), classes->dim, classes->place, each);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Decomposition selectedBackward(Tensor grad, Int dim, Tensor indices, IntList sizes, Bool keepdim) {
  auto known = sizes.elements();
  if (!known || !keepdim.known() || !dim.known())
    return grad.b->notYet("the number of sizes and the values of dim and keepdim");
  if (!*keepdim.known() && !known->empty()) {
    grad = unsqueeze(grad, *dim.known());
    indices = unsqueeze(indices, *dim.known());
  }
  return grad.b->op<aten::ScatterSrcOp>(zerosOf(grad, sizes), dim, indices, grad);
}

} // namespace jit
