//===- SinkScalars.cpp - kernels load and compute numbers for themselves -===//
#include "Kernels/Launch.h"
#include "jit/Codegen/Kernels/Passes.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace jit::codegen {
#define GEN_PASS_DEF_SINKSCALARS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Numbers that a kernel computes again for itself.
static bool isRepeated(Operation *op) {
  if (op->hasAttr(jit::codegen::cellAttrName))
    return true;
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// Loads that kernels have repeated for themselves.
static void eraseUnused(func::FuncOp func) {
  func.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op) || (op->hasAttr(jit::codegen::cellAttrName) && op->use_empty()))
      op->erase();
  });
}

namespace {
struct SinkScalars : jit::codegen::impl::SinkScalarsBase<SinkScalars> {
  using SinkScalarsBase::SinkScalarsBase;

  void runOnOperation() override {
    getOperation().walk([](gpu::LaunchOp launch) { jit::codegen::sinkInto(launch, isRepeated); });
    eraseUnused(getOperation());
  }
};
} // namespace
