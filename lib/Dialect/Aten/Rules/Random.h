//===- Random.h - builders for the rules of Random.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_RANDOM_H
#define JIT_LIB_DIALECT_ATEN_RULES_RANDOM_H

#include "Rules/Creation.h"
#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

// ---- Numbers of one kind, by sizes or like a tensor; `dtype` is None for its own or float32 ----
Tensor normalOf(IntList size, Any dtype);
Tensor uniformLike(Tensor self, Any dtype);
Tensor normalLike(Tensor self, Any dtype);
/// Uniform float32, whatever the tensor's own element type.
Tensor drawLike(Tensor self);
Decomposition integersOf(IntList size, Int low, Int high, Any dtype);
Decomposition integersLike(Tensor self, Int low, Int high, Any dtype);
Decomposition permutation(Int count, Any dtype);

// ---- Distributions with the parameters 0 and 1, or those given ----
Tensor uniformBetween(Tensor self, Float from, Float to);
Tensor exponentialLike(Tensor self);
Tensor cauchyLike(Tensor self);
/// How many trials it takes until one succeeds.
Decomposition geometricLike(Tensor self, Float probability);
/// `count` columns of each row, by the weights in it.
Decomposition chosenRows(Tensor weights, Int count, Bool withReplacement);

/// What is drawn by the parameters `sources`: it changes with none of them, so that the gradient of
/// each is zeros.
Decomposition drawnBy(llvm::ArrayRef<Tensor> sources, Decomposition drawn);

// ---- What is dropped ----
/// True for a number of [0, 1]; also for one that only calls tell, which it ends where it is none.
bool guardProbability(Float p);
/// What is kept with probability 1 - p, as much more as keeps its mean.
Tensor scaledUp(Tensor kept, Float p);
Decomposition droppedOut(Tensor input, Float probability);
Decomposition featuresDroppedOut(Tensor input, Float probability);
Decomposition alphaDroppedOut(Tensor input, Float probability);
Decomposition featuresAlphaDroppedOut(Tensor input, Float probability);
/// The result, and where it is not dropped; None for training counts as true.
Decomposition droppedOutWithMask(Tensor input, Float probability, OptBool training);
Decomposition leakyAtRandom(Tensor self, Any lower, Any upper, Bool training);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_RANDOM_H
