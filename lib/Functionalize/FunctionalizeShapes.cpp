//===- FunctionalizeShapes.cpp - tensors whose sizes change in place ------===//
//
// `x.unsqueeze_(0)` writes nothing: the tensor x is another view of its memory from there on, under
// every name that x has, while other views stay what they are. So a tensor that changes so is a
// cell, and its uses read what it is at that place.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Functionalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_FUNCTIONALIZESHAPESPASS
#include "jit/Functionalize/Passes.h.inc"

/// The value that is the very tensor `value` is, as far as its definition shows.
static Value tensorRoot(Value value) {
  for (Operation *op = value.getDefiningOp();
       isa_and_present<DerefineOp, UncheckedCastOp, OverwriteOp, BecomeOp>(op) &&
       isa<TensorType>(op->getOperand(0).getType());
       op = value.getDefiningOp())
    value = op->getOperand(0);
  return value;
}

namespace {

/// Which values may be one and the same tensor, or hold it.
class TensorNames {
public:
  explicit TensorNames(func::FuncOp func) {
    func.walk([&](Operation *op) {
      for (OpOperand &use : op->getOpOperands())
        forEachName(use, [&](Value name) {
          targets[use.get()].push_back(name);
          sources[name].push_back(use.get());
        });
    });
  }

  /// Fails if the tensor that `op` changes may be used after it by a name that is not certainly
  /// its own.
  LogicalResult checkChange(BecomeOp op) const {
    Value root = tensorRoot(op.getSelf());
    llvm::SetVector<Value> names;
    names.insert(root);
    close(names, sources);
    close(names, targets);
    for (Value name : names)
      if (failed(isTheCallers(name) ? refuseArgument(op) : checkName(op, name, root)))
        return failure();
    return success();
  }

private:
  using Flows = DenseMap<Value, SmallVector<Value>>;

  static void forEachName(OpOperand &use, function_ref<void(Value)> visit) {
    Operation *op = use.getOwner();
    if (op->hasTrait<MayGiveOperand>()) {
      llvm::for_each(op->getResults(), visit);
      return;
    }
    bool isOther = (isa<ViewOpInterface>(op) && !op->hasTrait<MayBeSelf>()) ||
                   (isa<BecomeOp>(op) && use.getOperandNumber() != 0);
    if (!isOther)
      forEachSharer(use, visit);
  }

  static void close(llvm::SetVector<Value> &names, const Flows &flows) {
    for (size_t next = 0; next < names.size(); ++next)
      if (auto known = flows.find(names[next]); known != flows.end())
        for (Value name : known->second)
          if (mayHold(name.getType(), names.front().getType()))
            names.insert(name);
  }

  /// An argument that is no module state.
  static bool isTheCallers(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto func =
        argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
    return func && !func.getArgAttr(argument.getArgNumber(), slotAttr);
  }

  static LogicalResult refuseArgument(BecomeOp op) {
    return op.emitOpError("expected sizes to change in place of a tensor that the program made, "
                          "got an argument, which the caller still has");
  }

  static LogicalResult checkName(BecomeOp op, Value name, Value root) {
    if (tensorRoot(name) == root || !mayExistBefore(name, op))
      return success();
    for (OpOperand &use : name.getUses())
      if (mayFollow(use.getOwner(), op, name)) {
        InFlightDiagnostic diag =
            op.emitOpError("expected a tensor whose sizes change in place to have one name");
        diag.attachNote(use.getOwner()->getLoc()) << "what may be the same tensor is used here";
        return diag;
      }
    return success();
  }

  Flows targets, sources;
};

/// Every tensor whose sizes change in place is a cell.
class ShapeThreading : CellThreading {
public:
  explicit ShapeThreading(func::FuncOp func) : func(func) {}
  LogicalResult run();

private:
  LogicalResult addRoot(BecomeOp op, const TensorNames &names);
  std::optional<Cell> cellFor(Value value) const;

  LogicalResult visit(Operation *op) final;
  void collectAssigned(Operation *op, Cells &cells) final;
  LogicalResult define(ValueRange values) final;
  void assigned(Cell cell, Value value) final { cellOf[value] = cell; }
  void replaced(Value from, Value to) final;

  func::FuncOp func;
  DenseMap<Value, Cell> roots;
  /// Every value that a cell ever had.
  DenseMap<Value, Cell> cellOf;
};

} // namespace

LogicalResult ShapeThreading::run() {
  SmallVector<BecomeOp> changes;
  func.walk([&](BecomeOp op) { changes.push_back(op); });
  if (changes.empty())
    return success();
  TensorNames names(func);
  for (BecomeOp op : changes)
    if (failed(addRoot(op, names)))
      return failure();
  if (failed(thread(func.getBody().front())))
    return failure();
  eraseNow();
  return success();
}

LogicalResult ShapeThreading::addRoot(BecomeOp op, const TensorNames &names) {
  Value root = tensorRoot(op.getSelf());
  if (cast<TensorType>(root.getType()).hasRank())
    return op.emitOpError("expected the sizes of what changes them in place to be open, got ")
           << root.getType();
  if (failed(names.checkChange(op)))
    return failure();
  if (!roots.contains(root))
    roots[root] = addCell(TensorType::get(func.getContext()));
  return success();
}

/// The cell of the tensor that `value` is.
std::optional<CellThreading::Cell> ShapeThreading::cellFor(Value value) const {
  while (!cellOf.contains(value)) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<DerefineOp, UncheckedCastOp, OverwriteOp, BecomeOp>(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  return cellOf.lookup(value);
}

LogicalResult ShapeThreading::visit(Operation *op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (auto cell = cellFor(operand.get()); cell && get(*cell))
      operand.set(castTo(builder, op->getLoc(), get(*cell), operand.get().getType()));
  auto become = dyn_cast<BecomeOp>(op);
  if (!become)
    return success();
  auto cell = cellFor(become.getSelf());
  if (!cell)
    return op->emitOpError("expected a tensor that is known here");
  set(*cell, castTo(builder, op->getLoc(), become.getValue(), typeOf(*cell)));
  eraseLater(op);
  return success();
}

void ShapeThreading::collectAssigned(Operation *op, Cells &cells) {
  if (auto become = dyn_cast<BecomeOp>(op))
    if (auto root = roots.find(tensorRoot(become.getSelf())); root != roots.end())
      cells.insert(root->second);
}

LogicalResult ShapeThreading::define(ValueRange values) {
  for (Value value : values)
    if (auto root = roots.find(value); root != roots.end()) {
      OpBuilder builder(func.getContext());
      builder.setInsertionPointAfterValue(value);
      cellOf[value] = root->second;
      set(root->second, castTo(builder, value.getLoc(), value, typeOf(root->second)));
    }
  return success();
}

void ShapeThreading::replaced(Value from, Value to) {
  if (auto root = roots.find(from); root != roots.end()) {
    Cell cell = root->second;
    roots.erase(from);
    roots[to] = cell;
  }
}

namespace {
struct FunctionalizeShapesPass : impl::FunctionalizeShapesPassBase<FunctionalizeShapesPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(ShapeThreading(func).run()))
        return signalPassFailure();
  }
};
} // namespace

} // namespace jit
