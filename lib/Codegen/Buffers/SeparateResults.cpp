//===- SeparateResults.cpp - no result overwrites what another reads ------===//
#include "Buffers/OpenBuffers.h"
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"

namespace jit::codegen {
#define GEN_PASS_DEF_SEPARATERESULTS
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

static bool isResult(Value buffer, func::FuncOp func) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto has = [&](StringRef name) { return bool(func.getArgAttr(argument.getArgNumber(), name)); };
  return argument
             ? has("jit.result") || has("jit.written")
             : jit::codegen::isOpenBuffer(buffer.getDefiningOp(), jit::codegen::openResultAttr);
}

/// The copies into results at the end of a function, in order. Among them stand the stores of
/// results that are numbers, what computes sizes and buffers of open results, and the prefetches
/// that keep the latter.
static SmallVector<memref::CopyOp> finalCopies(func::FuncOp func) {
  SmallVector<memref::CopyOp> copies;
  for (Operation &op : llvm::drop_begin(llvm::reverse(func.front()))) {
    auto store = dyn_cast<memref::StoreOp>(op);
    if (isMemoryEffectFree(&op) || isa<memref::PrefetchOp>(op) ||
        (store && isResult(store.getMemRef(), func)))
      continue;
    auto copy = dyn_cast<memref::CopyOp>(op);
    if (!copy || !isResult(copy.getTarget(), func))
      break;
    copies.push_back(copy);
  }
  std::reverse(copies.begin(), copies.end());
  return copies;
}

/// Whether a result was computed where it is, under a type that knows more sizes.
static bool copiesItself(memref::CopyOp copy) {
  Value source = copy.getSource();
  while (auto cast = source.getDefiningOp<memref::CastOp>())
    source = cast.getSource();
  return source == copy.getTarget();
}

/// Puts what the later copies need before the first one, so that they may be made there.
static void computeBefore(memref::CopyOp first) {
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(first->getIterator(), first->getBlock()->without_terminator().end())))
    if (isMemoryEffectFree(&op))
      op.moveBefore(first);
}

namespace {
struct SeparateResults : jit::codegen::impl::SeparateResultsBase<SeparateResults> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    SmallVector<memref::CopyOp> copies = finalCopies(func);
    llvm::erase_if(copies, [](memref::CopyOp copy) {
      bool isNone = copiesItself(copy);
      if (isNone)
        copy.erase();
      return isNone;
    });
    if (copies.empty())
      return;
    computeBefore(copies.front());
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
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(memref::DimOp::create(b, copy.getLoc(), copy.getSource(), dim));
    auto aside = memref::AllocOp::create(b, copy.getLoc(), type, sizes, b.getI64IntegerAttr(64));
    memref::CopyOp::create(b, copy.getLoc(), copy.getSource(), aside);
    copy.getSourceMutable().assign(aside);
  }
};
} // namespace
