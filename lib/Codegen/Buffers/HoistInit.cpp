//===- HoistInit.cpp - what depends on weights alone is computed once -----===//
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace jit::codegen {
#define GEN_PASS_DEF_HOISTINIT
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

namespace {
/// The weight-only values of one entry.
class WeightSlice {
public:
  explicit WeightSlice(func::FuncOp func);

  /// Tensors computed from weights that something else uses, in program order.
  SmallVector<Value> frontier();
  /// All that computes `values`, in program order.
  SmallVector<Operation *> opsFor(ArrayRef<Value> values);

private:
  /// True if the value is known before any input is.
  bool isFixed(Value value) const { return fixed.contains(value); }
  bool isFixed(Operation *op) const;
  bool isWorthKeeping(Value value) const;
  /// Elements of the weights, and whether any arithmetic happens, on the way to `value`.
  void measure(Value value, llvm::SmallPtrSetImpl<Value> &seen, int64_t &elements,
               bool &computes) const;

  func::FuncOp func;
  /// Weights, constants, and what is computed from them.
  llvm::DenseSet<Value> fixed;
  /// The part of `fixed` that some weight went into.
  llvm::DenseSet<Value> fromWeights;
};
} // namespace

WeightSlice::WeightSlice(func::FuncOp func) : func(func) {
  for (BlockArgument arg : func.getArguments())
    if (func.getArgAttr(arg.getArgNumber(), jit::weightAttr)) {
      fixed.insert(arg);
      fromWeights.insert(arg);
    }
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == func || !isFixed(op))
      return;
    bool weights = false;
    for (Value operand : op->getOperands())
      weights |= fromWeights.contains(operand);
    for (Value result : op->getResults()) {
      fixed.insert(result);
      if (weights)
        fromWeights.insert(result);
    }
  });
}

bool WeightSlice::isFixed(Operation *op) const {
  if (op->getNumResults() == 0 || op->hasTrait<OpTrait::IsTerminator>() ||
      !isMemoryEffectFree(op) || !isSpeculatable(op))
    return false;
  // NAME.init has scratch memory of one size: what a weight's elements say the size of is left to
  // the calls.
  auto isOpen = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  if (llvm::any_of(op->getResultTypes(), isOpen))
    return false;
  // A block argument of the op's own regions is as fixed as the op; anything else from outside has
  // to be fixed already.
  bool ok = llvm::all_of(op->getOperands(), [&](Value value) { return isFixed(value); });
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (nested != op && !op->isAncestor(operand.getParentBlock()->getParentOp()))
        ok &= isFixed(operand);
  });
  // Loops of the user's own are left alone: they are neither short nor surely reached.
  return ok && !isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ForallOp>(op);
}

void WeightSlice::measure(Value value, llvm::SmallPtrSetImpl<Value> &seen, int64_t &elements,
                          bool &computes) const {
  if (!fromWeights.contains(value) || !seen.insert(value).second)
    return;
  Operation *def = value.getDefiningOp();
  if (!def) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      elements += type.getNumElements();
    return;
  }
  computes |= isa<linalg::LinalgOp, tensor::PadOp, tensor::GenerateOp, tensor::ConcatOp,
                  tensor::InsertSliceOp>(def);
  for (Value operand : def->getOperands())
    measure(operand, seen, elements, computes);
}

bool WeightSlice::isWorthKeeping(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !value.getDefiningOp() || !fromWeights.contains(value))
    return false;
  llvm::SmallPtrSet<Value, 16> seen;
  int64_t elements = 0;
  bool computes = false;
  measure(value, seen, elements, computes);
  // A broadcast costs more to read back than to make anew; padding to whole vectors does not. What
  // is summed up is kept, however large.
  auto sum = value.getDefiningOp<linalg::LinalgOp>();
  if (sum && sum.getNumReductionLoops() != 0)
    return true;
  return computes && type.getNumElements() <= 2 * elements + 1024;
}

SmallVector<Value> WeightSlice::frontier() {
  SmallVector<Value> values;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (!isWorthKeeping(result))
        continue;
      // Where the users are fixed too but not worth keeping, this is the last good place.
      bool needed = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return user->getNumResults() == 0 ||
               llvm::none_of(user->getResults(), [&](Value next) { return isWorthKeeping(next); });
      });
      if (needed)
        values.push_back(result);
    }
  });
  return values;
}

SmallVector<Operation *> WeightSlice::opsFor(ArrayRef<Value> values) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Value> work(values);
  while (!work.empty()) {
    Operation *def = work.pop_back_val().getDefiningOp();
    if (!def || !needed.insert(def))
      continue;
    def->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (!def->isAncestor(operand.getParentBlock()->getParentOp()))
          work.push_back(operand);
    });
  }
  SmallVector<Operation *> ordered;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (needed.contains(op))
      ordered.push_back(op);
  });
  return ordered;
}

/// Writes `@NAME.init`, which returns `values` from the weights.
static void createInit(func::FuncOp func, ArrayRef<Value> values, ArrayRef<Operation *> ops) {
  OpBuilder b(func);
  b.setInsertionPointAfter(func);
  SmallVector<Type> argTypes, resultTypes(ValueRange(values).getTypes());
  SmallVector<DictionaryAttr> argAttrs;
  SmallVector<BlockArgument> weights;
  for (BlockArgument arg : func.getArguments())
    if (func.getArgAttr(arg.getArgNumber(), jit::weightAttr)) {
      weights.push_back(arg);
      argTypes.push_back(arg.getType());
      argAttrs.push_back(func.getArgAttrDict(arg.getArgNumber()));
    }
  auto init = func::FuncOp::create(b, func.getLoc(), (func.getName() + ".init").str(),
                                   b.getFunctionType(argTypes, resultTypes));
  init.setAllArgAttrs(argAttrs);
  Block *body = init.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping map;
  for (auto [weight, arg] : llvm::zip(weights, body->getArguments()))
    map.map(weight, arg);
  for (Operation *op : ops)
    b.clone(*op, map);
  SmallVector<Value> results;
  for (Value value : values)
    results.push_back(map.lookup(value));
  func::ReturnOp::create(b, func.getLoc(), results);
}

static void hoist(func::FuncOp func) {
  WeightSlice slice(func);
  SmallVector<Value> values = slice.frontier();
  if (values.empty())
    return;
  createInit(func, values, slice.opsFor(values));
  Builder b(func.getContext());
  for (auto [i, value] : llvm::enumerate(values)) {
    unsigned number = func.getNumArguments();
    auto attrs = b.getDictionaryAttr(b.getNamedAttr("jit.packed", b.getI64IntegerAttr(i)));
    (void)func.insertArgument(number, value.getType(), attrs, value.getLoc());
    value.replaceAllUsesWith(func.getArgument(number));
  }
}

namespace {
struct HoistInit : jit::codegen::impl::HoistInitBase<HoistInit> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> entries;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && !func.isDeclaration() && func.getBody().hasOneBlock())
        entries.push_back(func);
    for (func::FuncOp func : entries)
      hoist(func);
  }
};
} // namespace
