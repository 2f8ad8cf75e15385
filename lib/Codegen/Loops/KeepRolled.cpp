//===- KeepRolled.cpp - loops that LLVM is not to write out ---------------===//
#include "Loops/KeepRolled.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

/// The dialect is in its name, for else a loop loses it when it becomes branches.
static constexpr llvm::StringLiteral loopMark = "llvm.loop_annotation";

static bool readsMemory(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return false; // those inside are asked
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects ? effects.hasEffect<MemoryEffects::Read>() : !isMemoryEffectFree(op);
}

void jit::codegen::keepFillRolled(scf::ForOp loop) {
  if (loop.getBody()->getOps<LoopLikeOpInterface>().empty())
    return;
  auto walked = loop.getBody()->walk([](Operation *op) {
    return readsMemory(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return;
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/BoolAttr::get(context, true), {}, {},
                                          {}, {}, {}, {});
  loop->setAttr(loopMark, LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {},
                                                        {}, {}, {}, {}, {}, {}, {}));
}

void jit::codegen::passMarkOn(LLVM::BrOp branch) {
  if (auto mark = branch->getAttrOfType<LLVM::LoopAnnotationAttr>(loopMark))
    branch.setLoopAnnotationAttr(mark);
}
