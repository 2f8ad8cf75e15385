//===- RowChains.cpp - ops that work on the same rows ---------------------===//
#include "GPU/RowChains.h"
#include "GPU/Buffers.h"
#include "GPU/Reducer.h"

using namespace mlir;
using jit::Reach;
using jit::RowSpace;

/// How many ops that do not belong to a group may stand between those that do.
static constexpr size_t maxSkipped = 64;

std::optional<unsigned> jit::rowDims(linalg::LinalgOp op, RowSpace space) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return std::nullopt;
  int64_t rows = 1, rest = 1;
  unsigned count = 0;
  while (count < sizes.size() && rows < space.rows)
    rows *= sizes[count++];
  for (int64_t size : ArrayRef(sizes).drop_front(count))
    rest *= size;
  if (rows != space.rows || (rest != 1 && rest != space.columns))
    return std::nullopt;
  return count;
}

bool jit::isRowLevel(linalg::LinalgOp op, RowSpace space) {
  int64_t points = 1;
  for (int64_t size : op.getStaticLoopRanges())
    points *= size;
  return points == space.rows;
}

Reach jit::reachOf(linalg::LinalgOp op, OpOperand &operand, RowSpace space) {
  std::optional<unsigned> rows = rowDims(op, space);
  if (rows && jit::walksInOrder(op, operand, 0, *rows))
    return Reach::Row;
  if (rows && !isRowLevel(op, space) && jit::walksInOrder(op, operand, 0, op.getNumLoops()))
    return Reach::Element;
  return Reach::Other;
}

/// The rows of a reduction along its last dimensions.
static std::optional<RowSpace> spaceOf(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return std::nullopt;
  RowSpace space{1, 1};
  for (auto [size, kind] : llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (ShapedType::isDynamic(size) || size == 0)
      return std::nullopt;
    if (kind == utils::IteratorType::reduction)
      space.columns *= size;
    else if (size != 1 && space.columns != 1)
      return std::nullopt;
    else
      space.rows *= size;
  }
  if (space.columns == 1)
    return std::nullopt;
  return space;
}

/// True if the op by itself could be part of a group over `space`.
static bool fits(linalg::LinalgOp op, RowSpace space) {
  if (!jit::hasKnownMemory(op) || llvm::any_of(op.getStaticLoopRanges(), ShapedType::isDynamic) ||
      !jit::rowDims(op, space))
    return false;
  if (op.getNumReductionLoops() == 0)
    return true;
  std::optional<RowSpace> own = spaceOf(op);
  return own && own->rows == space.rows && own->columns == space.columns && jit::Reducer::of(op);
}

namespace {
/// Follows what happens to buffers from op to op of a group.
class Flow {
public:
  /// `isWhole`: what reductions go on from has to be known, as it is once the group has all ops
  /// before them.
  Flow(RowSpace space, bool isWhole) : space(space), isWhole(isWhole) {}

  /// False where the op cannot follow those before it.
  bool add(linalg::LinalgOp op);

private:
  bool read(linalg::LinalgOp op, OpOperand &operand);
  bool write(linalg::LinalgOp op, OpOperand &init);

  RowSpace space;
  bool isWhole;
  llvm::DenseMap<Value, Reach> written;
  llvm::DenseMap<Value, SmallVector<Reach>> readBefore;
};
} // namespace

bool Flow::read(linalg::LinalgOp op, OpOperand &operand) {
  Value root = jit::viewedBuffer(operand.get());
  bool isReshaped = jit::reshapeSource(operand.get()) == root;
  Reach reach = isReshaped ? jit::reachOf(op, operand, space) : Reach::Other;
  if (auto found = written.find(root); found != written.end())
    return reach == found->second;
  readBefore[root].push_back(reach);
  return true;
}

bool Flow::write(linalg::LinalgOp op, OpOperand &init) {
  Value root = jit::viewedBuffer(init.get());
  bool isPerRow = jit::isRowLevel(op, space) || op.getNumReductionLoops() > 0;
  Reach reach = isPerRow ? Reach::Row : Reach::Element;
  if (jit::reshapeSource(init.get()) != root || jit::reachOf(op, init, space) != reach)
    return false;
  if (auto found = written.find(root); found != written.end())
    return reach == found->second;
  // One thread writes what all threads of the row would have to have read before.
  if (isPerRow && (readBefore.contains(root) || (isWhole && op.payloadUsesValueFromOperand(&init))))
    return false;
  written[root] = reach;
  return llvm::all_of(readBefore.lookup(root), [&](Reach read) { return read == reach; });
}

