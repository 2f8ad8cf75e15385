//===- CodeParts.cpp - parts of the code that are compiled apart ----------===//
#include "LLVM/CodeParts.h"
#include "LLVM/ExactCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <array>

using namespace mlir;

/// Operations of a part, where functions are small enough. One has a cost of its own, some
/// milliseconds.
static constexpr int64_t partSize = 400;

static int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// False where a function needs others, or is what somebody looks up with its attributes.
static bool canMove(LLVM::LLVMFuncOp function) {
  if (function.isExternal() || function->hasAttr("jit.arena_bytes"))
    return false;
  return !function
              .walk([](Operation *op) {
                bool refers = isa<LLVM::AddressOfOp, LLVM::CallOp>(op);
                return refers ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Moves `function` to the end of `part`. A declaration stays.
static void move(LLVM::LLVMFuncOp function, ModuleOp part) {
  OpBuilder b(function);
  auto declaration = cast<LLVM::LLVMFuncOp>(b.cloneWithoutRegions(*function.getOperation()));
  declaration.setLinkage(LLVM::Linkage::External);
  function.setLinkage(LLVM::Linkage::External);
  function->moveBefore(part.getBody(), part.getBody()->end());
}

SmallVector<OwningOpRef<ModuleOp>> jit::codegen::splitCode(ModuleOp module) {
  SmallVector<OwningOpRef<ModuleOp>> parts;
  if (countOps(module) < 2 * partSize)
    return parts;
  // What a baseline compiles quickly is apart from what it does not.
  std::array<ModuleOp, 2> last;
  std::array<int64_t, 2> left = {};
  for (auto function : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>())) {
    if (!canMove(function))
      continue;
    int64_t size = countOps(function);
    bool kind = leavesChoices(function);
    if (size > left[kind]) {
      parts.push_back(ModuleOp::create(module.getLoc()));
      last[kind] = *parts.back();
      left[kind] = partSize;
    }
    move(function, last[kind]);
    left[kind] -= size;
  }
  return parts;
}
