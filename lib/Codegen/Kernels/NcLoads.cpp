//===- NcLoads.cpp - which loads go through the read-only cache -----------===//
#include "Analysis/BufferRoots.h"
#include "Kernels/Launch.h"
#include "jit/Codegen/Kernels/Passes.h"

namespace jit::codegen {
#define GEN_PASS_DEF_NCLOADS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// The memory that `op` loads from or stores to; null for other ops.
static Value bufferOf(Operation *op, bool isLoad) {
  if (isLoad) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return load.getMemref();
    if (auto load = dyn_cast<vector::LoadOp>(op))
      return load.getBase();
    return nullptr;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getMemref();
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return store.getBase();
  return nullptr;
}

static void markLoads(gpu::LaunchOp launch, bool onlyBroadcast) {
  llvm::SmallPtrSet<Value, 4> written;
  bool isAnyWritten = false;
  launch.walk([&](Operation *op) {
    Value buffer = bufferOf(op, /*isLoad=*/false);
    // What a block shares is no memory of the program's.
    if (buffer && !cast<MemRefType>(buffer.getType()).getMemorySpace()) {
      written.insert(jit::codegen::viewedBuffer(buffer));
      isAnyWritten |= !jit::codegen::isDistinctRoot(jit::codegen::viewedBuffer(buffer));
    }
  });
  launch.walk([&](Operation *op) {
    Value buffer = bufferOf(op, /*isLoad=*/true);
    if (!buffer)
      return;
    Value root = jit::codegen::viewedBuffer(buffer);
    bool isWanted = !onlyBroadcast || op->hasAttr(jit::codegen::broadcastAttrName);
    bool isShared = cast<MemRefType>(buffer.getType()).getMemorySpace() != nullptr;
    if (isWanted && !isShared && !isAnyWritten && jit::codegen::isDistinctRoot(root) &&
        !written.contains(root))
      op->setAttr(jit::codegen::ncAttrName, UnitAttr::get(op->getContext()));
  });
}

namespace {
struct NcLoads : jit::codegen::impl::NcLoadsBase<NcLoads> {
  using NcLoadsBase::NcLoadsBase;

  void runOnOperation() override {
    if (policy != "broadcast" && policy != "all" && policy != "none") {
      getOperation().emitError() << "expected nc loads for broadcast, all or none, got '" << policy
                                 << "'";
      return signalPassFailure();
    }
    if (policy != "none")
      getOperation().walk([&](gpu::LaunchOp launch) { markLoads(launch, policy == "broadcast"); });
    getOperation().walk([](Operation *op) { op->removeAttr(jit::codegen::broadcastAttrName); });
  }
};
} // namespace
