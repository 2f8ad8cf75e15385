//===- FusePointwise.cpp - groups of pointwise operators ------------------===//

#include "jit/Dialect/Jit/Remarks.h"
#include "jit/Fuse/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITFUSEPOINTWISE
#include "jit/Fuse/Passes.h.inc"

/// LLVM's work grows with the square of a loop's length, and beside so many operators one more pass
/// over memory is little. Codegen's fusion of loops has such a limit, too.
static constexpr unsigned maxMembers = 64;

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

/// The groups of one block. Operations are numbers, by their order there.
class Groups {
public:
  explicit Groups(Block &block) : block(block) {
    for (Operation &op : block) {
      number[&op] = ops.size();
      ops.push_back(&op);
    }
    for (Operation *op : ops)
      sources.push_back(sourcesOf(op));
    spans.resize(ops.size() + 1);
    seen.resize(ops.size(), 0);
  }

  void form() {
    for (unsigned i = 0; i < ops.size(); ++i) {
      groupOf.push_back(i);
      members.push_back({i});
      if (!isFusible(ops[i]))
        continue;
      for (Value operand : ops[i]->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && producer->getBlock() == &block)
          tryMerge(groupOf[number[producer]], groupOf[i]);
    }
  }

  void build() {
    for (unsigned i = 0; i < ops.size(); ++i)
      if (groupOf[i] == i && members[i].size() > 1)
        buildGroup(members[i]);
  }

  /// Whether what feeds the operator is a group that takes no more.
  bool hasMetFull(Operation *op) const { return metFull.contains(op); }

  /// The operators that could have shared a group and do not.
  SmallVector<Operation *> alone() {
    SmallVector<Operation *> result;
    for (unsigned i = 0; i < ops.size(); ++i)
      if (isFusible(ops[i]) && members[groupOf[i]].size() == 1)
        result.push_back(ops[i]);
    return result;
  }

private:
  using Members = SmallVector<unsigned, 1>; // in order

  /// The operations whose results `op` and what is in it read. What has effects stays in order with
  /// all that has.
  Members sourcesOf(Operation *op) {
    llvm::SmallSetVector<unsigned, 4> all;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == &block)
          all.insert(number[def]);
    });
    if (hasEffects(op)) {
      if (lastEffect)
        all.insert(*lastEffect);
      lastEffect = number[op];
    }
    return Members(all.begin(), all.end());
  }

  /// A place at or before `from` that no group spans: nothing before it depends on anything behind
  /// it.
  unsigned boundaryBefore(unsigned from) const {
    while (spans[from] > 0)
      --from;
    return from;
  }

  /// Whether an operation outside the groups `a` and `b` depends on one in them, and another one in
  /// them on that. What depends on a member of a group depends on all of them.
  bool isBetween(unsigned a, unsigned b) {
    ++visit;
    unsigned first = boundaryBefore(std::min(members[a].front(), members[b].front()));
    SmallVector<unsigned> waiting;
    auto addSources = [&](unsigned group, bool isInside) {
      for (unsigned member : members[group])
        for (unsigned source : sources[member]) {
          unsigned next = groupOf[source];
          if (next == a || next == b) {
            if (!isInside)
              return false;
          } else if (source >= first && std::exchange(seen[next], visit) != visit) {
            waiting.push_back(next);
          }
        }
      return true;
    };
    addSources(a, true);
    addSources(b, true);
    while (!waiting.empty())
      if (!addSources(waiting.pop_back_val(), false))
        return true;
    return false;
  }

  void addSpan(const Members &group, int count) {
    for (unsigned place = group.front() + 1; place <= group.back(); ++place)
      spans[place] += count;
  }

  /// Merges two groups if nothing outside both is between them.
  void tryMerge(unsigned a, unsigned b) {
    if (a == b || !isFusible(ops[a]) || sizesOf(ops[a]) != sizesOf(ops[b]))
      return;
    if (members[a].size() + members[b].size() > maxMembers) {
      metFull.insert(ops[b]);
      return;
    }
    if (isBetween(a, b))
      return;
    unsigned root = std::min(a, b), gone = std::max(a, b);
    addSpan(members[a], -1);
    addSpan(members[b], -1);
    Members both;
    std::merge(members[a].begin(), members[a].end(), members[b].begin(), members[b].end(),
               std::back_inserter(both));
    for (unsigned member : members[gone])
      groupOf[member] = root;
    members[gone].clear();
    members[root] = std::move(both);
    addSpan(members[root], 1);
  }

  void buildGroup(const Members &group) {
    SmallVector<Operation *> inside;
    llvm::SmallPtrSet<Operation *, 16> set;
    for (unsigned member : group) {
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
  std::vector<Members> sources, members; // of each operation; of each group, at its first member
  std::vector<unsigned> groupOf;         // the first member
  std::vector<unsigned> spans; // the groups that have members before a place and behind it
  std::vector<unsigned> seen;  // the last visit to a group
  unsigned visit = 0;
  DenseSet<Operation *> metFull;
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
        explainMissed(op->getLoc(), "fuse", "'{0}' shares its pass with no other operator: {1}",
                      op->getName().getStringRef(),
                      groups.hasMetFull(op) ? "what feeds it shares one with as many as may"
                                            : "nothing of the same sizes feeds it or takes its "
                                              "result");
      groups.build();
      if (failed(sortBlock(*block)))
        return signalPassFailure();
    }
  }
};

} // namespace

} // namespace jit
