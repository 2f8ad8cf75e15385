//===- FusePointwise.cpp - groups of pointwise operators ------------------===//

#include "jit/Dialect/Jit/Remarks.h"
#include "jit/Fuse/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITFUSEPOINTWISE
#include "jit/Fuse/Passes.h.inc"

/// True for a pointwise operator of which everything is known that its loop needs.
static bool isFusible(Operation *op) {
  auto isKnown = [](Value value) {
    auto tensor = dyn_cast<TensorType>(value.getType());
    if (!tensor)
      return !isa<NumberType, OptionalType>(value.getType());
    return tensor.hasRank() && tensor.hasDtype() && tensor.getDtype().isIntOrFloat();
  };
  return isa<PointwiseOpInterface>(op) && op->getNumResults() == 1 &&
         isa<TensorType>(op->getResult(0).getType()) && isKnown(op->getResult(0)) &&
         llvm::all_of(op->getOperands(), isKnown);
}

/// Sizes that are open are equal where operands meet, or Lower refuses them: see symbolicAttr.
static ArrayRef<int64_t> sizesOf(Operation *op) {
  return cast<TensorType>(op->getResult(0).getType()).getSizes();
}

/// Reads of slots aside, which within a call give what they gave before.
static bool hasEffects(Operation *op) {
  return !isMemoryEffectFree(op) &&
         op->walk([](Operation *inner) {
             bool isOwn = inner->getNumRegions() == 0 && !isa<SlotGetOp>(inner) &&
                          !isMemoryEffectFree(inner);
             return isOwn ? WalkResult::interrupt() : WalkResult::advance();
           }).wasInterrupted();
}

/// Groups stand at their last member: what was before that and uses them follows them now. What has
/// effects keeps its order.
static LogicalResult sortBlock(Block &block) {
  llvm::DenseSet<Operation *> placed;
  std::vector<Operation *> waiting, order;
  for (Operation &op : block.without_terminator())
    waiting.push_back(&op);
  auto isReady = [&](Operation *op) {
    return !op->walk([&](Operation *inner) {
                for (Value operand : inner->getOperands()) {
                  Operation *def = operand.getDefiningOp();
                  if (def && def->getBlock() == &block && !placed.contains(def))
                    return WalkResult::interrupt();
                }
                return WalkResult::advance();
              }).wasInterrupted();
  };
  // In rounds, each in the given order: most blocks need one.
  while (!waiting.empty()) {
    std::vector<Operation *> later;
    bool effectWaits = false;
    for (Operation *op : waiting) {
      bool isEffect = hasEffects(op);
      if (!isReady(op) || (isEffect && effectWaits)) {
        effectWaits |= isEffect;
        later.push_back(op);
        continue;
      }
      placed.insert(op);
      order.push_back(op);
    }
    if (later.size() == waiting.size())
      return later.front()->emitOpError("expected operators that do not wait for each other");
    waiting = std::move(later);
  }
  for (Operation *op : order)
    op->moveBefore(block.getTerminator());
  return success();
}

namespace {

/// The groups of one block.
class Groups {
public:
  explicit Groups(Block &block) : block(block) {
    for (Operation &op : block) {
      number[&op] = ops.size();
      ops.push_back(&op);
    }
    computeAncestors();
  }

  void form() {
    for (unsigned i = 0; i < ops.size(); ++i) {
      groupOf.push_back(i);
      llvm::BitVector self(ops.size());
      self.set(i);
      members.push_back(self);
      if (!isFusible(ops[i]))
        continue;
      for (Value operand : ops[i]->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && producer->getBlock() == &block)
          tryMerge(groupOf[number[producer]], i);
    }
  }

  void build() {
    for (unsigned i = 0; i < ops.size(); ++i)
      if (groupOf[i] == i && members[i].count() > 1)
        buildGroup(members[i]);
  }

