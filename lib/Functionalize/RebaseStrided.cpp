//===- RebaseStrided.cpp - strides count from the start of memory ---------===//

#include "RebaseStrided.h"
#include "StridedElements.h"
#include "TensorMemory.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Dialect/Jit/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace jit {

/// The view of `root` that shows its memory row by row, where root fills that; else null. What
/// counts from the start of root asks for no more than that root has no gaps.
static Value memoryOf(OpBuilder &b, Value root, bool fromStart = false) {
  auto type = cast<TensorType>(root.getType());
  Layout layout = layoutOf(root);
  if (!type.hasRank() || (layout.offset() != 0 && !fromStart))
    return {};
  if (layout.isRowMajor(type.getSizes()).value_or(false))
    return root;
  auto strides = layout.strides(type.getSizes());
  if (!strides || !type.hasStaticSizes())
    return {};
  auto dims = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  llvm::stable_sort(dims, [&](int64_t a, int64_t b) { return (*strides)[a] > (*strides)[b]; });
  GraphBuilder build{b, root.getLoc()};
  b.setInsertionPointAfterValue(root);
  Tensor whole = build.op<aten::PermuteOp>(Tensor(build, root), build.ints(dims));
  if (layoutOf(whole.v).isRowMajor(whole.info().sizes()).value_or(false))
    return whole.v;
  return {};
}

/// The first operation of its block, if any, with which the memory of `root` may be written once
/// `op` shows it.
static Operation *nextWrite(aten::AsStridedOp op, Value root) {
  auto func = op->getParentOfType<func::FuncOp>();
  Operation *first = nullptr;
  func.walk([&](OverwriteOp write) {
    Operation *at = op->getBlock()->findAncestorOpInBlock(*write);
    if (viewRoot(write.getSelf()) != root || (at && at->isBeforeInBlock(op)))
      return;
    Operation *found = at ? at : op->getBlock()->getTerminator();
    if (!first || found->isBeforeInBlock(first))
      first = found;
  });
  return first;
}

/// Whether `op` makes what is written to `self` of that, or is a part of the operator that does.
static bool isOfWrite(Operation *op, Value self) {
  return llvm::any_of(self.getUsers(), [&](Operation *user) {
    auto write = dyn_cast<OverwriteOp>(user);
    Operation *made = write && write.getSelf() == self ? write.getValue().getDefiningOp() : nullptr;
    return made && (made == op || (!wholeOf(op).empty() && made->getLoc() == op->getLoc()));
  });
}

/// PyTorch takes the result of as_strided for a view of all of the memory once that is written,
/// also where gradients are concerned; `shown` is what is seen of `value`, that result or a view of
/// it, before, but for what such a write is computed of.
static void useBefore(Operation *write, Value value, Value shown) {
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    Operation *op = use.getOwner(), *user = write->getBlock()->findAncestorOpInBlock(*op);
    if (!user || !user->isBeforeInBlock(write) || isa<OverwriteOp>(op) || isOfWrite(op, value))
      continue;
    if (!isa<ViewOpInterface>(op) || viewedValue(op->getResult(0)) != value) {
      use.set(shown);
      continue;
    }
    Operation *before = OpBuilder(op).clone(*op);
    before->setOperand(0, shown);
    useBefore(write, op->getResult(0), before->getResult(0));
  }
}

/// The name on the way from `self` to the root of its views that says where gradients of `self` go:
/// a detached one or a leaf. Null where they go to the root.
static Operation *historyOf(Value self) {
  for (Value viewed; (viewed = viewedValue(self)); self = viewed) {
    Operation *op = self.getDefiningOp();
    // A view with an effect is a variable of its own.
    if (op->hasTrait<OfGradientsAlone>() || (isa<ViewOpInterface>(op) && !isPure(op)))
      return op;
  }
  return nullptr;
}

