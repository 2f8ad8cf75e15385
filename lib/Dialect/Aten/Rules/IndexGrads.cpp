//===- IndexGrads.cpp - builders for the `grads` rules of Index.td --------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

Gradient cutApart(Tensor joined, TensorList tensors, Int dim) {
  auto pieces = listPieces(tensors.v);
  if (!pieces || !dim.known() || !joined.info().hasRank())
    return failure();
  GraphBuilder &build = *joined.b;
  SmallVector<Value> parts;
  Int start = build.i(0);
  for (const ListPiece &piece : *pieces) {
    Tensor tensor(build, piece.tensor);
    if (piece.isSlab || !tensor.info().hasRank())
      return failure();
    // An empty vector may stand among tensors of any rank, and be joined along any dimension.
    int64_t rank = joined.info().rank();
    if (tensor.info().rank() != rank || !wrapped(dim, rank)) {
      parts.push_back(build.none().v);
      continue;
    }
    Int end = start + sizeOf(tensor, *dim.known());
    parts.push_back(build.op<aten::SliceTensorOp>(joined, dim, start, end, 1).v);
    start = end;
  }
  Gradient result = failure();
  if (!build.failed)
    result.values = parts;
  return result;
}

/// How often each row of `weight` is among the indices, for each of these.
static Tensor frequencies(Tensor weight, Tensor indices, AnyList places) {
  GraphBuilder &build = *weight.b;
  Tensor none = zerosLike(build.op<aten::SelectIntOp>(weight, 1, 0));
  Tensor one = onesLike(build.op<aten::SelectIntOp>(none, 0, 0));
  Tensor counts = build.op<aten::IndexPutOp>(none, places, one, true);
  return build.op<aten::IndexTensorOp>(counts, places);
}

Gradient embeddingGrad(Tensor weight, Tensor indices, Int paddingIndex, Bool scaleByFrequency,
                       Tensor grad) {
  GraphBuilder &build = *grad.b;
  if (!scaleByFrequency.known())
    return failure();
  AnyList places = optionals(build, {indices});
  if (*scaleByFrequency.known())
    grad = grad / unsqueeze(frequencies(weight, indices, places), -1);
  if (paddingIndex.known().value_or(0) >= 0)
    grad = where(unsqueeze(indices == Any(paddingIndex), -1), 0.0, grad);
  return build.op<aten::IndexPutOp>(zerosLike(weight), places, grad, true);
}

Decomposition embeddingDenseBackward(Tensor grad, Tensor indices, Int rows, Int paddingIndex,
                                     Bool scaleByFrequency) {
  GraphBuilder &build = *grad.b;
  if (!rows.known() || !grad.info().hasRank() || grad.info().rank() == 0)
    return failure();
  Any none = build.none();
  IntList sizes = build.list(ArrayRef<Int>{rows, sizeOf(grad, -1)});
  Tensor weight = build.op<aten::NewZerosOp>(grad, sizes, none, none, none, none);
  return embeddingGrad(weight, indices, paddingIndex, scaleByFrequency, grad);
}

Gradient indexPutGrad(AnyList indices, Tensor values, Bool accumulate, Tensor grad) {
  if (!accumulate.known())
    return failure();
  if (*accumulate.known())
    return grad;
  return grad.b->op<aten::IndexPutOp>(grad, indices, zerosLike(values), false);
}

Tensor scattered(Tensor self, Int dim, Tensor indices, Tensor grad) {
  if (self.info().hasRank() && self.info().rank() == 0)
    return grad;
  return grad.b->op<aten::ScatterSrcOp>(zerosLike(self), dim, indices, grad);
}

Gradient filledUp(Tensor grad, Tensor like) {
  // Of open sizes a variant takes the usual: as many places as there are elements.
  if (haveEqualSizes(grad, like))
    return grad;
  TensorInfo have = grad.info(), want = like.info();
  if (!have.hasRank() || !have.tensor.hasStaticSizes() || !want.hasRank() ||
      !want.tensor.hasStaticSizes() || have.rank() != want.rank())
    return failure();
  SmallVector<int64_t> pad;
  for (int64_t dim = have.rank() - 1; dim >= 0; --dim)
    pad.append({0, want.size(dim) - have.size(dim)});
  return grad.b->op<aten::ConstantPadNdOp>(grad, grad.b->ints(pad), 0);
}

IntList negated(IntList list) {
  GraphBuilder &build = *list.b;
  SmallVector<Int> numbers;
  for (Value element : list.elements().value_or(SmallVector<Value>()))
    numbers.push_back(build.i(0) - Int(build, element));
  build.failed |= !list.elements();
  return build.list(numbers);
}

} // namespace jit
