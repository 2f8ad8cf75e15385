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

/// Elements of a constant that each part may have for itself.
static constexpr uint64_t smallConstant = 1024;

/// The constant whose address is taken, where it is one that may be copied.
static LLVM::GlobalOp smallConstantOf(LLVM::AddressOfOp op, SymbolTable &symbols) {
  auto global = symbols.lookup<LLVM::GlobalOp>(op.getGlobalName());
  if (!global || !global.getConstant() || !global.getInitializerRegion().empty() ||
      !llvm::is_contained({LLVM::Linkage::Internal, LLVM::Linkage::Private}, global.getLinkage()))
    return {};
  auto value = dyn_cast_or_null<ElementsAttr>(global.getValueOrNull());
  return value && value.getNumElements() <= int64_t(smallConstant) ? global : LLVM::GlobalOp();
}

/// False where a function needs others, or is what somebody looks up with its attributes.
static bool canMove(LLVM::LLVMFuncOp function, SymbolTable &symbols) {
  if (function.isExternal() || function->hasAttr("jit.arena_bytes"))
    return false;
  return !function
              .walk([&](Operation *op) {
                auto address = dyn_cast<LLVM::AddressOfOp>(op);
                bool refers = address ? !smallConstantOf(address, symbols) : isa<LLVM::CallOp>(op);
                return refers ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Moves `function` to the end of `part`, with copies of its constants. A declaration stays.
static void move(LLVM::LLVMFuncOp function, ModuleOp part, SymbolTable &symbols) {
  function.walk([&](LLVM::AddressOfOp address) {
    if (!part.lookupSymbol(address.getGlobalName()))
      OpBuilder::atBlockBegin(part.getBody()).clone(*smallConstantOf(address, symbols));
  });
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
  SymbolTable symbols(module);
  // What a baseline compiles quickly is apart from what it does not.
  std::array<ModuleOp, 2> last;
  std::array<int64_t, 2> left = {};
  for (auto function : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>())) {
    if (!canMove(function, symbols))
      continue;
    int64_t size = countOps(function);
    bool kind = leavesChoices(function);
    if (size > left[kind]) {
      parts.push_back(ModuleOp::create(module.getLoc()));
      last[kind] = *parts.back();
      left[kind] = partSize;
    }
    move(function, last[kind], symbols);
    left[kind] -= size;
  }
  return parts;
}