/// Which elements of the result lie in what `op` was given, if not all do: gradients reach these
/// alone. Fails, without an error, where that cannot be told.
static FailureOr<DenseBoolArrayAttr> shownBy(aten::AsStridedOp op, Value root) {
  Value self = op.getSelf();
  auto part = cast<TensorType>(self.getType()), whole = cast<TensorType>(root.getType());
  Operation *history = historyOf(self);
  if (self == viewRoot(self) || (history && history->hasTrait<OfGradientsAlone>()))
    return DenseBoolArrayAttr(); // all of it, or nothing has a gradient
  auto sizes = ListInfo(op.getSize()).ints(), steps = ListInfo(op.getStride()).ints();
  std::optional<int64_t> start = IntInfo(op.getStorageOffset()).known;
  Layout layout = layoutOf(self);
  if (!part.isStatic() || !whole.isStatic() || !sizes || !steps || !start || !layout.offset())
    return failure();
  auto strides = layout.strides(part.getSizes());
  auto isOpen = [](int64_t number) { return number == TensorType::kDynamic; };
  if (!strides || llvm::any_of(*sizes, isOpen) || llvm::any_of(*steps, isOpen) ||
      ShapedType::getNumElements(part.getSizes()) > maxListed ||
      ShapedType::getNumElements(*sizes) > maxListed)
    return failure();
  llvm::DenseSet<int64_t> places;
  forEachPlace(part.getSizes(), *strides, *layout.offset(), [&](int64_t at) { places.insert(at); });
  SmallVector<bool> shown;
  forEachPlace(*sizes, *steps, *start, [&](int64_t at) { shown.push_back(places.contains(at)); });
  bool isAll = llvm::all_of(shown, [](bool isShown) { return isShown; });
  return isAll ? DenseBoolArrayAttr() : DenseBoolArrayAttr::get(op.getContext(), shown);
}

/// `memory`, which may be null, with the elements of `self`, which shows it: complex ones may be
/// conjugated, and their parts are real. Null where it has others.
static Value withElementsOf(OpBuilder &b, Value self, Value memory) {
  Type dtype = cast<TensorType>(self.getType()).getDtype();
  if (!memory || !isComplexTensor(memory.getType()))
    return memory && cast<TensorType>(memory.getType()).getDtype() == dtype ? memory : Value();
  std::optional<bool> isConjugate = isConjugated(self);
  GraphBuilder build{b, memory.getLoc()};
  Tensor whole(build, memory);
  if (!dtype || !isConjugate || (*isConjugate && !isa<ComplexType>(dtype)))
    return {};
  if (isa<ComplexType>(dtype))
    return *isConjugate ? Tensor(build.op<aten::ConjOp>(whole)).v : memory;
  return Tensor(build.op<aten::ViewAsRealOp>(whole)).v;
}

/// All of the memory that `self` shows, row by row, with the gradients of `self`. Null where no
/// tensor with these fills it.
static Value memoryBehind(OpBuilder &b, Value self) {
  Value root = viewRoot(self);
  Operation *history = historyOf(self);
  if (!history)
    return memoryOf(b, root);
  Value name = history->getResult(0);
  if (!history->hasTrait<OfGradientsAlone>())
    return name.getType() == root.getType() && layoutOf(name) == layoutOf(root) ? memoryOf(b, name)
                                                                                : Value();
  Value memory = memoryOf(b, root);
  b.setInsertionPoint(self.getDefiningOp());
  return memory ? aten::DetachOp::create(b, name.getLoc(), memory.getType(), memory).getResult()
                : Value();
}

/// The place of the last element that `op` names; nullopt where it has none, or that is not known.
static std::optional<int64_t> lastPlaceOf(aten::AsStridedOp op) {
  auto sizes = ListInfo(op.getSize()).ints(), steps = ListInfo(op.getStride()).ints();
  std::optional<int64_t> last = IntInfo(op.getStorageOffset()).known;
  if (!sizes || !steps || !last || sizes->size() != steps->size())
    return std::nullopt;
  for (auto [size, step] : llvm::zip_equal(*sizes, *steps)) {
    if (size <= 0 || step < 0)
      return std::nullopt;
    *last += (size - 1) * step;
  }
  return last;
}

/// Whether `memory`, which is no view, is known to be no part of a larger one, as state may be that
/// was saved.
static bool isAll(func::FuncOp func, Value memory) {
  auto argument = dyn_cast<BlockArgument>(memory);
  if (!argument)
    return makesMemory(memory.getDefiningOp());
  return argument.getOwner()->getParentOp() == func &&
         !func.getArgAttr(argument.getArgNumber(), slotAttr);
}

