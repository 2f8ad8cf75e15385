//===- RefusedCalls.cpp - what is refused for some calls alone ------------===//

#include "RefusedCalls.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

/// What ends all that get to `block`; null where some may leave it.
static GuardOp endOf(Block &block) {
  for (Operation &op : block) {
    auto guard = dyn_cast<GuardOp>(op);
    if (guard && guard.getPythonClass() == unsupportedClass &&
        matchPattern(guard.getCondition(), m_Zero()))
      return guard;
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch || branch.getElseRegion().empty())
      continue;
    GuardOp end = endOf(*branch.thenBlock());
    if (end && endOf(*branch.elseBlock()))
      return end;
  }
  return {};
}

LogicalResult checkServesCalls(func::FuncOp func, ArrayRef<Diagnostic> errors) {
  GuardOp end = endOf(func.front());
  if (end && errors.empty())
    emitError(end.getLoc()) << end.getMessage();
  return failure(end);
}

} // namespace jit
