//===- BufferRoots.cpp - which memory a value stands for ----------------------===//
#include "Analysis/BufferRoots.h"
#include "Buffers/OpenBuffers.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

Value jit::codegen::viewedBuffer(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>())
    view = op.getViewSource();
  return view;
}

bool jit::codegen::isDistinctRoot(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp>(root.getDefiningOp()) ||
         isOpenBuffer(root.getDefiningOp(), openResultAttr);
}

Value jit::codegen::reshapeSource(Value view) {
  for (;;) {
    Operation *op = view.getDefiningOp();
    if (!isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(op))
      return view;
    auto source = cast<MemRefType>(op->getOperand(0).getType());
    if (!source.getLayout().isIdentity() ||
        !cast<MemRefType>(view.getType()).getLayout().isIdentity())
      return view;
    view = op->getOperand(0);
  }
}

bool jit::codegen::walksInOrder(linalg::LinalgOp op, OpOperand &operand, unsigned begin,
                                unsigned end) {
  auto type = cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type.getLayout().isIdentity() || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> expected, found;
  for (unsigned dim = begin; dim < end; ++dim)
    if (sizes[dim] != 1)
      expected.push_back(dim);
  for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape())) {
    if (size == 1)
      continue;
    // Where only the call tells a size, it is the loop's.
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool isOpen =
        dim && (ShapedType::isDynamic(size) || ShapedType::isDynamic(sizes[dim.getPosition()]));
    if (!dim || (!isOpen && sizes[dim.getPosition()] != size))
      return false;
    found.push_back(dim.getPosition());
  }
  return found == expected;
}

/// True for a number that comes from memory, where it may change meanwhile.
static bool isLoaded(Value value) {
  Operation *def = value.getDefiningOp();
  return def && !isa<MemRefType>(value.getType()) &&
         (!isMemoryEffectFree(def) || llvm::any_of(def->getOperands(), isLoaded));
}

/// Whether nobody writes to the buffer, by whichever view.
static bool isNeverWritten(Value root) {
  SmallVector<Value> values = {root};
  while (!values.empty()) {
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(values, user->getResults());
      else if (auto op = dyn_cast<linalg::LinalgOp>(user); op && op.isDpsInput(&use))
        continue;
      else if (auto copy = dyn_cast<memref::CopyOp>(user); copy && use.get() != copy.getTarget())
        continue;
      else if (!isa<memref::LoadOp, memref::DimOp>(user))
        return false;
    }
  }
  return true;
}

/// True where a computation depends on more than its operands say: on numbers that are loaded
/// elsewhere, or on elements that its body loads and somebody writes.
static bool hasOtherReads(linalg::LinalgOp op) {
  if (llvm::any_of(op->getOperands(), isLoaded))
    return true;
  llvm::SetVector<Value> used;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, used);
  return llvm::any_of(used, [](Value value) {
    return isa<MemRefType>(value.getType()) ? !isNeverWritten(jit::codegen::viewedBuffer(value))
                                            : isLoaded(value);
  });
}

bool jit::codegen::hasKnownMemory(Operation *op) {
  auto distinct = [](Value value) {
    if (!isa<MemRefType>(value.getType()))
      return true;
    Value root = viewedBuffer(value);
    return isDistinctRoot(root) || root.getDefiningOp<memref::GetGlobalOp>();
  };
  auto computation = dyn_cast<linalg::LinalgOp>(op);
  bool isKnown = computation ? computation.hasPureBufferSemantics() && !hasOtherReads(computation)
                             : isa<memref::CopyOp>(op);
  return isKnown && llvm::all_of(op->getOperands(), distinct);
}

bool jit::codegen::writes(Operation *op, Value root) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return jit::codegen::viewedBuffer(copy.getTarget()) == root;
  return llvm::any_of(cast<linalg::LinalgOp>(op).getDpsInits(),
                      [&](Value init) { return jit::codegen::viewedBuffer(init) == root; });
}

bool jit::codegen::conflict(Operation *a, Operation *b) {
  for (Value value : a->getOperands())
    for (Value other : b->getOperands())
      if (isa<MemRefType>(value.getType()) && isa<MemRefType>(other.getType()) &&
          viewedBuffer(value) == viewedBuffer(other)) {
        Value root = viewedBuffer(value);
        if (writes(a, root) || writes(b, root))
          return true;
      }
  return false;
}

bool jit::codegen::shareBuffer(Operation *a, Operation *b) {
  return llvm::any_of(a->getOperands(), [&](Value value) {
    return isa<MemRefType>(value.getType()) && llvm::any_of(b->getOperands(), [&](Value other) {
             return isa<MemRefType>(other.getType()) && viewedBuffer(value) == viewedBuffer(other);
           });
  });
}

bool jit::codegen::isAside(Operation *op) {
  return isa<memref::AllocOp, memref::GetGlobalOp, jit::GuardOp>(op) || isMemoryEffectFree(op);
}

bool jit::codegen::isUsedOutside(Value root, ArrayRef<linalg::LinalgOp> ops) {
  if (!root.getDefiningOp<memref::AllocOp>())
    return true;
  SmallVector<Value> values = {root};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(user))
        values.push_back(user->getResult(0));
      else if (!isa<memref::DimOp>(user) && !llvm::is_contained(ops, user))
        return true;
    }
  return false;
}
