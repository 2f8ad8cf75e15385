//===- MemoryRoom.cpp - partial evaluation: memory that becomes larger ----===//
//
// A tensor that takes more elements than its memory has room for has a larger one from there on,
// and with it all that shows that memory.
//
//===----------------------------------------------------------------------===//

#include "MemoryRoom.h"
#include "ChangedSizes.h"
#include "Evaluator.h"
#include "Renaming.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/PackedLists.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/View.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace jit {

std::optional<int64_t> roomOf(Value tensor) {
  Value root = viewRoot(tensor);
  auto whole = dyn_cast<TensorType>(root.getType());
  std::optional<int64_t> offset = layoutOf(tensor).offset();
  if (!whole || !whole.isStatic() || !offset ||
      whole.getDtype() != cast<TensorType>(tensor.getType()).getDtype())
    return std::nullopt;
  return ShapedType::getNumElements(whole.getSizes()) - *offset;
}

bool isAllMemory(Value root) {
  auto type = cast<TensorType>(root.getType());
  Layout layout = layoutOf(root);
  auto strides = layout.strides(type.getSizes());
  bool isNew = isa<BlockArgument>(root) ? isTheCallers(root) : makesMemory(root.getDefiningOp());
  return isNew && layout.offset() == 0 && strides && isDense(type.getSizes(), *strides);
}

bool onlyReads(Operation *user) {
  auto isContainer = [](Type type) { return isTensorList(type) || isa<DictType>(type); };
  return isa<AtenOpInterface>(user) && llvm::none_of(user->getResultTypes(), isContainer) &&
         (makesMemory(user) || llvm::none_of(user->getResultTypes(), llvm::IsaPred<TensorType>));
}

/// Whether `value` is `tensor`, or has it among its parts.
static bool shows(Value value, Value tensor) {
  if (isa<TensorType>(value.getType()))
    return tensorBehind(value) == tensor;
  return showsItsParts(value) && llvm::any_of(value.getDefiningOp()->getOperands(),
                                              [&](Value part) { return shows(part, tensor); });
}

/// Whether a name of `tensor`, or of what holds it, is used behind `op`.
static bool isNamedAfter(Operation *op, Value tensor, const IRMapping &map) {
  return llvm::any_of(namedValues(op, map), [&](auto named) {
    return shows(named.second, tensor) && isUsedAfter(named.first, op);
  });
}

bool isUsedAfterwards(Operation *op, Value tensor, const IRMapping &map) {
  return !op->getResult(0).use_empty() || isNamedAfter(op, tensor, map);
}

/// Whether it is known of each container that `container` is in, and of itself, what it holds.
static bool staysKnown(Value container) {
  return llvm::all_of(container.getUsers(), [](Operation *user) {
    return isa<ListOp, TupleOp, DictOp>(user) ? staysKnown(user->getResult(0)) : onlyReads(user);
  });
}

/// Adds to `sharers` the tensors that show the memory of `value`, one of them; false where that is
/// not known of all.
static bool addSharers(Value value, llvm::SetVector<Value> &sharers) {
  sharers.insert(tensorBehind(value));
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto write = dyn_cast<OverwriteOp>(user))
      return write.getSelf() != value || addSharers(write.getResult(), sharers);
    bool isView = isa<ViewOpInterface>(user) && viewOf(user).kind == ViewOf::Kind::Shares;
    if (isView && user->getOperand(0) != value)
      return true;
    if (isView || isa<DerefineOp, UncheckedCastOp>(user))
      return addSharers(user->getResult(0), sharers);
    return isa<ListOp, TupleOp, DictOp>(user) ? staysKnown(user->getResult(0)) : onlyReads(user);
  });
}

/// Whether the places of all elements are known, and that they are elements of this type.
static bool hasPlaces(Value tensor, Type dtype) {
  auto type = cast<TensorType>(tensor.getType());
  Layout layout = layoutOf(tensor);
  return type.isStatic() && type.getDtype() == dtype && layout.offset() &&
         layout.strides(type.getSizes());
}

/// `tensor` in the memory that its own has become; with the sizes of `type`, row by row, where that
/// is given.
static Value moved(GraphBuilder &build, Tensor memory, Value tensor, TensorType type) {
  Layout layout = layoutOf(tensor);
  if (type)
    layout = Layout::rowMajor(layout.offset());
  else
    type = cast<TensorType>(tensor.getType());
  return build
      .op<aten::AsStridedOp>(memory, build.ints(type.getSizes()),
                             build.ints(*layout.strides(type.getSizes())),
                             build.i(*layout.offset()))
      .v;
}

/// From `op` on, which writes the tensor or changes its sizes, `tensor` has the sizes of `type` in
/// the memory that `larger` makes, and all that shows its memory so far shows that. False where
/// that is not the program's own, or not known, and nothing was changed.
bool Evaluator::growsMemory(Operation *op, Value tensor, TensorType type, OpBuilder &b,
                            IRMapping &map, function_ref<Tensor(GraphBuilder &)> larger) const {
  Value root = viewRoot(tensor);
  llvm::SetVector<Value> sharers;
  bool isProgramsOwn =
      !isOutOfScope(root) && makesMemory(root.getDefiningOp()) && isAllMemory(root);
  if (!isProgramsOwn || !addSharers(root, sharers) || !sharers.contains(tensor))
    return false;
  sharers.remove_if([&](Value sharer) { return !isUsedAfterwards(op, sharer, map); });
  Type dtype = cast<TensorType>(root.getType()).getDtype();
  if (!llvm::all_of(sharers, [&](Value sharer) { return hasPlaces(sharer, dtype); }))
    return false;
  GraphBuilder build{b, op->getLoc()};
  Tensor memory = larger(build);
  for (Value sharer : sharers) {
    Value now = moved(build, memory, sharer, sharer == tensor ? type : TensorType());
    auto isIt = [sharer](Value other) {
      return isa<TensorType>(other.getType()) && tensorBehind(other) == sharer;
    };
    Renaming rename(b, isIt, now);
    for (auto [name, known] : namedValues(op, map))
      map.map(name, rename(known));
  }
  map.map(op->getResult(0), map.lookup(op->getOperand(0)));
  return true;
}

bool isLastToShow(Operation *op, Value tensor, const IRMapping &map) {
  llvm::SetVector<Value> sharers;
  return addSharers(tensor, sharers) && llvm::none_of(sharers, [&](Value sharer) {
           return sharer != tensor && isNamedAfter(op, sharer, map);
         });
}

} // namespace jit