/// An `op` that names a place behind the memory `root` is an exception of the calls that get to it.
/// Where all calls do it is left to Lower, which refuses it.
static bool raisesBeyond(aten::AsStridedOp op, Value root) {
  auto func = op->getParentOfType<func::FuncOp>();
  auto type = cast<TensorType>(root.getType());
  std::optional<int64_t> last = lastPlaceOf(op);
  if (op->getParentOp() == func || !isAll(func, viewRoot(root)) || !type.isStatic() || !last ||
      *last < ShapedType::getNumElements(type.getSizes()))
    return false;
  OpBuilder b(op);
  raise(b, op.getLoc(),
        llvm::formatv("expected as_strided of at most {0} elements, got the element {1}",
                      ShapedType::getNumElements(type.getSizes()), *last)
            .str());
  op.getResult().replaceAllUsesWith(
      PoisonOp::create(b, op.getLoc(), op.getResult().getType()).getResult());
  op.erase();
  return true;
}

/// From here on `op` is of `memory`, of which its operand shows the elements `shown` of the result.
static void setMemory(OpBuilder &b, aten::AsStridedOp op, Value memory, DenseBoolArrayAttr shown) {
  Operation *write = shown ? nextWrite(op, viewRoot(op.getSelf())) : nullptr;
  op.getSelfMutable().assign(memory);
  op->setAttr(ofMemoryAttr, UnitAttr::get(op.getContext()));
  if (!shown)
    return;
  auto before = write ? cast<aten::AsStridedOp>(b.clone(*op)) : op;
  before->setAttr(shownAttr, shown);
  if (write)
    useBefore(write, op.getResult(), before.getResult());
}

/// An `op` of memory with gaps counts the elements that are there. Fails, without an error, where
/// that cannot be done.
static LogicalResult rebaseToElements(OpBuilder &b, aten::AsStridedOp op) {
  Value self = op.getSelf(), root = viewRoot(self);
  Operation *history = historyOf(self);
  bool isDetached = history && history->hasTrait<OfGradientsAlone>();
  auto type = dyn_cast<TensorType>(root.getType());
  if ((history && !isDetached) || !type ||
      type.getDtype() != cast<TensorType>(self.getType()).getDtype() ||
      (isComplexTensor(type) && isConjugated(self) != false))
    return failure();
  auto shown = countElements(op, root, !isDetached);
  if (failed(shown))
    return failure();
  if (isDetached)
    root = aten::DetachOp::create(b, op.getLoc(), root.getType(), root).getResult();
  setMemory(b, op, root, *shown);
  return success();
}

static LogicalResult rebase(aten::AsStridedOp op) {
  OpBuilder b(op);
  bool fromStart = op->hasAttr(fromStartAttr);
  Value root = fromStart ? memoryOf(b, op.getSelf(), true) : memoryBehind(b, op.getSelf());
  root = withElementsOf(b, op.getSelf(), root);
  b.setInsertionPoint(op);
  if (!root && succeeded(rebaseToElements(b, op)))
    return success();
  if (!root)
    return op.emitError("expected as_strided of memory that one tensor fills");
  if (isa<NoneType>(op.getStorageOffset().getType())) {
    std::optional<int64_t> offset = layoutOf(op.getSelf()).offset();
    if (!offset)
      return op.emitError("expected as_strided of a part of a tensor whose place is known");
    op.getStorageOffsetMutable().assign(
        arith::ConstantOp::create(b, op.getLoc(), b.getI64IntegerAttr(*offset)));
  }
  if (!fromStart && raisesBeyond(op, root))
    return success();
  auto shown = fromStart ? DenseBoolArrayAttr() : shownBy(op, root);
  if (failed(shown))
    return op.emitError(
        "expected as_strided of constant places, as its operand shows a part of its memory");
  setMemory(b, op, root, *shown);
  return success();
}

LogicalResult rebaseStrided(func::FuncOp func, Value &unknown) {
  WalkResult walk = func.walk([&](aten::AsStridedOp op) {
    if (succeeded(rebase(op)))
      return WalkResult::advance();
    unknown = op.getSelf();
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit
