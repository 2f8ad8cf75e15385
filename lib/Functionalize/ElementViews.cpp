//===- ElementViews.cpp - parts of a tensor as views of their own ---------===//

#include "SharedMemory.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Functionalize/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_ELEMENTVIEWSPASS
#include "jit/Functionalize/Passes.h.inc"

namespace {

/// Makes the views, at one place of the program.
class Viewer {
public:
  explicit Viewer(Operation *op) : builder(op), loc(op->getLoc()) {}

  /// The element of what `split` splits a tensor into; null for any other list, or a place that
  /// may be counted from the back.
  Value element(Operation *split, Value at) {
    if (auto unbind = dyn_cast_or_null<aten::UnbindIntOp>(split))
      return view("aten.select.int", {unbind.getSelf(), unbind.getDim(), at});
    if (!split || !isFromFront(at))
      return {};
    if (auto sizes = sizesOf(split))
      return split->getNumOperands() == 3 ? afterOthers(split, sizes, at) : Value();
    Value size = sizeOfParts(split);
    if (!size)
      return {};
    Value start = arith::MulIOp::create(builder, loc, at, size);
    return between(split, start, size);
  }

  /// The call fails unless the list has `count` elements.
  void demandLength(Value list, int64_t count) {
    Value length = view("aten.len.t", {list});
    Value fits =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, length, number(count));
    GuardOp::create(builder, loc, fits, "builtins.RuntimeError",
                    "expected " + std::to_string(count) + " values to unpack, got {}", length);
  }

  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }

private:
  Value view(StringRef name, ArrayRef<Value> operands) {
    Operation *op = createInferred(builder, loc, OperationName(name, loc.getContext()), operands);
    return op ? op->getResult(0) : Value();
  }

  /// Whether a place is certainly not negative.
  static bool isFromFront(Value at) {
    APInt known;
    if (matchPattern(at, m_ConstantInt(&known)))
      return !known.isNegative();
    auto argument = dyn_cast<BlockArgument>(at);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return loop && at == loop.getInductionVar() && matchPattern(loop.getLowerBound(), m_Zero());
  }

  Value between(Operation *split, Value start, Value size) {
    Value end = arith::AddIOp::create(builder, loc, start, size);
    return view("aten.slice.Tensor",
                {split->getOperand(0), split->getOperand(2), start, end, number(1)});
  }

  /// All parts but the last are of this size.
  Value sizeOfParts(Operation *split) {
    if (auto every = dyn_cast<aten::SplitTensorOp>(split))
      return every.getSplitSize();
    auto chunk = dyn_cast<aten::ChunkOp>(split);
    if (!chunk)
      return {};
    Value length = view("aten.size.int", {chunk.getSelf(), chunk.getDim()});
    return length ? Value(arith::CeilDivSIOp::create(builder, loc, length, chunk.getChunks()))
                  : Value();
  }

  static ListOp sizesOf(Operation *split) {
    if (!isa<aten::SplitSizesOp, aten::SplitOp, aten::SplitWithSizesOp>(split))
      return {};
    return split->getOperand(1).getDefiningOp<ListOp>();
  }

  Value afterOthers(Operation *split, ListOp sizes, Value at) {
    APInt place;
    if (!matchPattern(at, m_ConstantInt(&place)) || place.uge(sizes.getElements().size()))
      return {};
    Value start = number(0);
    for (Value size : sizes.getElements().take_front(place.getZExtValue()))
      start = arith::AddIOp::create(builder, loc, start, size);
    return between(split, start, sizes.getElements()[place.getZExtValue()]);
  }

  OpBuilder builder;
  Location loc;
};

/// Whether anything of the memory that `list` holds views of is written.
bool isOfWrittenMemory(Value list) {
  Operation *split = list.getDefiningOp();
  return split && split->getNumOperands() > 0 &&
         isa<aten::UnbindIntOp, aten::ChunkOp, aten::SplitTensorOp, aten::SplitSizesOp,
             aten::SplitOp, aten::SplitWithSizesOp>(split) &&
         isWrittenInPlace(memoryRoot(split->getOperand(0)));
}

struct ElementViewsPass : impl::ElementViewsPassBase<ElementViewsPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto get = dyn_cast<aten::GetItemTOp>(op))
        replaceElement(get);
      else if (auto unpack = dyn_cast<ListUnpackOp>(op))
        replaceAll(unpack);
    });
  }

private:
  static void replace(Value old, Value view) {
    OpBuilder builder(old.getDefiningOp());
    old.replaceAllUsesWith(castTo(builder, old.getLoc(), view, old.getType()));
  }

  void replaceElement(aten::GetItemTOp get) {
    if (!isOfWrittenMemory(get.getList()))
      return;
    if (Value view = Viewer(get).element(get.getList().getDefiningOp(), get.getIdx()))
      replace(get.getResult(), view);
  }

  void replaceAll(ListUnpackOp unpack) {
    if (!isOfWrittenMemory(unpack.getList()))
      return;
    Viewer viewer(unpack);
    SmallVector<Value> views;
    for (size_t i = 0; i < unpack.getNumResults(); ++i)
      views.push_back(viewer.element(unpack.getList().getDefiningOp(), viewer.number(i)));
    if (llvm::is_contained(views, Value()))
      return;
    viewer.demandLength(unpack.getList(), unpack.getNumResults());
    for (auto [element, view] : llvm::zip(unpack.getResults(), views))
      replace(element, view);
  }
};

} // namespace

} // namespace jit
