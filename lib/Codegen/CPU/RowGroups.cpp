//===- RowGroups.cpp - ops that can share their outer loops ---------------===//
#include "RowGroups.h"
#include "LoopOrder.h"
#include "Products/Memory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using jit::RowGroup;
using jit::RowMember;

/// Fewer rows keep too few threads busy; fewer still after giving up a loop that others shared.
static constexpr int64_t leastRows = 8, leastRowsLeft = 16;

int64_t RowGroup::rows() const {
  int64_t product = 1;
  for (int64_t count : trips)
    product *= count;
  return product;
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

static bool isBuffer(Value value) { return isa<MemRefType>(value.getType()); }

/// The constant layout of a buffer.
static bool hasKnownPlaces(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.hasStaticShape() && succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) && llvm::none_of(strides, ShapedType::isDynamic);
}

/// True for loops over buffers that can be cut into rows by taking subviews.
static bool isEligible(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() == 0)
    return false;
  for (int64_t size : op.getStaticLoopRanges())
    if (ShapedType::isDynamic(size) || size == 0)
      return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isBuffer(operand.get()) &&
        (!hasKnownPlaces(operand.get()) ||
         !op.getMatchingIndexingMap(&operand).isProjectedPermutation(/*allowZeroInResults=*/true)))
      return false;
  return llvm::all_of(*op.getBlock(),
                      [](Operation &nested) { return isMemoryEffectFree(&nested); });
}

/// The loops of `op` that others may share: parallel ones that write something else in each
/// iteration, but not the one that vectors run along.
static SmallVector<unsigned> sharableLoops(linalg::LinalgOp op) {
  std::optional<unsigned> innermost = jit::chooseLoopOrder(op).innermost;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<unsigned> loops;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    bool writes = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
      return jit::strideAlong(op, init, loop) != 0;
    });
    if (size > 1 && iterators[loop] == utils::IteratorType::parallel && innermost != loop && writes)
      loops.push_back(loop);
  }
  return loops;
}

/// True if `loop` is one digit of the addresses behind `operand`: with step s and n iterations,
/// address / s mod n is its iteration, whatever the other loops do.
static bool isDigit(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t step = jit::strideAlong(op, operand, loop), offset;
  SmallVector<int64_t> strides;
  (void)cast<MemRefType>(operand.get().getType()).getStridesAndOffset(strides, offset);
  if (step <= 0 || (offset / step) % sizes[loop] != 0)
    return false;
  int64_t below = offset % step;
  for (auto [other, size] : llvm::enumerate(sizes)) {
    int64_t stride = jit::strideAlong(op, operand, other);
    if (other == loop || size == 1 || stride == 0)
      continue;
    if (stride < step)
      below += stride * (size - 1);
    else if (stride % (step * sizes[loop]) != 0)
      return false;
  }
  return below < step;
}

/// The loop of `op` that walks `operand` as `loop` of the member walks `shared`.
static std::optional<unsigned> sameLoop(linalg::LinalgOp op, OpOperand &operand,
                                        linalg::LinalgOp member, OpOperand &shared, unsigned loop) {
  if (!isDigit(member, shared, loop))
    return std::nullopt;
  int64_t step = jit::strideAlong(member, shared, loop), trips = member.getStaticLoopRanges()[loop];
  for (unsigned own : sharableLoops(op))
    if (op.getStaticLoopRanges()[own] == trips && jit::strideAlong(op, operand, own) == step &&
        isDigit(op, operand, own))
      return own;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// Walks a block and collects ops into one group at a time.
class Grouper {
public:
  void add(Operation &op);
  void close();
  SmallVector<RowGroup> take() { return std::move(groups); }

private:
  bool isIndependent(Operation *op) const;
  std::optional<SmallVector<std::optional<unsigned>>> match(linalg::LinalgOp op) const;
  bool join(linalg::LinalgOp op);
  void joinWaiting();
  void start(linalg::LinalgOp op);

  RowGroup group;
  /// Ops among the group's that touch nothing of it, and stay before it.
  SmallVector<Operation *> waiting;
  SmallVector<RowGroup> groups;
};
} // namespace

/// True if the order of the two does not matter.
static bool commute(linalg::LinalgOp a, linalg::LinalgOp b) {
  for (OpOperand &x : a->getOpOperands())
    for (OpOperand &y : b->getOpOperands())
      if (isBuffer(x.get()) && isBuffer(y.get()) && (a.isDpsInit(&x) || b.isDpsInit(&y)) &&
          jit::mayAlias(x.get(), y.get()))
        return false;
  return true;
}