  /// The operators that could have shared a group and do not.
  SmallVector<Operation *> alone() {
    SmallVector<Operation *> result;
    for (unsigned i = 0; i < ops.size(); ++i)
      if (isFusible(ops[i]) && members[groupOf[i]].count() == 1)
        result.push_back(ops[i]);
    return result;
  }

private:
  /// For each operation the ones that it depends on.
  void computeAncestors() {
    for (auto [i, op] : llvm::enumerate(ops)) {
      llvm::BitVector all(ops.size());
      auto addOperand = [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        if (def && def->getBlock() == &block) {
          all.set(number[def]);
          all |= ancestors[number[def]];
        }
      };
      op->walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), addOperand); });
      // What has effects stays in order with all that has.
      if (hasEffects(op)) {
        if (lastEffect) {
          all.set(*lastEffect);
          all |= ancestors[*lastEffect];
        }
        lastEffect = i;
      }
      ancestors.push_back(std::move(all));
    }
  }

  /// Merges the groups `a` and that of `i` if nothing outside both is between them.
  void tryMerge(unsigned a, unsigned i) {
    unsigned b = groupOf[i];
    if (a == b || !isFusible(ops[a]) || sizesOf(ops[a]) != sizesOf(ops[i]))
      return;
    llvm::BitVector both = members[a];
    both |= members[b];
    llvm::BitVector before(ops.size());
    for (unsigned member : both.set_bits())
      before |= ancestors[member];
    before.reset(both);
    for (unsigned outside : before.set_bits())
      if (ancestors[outside].anyCommon(both))
        return;
    unsigned root = std::min(a, b), gone = std::max(a, b);
    for (unsigned member : members[gone].set_bits())
      groupOf[member] = root;
    members[root] = both;
    // What depends on one member depends on all of them from now on, and so do the members.
    before |= both;
    for (llvm::BitVector &all : ancestors)
      if (all.anyCommon(both))
        all |= before;
    for (unsigned member : both.set_bits())
      ancestors[member] |= before;
  }

  void buildGroup(const llvm::BitVector &group) {
    SmallVector<Operation *> inside;
    llvm::SmallPtrSet<Operation *, 16> set;
    for (unsigned member : group.set_bits()) {
      inside.push_back(ops[member]);
      set.insert(ops[member]);
    }
    SmallVector<Value> yields;
    for (Operation *op : inside)
      if (llvm::any_of(op->getUsers(), [&](Operation *user) { return !set.contains(user); }))
        yields.push_back(op->getResult(0));
    OpBuilder b(inside.back());
    auto types = llvm::map_to_vector(yields, [](Value value) { return value.getType(); });
    auto locs = llvm::map_to_vector(inside, [](Operation *op) { return op->getLoc(); });
    auto fused = GroupOp::create(b, FusedLoc::get(b.getContext(), locs), types);
    explain(fused, inside);
    Block *body = &fused.getBody().emplaceBlock();
    for (Operation *op : inside)
      op->moveBefore(body, body->end());
    OpBuilder end = OpBuilder::atBlockEnd(body);
    YieldOp::create(end, fused.getLoc(), yields);
    for (auto [value, result] : llvm::zip(yields, fused.getResults()))
      value.replaceUsesWithIf(result,
                              [&](OpOperand &use) { return use.getOwner()->getBlock() != body; });
  }

  static void explain(GroupOp group, ArrayRef<Operation *> inside) {
    if (!group.getContext()->getRemarkEngine())
      return; // nobody listens: the list of names is not made
    explainDone(group.getLoc(), "fuse", "{0} operators share one pass and give {1} results: {2}",
                inside.size(), group.getNumResults(),
                llvm::join(llvm::map_range(
                               inside, [](Operation *op) { return op->getName().getStringRef(); }),
                           ", "));
  }

  Block &block;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> number;
  std::vector<llvm::BitVector> ancestors, members;
  std::vector<unsigned> groupOf;
  std::optional<unsigned> lastEffect;
};

struct FusePointwisePass : impl::JitFusePointwiseBase<FusePointwisePass> {
  using JitFusePointwiseBase::JitFusePointwiseBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) {
      Groups groups(*block);
      groups.form();
      for (Operation *op : groups.alone())
        explainMissed(op->getLoc(), "fuse",
                      "'{0}' shares its pass with no other operator: nothing of the same sizes "
                      "feeds it or takes its result",
                      op->getName().getStringRef());
      groups.build();
      if (failed(sortBlock(*block)))
        return signalPassFailure();
    }
  }
};

} // namespace

} // namespace jit
