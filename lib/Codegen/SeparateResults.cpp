//===- SeparateResults.cpp - no result overwrites what another reads ------===//
#include "jit/Codegen/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"

namespace jit {
#define GEN_PASS_DEF_SEPARATERESULTS
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// The copies into results at the end of a function, in order.
static SmallVector<memref::CopyOp> finalCopies(func::FuncOp func) {
  SmallVector<memref::CopyOp> copies;
  for (Operation &op : llvm::drop_begin(llvm::reverse(func.front()))) {
    auto copy = dyn_cast<memref::CopyOp>(op);
    auto dest = copy ? dyn_cast<BlockArgument>(copy.getTarget()) : BlockArgument();
    if (!dest || !func.getArgAttr(dest.getArgNumber(), "jit.result"))
      break;
    copies.push_back(copy);
  }
  std::reverse(copies.begin(), copies.end());
  return copies;
}

namespace {
struct SeparateResults : jit::impl::SeparateResultsBase<SeparateResults> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    SmallVector<memref::CopyOp> copies = finalCopies(func);
    BufferViewFlowAnalysis flow(func);
    llvm::SmallPtrSet<Value, 4> overwritten;
    for (memref::CopyOp copy : copies) {
      bool isLost = llvm::any_of(flow.resolveReverse(copy.getSource()),
                                 [&](Value root) { return overwritten.contains(root); });
      if (isLost)
        saveFirst(copies.front(), copy);
      overwritten.insert(copy.getTarget());
    }
  }

  /// Takes what `copy` reads aside before `first` writes.
  void saveFirst(memref::CopyOp first, memref::CopyOp copy) {
    OpBuilder b(first);
    auto type = cast<MemRefType>(copy.getTarget().getType());
    auto aside = memref::AllocOp::create(b, copy.getLoc(), type, b.getI64IntegerAttr(64));
    memref::CopyOp::create(b, copy.getLoc(), copy.getSource(), aside);
    copy.getSourceMutable().assign(aside);
  }
};
} // namespace
