//===- OutSizes.cpp - partial evaluation: out= tensors of other sizes -----===//
//
// An out= tensor of other sizes than the result takes those of the result: in its memory as far as
// that goes, else in a larger one.
//
//===----------------------------------------------------------------------===//

#include "ChangedSizes.h"
#include "Evaluator.h"
#include "MemoryRoom.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/History.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/TensorSizes.h"

using namespace mlir;

namespace jit {

bool leavesOutSizes(Operation *op) {
  auto isLeft = [](OverwriteOp write) {
    bool isOut = write->hasAttr(outAttr);
    return isOut && !keepsSizes(cast<TensorType>(write.getSelf().getType()),
                                cast<TensorType>(write.getValue().getType()))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return op->walk(isLeft).wasInterrupted();
}

/// Whether nothing but `tensor` shows its memory.
static bool isAlone(Value tensor) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    if (auto write = dyn_cast<OverwriteOp>(user))
      return write.getSelf() != tensor || isAlone(write.getResult());
    if (isa<DerefineOp, UncheckedCastOp>(user))
      return isAlone(user->getResult(0));
    return onlyReads(user) || isa<ListOp, TupleOp, DictOp>(user);
  });
}

/// Whether the elements of a result fit. None fit anywhere: of an empty slice the first place may
/// lie behind the memory's end.
static bool fits(TensorType given, int64_t room) {
  int64_t count = ShapedType::getNumElements(given.getSizes());
  return count == 0 || count <= room;
}

/// Writes `value`, row by row, to the first `count` places from the first element of `tensor` on.
/// Gives these places, as a tensor of the sizes of the value where it has so many elements.
static Value writeRows(OverwriteOp op, Value tensor, Value value, int64_t count, OpBuilder &b) {
  GraphBuilder build{b, op.getLoc()};
  Tensor given(build, value);
  SmallVector<int64_t> sizes(given.info().sizes());
  if (count < ShapedType::getNumElements(sizes)) {
    given = build.op<aten::SliceTensorOp>(build.op<aten::ReshapeOp>(given, build.ints({-1})), 0, 0,
                                          count, 1);
    sizes = {count};
  }
  Tensor places = build.op<aten::AsStridedOp>(Tensor(build, tensor), build.ints(sizes),
                                              build.ints(*Layout::rowMajor().strides(sizes)),
                                              build.i(*layoutOf(tensor).offset()));
  OverwriteOp::create(b, op.getLoc(), places.v.getType(), places.v, given.v);
  return places.v;
}

/// The result, under this element type, in memory of its own.
static Value copied(OverwriteOp op, Value value, Type dtype, OpBuilder &b) {
  GraphBuilder build{b, op.getLoc()};
  return build
      .op<aten::ToDTypeOp>(Tensor(build, value), int64_t(*typeToDtype(dtype)), false, true,
                           build.none())
      .v;
}

/// Whether the elements of a result lie row by row, as far as that is known. An out= tensor takes
/// the order of the result where it takes its sizes.
static std::optional<bool> liesRowByRow(Value value) {
  ArrayRef<int64_t> sizes = cast<TensorType>(value.getType()).getSizes();
  auto strides = layoutOf(value).strides(sizes);
  return strides ? std::optional(strides == Layout::rowMajor().strides(sizes)) : std::nullopt;
}

/// A tensor takes the sizes of the result in the memory that it shows, or shows a part of, row by
/// row from its own first element, where there are as many elements. Where there are fewer, an
/// argument that nothing else shows any more has memory of its own from there on. Else all that
/// others see of the result is what fits; the tensor itself must not be used any more. Null for any
/// other.
static Value resizedInPlace(OverwriteOp op, Value tensor, Value value, OpBuilder &b,
                            const IRMapping &map) {
  auto self = cast<TensorType>(tensor.getType()), given = cast<TensorType>(value.getType());
  Operation *maker = tensor.getDefiningOp();
  bool isView =
      isa_and_present<ViewOpInterface>(maker) && viewOf(maker).kind == ViewOf::Kind::Shares;
  bool isKnown = isView || makesMemory(maker) || isTheCallers(tensor);
  std::optional<int64_t> room = roomOf(tensor);
  if (!isKnown || !self.hasStaticSizes() || !given.hasStaticSizes() || !room ||
      liesRowByRow(value) == false)
    return {};
  int64_t count = ShapedType::getNumElements(given.getSizes());
  if (fits(given, *room))
    return writeRows(op, tensor, value, count, b);
  if (isa<BlockArgument>(tensor) && isTheCallers(tensor) && isLastToShow(op, tensor, map))
    return copied(op, value, self.getDtype(), b);
  if (isTheCallers(tensor) || !isAllMemory(viewRoot(tensor)) || isUsedAfterwards(op, tensor, map))
    return {};
  if (*room > 0)
    writeRows(op, tensor, value, *room, b);
  return value;
}

/// Whether PyTorch casts the result to the element type of the out= tensor; else it raises.
static bool isCast(OverwriteOp op, TensorType self, TensorType given) {
  auto from = op->getAttrOfType<StringAttr>(castAttr);
  return !from || self.getDtype() == given.getDtype() ||
         (from.getValue() != "same" && canCast(given.getDtype(), self.getDtype()));
}

/// A tensor that requires a gradient would need one of its earlier sizes.
static void refuseHistory(OverwriteOp op, Value tensor, OpBuilder &b) {
  if (op->hasAttr(gradientsOffAttr))
    refuseGradient(b, op.getLoc(), tensor,
                   "an out= tensor that takes the sizes of the result, where gradients are off, is "
                   "not supported of a tensor that requires gradients");
}

