//===- Residuals.cpp - what to keep and what to compute again -------------===//

#include "Residuals.h"
#include "GradSums.h"
#include "MinCut.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// What keeping a value takes in bytes; unlimited where it cannot be kept.
static int64_t bytesOf(Type type, bool listsCanBeKept) {
  constexpr int64_t perValue = 64;     // a buffer of its own
  constexpr int64_t unknownSize = 256; // a size that only the call tells
  auto optional = dyn_cast<OptionalType>(type);
  auto list = dyn_cast<ListType>(optional ? optional.getElementType() : type);
  if (type.isIntOrFloat())
    return perValue;
  if (listsCanBeKept && list && list.getElementType().isIntOrFloat())
    return perValue; // sizes
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || !tensor.hasRank() || !tensor.hasDtype())
    return FlowNetwork::unlimited;
  auto complex = dyn_cast<ComplexType>(tensor.getDtype());
  Type part = complex ? complex.getElementType() : tensor.getDtype();
  int64_t bytes = (part.getIntOrFloatBitWidth() + 7) / 8 * (complex ? 2 : 1);
  for (int64_t size : tensor.getSizes())
    bytes *= size == TensorType::kDynamic ? unknownSize : std::max<int64_t>(size, 1);
  return bytes + perValue;
}

/// A tensor or a list of such, not one of sizes.
static bool holdsTensors(Type type) {
  auto list = dyn_cast<ListType>(type);
  return isa<TensorType>(type) || (list && !list.getElementType().isIntOrFloat());
}

/// Running the operation again costs no more than reading its operands: it fuses with what uses it.
static bool isCheap(Operation *op) {
  if (op->getNumRegions() > 0)
    return false;
  if (isa<SlotGetOp>(op)) // within a call a slot that is read so does not change
    return true;
  if (isa<aten::SizeIfNotEqualOp>(op)) // the answer is what the backward pass is specialised by
    return false;
  if (!isMemoryEffectFree(op))
    return false;
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "aten")
    return true;
  bool takesTensors = llvm::any_of(op->getOperandTypes(), holdsTensors);
  return isa<PointwiseOpInterface, ViewOpInterface>(op) || !takesTensors ||
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// The values of `forward` that operations in `backward` use.
static llvm::SetVector<Value> usedValues(Block &forward, Region &backward) {
  llvm::SetVector<Value> used;
  backward.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (operand.getParentBlock() == &forward)
        used.insert(operand);
  });
  return used;
}

namespace {

/// The network: a node before and after each value, the bytes between them.
class Planner {
public:
  Planner(Block &forward, ArrayRef<Value> given, bool listsCanBeKept)
      : forward(forward), listsCanBeKept(listsCanBeKept) {
    this->given.insert_range(given);
  }

