//===- Prims.cpp - builders for the rules of Prims.td ---------------------===//

#include "Rules/Prims.h"

using namespace mlir;

namespace jit {

Decomposition quotient(Tensor a, Tensor c) {
  if (!a.info().dtype() || !c.info().dtype())
    return a.b->notYet("the element types of both");
  if (isa<IntegerType>(a.info().dtype()))
    return a.b->op<aten::DivTensorModeOp>(a, c, a.b->str("trunc"));
  return a / c;
}

Decomposition broadcastInDim(Tensor a, IntList shape, IntList dims) {
  auto sizes = shape.elements();
  auto places = dims.known();
  if (!sizes || !places || !a.info().hasRank() || int64_t(places->size()) != a.info().rank())
    return a.b->notYet("the number of sizes, and a dimension for each of those of a");
  // The others are put in with size 1, the first one first.
  Tensor result = a;
  for (int64_t dim = 0; dim < int64_t(sizes->size()); ++dim)
    if (!llvm::is_contained(*places, dim))
      result = a.b->op<aten::UnsqueezeOp>(result, dim);
  return a.b->op<aten::ExpandOp>(result, shape, false);
}

} // namespace jit