bool Flow::add(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<MemRefType>(input->get().getType()) && op.payloadUsesValueFromOperand(input) &&
        !read(op, *input))
      return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) { return write(op, init); });
}

namespace {
/// Grows a group around one reduction.
class Grower {
public:
  Grower(linalg::LinalgOp seed, RowSpace space, const llvm::DenseSet<Operation *> &taken)
      : group{{seed}, space}, taken(taken) {}

  jit::RowChain grow();

private:
  void growBackwards();
  void growForwards();
  /// Takes the op in, before or behind those that are there, if that can be.
  bool takes(Operation *op, bool before);
  bool isFree(Operation *op);

  jit::RowChain group;
  const llvm::DenseSet<Operation *> &taken;
};
} // namespace

static bool flows(ArrayRef<linalg::LinalgOp> ops, RowSpace space, bool isWhole) {
  Flow flow(space, isWhole);
  return llvm::all_of(ops, [&](linalg::LinalgOp op) { return flow.add(op); });
}

bool Grower::isFree(Operation *op) { return jit::hasKnownMemory(op) && !taken.contains(op); }

bool Grower::takes(Operation *op, bool before) {
  auto candidate = dyn_cast<linalg::LinalgOp>(op);
  if (!candidate || !fits(candidate, group.space))
    return false;
  bool startsRows = isa<linalg::FillOp>(op) && jit::isRowLevel(candidate, group.space);
  if (!startsRows &&
      llvm::none_of(group.ops, [&](Operation *member) { return jit::shareBuffer(op, member); }))
    return false;
  SmallVector<linalg::LinalgOp> ops = group.ops;
  ops.insert(before ? ops.begin() : ops.end(), candidate);
  if (!flows(ops, group.space, /*isWhole=*/!before))
    return false;
  group.ops = std::move(ops);
  return true;
}

void Grower::growBackwards() {
  SmallVector<Operation *> skipped;
  for (Operation *op = group.ops.front()->getPrevNode(); op; op = op->getPrevNode()) {
    if (jit::isAside(op))
      continue;
    if (!isFree(op) || skipped.size() > maxSkipped)
      return;
    // It would move behind those that are skipped.
    bool canMove =
        llvm::none_of(skipped, [&](Operation *other) { return jit::conflict(op, other); });
    if (!canMove || !takes(op, /*before=*/true))
      skipped.push_back(op);
  }
}

void Grower::growForwards() {
  size_t skipped = 0;
  for (Operation *op = group.ops.back()->getNextNode(); op; op = op->getNextNode()) {
    if (jit::isAside(op))
      continue;
    if (!isFree(op) || skipped > maxSkipped)
      return;
    if (takes(op, /*before=*/false))
      continue;
    // All members would move behind it.
    if (llvm::any_of(group.ops, [&](Operation *member) { return jit::conflict(op, member); }))
      return;
    ++skipped;
  }
}

jit::RowChain Grower::grow() {
  growBackwards();
  if (flows(group.ops, group.space, /*isWhole=*/true))
    growForwards();
  else
    group.ops.clear();
  return group;
}

SmallVector<jit::RowChain> jit::findRowChains(Block &block) {
  SmallVector<RowChain> groups;
  llvm::DenseSet<Operation *> taken;
  for (Operation &op : block) {
    auto seed = dyn_cast<linalg::LinalgOp>(op);
    std::optional<RowSpace> space = seed ? spaceOf(seed) : std::nullopt;
    if (!space || taken.contains(&op) || !fits(seed, *space))
      continue;
    RowChain group = Grower(seed, *space, taken).grow();
    auto isWork = [](Operation *member) { return !isa<linalg::FillOp>(member); };
    if (llvm::count_if(group.ops, isWork) < 2)
      continue;
    taken.insert(group.ops.begin(), group.ops.end());
    groups.push_back(std::move(group));
  }
  return groups;
}
