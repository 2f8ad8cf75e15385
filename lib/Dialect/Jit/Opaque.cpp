//===- Opaque.cpp - operators that are not known --------------------------===//

#include "jit/Dialect/Jit/Opaque.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "jit/Dialect/Jit/OpaqueOps.cpp.inc"

namespace jit {

LogicalResult OpaqueOp::verify() {
  if (getTypes().size() != getNumResults())
    return emitOpError("expected a type as written for each of ")
           << getNumResults() << " results, got " << getTypes().size();
  if (getIsolated() && getBlocks().empty())
    return emitOpError("expected the region of the graph beside the node, got none");
  for (Region &region : getBlocks())
    if (!isa<OpaqueYieldOp>(region.front().back()))
      return emitOpError("expected blocks that end in jit.opaque_yield, got one that ends in ")
             << region.front().back().getName();
  return success();
}

} // namespace jit