static bool commute(Operation *op, linalg::LinalgOp other) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured && structured.hasPureBufferSemantics())
    return commute(structured, other);
  return llvm::none_of(other->getOperands(), [&](Value operand) {
    return isBuffer(operand) && jit::mayTouch(op, operand);
  });
}

bool Grouper::isIndependent(Operation *op) const {
  return llvm::all_of(group.members,
                      [&](const RowMember &member) { return commute(op, member.op); });
}

/// For each shared loop the one of `op` that it is, if there is one; nullopt where the op can't be
/// in the group at all.
std::optional<SmallVector<std::optional<unsigned>>> Grouper::match(linalg::LinalgOp op) const {
  SmallVector<std::optional<unsigned>> found(group.trips.size());
  llvm::SmallDenseSet<unsigned> lost;
  for (const RowMember &member : group.members) {
    linalg::LinalgOp other = member.op;
    for (OpOperand &shared : other->getOpOperands())
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isBuffer(shared.get()) || !isBuffer(operand.get()) ||
            !jit::mayAlias(shared.get(), operand.get()))
          continue;
        bool ordered = other.isDpsInit(&shared) || op.isDpsInit(&operand);
        bool same = jit::rootOf(shared.get()) == jit::rootOf(operand.get());
        if (ordered && !same)
          return std::nullopt;
        for (auto [i, loop] : llvm::enumerate(member.loops)) {
          std::optional<unsigned> own;
          if (same)
            own = sameLoop(op, operand, other, shared, loop);
          if (own && !found[i])
            found[i] = own;
          else if (ordered && (!own || own != found[i]))
            lost.insert(i);
        }
      }
  }
  for (unsigned i : lost)
    found[i].reset();
  return found;
}

bool Grouper::join(linalg::LinalgOp op) {
  auto found = match(op);
  if (!found)
    return false;
  RowGroup next;
  next.members = group.members;
  RowMember self{op, {}};
  for (RowMember &member : next.members)
    member.loops.clear();
  for (auto [i, own] : llvm::enumerate(*found)) {
    // Two loops of the group cannot be one of the op's.
    if (!own || llvm::is_contained(self.loops, *own))
      continue;
    self.loops.push_back(*own);
    next.trips.push_back(group.trips[i]);
    for (auto [member, before] : llvm::zip(next.members, group.members))
      member.loops.push_back(before.loops[i]);
  }
  int64_t rows = next.rows();
  if (next.trips.empty() || rows < (rows < group.rows() ? leastRowsLeft : leastRows))
    return false;
  next.members.push_back(self);
  group = std::move(next);
  return true;
}

/// What waits may have been waiting for the op that has just joined.
void Grouper::joinWaiting() {
  linalg::LinalgOp joined = group.members.back().op;
  for (unsigned i = waiting.size(); i-- > 0;) {
    auto op = dyn_cast<linalg::LinalgOp>(waiting[i]);
    bool isNeeded = op && isEligible(op) && !commute(op, joined);
    // It goes past those that wait behind it.
    auto behind = ArrayRef(waiting).drop_front(i + 1);
    if (isNeeded && llvm::all_of(behind, [&](Operation *other) { return commute(other, op); }) &&
        join(op))
      waiting.erase(waiting.begin() + i);
  }
  llvm::sort(group.members, [](const RowMember &a, const RowMember &b) {
    return linalg::LinalgOp(a.op)->isBeforeInBlock(linalg::LinalgOp(b.op));
  });
}

void Grouper::start(linalg::LinalgOp op) {
  SmallVector<unsigned> loops = sharableLoops(op);
  if (loops.empty())
    return;
  for (unsigned loop : loops)
    group.trips.push_back(op.getStaticLoopRanges()[loop]);
  group.members.push_back({op, loops});
}

void Grouper::close() {
  if (group.members.size() > 1)
    groups.push_back(std::move(group));
  group = RowGroup();
  waiting.clear();
}

void Grouper::add(Operation &op) {
  if (!isa<linalg::LinalgOp>(op) && jit::isHarmless(&op))
    return;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  bool eligible = structured && isEligible(structured);
  if (eligible && !group.members.empty() && join(structured))
    return joinWaiting();
  if (!group.members.empty() && isIndependent(&op)) {
    waiting.push_back(&op);
    return;
  }
  close();
  if (eligible)
    start(structured);
}

SmallVector<RowGroup> jit::findRowGroups(Block &block) {
  Grouper grouper;
  for (Operation &op : block)
    grouper.add(op);
  grouper.close();
  return grouper.take();
}