/// Whether nothing else shows the memory of the result, whose gradients may be off.
static bool isOwnMemory(Value value) {
  auto detach = value.getDefiningOp<aten::DetachOp>();
  if (detach && detach.getSelf().hasOneUse())
    value = detach.getSelf();
  return makesMemory(value.getDefiningOp());
}

/// What an out= tensor is from `op` on: the result itself, under the tensor's element type. Null
/// where it keeps its sizes, and where its memory is another tensor's too.
Value Evaluator::resizedOut(OverwriteOp op, OpBuilder &b, const IRMapping &map) const {
  Value tensor = tensorBehind(map.lookup(op.getSelf())), value = map.lookup(op.getValue());
  auto self = dyn_cast<TensorType>(tensor.getType()), given = dyn_cast<TensorType>(value.getType());
  bool isKnown = self && given && self.hasDtype() && given.hasRank() && given.hasDtype();
  if (!isKnown || haveEqualSizes(self, given) || !isCast(op, self, given) || isOpenTensor(tensor) ||
      isOutOfScope(tensor))
    return {};
  std::optional<int64_t> room = roomOf(tensor);
  bool isShown = showsRest && (!room || !given.isStatic() || fits(given, *room));
  if (!makesMemory(tensor.getDefiningOp()) || !isAlone(tensor) || isShown)
    return resizedInPlace(op, tensor, value, b, map);
  if (!isOwnMemory(value))
    return {};
  if (showsRest && !liesRowByRow(value))
    return {};
  return self.getDtype() == given.getDtype() ? value : copied(op, value, self.getDtype(), b);
}

//===----------------------------------------------------------------------===//
// Memory that becomes larger
//===----------------------------------------------------------------------===//

/// The memory that `tensor` shows a part of, as much of it as lies before that, and `value` behind.
/// Between its end and the first place of an empty slice behind that nothing is said of the
/// elements.
static Tensor largerMemory(GraphBuilder &build, Value tensor, Value value) {
  Type dtype = cast<TensorType>(tensor.getType()).getDtype();
  Tensor rows = build.op<aten::ReshapeOp>(Tensor(build, value), build.ints({-1}));
  rows = build.op<aten::ToDTypeOp>(rows, int64_t(*typeToDtype(dtype)), false, true, build.none());
  int64_t before = *layoutOf(tensor).offset(), gap = std::max<int64_t>(-*roomOf(tensor), 0);
  SmallVector<Tensor> parts;
  if (before > gap)
    parts.push_back(build.op<aten::AsStridedOp>(
        Tensor(build, viewRoot(tensor)), build.ints({before - gap}), build.ints({1}), build.i(0)));
  Value none = build.none().v;
  if (gap > 0)
    parts.push_back(build.op<aten::NewEmptyOp>(rows, build.ints({gap}), none, none, none, none));
  if (parts.empty())
    return rows;
  parts.push_back(rows);
  return build.op<aten::CatOp>(build.list(parts), 0);
}

/// Where an out= tensor has a part of memory that the program made, which is too small for the
/// result, all that shows that memory shows a larger one from there on. False for any other.
bool Evaluator::movesMemory(OverwriteOp op, OpBuilder &b, IRMapping &map) const {
  Value tensor = tensorBehind(map.lookup(op.getSelf())), value = map.lookup(op.getValue());
  auto self = dyn_cast<TensorType>(tensor.getType()), given = dyn_cast<TensorType>(value.getType());
  std::optional<int64_t> room = roomOf(tensor);
  if (!self || !self.hasDtype() || !given || !given.isStatic() || !room ||
      !isCast(op, self, given) || isOpenTensor(tensor) || fits(given, *room))
    return false;
  auto larger = [&](GraphBuilder &build) { return largerMemory(build, tensor, value); };
  if (!growsMemory(op, tensor, given, b, map, larger))
    return false;
  refuseHistory(op, tensor, b);
  return true;
}

//===----------------------------------------------------------------------===//
// Which tensor it is
//===----------------------------------------------------------------------===//

/// Notes an out= tensor that would take other sizes if it were known which tensor it is.
void Evaluator::noteResizedOut(OverwriteOp op, const IRMapping &map) {
  Value tensor = tensorBehind(map.lookup(op.getSelf()));
  auto self = dyn_cast<TensorType>(tensor.getType()),
       given = dyn_cast<TensorType>(map.lookup(op.getValue()).getType());
  if (self && given && !keepsSizes(self, given) &&
      (isOpenTensor(tensor) || isOutOfScope(tensor) || isOutOfScope(viewRoot(tensor))))
    resizedOuts.insert(op);
}

/// Whether it is known of an out= tensor in `op`, of the program before specialisation, that its
/// sizes change.
bool Evaluator::resizesOuts(Operation *op) const {
  return llvm::any_of(resizedOuts, [op](Operation *write) { return op->isAncestor(write); });
}

FailureOr<Evaluator::Flow> Evaluator::evaluateOut(OverwriteOp op, Value now, OpBuilder &b,
                                                  IRMapping &map) {
  Value tensor = tensorBehind(map.lookup(op.getSelf()));
  refuseHistory(op, tensor, b);
  bool isOutgrown = viewRoot(now) != viewRoot(tensor);
  if (failed(noteChange(op, tensor, now, isOutgrown)))
    return failure();
  return become(op, tensor, now, b, map);
}

} // namespace jit
