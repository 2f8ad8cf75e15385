//===- SharedMemory.cpp - writes that could be seen by another name -------===//

#include "SharedMemory.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

Value memoryRoot(Value value) {
  while (Value source = sharedSource(value))
    value = source;
  return value;
}

/// What a list or dict holds; null for any other type.
static Type elementOf(Type type) {
  if (auto list = dyn_cast<ListType>(type))
    return list.getElementType();
  auto dict = dyn_cast<DictType>(type);
  return dict ? dict.getValueType() : Type();
}

void SharedMemory::add(Value from, Sharer to) {
  targets[from].push_back(to);
  sources[to.value].push_back({from, to.elementsOnly});
}

SharedMemory::SharedMemory(func::FuncOp func) {
  SmallVector<std::pair<Value, Sharer>> stores;
  func.walk([&](Operation *op) {
    for (OpOperand &use : op->getOpOperands())
      forEachSharer(use, [&](Value sharer) {
        bool elementsOnly = isa<AtenOpInterface, ReplaceOp, DictMergeOp, DictEraseOp>(op) &&
                            elementOf(use.get().getType()) && elementOf(sharer.getType());
        if (writtenInPlace(op) == sharer && use.get() != sharer)
          stores.push_back({use.get(), {sharer, elementsOnly}});
        else
          add(use.get(), {sharer, elementsOnly});
      });
  });
  // What is put into a container is reached through whatever else is that container.
  for (auto &[stored, container] : stores) {
    llvm::SetVector<Value> same;
    same.insert(container.value);
    close(same, sources, container.value.getType());
    for (Value value : same)
      add(stored, {value, container.elementsOnly});
  }
}

/// True if a use only makes another name, whose own uses count.
static bool isHarmless(OpOperand &use) {
  Operation *op = use.getOwner();
  return op->getNumResults() == 1 && sharedSource(op->getResult(0)) == use.get();
}

LogicalResult SharedMemory::checkSharer(Operation *op, Value sharer) const {
  auto refuse = [&](Location where, const Twine &how) -> LogicalResult {
    InFlightDiagnostic diag =
        op->emitOpError("expected memory that is written in place to have one name, got another");
    diag.attachNote(where) << how;
    return diag;
  };
  if (!mayExistBefore(sharer, op))
    return success();
  auto arg = dyn_cast<BlockArgument>(sharer);
  auto func = arg ? dyn_cast<func::FuncOp>(arg.getOwner()->getParentOp()) : nullptr;
  if (func && !func.getArgAttr(arg.getArgNumber(), slotAttr))
    return refuse(arg.getLoc(), "it may be this argument, which the caller still has");
  for (OpOperand &use : sharer.getUses())
    if (!isHarmless(use) && mayFollow(use.getOwner(), op, sharer))
      return refuse(use.getOwner()->getLoc(), "what may be the same memory is still used here");
  return success();
}

/// Adds to `values` what follows from them along `flows`, as far as it may be or hold `memory`.
void SharedMemory::close(llvm::SetVector<Value> &values, const Flows &flows, Type memory) {
  for (size_t next = 0; next < values.size(); ++next) {
    auto known = flows.find(values[next]);
    if (known == flows.end())
      continue;
    for (const Sharer &sharer : known->second) {
      Type type = sharer.value.getType();
      Type element = sharer.elementsOnly ? elementOf(type) : Type();
      Type shared = element ? element : type;
      if (mayHold(shared, memory))
        values.insert(sharer.value);
    }
  }
}

llvm::SetVector<Value> SharedMemory::related(Value root) const {
  llvm::SetVector<Value> values;
  values.insert(root);
  for (size_t next = 0; next < values.size(); ++next)
    for (const Flows *flows : {&targets, &sources}) {
      auto known = flows->find(values[next]);
      if (known == flows->end())
        continue;
      for (const Sharer &sharer : known->second) {
        Type type = sharer.value.getType();
        Type element = sharer.elementsOnly ? elementOf(type) : Type();
        if (mayBeContainer(element ? element : type))
          values.insert(sharer.value);
      }
    }
  return values;
}

LogicalResult SharedMemory::checkWrite(Operation *op, Value root) const {
  // First where the memory may come from, then where that may have gone: two elements of one list
  // are not the same.
  llvm::SetVector<Value> values;
  values.insert(root);
  close(values, sources, root.getType());
  close(values, targets, root.getType());
  for (Value value : values)
    if (memoryRoot(value) != root && failed(checkSharer(op, value)))
      return failure();
  return success();
}

} // namespace jit
