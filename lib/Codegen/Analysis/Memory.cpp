//===- Memory.cpp - which memory an op touches ----------------------------===//

#include "Analysis/Memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace jit::codegen {

Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

bool mayAlias(Value a, Value b) {
  a = rootOf(a);
  b = rootOf(b);
  if (a == b)
    return true;
  auto aGlobal = a.getDefiningOp<memref::GetGlobalOp>();
  auto bGlobal = b.getDefiningOp<memref::GetGlobalOp>();
  if (aGlobal && bGlobal)
    return aGlobal.getName() == bGlobal.getName();
  auto known = [](Value value) {
    // A result of open size is memory of its own, which the runtime gives.
    Operation *def = value.getDefiningOp();
    if (isa_and_nonnull<memref::GetGlobalOp>(def) || (def && def->hasAttr("jit.open_result")))
      return true;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isa<func::FuncOp>(argument.getOwner()->getParentOp());
    return hasSingleEffect<MemoryEffects::Allocate>(def);
  };
  return !known(a) || !known(b);
}

bool isHarmless(Operation *op) {
  return isMemoryEffectFree(op) || isa<memref::AllocOp, memref::AllocaOp>(op);
}

bool mayTouch(Operation *op, Value buffer) {
  if (isHarmless(op))
    return false;
  if (!isa<linalg::LinalgOp, memref::CopyOp, memref::StoreOp, memref::LoadOp>(op))
    return true;
  // The body of a computation may load from buffers that are none of its operands.
  return op
      ->walk([&](Operation *nested) {
        bool touches = llvm::any_of(nested->getOperands(), [&](Value operand) {
          return isa<MemRefType>(operand.getType()) && mayAlias(operand, buffer);
        });
        return touches ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace jit::codegen
