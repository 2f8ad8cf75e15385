//===- WeightAnalysis.cpp - what is the same in every call ----------------===//

#include "Analysis/WeightAnalysis.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace jit::codegen {

Source WeightAnalysis::sourceOf(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Source source = compute(value);
  known[value] = source;
  return source;
}

Source WeightAnalysis::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    bool isWeight = func && func.getArgAttr(argument.getArgNumber(), weightAttr);
    return isWeight ? Source::Weight : Source::Call;
  }
  Operation *op = value.getDefiningOp();
  bool opaque = op->getNumRegions() != 0 && !isa<linalg::LinalgOp, tensor::PadOp>(op);
  if (opaque || !isMemoryEffectFree(op))
    return Source::Call;
  Source source = Source::Constant;
  auto include = [&](Value operand) { source = std::max(source, sourceOf(operand)); };
  llvm::for_each(op->getOperands(), include);
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!region.isAncestor(operand.getParentRegion()))
          include(operand);
    });
  return source;
}

} // namespace jit::codegen
