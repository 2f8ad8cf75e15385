//===- Loss.h - builders for the rules of Loss.td ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_LOSS_H
#define JIT_LIB_DIALECT_ATEN_RULES_LOSS_H

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"

namespace jit {

/// The elements themselves, their mean or their sum.
Decomposition reducedLoss(Tensor each, Int reduction);
/// Half the square near 0 and the distance farther out, which meet at `limit`.
Tensor smoothDistance(Tensor difference, Float limit, bool isHuber);
/// In the element type of `self`, whatever that of `target`.
Tensor huberDistance(Tensor self, Tensor target, Float delta);
/// The tensor where it is positive, 0 elsewhere.
Tensor positivePart(Tensor t);

/// The classes that are right, what each class weighs, and the class number that does not count.
struct ClassTargets {
  Tensor target;
  OptTensor weight;
  Int ignored;
};
/// Of logarithms of probabilities, [batch, classes, ...] or [classes].
Decomposition nllLoss(Tensor self, ClassTargets targets, Int reduction);
/// Of logits; the target may be class numbers, or a probability for every class.
Decomposition crossEntropy(Tensor self, ClassTargets targets, Int reduction, Float smoothing);
Decomposition binaryCrossEntropy(Tensor self, Tensor target, OptTensor weight, Int reduction);
Decomposition binaryCrossEntropyOfLogits(Tensor self, Tensor target, OptTensor weight,
                                         OptTensor positiveWeight, Int reduction);
Decomposition divergence(Tensor self, Tensor target, Int reduction, Bool isLogTarget);
struct PoissonKind {
  Bool isLogInput, isFull;
};
Decomposition poissonLoss(Tensor input, Tensor target, PoissonKind kind, Float eps, Int reduction);

Tensor softMargin(Tensor self, Tensor target);
Tensor hinged(Tensor self, Tensor target, Float margin);
Tensor cosineEmbedding(Tensor a, Tensor c, Tensor target, Float margin);
struct PowerAndMargin {
  Scalar power, margin;
};
Decomposition multiMargin(Tensor self, Tensor target, OptTensor weight, PowerAndMargin how,
                          Int reduction);
Decomposition multilabelMargin(Tensor self, Tensor target, Int reduction);

/// Of each row of outputs, how many of them there are, and of each row of labels. Lengths are
/// tensors or lists of ints.
struct Sequences {
  Tensor logs, targets;
  Any inputLengths, targetLengths;
};
struct CtcKind {
  Int blank, reduction;
  Bool zeroInfinity;
};
/// Less the logarithm of the probability of all ways to say the labels, with blanks between them.
Decomposition ctcLoss(const Sequences &of, const CtcKind &kind);

/// The norm of the difference of each pair of rows, to which `eps` is added.
Tensor distance(Tensor a, Tensor c, Float p, Float eps, Any keepdim);
struct Triplet {
  Tensor anchor, positive, negative;
};
Decomposition tripletMargin(Triplet of, Float margin, Float p, Float eps, Bool swap, Int reduction);
/// The distances of each row of `a` from each of `c`.
Decomposition crossDistances(Tensor a, Tensor c, Float p);
/// The distances between all pairs of rows, in order.
Decomposition pairDistances(Tensor self, Float p);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_LOSS_H
