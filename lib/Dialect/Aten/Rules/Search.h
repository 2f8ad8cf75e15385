//===- Search.h - builders for the rules of Search.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SEARCH_H
#define JIT_LIB_DIALECT_ATEN_RULES_SEARCH_H

#include "Rules/Index.h"
#include "Rules/Reduction.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

namespace jit {

/// How a place in an order is asked for: from the right of equal elements, and as int32.
struct Placing {
  Bool isInt32, isRight;
  std::optional<Str> side = {};
  std::optional<OptTensor> sorter = {};
};
/// How many elements of each sorted row come before each of `values`, a tensor or a number.
Decomposition placesInOrder(Tensor sorted, Any values, const Placing &placing);
/// The same among the boundaries of one row.
Decomposition placesAmong(Tensor boundaries, Any values, const Placing &placing);

/// Whether all elements of a tensor of bools are true.
Decomposition holdForAll(Tensor test);
/// Whether in each row of `mask`, one for each row of vectors in `sequences`, what holds comes
/// first.
Decomposition isLeftAligned(Tensor sequences, Tensor mask);
Decomposition haveSameSizes(Tensor a, Tensor c);
/// Whether two tensors have the same sizes and elements.
Decomposition areEqual(Tensor a, Tensor c);

/// Of each element: is it one of `others`; is it `number`. Is `number` anywhere in `others`.
Decomposition isAmong(Tensor elements, Tensor others, Bool invert);
Decomposition isNumber(Tensor elements, Any number, Bool invert);
Decomposition isAnywhere(Tensor others, Any number, Bool invert);

/// Counts in bins of one width between two numbers, or the data's own extremes where these are
/// equal.
Decomposition histogram(Tensor self, Int bins, Any min, Any max);
/// The same between given edges, and the edges.
Decomposition histogram(Tensor self, std::optional<Tensor> edges, OptTensor weight, Bool density);
std::optional<Tensor> edgesOf(Tensor self, Int bins, OptIntList range);

/// scatter_reduce's word for scatter's.
std::optional<Str> combinationOf(Str reduce);
Decomposition reducedAlong(Tensor self, Int dim, Tensor index, Tensor source, Str reduce,
                           Bool includeSelf);

/// What scatter_reduce combined, and what came of it.
struct Combined {
  Tensor self;
  Int dim;
  Tensor index, source;
  Str reduce;
  Bool includeSelf;
  Tensor result;
};
Gradient combinedGradOfSelf(Combined op, Tensor grad);
Gradient combinedGradOfSource(Combined op, Tensor grad);

/// Where the segments of a dimension are, by their lengths or by the places between them, and what
/// each begins with.
struct Segments {
  OptTensor lengths, offsets;
  Int axis;
  OptScalar initial;
  /// Whether lengths may leave elements over at the end.
  Bool isUnsafe;
};
Decomposition segmentsReduced(Tensor data, Str reduce, Segments segments);
/// The smallest of the elements that occur most often, and where the last such is.
Decomposition mostFrequent(Tensor self, Int dim, Bool keepdim);

/// The largest or smallest element up to each along a dimension, and where the last such is.
Decomposition runningExtreme(Tensor self, Int dim, bool isMax);
Decomposition runningLogSumExp(Tensor self, Int dim);
/// The middle one of the elements that are numbers, and where it is; NaN where none is.
Decomposition nanMedian(Tensor self, Int dim, Bool keepdim);
/// That of all elements of a row, which may have none.
Decomposition wholeNanMedian(Tensor all);
Decomposition combinations(Tensor self, Int count, Bool withReplacement);
/// 1, x, x^2, ... as a new last dimension.
Decomposition powersOf(Tensor x, OptInt count);
Decomposition powersOf(Tensor x, OptInt count, Bool increasing);

Decomposition isClose(Tensor self, Tensor other, Float rtol, Float atol, Bool equalNan);
Decomposition isReal(Tensor self);
Decomposition maskedIndex(Tensor self, Tensor mask, AnyList indices, Any fill);
Decomposition maskedPut(Tensor self, Tensor mask, AnyList indices, Tensor values);
Decomposition inDtype(Tensor t, Any dtype);
/// base to the powers of `steps` numbers from start to end.
Decomposition powersBetween(Any start, Any end, Int steps, Float base, Any dtype);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_SEARCH_H