  ResidualPlan plan(const llvm::SetVector<Value> &needed) {
    for (Value value : needed)
      if (!given.contains(value))
        network.addEdge(after(value), FlowNetwork::sink, FlowNetwork::unlimited);
    std::vector<bool> sinkSide = network.sinkSide();
    ResidualPlan plan;
    for (auto [value, node] : nodes)
      if (!sinkSide[node] && sinkSide[node + 1])
        plan.kept.insert(value);
    for (Value value : needed)
      collect(value, plan);
    auto order = plan.recomputed.takeVector();
    llvm::sort(order, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    plan.recomputed.insert_range(order);
    return plan;
  }

private:
  /// The node after `value`, which is linked to all that it is computed from.
  unsigned after(Value root) {
    SmallVector<Value> todo = {root};
    while (!todo.empty()) {
      Value value = todo.pop_back_val();
      if (nodes.contains(value) || given.contains(value) || value.getParentBlock() != &forward)
        continue;
      unsigned before = network.addNode();
      network.addNode();
      nodes[value] = before;
      Operation *op = value.getDefiningOp();
      bool isMade = isa_and_present<ListOp>(op); // a list is made again of what it holds
      network.addEdge(before, before + 1,
                      isMade ? FlowNetwork::unlimited : bytesOf(value.getType(), listsCanBeKept));
      if (!op || !isCheap(op))
        network.addEdge(FlowNetwork::source, before, FlowNetwork::unlimited);
      else
        llvm::append_range(todo, op->getOperands());
    }
    link(root);
    return nodes.lookup(root) + 1;
  }

  /// Edges from operands to results, once each.
  void link(Value root) {
    SmallVector<Value> todo = {root};
    while (!todo.empty()) {
      Value value = todo.pop_back_val();
      auto node = nodes.find(value);
      if (node == nodes.end() || !linked.insert(value).second)
        continue;
      Operation *op = value.getDefiningOp();
      if (!op || !isCheap(op))
        continue;
      for (Value operand : op->getOperands())
        if (auto from = nodes.find(operand); from != nodes.end()) {
          network.addEdge(from->second + 1, node->second, FlowNetwork::unlimited);
          todo.push_back(operand);
        }
    }
  }

  /// The operations from the kept values to `root`.
  void collect(Value root, ResidualPlan &plan) {
    SmallVector<Value> todo = {root};
    while (!todo.empty()) {
      Value value = todo.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (plan.kept.contains(value) || given.contains(value) || !op || op->getBlock() != &forward ||
          !plan.recomputed.insert(op))
        continue;
      llvm::append_range(todo, op->getOperands());
    }
  }

  Block &forward;
  bool listsCanBeKept;
  llvm::DenseSet<Value> given, linked;
  FlowNetwork network;
  llvm::MapVector<Value, unsigned> nodes;
};

} // namespace

ResidualPlan planResiduals(Block &forward, Region &backward, ArrayRef<Value> given,
                           bool listsCanBeKept) {
  ResidualPlan plan = Planner(forward, given, listsCanBeKept).plan(usedValues(forward, backward));
  int64_t bytes = 0;
  for (Value value : plan.kept)
    bytes += bytesOf(value.getType(), listsCanBeKept);
  explainDone(forward.getParentOp()->getLoc(), "autodiff",
              "for the backward pass {0} values ({1} bytes) are kept and {2} operators run again",
              plan.kept.size(), bytes, plan.recomputed.size());
  return plan;
}

ResidualPlan planReplay(Block &forward, Region &backward, ArrayRef<Value> given) {
  llvm::DenseSet<Value> known(given.begin(), given.end());
  SmallVector<Value> todo = usedValues(forward, backward).takeVector();
  llvm::SetVector<Operation *> needed;
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (known.contains(value) || !op || op->getBlock() != &forward || !needed.insert(op))
      continue;
    op->walk([&](Operation *inner) { llvm::append_range(todo, inner->getOperands()); });
  }
  auto order = needed.takeVector();
  llvm::sort(order, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  ResidualPlan plan;
  plan.recomputed.insert_range(order);
  return plan;
}

void useResiduals(const ResidualPlan &plan, Region &backward, OpBuilder &b, IRMapping map) {
  llvm::SmallPtrSet<Operation *, 16> copies;
  for (Operation *op : plan.recomputed)
    copies.insert(b.clone(*op, map));
  backward.walk([&](Operation *op) {
    if (copies.contains(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (Value replacement = map.lookupOrNull(operand.get()))
        operand.set(replacement);
  });
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

LogicalResult keepForBranch(scf::IfOp forward, scf::IfOp backward) {
  ResidualPlan plans[2];
  SmallVector<Type> types(forward.getResultTypes());
  for (int side : {0, 1}) {
    if (failed(settleGradSums(backward->getRegion(side))))
      return failure();
    plans[side] = planResiduals(forward->getRegion(side).front(), backward->getRegion(side), {},
                                /*listsCanBeKept=*/false);
    for (Value value : plans[side].kept)
      types.push_back(value.getType());
  }
  OpBuilder b(forward);
  auto kept = forward;
  if (types.size() > forward.getNumResults()) {
    kept = scf::IfOp::create(b, forward.getLoc(), types, forward.getCondition(), false, false);
    for (int side : {0, 1})
      kept->getRegion(side).takeBody(forward->getRegion(side));
    for (int side : {0, 1}) // each side yields its own, and nothing for those of the other
      for (int yielding : {0, 1}) {
        Operation *yield = kept->getRegion(yielding).front().getTerminator();
        OpBuilder end(yield);
        for (Value value : plans[side].kept)
          yield->insertOperands(
              yield->getNumOperands(),
              yielding == side ? value
                               : Value(PoisonOp::create(end, yield->getLoc(), value.getType())));
      }
    forward->replaceAllUsesWith(kept->getResults().take_front(forward.getNumResults()));
  }
  unsigned next = forward.getNumResults();
  for (int side : {0, 1}) {
    IRMapping map;
    for (Value value : plans[side].kept)
      map.map(value, kept.getResult(next++));
    OpBuilder start = OpBuilder::atBlockBegin(&backward->getRegion(side).front());
    useResiduals(plans[side], backward->getRegion(side), start, map);
  }
  if (kept != forward)
    forward.erase();
  return success();
}

} // namespace jit
