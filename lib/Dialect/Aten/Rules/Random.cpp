//===- Random.cpp - builders for the rules of Random.td -------------------===//

#include "Rules/Random.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Random.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Search.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace jit {

void aten::RandGeneratorOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // With a generator it is a function of that.
  if (!isa<NoneType>(getGenerator().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Numbers of one kind
//===----------------------------------------------------------------------===//

static Tensor uniformOf(IntList size, Any dtype) {
  Any none = size.b->none();
  return size.b->op<aten::RandGeneratorOp>(size, none, dtype, none, none, none);
}

static IntList sizeOf(Tensor self) {
  return {*self.b, self.b->multi<aten::SizeOp>(self)->getResult(0)};
}

static Any dtypeOr(Any dtype, Tensor self) {
  return dtype.isNone() ? Any(self.b->op<aten::DTypeOp>(self)) : dtype;
}

/// Box's and Muller's: a radius and an angle.
Tensor normalOf(IntList size, Any dtype) {
  Tensor radius = uniformOf(size, dtype), angle = uniformOf(size, dtype);
  return sqrt(log(1.0 - radius) * -2.0) * cos(angle * (2 * std::numbers::pi));
}

Tensor uniformLike(Tensor self, Any dtype) { return uniformOf(sizeOf(self), dtypeOr(dtype, self)); }
Tensor normalLike(Tensor self, Any dtype) { return normalOf(sizeOf(self), dtypeOr(dtype, self)); }
Tensor drawLike(Tensor self) { return uniformOf(sizeOf(self), self.b->none()); }

Decomposition integersOf(IntList size, Int low, Int high, Any dtype) {
  GraphBuilder &build = *size.b;
  // All digits of a double: of the element type there may be too few, or none.
  Tensor uniform = uniformOf(size, build.i(7));
  Tensor number = build.op<aten::FloorOp>(uniform * Any(high - low)) + Any(low);
  Any none = build.none();
  return build.op<aten::ToDTypeOp>(number, dtype.isNone() ? Any(build.i(4)) : dtype, false, false,
                                   none);
}

Decomposition integersLike(Tensor self, Int low, Int high, Any dtype) {
  return integersOf(sizeOf(self), low, high, dtypeOr(dtype, self));
}

Decomposition permutation(Int count, Any dtype) {
  GraphBuilder &build = *count.b;
  Tensor keys = uniformOf(build.list(llvm::ArrayRef<Int>{count}), build.i(7));
  Tensor order = build.op<aten::ArgsortOp>(keys, -1, false);
  return build.op<aten::ToDTypeOp>(order, dtype, false, false, build.none());
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

Tensor uniformBetween(Tensor self, Float from, Float to) {
  Tensor share = uniformLike(self, self.b->none());
  return (1.0 - share) * Any(from) + share * Any(to);
}

Tensor exponentialLike(Tensor self) { return -log(1.0 - uniformLike(self, self.b->none())); }

Tensor cauchyLike(Tensor self) {
  Tensor angle = (uniformLike(self, self.b->none()) + -0.5) * std::numbers::pi;
  return sin(angle) / cos(angle);
}

Decomposition geometricLike(Tensor self, Float probability) {
  GraphBuilder &build = *self.b;
  if (!probability.known() || *probability.known() <= 0 || *probability.known() >= 1)
    return build.notYet("a p between 0 and 1");
  Tensor trials = log(1.0 - drawLike(self)) * (1 / std::log1p(-*probability.known()));
  return typeAs(build.op<aten::ClampMinOp>(build.op<aten::CeilOp>(trials), 1), self);
}

Decomposition chosenRows(Tensor weights, Int count, Bool withReplacement) {
  GraphBuilder &build = *weights.b;
  if (!withReplacement.known())
    return build.notYet("the value of replacement");
  if (!*withReplacement.known()) {
    // The first arrivals of processes with these rates.
    Tensor arrival = exponentialLike(weights) / weights;
    return Any(build, build.multi<aten::TopkOp>(arrival, count, -1, false, true)->getResult(1));
  }
  Tensor running = build.op<aten::CumsumOp>(weights, -1, build.none());
  Tensor total = build.op<aten::SliceTensorOp>(running, -1, -1, build.none(), 1);
  // As many columns as are chosen, of a size that is not known yet.
  Tensor share = build.op<aten::UnsqueezeOp>(build.op<aten::SelectIntOp>(weights, -1, 0), -1);
  share = uniformLike(build.op<aten::RepeatInterleaveSelfIntOp>(share, count, -1, build.none()),
                      build.none());
  Any none = build.none();
  return build.op<aten::SearchsortedTensorOp>(running, share * total, false, true, none, none);
}

Decomposition drawnBy(ArrayRef<Tensor> sources, Decomposition drawn) {
  GraphBuilder &build = *sources.front().b;
  if (llvm::failed(drawn.values) || build.failed)
    return drawn;
  Tensor result = build.op<aten::DetachOp>(Tensor(build, drawn.values->front()));
  for (Tensor source : sources) {
    if (source.v.getType() != result.v.getType())
      source = typeAs(expandAs(source, result), result);
    result = build.op<aten::CopyOp>(source, result, false);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// What is dropped
//===----------------------------------------------------------------------===//

/// 1 where an element is kept, in the element type of `like`.
static Tensor keptLike(Tensor sizes, Float p, Tensor like) {
  return typeAs(drawLike(sizes) >= Any(p), like);
}

static bool isProbability(Float p) { return p.known() && *p.known() >= 0 && *p.known() <= 1; }

bool guardProbability(Float p) {
  if (p.known())
    return isProbability(p);
  OpBuilder &b = p.b->builder;
  auto holds = [&](arith::CmpFPredicate how, double bound) {
    return arith::CmpFOp::create(b, p.b->loc, how, p.v, p.b->f(bound).v);
  };
  Value isWithin = arith::AndIOp::create(b, p.b->loc, holds(arith::CmpFPredicate::OGE, 0),
                                         holds(arith::CmpFPredicate::OLE, 1));
  GuardOp::create(b, p.b->loc, isWithin, "builtins.ValueError",
                  "expected a probability from 0 to 1, got {}", p.v);
  return true;
}

Tensor scaledUp(Tensor kept, Float p) {
  // Where p is 1 nothing is kept.
  if (p.known())
    return *p.known() == 1 ? kept : kept / (1 - *p.known());
  GraphBuilder &build = *kept.b;
  Value rest = arith::SubFOp::create(build.builder, build.loc, build.f(1).v, p.v);
  rest = arith::MaximumFOp::create(build.builder, build.loc, rest, build.f(0x1p-53).v);
  return kept / Any(build, rest);
}

Decomposition droppedOut(Tensor input, Float probability) {
  if (!guardProbability(probability))
    return input.b->notYet("a p from 0 to 1");
  return input * scaledUp(keptLike(input, probability, input), probability);
}

/// The input as [batch, channels, rest], and one element of each channel.
static std::pair<Tensor, Tensor> byFeatures(Tensor input) {
  GraphBuilder &build = *input.b;
  Tensor rows = build.op<aten::FlattenUsingIntsOp>(input, 2, -1);
  return {rows, build.op<aten::SliceTensorOp>(rows, 2, 0, 1, 1)};
}

Decomposition featuresDroppedOut(Tensor input, Float probability) {
  if (!guardProbability(probability))
    return input.b->notYet("a p from 0 to 1");
  auto [rows, features] = byFeatures(input);
  return viewAs(rows * scaledUp(keptLike(features, probability, input), probability), input);
}

/// Dropped to the value that selu has far below 0, with mean and spread as they were.
static Tensor alphaDropped(Tensor input, Tensor kept, double p) {
  const double low = -1.7580993408473766;
  double scale = p == 1 ? 0 : 1 / std::sqrt((1 - p) * (1 + p * low * low));
  Tensor value = input * kept + (1.0 - kept) * low;
  return p == 1 ? input * kept : value * scale + -scale * p * low;
}

Decomposition alphaDroppedOut(Tensor input, Float probability) {
  if (!isProbability(probability))
    return input.b->notYet("a constant p from 0 to 1");
  double p = *probability.known();
  return alphaDropped(input, keptLike(input, probability, input), p);
}

Decomposition featuresAlphaDroppedOut(Tensor input, Float probability) {
  if (!isProbability(probability))
    return input.b->notYet("a constant p from 0 to 1");
  double p = *probability.known();
  auto [rows, features] = byFeatures(input);
  return viewAs(alphaDropped(rows, keptLike(features, probability, input), p), input);
}

Decomposition droppedOutWithMask(Tensor input, Float probability, OptBool training) {
  GraphBuilder &build = *input.b;
  if (!training.isSettled() || (training && !(*training).known()))
    return build.notYet("whether training is None and the value of training");
  if (training && !*(*training).known())
    return {input, onesLike(input) == 1.0};
  if (!guardProbability(probability))
    return build.notYet("a p from 0 to 1");
  Tensor isKept = drawLike(input) >= Any(probability);
  return {input * scaledUp(typeAs(isKept, input), probability), isKept};
}

Decomposition leakyAtRandom(Tensor self, Any lower, Any upper, Bool training) {
  auto low = knownNumber(lower), high = knownNumber(upper);
  if (!low || !high || !training.known())
    return self.b->notYet("the values of lower, upper and training");
  if (!*training.known())
    return self.b->op<aten::LeakyReluOp>(self, (*low + *high) / 2);
  Tensor slope = uniformLike(self, self.b->none()) * (*high - *low) + *low;
  return where(self < 0.0, self * slope, self);
}

} // namespace jit
